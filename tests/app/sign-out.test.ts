import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { type Endpoint } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { logout } from '#contract/session.ts';
import { enter } from '#app/screens/session/enter.ts';
import { openSession } from '#app/session/session.ts';
import type { Services } from '#app/services.tsx';
import { endSession, sendNow, settleOwedSignOut } from '#app/session/sign-out.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { unacceptedEdits } from '#replica/unsent.ts';
import { aStorage } from '#tests/support/storage.ts';
import { planted } from '#tests/support/stored.ts';

const aPerson = (id: string) => ({ id, email: `${id}@example.org`, name: null, is_superuser: false, permissions: {} });
const answer = { refresh_token: 'r', expires_at: '2026-09-14T00:00:00.000' };

/** A browser whose locks are given one after another, and what is asked of the server: it answers once a test says so. */
function aBrowser() {
  let last: Promise<unknown> = Promise.resolve();
  const locks = {
    request: (_name: string, work: () => Promise<unknown>) => {
      last = last.then(work, work);
      return last;
    },
  } as unknown as LockManager;
  const local = aStorage();
  const session = openSession(local, aStorage(), () => undefined);
  const asked: { path: string; answers: (how: 'taken' | 'unreachable') => void }[] = [];
  const call = ((endpoint: Endpoint) =>
    new Promise((resolve, reject) => {
      const answers = (how: 'taken' | 'unreachable'): void =>
        how === 'taken'
          ? resolve(endpoint === logout ? {} : aPerson('b'))
          : reject(new ApiError({ code: 'network', detail: 'none', status: 0 }));
      asked.push({ path: endpoint.path, answers });
    })) as unknown as ApiCall;
  return { session, asked, services: { call, session, local, locks, clock: () => 0 } };
}

const router = { history: { replace: () => undefined } } as unknown as Parameters<typeof enter>[1];

test('[SE43] a sign-in waits for a sign-out that is on its way, in whichever tab, and one owed from before is over by it', async () => {
  const { session, asked, services } = aBrowser();
  session.setOwedSignOut('a');
  const settling = settleOwedSignOut(services);
  await expect.poll(() => asked.map(({ path }) => path)).toEqual([logout.path]);
  let isAsked = false;
  const entering = enter(services, router, { ask: async () => ((isAsked = true), answer) });
  expect(isAsked).toBe(false);
  asked[0]?.answers('unreachable');
  await settling;
  expect(session.owedSignOut()).toBe('a');
  await expect.poll(() => asked.length).toBe(2);
  expect(isAsked).toBe(true);
  asked[1]?.answers('taken');
  await entering;
  expect([session.user()?.id, session.owedSignOut()]).toEqual(['b', null]);
  await settleOwedSignOut(services);
  expect(asked).toHaveLength(2);
});

test('[SE44] what one owes is told though another opened the device offline; opened by themselves it is a sign-out no more', async () => {
  const { session, asked, services } = aBrowser();
  session.setOwedSignOut('a');
  session.resume(aPerson('b'));
  const settling = settleOwedSignOut(services);
  await expect.poll(() => asked.map(({ path }) => path)).toEqual([logout.path]);
  asked[0]?.answers('taken');
  await settling;
  expect([session.user()?.id, session.owedSignOut()]).toEqual(['b', null]);

  session.setOwedSignOut('b');
  session.resume(aPerson('b'));
  await settleOwedSignOut(services);
  expect([asked.length, session.owedSignOut()]).toEqual([1, null]);
});

test('[SE62] what the server has accepted already keeps nobody from signing out', async () => {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const { outbox } = replica;
  const input = { trx_id: 'a', counterpart_id: null, is_transfer: true };
  for (const title of ['Accepted', 'Waits'])
    await enqueue(outbox, { id: uuidv7(), name: 'markTransfer', input, title, now: 0, clientId: null, entityId: null });
  const [first] = await pendingMutations(outbox);
  await planted(outbox, 'mutations', [{ ...first!, state: 'acked' }]);
  const services = { engine: { sendNow: async () => undefined } } as unknown as Services;
  expect(await sendNow(services, replica)).toBe(1);
  expect((await unacceptedEdits(outbox)).map(({ title }) => title)).toEqual(['Waits']);
  closeReplica(replica);
});

const nothing = { clear: () => undefined, flush: async () => undefined };
/** What a sign-out lets go of, and a server that hears of it. */
const quiet = { call: async () => ({}), drafts: nothing, queries: nothing, notices: nothing };

test('[SE64] an edit made in another tab while a shared computer is signed out of is counted among those that are lost', async () => {
  const { session, services } = aBrowser();
  const me = aPerson(uuidv7());
  const replica = await openReplica(browserStores, me.id, 0);
  session.resume(me);
  session.setShared(true);
  const edit = () => {
    const input = { trx_id: 'a', counterpart_id: null, is_transfer: true };
    return enqueue(replica.outbox, { id: uuidv7(), name: 'markTransfer', input, title: 'Late', now: 0, clientId: null, entityId: null });
  };
  const { lost } = await endSession({
    ...services,
    ...quiet,
    engine: { sendNow: async () => undefined, close: edit },
    engineEnded: new Promise(() => undefined),
    replica: { open: async () => replica, close: async () => closeReplica(replica) },
  } as unknown as Services);
  expect([lost, session.user()]).toEqual([1, null]);
});

test('[SE68] a sign-out does not wait for an engine whose worker is gone', async () => {
  const { session, services } = aBrowser();
  session.resume(aPerson(uuidv7()));
  const never = () => new Promise(() => undefined);
  await endSession({
    ...services,
    ...quiet,
    engine: { sendNow: never, close: never },
    engineEnded: Promise.resolve(),
    replica: { open: async () => null, close: async () => undefined },
  } as unknown as Services);
  expect(session.user()).toBeNull();
});

test('[SE74] what could not be removed from a shared computer is not said to be gone', async () => {
  const { session, services } = aBrowser();
  const endWith = (locks: unknown) => {
    session.resume(aPerson(uuidv7()));
    session.setShared(true);
    return endSession({
      ...services,
      ...quiet,
      locks,
      engine: { sendNow: async () => undefined, close: async () => undefined },
      engineEnded: new Promise(() => undefined),
      replica: { open: async () => null, close: async () => undefined },
    } as unknown as Services);
  };
  const free = { request: (_: string, work: () => Promise<unknown>) => work() };
  expect((await endWith(free)).isLeft).toBe(false);
  // another tab's worker is still at work
  const taken = {
    request: (name: string, work: () => Promise<unknown>) => (name.includes('engine') ? Promise.reject(new Error('Taken')) : work()),
  };
  expect((await endWith(taken)).isLeft).toBe(true);
});
