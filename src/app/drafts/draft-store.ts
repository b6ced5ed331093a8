import { dropDraftOf, dropSettledDrafts, keepDraft } from '#replica/drafts.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import type { TabStorage } from '#app/kept-keys.ts';
import { textOfError } from '#app/notices.tsx';
import type { Services } from '#app/services.tsx';
import { forgetLeft, leave, leftIn } from './drafts-left.ts';
import { onDisk, onPage, type Shelf } from './draft-shelves.ts';
import { type FormDraft, type FormPorts, openDraft, type OpenDraft } from './open-draft.ts';

// What a person typed into a form that is open survives whatever becomes of the page: it is written down a moment after it was typed. A
// form that is open in two tabs has a draft in each. A lock says that a draft is in use; one that a dead tab left is free.

export interface DraftStore {
  /** @param form `client:new`, `client:<id>` and the like. */
  open: (userId: string, form: string) => OpenDraft;
  /** Such a form on this page is cancelled. */
  end: (form: string) => void;
  /** Writes down at once what is typed in all open forms; resolves when it is on disk, or could not be. */
  flush: () => Promise<void>;
  /** The page goes: what a browser does not let it write down or drop any more is kept with the tab, and done with the next page. */
  leave: () => void;
  /** Whether something is typed that the page alone has: on a shared computer, or where the disk takes nothing. */
  hasUnkept: () => boolean;
}

interface DraftPorts extends Pick<Services, 'session' | 'replica'>, FormPorts {
  tab: TabStorage;
}

export function createDraftStore(ports: DraftPorts): DraftStore {
  const { session, replica, tab, log, clock } = ports;
  const onThisPage = new Map<string, Draft>();
  const forms = new Map<FormDraft, string>();
  const closing = new Set<Promise<void>>();
  let whose = session.user()?.id;
  session.subscribe(() => {
    if (session.user()?.id === whose) return;
    whose = session.user()?.id;
    onThisPage.clear();
  });
  let taking: Promise<void> | null = null;
  let hasLeft = false;
  const take = async (userId: string): Promise<void> => {
    const left = leftIn(tab);
    if (left?.userId !== userId) return;
    try {
      const { outbox } = await replica.open(userId);
      for (const draft of left.drafts) await keepDraft(outbox, draft);
      // a page that came back may have kept more
      for (const key of left.dropped) await dropDraftOf(outbox, key, left.at);
      forgetLeft(tab);
    } catch (error) {
      log(`What was typed last was not kept: ${textOfError(error)}`);
    }
  };
  const tidy = async (userId: string): Promise<void> => {
    try {
      await dropSettledDrafts((await replica.open(userId)).outbox);
    } catch (error) {
      log(`Old drafts were not let go of: ${textOfError(error)}`);
    }
  };
  const takeLeft = (userId: string): Promise<void> =>
    (taking ??= take(userId)
      .then(() => tidy(userId))
      .finally(() => {
        taking = null;
      }));
  const me = session.user();
  if (me) void takeLeft(me.id);
  const unkept = (): Draft[] => [...forms.keys()].flatMap((form) => form.unkept() ?? []);
  const undropped = (): string[] => [...forms.keys()].flatMap((form) => form.undropped() ?? []);
  const flush = async (): Promise<void> => void (await Promise.all([...forms.keys()].map(({ settle }) => settle())));
  const shelfOf = async (userId: string): Promise<Shelf> => {
    // one that was just closed lets go of its draft first
    await Promise.all([...closing, takeLeft(userId)]);
    const disk = onDisk((await replica.open(userId)).outbox);
    return session.isShared() ? onPage(onThisPage, disk) : disk;
  };
  return {
    open: (userId, form) => {
      let closed = (): void => undefined;
      const isClosed = new Promise<void>((resolve) => (closed = resolve));
      const draft = openDraft(ports, form, shelfOf(userId), () => {
        // what the disk did not take, or let go of, is tried again with whatever is written next
        if (session.isShared() || (draft.unkept() ?? draft.undropped()) === null) forms.delete(draft);
        closing.delete(isClosed);
        closed();
      });
      forms.set(draft, form);
      return {
        ...draft,
        close: () => {
          closing.add(isClosed);
          draft.close();
        },
      };
    },
    end: (form) => {
      for (const [draft, its] of forms) if (its === form) draft.drop();
    },
    flush,
    leave: () => {
      void flush();
      const user = session.user();
      const left = leftIn(tab);
      // this page may go before it has taken what the one before it left; what it left itself, and came back from, is old
      const former = left && left.userId === user?.id && !hasLeft ? left : null;
      hasLeft = true;
      if (!user) return forgetLeft(tab);
      const [typed, gone] = session.isShared() ? [[], []] : [unkept(), undropped()];
      const drafts = [...(former?.drafts ?? []), ...typed];
      leave(tab, { userId: user.id, drafts, dropped: [...(former?.dropped ?? []), ...gone], at: clock() });
    },
    hasUnkept: () => unkept().length > 0 || onThisPage.size > 0,
  };
}
