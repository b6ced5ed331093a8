import { v7 as uuid } from 'uuid';
import { draftIdIn, draftKey } from '#replica/drafts.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import { textOfError } from '#app/notices.tsx';
import type { Services } from '#app/services.tsx';
import type { Shelf } from './draft-shelves.ts';

/** Longest that something typed is on the page alone while that is open, in milliseconds. */
export const keepWithinMs = 400;

/** What of a form differs from what it began with, and what it is about. */
export type Typed = Pick<Draft, 'client_id' | 'entity_id' | 'fields' | 'before'>;

/** What is typed into one open form. */
export interface OpenDraft {
  /** What was typed into such a form before, the latest that no open form has; null where there is nothing. */
  found: Promise<Draft | null>;
  /** What is typed by now; null where the form is as it began. */
  note: (typed: Typed | null) => void;
  /** The form was saved, or the person wants nothing of it: what was typed goes. */
  drop: () => void;
  /** The form is no longer on the screen: what was typed stays. */
  close: () => void;
}

/** What an open draft needs of the page. */
export interface FormPorts extends Pick<Services, 'locks' | 'clock' | 'log'> {
  /** Runs something after so many milliseconds. */
  after: (run: () => void, ms: number) => void;
}

type LetGo = () => Promise<void>;

/** Takes a lock unless somebody has it. @returns how to let go of it, which resolves once that is done; null where it is taken. */
function lockUnlessHeld(locks: LockManager | null, name: string): Promise<LetGo | null> {
  if (!locks) return Promise.resolve(() => Promise.resolve());
  return new Promise((resolve, reject) => {
    const held: Promise<unknown> = locks.request(name, { ifAvailable: true }, (lock) => {
      if (!lock) return resolve(null);
      return new Promise<void>((over) =>
        resolve(async () => {
          over();
          await held;
        }),
      );
    });
    held.catch(reject);
  });
}

type Written = Omit<Draft, 'form_key'>;

/** The same, as the page as a whole sees it. */
export interface FormDraft extends OpenDraft {
  /** Writes down what is typed by now; resolves when it is, or could not be. */
  settle: () => Promise<void>;
  /** What is typed and is on the page alone; null where nothing is. */
  unkept: () => Draft | null;
  /** The key of what was dropped and may lie where it was kept still; null where nothing does. */
  undropped: () => string | null;
}

/** @param onClosed told once another form may have what is left. */
export function openDraft({ locks, clock, log, after }: FormPorts, form: string, shelf: Promise<Shelf>, onClosed: () => void): FormDraft {
  let key = draftKey(form, uuid());
  let letGo: LetGo = () => Promise.resolve();
  // from before it is written until it is gone
  let mayBeOnShelf = false;
  // what it is about may no longer be seen
  let isTaken = false;
  let isTimed = false;
  let outlivesPage = false;
  // by the form, which may be before it is known what was found
  let isTold = false;
  let isClosed = false;
  let typed: Written | null = null;
  let written: Written | null = null;

  /** Whether what was typed already stands where a draft would: both are kept then, and the form is not filled. */
  const isInItsPlace = ({ fields }: Draft): boolean =>
    typed !== null && (isClosed || Object.keys(typed.fields).some((name) => Object.hasOwn(fields, name)));
  const claim = async (): Promise<Draft | null> => {
    const { list, ...kind } = await shelf;
    outlivesPage = kind.outlivesPage;
    // without the form, which goes by another id once the server gives one: the lock is on its draft all the while
    const lockOf = (name: string): Promise<LetGo | null> => lockUnlessHeld(locks, `tieout-draft:${draftIdIn(name)}`);
    for (const { form_key: name } of await list(form)) {
      const free = await lockOf(name);
      // whoever had it may have saved it just now
      const draft = free && (await list(form)).find((one) => one.form_key === name);
      if (free && draft && !isInItsPlace(draft)) {
        [key, letGo, mayBeOnShelf] = [name, free, true];
        written = draft;
        if (!isTold) typed = draft;
        return draft;
      }
      await free?.();
    }
    letGo = (await lockOf(key)) ?? letGo;
    return null;
  };
  const write = async (): Promise<void> => {
    const [next, at] = [typed, await shelf];
    if (isTaken || (next === null ? !mayBeOnShelf : next === written)) return;
    mayBeOnShelf ||= next !== null;
    if (next === null) await at.drop(key);
    else if (written !== null) isTaken = !(await at.keepMore({ ...next, form_key: key }));
    else await at.keep({ ...next, form_key: key });
    mayBeOnShelf = next !== null;
    written = next;
  };

  const found = claim();
  let work: Promise<void> = found.then(
    () => undefined,
    () => undefined,
  );
  const settle = (): Promise<void> => {
    work = work.then(write).catch((error: unknown) => log(`A draft was not kept: ${textOfError(error)}`));
    return work;
  };
  return {
    found,
    settle,
    unkept: () => (typed !== null && !isTaken && (typed !== written || !outlivesPage) ? { ...typed, form_key: key } : null),
    undropped: () => (typed === null && mayBeOnShelf && !isTaken ? key : null),
    note: (next) => {
      // a form that is as it began says nothing of what was found, which may not be known yet
      isTold = next !== null;
      typed = next && { ...next, kept_at: clock() };
      if (isTimed) return;
      isTimed = true;
      after(() => {
        isTimed = false;
        void settle();
      }, keepWithinMs);
    },
    drop: () => {
      isTold = true;
      typed = null;
      void settle();
    },
    close: () => {
      isClosed = true;
      void settle()
        .then(() => letGo())
        .finally(onClosed);
    },
  };
}
