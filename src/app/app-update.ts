import { v7 as uuid } from 'uuid';
import { z } from 'zod';
import type { DraftStore } from './drafts/draft-store.ts';
import { keptKeys, type TabStorage } from './kept-keys.ts';
import { createListeners } from './listeners.ts';

// A new build takes over in all tabs at once, also in those in which somebody is typing. So the tab in which it is accepted has the
// others write down what is typed first, and each is read anew no sooner than that is done.

/** Longest wait for the tabs to write down what is typed, in milliseconds. */
export const readyWithinMs = 2_000;
/** Longest wait for the new build to take over, in milliseconds: then the page is read anew all the same. */
export const takeOverWithinMs = 5_000;
/** A tab is read anew for a build at most once in so many milliseconds: two servers that disagree would have it go on for ever. */
export const onceWithinMs = 60_000;

const { key: readAnewKey } = keptKeys.readAnewAt;

/** A page that stays open looks for a newer build no oftener than this, in milliseconds, unless the person or the server wants one. */
export const lookEveryMs = 30 * 60_000;

/** A lock each tab holds while it is open. */
const openLock = 'tieout-open';

/** `prepare`: write down what is typed, and answer `ready`. `going`: the new build takes over now. */
const messageSchema = z.object({ kind: z.enum(['prepare', 'ready', 'going']), round: z.string() });
export type UpdateMessage = z.infer<typeof messageSchema>;

/** A new version of the app that is installed and waits for the person. */
export interface AppUpdate {
  isWaiting: () => boolean;
  subscribe: (onChange: () => void) => () => void;
  /** A new version waits; `takeOver` lets it. */
  offer: (takeOver: () => void) => void;
  accept: () => void;
  later: () => void;
  /** Another build's worker serves this page. @param isFirst none did before: then it is no update, unless one was accepted. */
  tookOver: (isFirst: boolean) => void;
  /** A part of this build could not be loaded any more. */
  partIsGone: () => void;
  /** @param ask asks the server for a newer build. @returns whether it has one, which is offered once it is installed. */
  lookBy: (ask: () => Promise<boolean>) => void;
  /** Looks for a newer build now, and offers one again that was put off. @returns whether there is one. */
  look: () => Promise<boolean>;
  /** Looks for one where this tab has not for a while. What goes wrong is of no account: it is looked for again. */
  lookNowAndThen: () => void;
}

interface UpdatePorts {
  /** Between the tabs of this browser; nobody hears themselves. */
  channel: { post: (message: UpdateMessage) => void; hear: (heard: (message: unknown) => void) => void };
  locks: LockManager | null;
  drafts: Pick<DraftStore, 'flush' | 'hasUnkept'>;
  tab: TabStorage;
  clock: () => number;
  /** Runs something after so many milliseconds. */
  after: (run: () => void, ms: number) => void;
  reload: () => void;
}

/** Holds what tells that this tab is open. @returns how many others are; where nobody can tell, none that could be waited for. */
function countOthers(locks: LockManager | null): () => Promise<number> {
  void locks?.request(openLock, { mode: 'shared' }, () => new Promise(() => undefined));
  return async () => {
    const { held } = (await locks?.query()) ?? {};
    return held ? held.filter(({ name }) => name === openLock).length - 1 : Infinity;
  };
}

export function createAppUpdate({ channel, locks, drafts, tab, clock, after, reload }: UpdatePorts): AppUpdate {
  const listeners = createListeners();
  const others = countOthers(locks);
  let waiting: (() => void) | null = null;
  let isExpected = false;
  let isReloading = false;
  const ready = new Map<string, () => void>();
  let ask: () => Promise<boolean> = () => Promise.resolve(false);
  let lookedAt = clock();
  let putOff: (() => void) | null = null;
  const askNow = (): Promise<boolean> => {
    lookedAt = clock();
    return ask();
  };
  const set = (next: (() => void) | null): void => {
    waiting = next;
    listeners.tell();
  };
  const inTime = (work: Promise<unknown>): Promise<void> =>
    new Promise((resolve) => {
      after(resolve, readyWithinMs);
      void work.finally(resolve);
    });

  /** @returns false where it is for the person to do: it was done just now, or something typed would go that they were not asked about. */
  const readAnew = async (isAccepted: boolean): Promise<boolean> => {
    await inTime(drafts.flush());
    if (isReloading) return true;
    const last = tab.getItem(readAnewKey);
    const wasJustNow = last !== null && Math.abs(clock() - Number(last)) < onceWithinMs;
    if (!isAccepted && (wasJustNow || drafts.hasUnkept())) return false;
    tab.setItem(readAnewKey, String(clock()));
    isReloading = true;
    reload();
    return true;
  };
  const followBuild = async (isAccepted: boolean): Promise<void> => {
    if (!(await readAnew(isAccepted))) set(reload);
  };
  let isAcceptedHere = false;
  const expect = (): void => {
    isExpected = true;
    set(null);
    after(() => void followBuild(isAcceptedHere), takeOverWithinMs);
  };

  const begin = async (takeOver: () => void): Promise<void> => {
    isAcceptedHere = true;
    set(null);
    const round = uuid();
    let missing = await others();
    const answers = new Promise<void>((resolve) => {
      const note = (): void => {
        if (missing <= 0) resolve();
        missing -= 1;
      };
      ready.set(round, note);
      note();
    });
    channel.post({ kind: 'prepare', round });
    await inTime(Promise.all([answers, drafts.flush()]));
    ready.delete(round);
    channel.post({ kind: 'going', round });
    expect();
    takeOver();
  };

  channel.hear((heard) => {
    const { data: message } = messageSchema.safeParse(heard);
    if (!message) return;
    const { kind, round } = message;
    if (kind === 'ready') ready.get(round)?.();
    else if (kind === 'going') expect();
    else void drafts.flush().then(() => channel.post({ kind: 'ready', round }));
  });

  return {
    isWaiting: () => waiting !== null,
    subscribe: listeners.subscribe,
    offer: (takeOver) => set(() => void begin(takeOver)),
    accept: () => waiting?.(),
    later: () => {
      putOff = waiting;
      set(null);
    },
    tookOver: (isFirst) => {
      if (!isFirst || isExpected) void followBuild(isAcceptedHere);
    },
    partIsGone: () => void followBuild(false),
    lookBy: (asking) => {
      ask = asking;
    },
    look: async () => {
      if (waiting === null && putOff !== null) set(putOff);
      return (await askNow()) || waiting !== null;
    },
    lookNowAndThen: () => {
      // a clock that was put back says nothing of how long it was
      if (Math.abs(clock() - lookedAt) >= lookEveryMs) askNow().catch(() => undefined);
    },
  };
}
