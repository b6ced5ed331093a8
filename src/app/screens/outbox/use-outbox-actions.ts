import { v7 as uuid } from 'uuid';
import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discardMany, retry } from '#replica/decisions.ts';
import { fileOf } from '#replica/edit-files.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { restate, type Said } from '#replica/restating.ts';
import { titleOf } from '#app/edit-titles.ts';
import { textOfError } from '#app/notices.tsx';
import { saveFile } from '#app/save-file.ts';
import { useServices, useUser } from '#app/services.tsx';
import { editCount } from '#app/shell/outbox-words.ts';
import { useReplica } from '#app/use-replica.ts';
import type { RestatedWith } from '#app/waiting-form.ts';
import { type AttachedFile, attached, outboxFile } from './outbox-file.ts';

/** What the form of an edit began and ended with, and what else it is by then. */
export type Restated = Pick<Said, 'begun' | 'ended'> & RestatedWith;

const overtakenWords = 'The row was changed again since, or this was decided in another tab: look at what is here now, and decide again';
const lateWords = 'It was sent or settled meanwhile. What you typed stays here until you close this; change it where it is listed.';

/** What one can do with edits that wait. What goes wrong is said in a notice, or in the form it was done in. */
export interface OutboxActions {
  /** Has everything tried at once that waits for time. */
  sendNow: () => Promise<void>;
  tryAgain: (edit: OutboxRow) => Promise<void>;
  /** Sends the edit over what somebody else made of its row, but for the fields of which theirs is taken. */
  keepMine: (edit: OutboxRow, theirFields?: readonly string[]) => Promise<void>;
  /** Lets the edit go. */
  takeTheirs: (edit: OutboxRow) => Promise<void>;
  /** Has the edit say what its form ended with. @throws in words where that cannot be kept, or it is too late. */
  restate: (edit: OutboxRow, restated: Restated) => Promise<void>;
  discard: (edits: readonly OutboxRow[]) => Promise<void>;
  /** Saves them to a file, with the files attached to them. */
  save: (edits: readonly OutboxRow[]) => Promise<void>;
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
        if (await keepMine(outbox, edit, theirFields)) await engine.sendNow();
        else notices.notice('warning', overtakenWords);
      }),
    takeTheirs: (edit) =>
      told(async () => {
        if (!(await takeTheirs(outbox, edit, clock()))) notices.notice('warning', overtakenWords);
      }),
    restate: async (edit, { title, ...restated }) => {
      const isDone = await restate(outbox, edit.seq, {
        ...restated,
        base: edit.base,
        theirs: edit.theirs,
        // what follows it is called by its own words
        titleOf: (titled) => (titled.ahead ? undefined : title) ?? titleOf(titled),
        id: uuid(),
        now: clock(),
      });
      if (!isDone) throw new Error(lateWords);
      void told(() => engine.sendNow());
    },
    discard: (edits) =>
      told(async () => {
        const seqs = edits.map(({ seq }) => seq);
        const stayed = await discardMany(outbox, seqs, clock());
        if (stayed > 0) notices.notice('warning', `${editCount(stayed)} not discarded: on the way to the server just now`);
      }),
    save: (edits) =>
      told(async () => {
        const files: AttachedFile[] = [];
        for (const edit of edits) {
          const file = await fileOf(outbox, edit);
          if (file) files.push(await attached(edit, file));
        }
        const { name, text } = outboxFile({ edits, files, now: clock(), version, apiBaseUrl, email });
        saveFile(name, new Blob([text], { type: 'application/json' }));
      }),
  };
}
