import { useNavigate } from '@tanstack/react-router';
import { pendingMutations } from '#replica/outbox.ts';
import type { GridRow } from '#workers/start.ts';
import { editOf } from '#app/edit-of-row.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { wayWords } from '#app/shell/outbox-words.ts';
import type { MenuChoice } from '#app/ui/grid/popup-menu.tsx';
import { useReplica } from '#app/use-replica.ts';

/** The way from a row to its edit in the outbox: for a key, and as a line of the menu of its cells. */
export interface EditWay {
  open: (row: GridRow) => void;
  choices: (row: GridRow) => MenuChoice[];
}

/** The outbox is read when one goes: following it would draw the list again with every edit that is sent. */
export function useEditWay(): EditWay {
  const { notices } = useServices();
  const { outbox } = useReplica();
  const navigate = useNavigate();
  const go = async ({ id }: GridRow): Promise<void> => {
    const edit = editOf(await pendingMutations(outbox), { noun: 'transactions', id });
    if (edit) await navigate({ to: '/outbox', search: { edit: edit.id } });
    else notices.notice('info', 'No edit of this row waits');
  };
  const open = (row: GridRow): void => void go(row).catch((error: unknown) => notices.notice('error', textOfError(error)));
  return {
    open,
    choices: (row) =>
      row.pending ? [{ key: 'edit', label: wayWords(row.pending.state), hint: 'E', opensGroup: true, run: () => open(row) }] : [],
  };
}
