import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import type { Me } from '#contract/session.ts';
import { enter } from '#app/screens/session/enter.ts';
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
function aBrowser() {
  const local = aStorage();
  const session = openSession(local, aStorage(), () => undefined);
  let answering = ada;
  const call = (async () => answering) as unknown as ApiCall;
  const services = { call, session, local, locks: null, clock: () => 1 };
  const signIn = (password?: string): Promise<void> =>
    enter(services, router, { ask: async () => answer, ...(password === undefined ? {} : { password }) });
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
