import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Me } from '#contract/session.ts';
import type { Services } from '#app/services.tsx';
import { enter, enterOffline } from '#app/screens/session/enter.ts';
import { askRemoval } from '#app/session/copy-removal.ts';
import { keepPassphrase } from '#app/session/keep-passphrase.ts';
import { suspendUnlock, unlock, unlockKind } from '#app/session/offline-unlock.ts';
import { openSession } from '#app/session/session.ts';
import { aStorage } from '#tests/support/storage.ts';

const ada: Me = { id: 'a', email: 'ada@example.org', name: null, is_superuser: false, permissions: {} };
const bob: Me = { ...ada, id: 'b', email: 'bob@example.org' };
const passphrase = 'ledger on the night train';
const answer = { refresh_token: 'r', expires_at: '2026-09-14T00:00:00.000' };
const router = { history: { replace: () => undefined } } as unknown as Parameters<typeof enter>[1];

/** A browser at which somebody is signed in, and a server that says who they are. */
function aBrowser(local = aStorage()) {
  const session = openSession(local, aStorage(), () => undefined);
  let answering = ada;
  const call = (async () => answering) as unknown as ApiCall;
  const services = { call, session, local, locks: null, clock: () => 1 };
  const signIn = (password?: string, email = ada.email): Promise<void> =>
    enter(services, router, { ask: async () => answer, email, ...(password === undefined ? {} : { password }) });
  const knows = (me: Me): void => void (answering = me);
  return { local, session, services, signIn, knows };
}

const opens = async (local: Storage, { email }: Me, secret: string): Promise<boolean> => (await unlock(local, { email, secret }, 2)).ok;

test('[SE50] a passphrase is for who the server says is here, and for nobody who is about to leave', async () => {
  const { local, session, services, signIn, knows } = aBrowser();
  await signIn();
  knows(bob);
  await expect(keepPassphrase(services, ada, passphrase)).rejects.toMatchObject({ code: 'other_user' });
  expect([unlockKind(local, ada.email), unlockKind(local, bob.email)]).toEqual([null, null]);
  knows(ada);
  askRemoval(local, ada.id);
  expect(await keepPassphrase(services, ada, passphrase)).toBe(false);
  await signIn();
  session.setShared(true);
  expect(await keepPassphrase(services, ada, passphrase)).toBe(false);
  session.setShared(false);
  expect(await keepPassphrase(services, ada, passphrase)).toBe(true);
  expect(await opens(local, ada, passphrase)).toBe(true);
});

test('[SE50] a passphrase stays what opens the device, whichever way one signs in; without one it is the password', async () => {
  const { local, services, signIn } = aBrowser();
  await signIn('the password of Ada');
  await expect.poll(() => unlockKind(local, ada.email)).toBe('password');
  await keepPassphrase(services, ada, passphrase);
  for (const password of [undefined, 'the password of Ada']) {
    suspendUnlock(local, ada.email);
    expect(await opens(local, ada, passphrase)).toBe(false);
    await signIn(password);
    expect([unlockKind(local, ada.email), await opens(local, ada, passphrase)]).toEqual(['passphrase', true]);
  }
});

test('[SE65] nobody signs in where somebody else has since, in another tab that this one has not heard of; who it is may', async () => {
  const there = aBrowser();
  const { session, services, knows } = aBrowser(there.local);
  await there.signIn();
  knows(bob);
  let isAsked = false;
  const ask = async () => ((isAsked = true), answer);
  for (const who of [{ email: bob.email, password: 'the password of Bob' }, { email: bob.email }, {}])
    await expect(enter(services, router, { ask, ...who })).rejects.toThrow('ada@example.org is signed in on this browser. Sign out first');
  const offline = { email: bob.email, password: 'the password of Bob' };
  expect(await enterOffline({ ...services, session } as unknown as Services, router, offline)).toMatch(/ada@example.org is signed in/);
  expect([isAsked, session.user()?.id, there.session.user()?.id]).toEqual([false, undefined, 'a']);
  knows(ada);
  await enter(services, router, { ask, email: 'Ada@Example.org ' });
  expect([isAsked, session.user()?.id]).toEqual([true, 'a']);
});

test('[SE73] each sign-in has an id of its own, known to every tab, and none is left once it is over', () => {
  const local = aStorage();
  const [here, there] = [1, 2].map(() => openSession(local, aStorage(), () => undefined));
  // came in with a build before
  expect(here?.signInId()).toBe(null);
  const ids = [1, 2].map(() => {
    there?.signIn(answer, ada);
    return here?.signInId();
  });
  there?.update({ ...ada, name: 'Ada' });
  expect(there?.signInId()).toBe(ids[1]);
  there?.resume(ada);
  ids.push(here?.signInId());
  expect(new Set(ids).size).toBe(3);
  expect(ids).not.toContain(null);
  there?.clear();
  expect(here?.signInId()).toBe(null);
});

test('[SE66] that a computer is shared holds once who said so is in, and changes nothing for who is already', async () => {
  const there = aBrowser();
  const { session, signIn } = aBrowser(there.local);
  await there.signIn();
  session.chooseShared(true);
  expect([session.sharedChoice(), session.isShared(), there.session.isShared()]).toEqual([true, false, false]);
  await signIn();
  expect([session.isShared(), there.session.isShared()]).toEqual([true, true]);
  expect(there.session.sharedChoice()).toBe(true);
});

test('[SE66] nor does a device open without a network for who said that it is shared', async () => {
  const { local, services, signIn } = aBrowser();
  await signIn();
  expect(await keepPassphrase(services, ada, passphrase)).toBe(true);
  const { session } = aBrowser(local);
  session.clear();
  const open = (): Promise<string | null> =>
    enterOffline({ ...services, session } as unknown as Services, router, { email: ada.email, password: passphrase });
  session.chooseShared(true);
  expect([await open(), session.user()]).toEqual([expect.stringContaining('shared computer needs the network'), null]);
  session.chooseShared(false);
  expect([await open(), session.user()?.id]).toEqual([null, 'a']);
});

test('[SE71] whoever signs in is led to where they were, or where nobody was yet, and not to where somebody else was', async () => {
  const { local, session, signIn, services, knows } = aBrowser();
  const led: string[] = [];
  const router = { history: { replace: (place: string) => void led.push(place) } } as unknown as Parameters<typeof enter>[1];
  const comes = async (who: Me): Promise<void> => {
    knows(who);
    await enter(services, router, { ask: async () => answer, email: who.email });
  };
  await signIn();
  for (const next of [ada, bob]) {
    session.rememberPlace('/transactions?q=typed');
    session.clear();
    await comes(next);
  }
  session.clear();
  session.rememberPlace('/clients');
  await comes(bob);
  expect(led).toEqual(['/transactions?q=typed', '/home', '/clients']);
  expect([local.getItem('redirect_url'), local.getItem('redirect_user_id')]).toEqual([null, null]);
});
