import { expect, test } from 'vitest';
import { bePresent, isLeftBehind } from '#app/session/presence.ts';
import { openSession } from '#app/session/session.ts';
import { forgetPerson } from '#app/kept-keys.ts';
import { aStorage } from '#tests/support/storage.ts';

const me = { id: 'u', email: 'a@example.org', name: null, is_superuser: false, permissions: {} };
const answer = { refresh_token: 'r', expires_at: '2026-09-14T00:00:00.000' };

/** A browser, and its locks as long as a tab of it is open. */
function aBrowser({ isShared }: { isShared: boolean }) {
  const local = aStorage();
  let now = 1_000_000;
  const open = new Set<object>();
  const aTab = (tab = aStorage()) => {
    const page = new EventTarget();
    const self = {};
    const locks = {
      query: async () => ({ held: [...open].map(() => ({ name: 'tieout-present' })) }),
      request: async (_name: string, _how: unknown, held: () => Promise<void>) => {
        open.add(self);
        await held();
        open.delete(self);
      },
    } as unknown as LockManager;
    const place = { session: openSession(local, tab, () => undefined), local, locks, clock: () => now };
    const start = async (): Promise<boolean> => {
      const isLeft = await isLeftBehind(place);
      bePresent({ ...place, isLeft }, page);
      // as the page of signing out does, which stays open
      if (isLeft) place.session.clear();
      return isLeft;
    };
    const close = (): void => {
      page.dispatchEvent(new Event('pagehide'));
      open.delete(self);
    };
    return { session: place.session, tab, start, close };
  };
  const later = (ms: number): void => void (now += ms);
  const signedIn = async () => {
    const first = aTab();
    await first.start();
    first.session.setShared(isShared);
    first.session.signIn(answer, me);
    return first;
  };
  return { local, aTab, later, signedIn };
}

test('[SE36] on a shared computer a session is left behind once its last tab is closed; a reload and a second tab go on', async () => {
  const { aTab, later, signedIn } = aBrowser({ isShared: true });
  const first = await signedIn();
  const second = aTab();
  expect(await second.start()).toBe(false);
  second.close();
  first.close();
  later(2_000);
  const reloaded = aTab(first.tab);
  expect(await reloaded.start()).toBe(false);
  reloaded.close();
  // a tab the browser brings back later still has its storage
  later(61_000);
  expect(await aTab(first.tab).start()).toBe(true);
});

test('[SE37] on a trusted device no session is left behind', async () => {
  const { aTab, later, signedIn } = aBrowser({ isShared: false });
  (await signedIn()).close();
  later(24 * 3_600_000);
  expect(await aTab().start()).toBe(false);
});

test('[SE38] what local storage has of a person goes, and what is of the device or of somebody else stays', () => {
  const local = aStorage();
  const keys = ['theme', 'shared_computer', 'last_entity_id', 'redirect_url', 'install_mark u', 'edits_waiting u', 'edits_waiting other'];
  for (const key of keys) local.setItem(key, 'x');
  forgetPerson(local, 'u');
  expect(keys.filter((key) => local.getItem(key) !== null)).toEqual(['theme', 'shared_computer', 'edits_waiting other']);
});

test('[SE36] a page at which nobody is signed in any more keeps no session of others open', async () => {
  const { aTab, signedIn } = aBrowser({ isShared: true });
  const first = await signedIn();
  first.session.clear();
  const second = aTab();
  await second.start();
  second.session.signIn(answer, me);
  second.close();
  expect(await aTab().start()).toBe(true);
});
