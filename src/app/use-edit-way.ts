import { useNavigate } from '@tanstack/react-router';
import { pendingMutations } from '#replica/outbox.ts';
import type { PendingMark } from '#replica/overlay.ts';
import { type EditedRow, editOf } from './edit-of-row.ts';
import { textOfError } from './notices.tsx';
import { useServices } from './services.tsx';
import { wayWords } from './shell/outbox-words.ts';
import type { MenuChoice } from './ui/grid/popup-menu.tsx';
import { useReplica } from './use-replica.ts';

/** A row of a list, with how its edits stand where some have not settled. */
export interface ShownRow extends EditedRow {
  pending: PendingMark | null | undefined;
}

/** The way from a row to its edit in the outbox: for a key, and as a line of the menu of its cells. */
export interface EditWay {
  open: (row: EditedRow) => void;
  choices: (row: ShownRow) => MenuChoice[];
}

/** The outbox is read when one goes: following it would draw the list again with every edit that is sent. */
export function useEditWay(): EditWay {
  const { notices } = useServices();
  const { outbox } = useReplica();
  const navigate = useNavigate();
  const go = async (row: EditedRow): Promise<void> => {
    const edit = editOf(await pendingMutations(outbox), row);
    if (edit) await navigate({ to: '/outbox', search: { edit: edit.id } });
    else notices.notice('info', 'No edit of this row waits');
  };
  const open = (row: EditedRow): void => void go(row).catch((error: unknown) => notices.notice('error', textOfError(error)));
  return {
    open,
    choices: (row) =>
      row.pending ? [{ key: 'edit', label: wayWords(row.pending.state), hint: 'E', opensGroup: true, run: () => open(row) }] : [],
  };
}
