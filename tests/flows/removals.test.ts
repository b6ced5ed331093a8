import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { withRenewal } from '#api-client/renewal.ts';
import { reportDevice } from '#contract/devices.ts';
import { endOwnSession, listOwnSessions, login, logout } from '#contract/session.ts';
import { updateUser } from '#contract/users.ts';
import { deviceIdOf } from '#replica/device-tables.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { plainKeyOf } from '#replica/user-keys.ts';
import { outboxSchema } from '#replica/outbox-tables.ts';
import { replicaName } from '#replica/row-tables.ts';
import { noteCopy } from '#app/session/copies-here.ts';
import { followRemovals } from '#app/session/ordered-removal.ts';
import { removedNote } from '#app/session/removed-note.ts';
import { openSession } from '#app/session/session.ts';
import { aFlow } from '#tests/support/flow.ts';
import { testPassword } from '#tests/support/server.ts';
import { aStorage } from '#tests/support/storage.ts';
import { anOffice, aUser } from '#tests/support/world.ts';
import { keepUnsentMark } from '#tests/support/unsent-mark.ts';

const { server } = aFlow();

/** A browser on which two colleagues worked one after the other, each with an edit that waits; nobody is signed in any more. */
async function aSharedDesk() {
  const { organization } = await anOffice(server.database.db);
  const admin = await aUser(server.database.db, { organizationIds: [organization.id], role: 'administrator' });
  const people: { id: string; email: string }[] = [];
  const browser = server.anyone();
  const local = aStorage();
  const device_id = await deviceIdOf(browserStores, uuidv7);
  for (let person = 0; person < 2; person += 1) {
    const user = await aUser(server.database.db, { organizationIds: [organization.id] });
    await browser.call(login, { email: user.email, password: testPassword });
    await browser.call(reportDevice, { device_id, pending: 1 });
    noteCopy(local, user);
    await keepUnsentMark(user.id);
    people.push(user);
  }
  const call = withRenewal(browser.call, (work) => work());
  const session = openSession(local, aStorage(), () => undefined);
  const follow = () => followRemovals({ call, session, local, locks: null, clock: () => 0 });
  const held = async (): Promise<number[]> => {
    const names = new Set((await indexedDB.databases()).map(({ name }) => name));
    return people.map(
      ({ id }) => [replicaName(plainKeyOf(id)), outboxSchema(plainKeyOf(id)).name].filter((name) => names.has(name)).length,
    );
  };
  const asAdmin = async () => (await server.signedIn(admin.email)).call;
  const [first, second] = people;
  if (!first || !second) throw new Error('There are two');
  return { first, second, browser, local, follow, held, asAdmin };
}

test('[SG6] a sign-in that is over, whichever way, takes nothing from its device', async () => {
  const { first, second, browser, follow, held, asAdmin } = await aSharedDesk();
  await follow();
  // signed out, revoked elsewhere, run out
  await browser.call(logout, {});
  await follow();
  const elsewhere = await server.signedIn(first.email);
  const [, own] = await elsewhere.call(listOwnSessions, {});
  expect(own).toMatchObject({ keeps_copy: true });
  await elsewhere.call(endOwnSession, { id: own?.id ?? '' });
  await follow();
  server.clock.advance(13 * 3_600_000);
  await follow();
  expect(await held()).toEqual([2, 2]);
  // and somebody who was disabled and is enabled again has lost nothing
  const admin = await asAdmin();
  for (const is_enabled of [false, true]) await admin(updateUser, { id: second.id, name: null, is_enabled });
  await follow();
  expect(await held()).toEqual([2, 2]);
});

test('[SG5] what is here of somebody who was disabled goes, days after their session ran out, too, and of nobody else', async () => {
  const { first, local, follow, held, asAdmin } = await aSharedDesk();
  await (await asAdmin())(updateUser, { id: first.id, name: null, is_enabled: false });
  server.clock.advance(20 * 24 * 3_600_000);
  await follow();
  expect(await held()).toEqual([0, 2]);
  expect(removedNote(local)).toMatchObject({ email: first.email, reason: 'disabled', lost: [{ kind: 'transfer mark', count: 1 }] });
});

test('[SG5] what is here under a sign-in that its person ended elsewhere with that wish goes', async () => {
  const { first, local, follow, held } = await aSharedDesk();
  const elsewhere = await server.signedIn(first.email);
  const [, own] = await elsewhere.call(listOwnSessions, {});
  await elsewhere.call(endOwnSession, { id: own?.id ?? '', remove_copy: true });
  await follow();
  expect(await held()).toEqual([0, 2]);
  expect(removedNote(local)).toMatchObject({ reason: 'revoked' });
});
