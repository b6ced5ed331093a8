import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discardMany, retry } from '#replica/decisions.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { restate } from '#replica/restating.ts';
import { textOfError } from '#app/notices.tsx';
import { saveFile } from '#app/save-file.ts';
import { useServices, useUser } from '#app/services.tsx';
import { editCount } from '#app/shell/outbox-words.ts';
import { useReplica } from '#app/use-replica.ts';
import { outboxFile } from './outbox-file.ts';

/** What one can do with edits that wait. What goes wrong is said in a notice. */
export interface OutboxActions {
  /** Has everything tried at once that waits for time. */
  sendNow: () => Promise<void>;
  tryAgain: (edit: OutboxRow) => Promise<void>;
  /** Sends the edit over what somebody else made of its row, but for the fields of which theirs is taken. */
  keepMine: (edit: OutboxRow, theirFields?: readonly string[]) => Promise<void>;
  /** Lets the edit go. */
  takeTheirs: (edit: OutboxRow) => Promise<void>;
  /** Gives the view of an edit that was not sent another name. */
  rename: (edit: OutboxRow, name: string) => Promise<void>;
  discard: (edits: readonly OutboxRow[]) => Promise<void>;
  save: (edits: readonly OutboxRow[]) => void;
}

export function useOutboxActions(): OutboxActions {
  const { apiBaseUrl, clock, engine, notices, version } = useServices();
  const { outbox } = useReplica();
  const { email } = useUser();
  const told = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      notices.notice('error', textOfError(error));
    }
  };
  return {
    sendNow: () => told(() => engine.sendNow()),
    tryAgain: (edit) =>
      told(async () => {
        await retry(outbox, edit.seq);
        await engine.sendNow();
      }),
    keepMine: (edit, theirFields) =>
      told(async () => {
        await keepMine(outbox, edit.seq, theirFields);
        await engine.sendNow();
      }),
    takeTheirs: (edit) => told(() => takeTheirs(outbox, edit.seq, clock())),
    rename: (edit, name) =>
      told(async () => {
        const isDone = await restate(outbox, edit.seq, { change: { name }, title: `Save view: ${name}` });
        if (isDone) await engine.sendNow();
        else notices.notice('warning', 'It was sent just now. Rename it where views are listed.');
      }),
    discard: (edits) =>
      told(async () => {
        const seqs = edits.map(({ seq }) => seq);
        const stayed = await discardMany(outbox, seqs, clock());
        if (stayed > 0) notices.notice('warning', `${editCount(stayed)} not discarded: on the way to the server just now`);
      }),
    save: (edits) => {
      const { name, text } = outboxFile({ edits, now: clock(), version, apiBaseUrl, email });
      saveFile(name, new Blob([text], { type: 'application/json' }));
    },
  };
}
