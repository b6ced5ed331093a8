import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findRemoval, reportDevice, reportRemoval } from '#contract/devices.ts';
import { listAuditEntries } from '#contract/audit.ts';
import { endOtherSessions, endOwnSession, listOwnSessions, login, logout } from '#contract/session.ts';
import { updateUser } from '#contract/users.ts';
import { rowsOf } from '#server/database/open.ts';
import { aServer, type TestServer, testPassword } from '#tests/support/server.ts';
import { anOffice, aUser } from '#tests/support/world.ts';

let server: TestServer;

beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const db = () => server.database.db;

/** A person's device, with a copy on it that the server heard of. */
async function aDevice(user: { id: string; email: string }, device_id: string) {
  const browser = await server.signedIn(user.email);
  await browser.call(reportDevice, { device_id, pending: 2 });
  const question = uuidv7();
  const ask = async (of: Partial<{ user_id: string; device_id: string }> = {}) =>
    (await browser.call(findRemoval, { question, user_id: user.id, device_id, ...of })).removal;
  return { ...browser, device_id, ask };
}

/** Somebody on two devices, at the first of which the sign-in of the second is looked at. */
async function twoDevices() {
  const user = await aUser(db());
  const [here, there] = [await aDevice(user, 'here'), await aDevice(user, 'there')];
  const others = async () => (await here.call(listOwnSessions, {})).filter(({ is_present }) => !is_present);
  const end = async (remove_copy?: boolean): Promise<void> => {
    const [other] = await others();
    await here.call(endOwnSession, { id: other?.id ?? '', ...(remove_copy === undefined ? {} : { remove_copy }) });
  };
  return { user, here, there, others, end };
}

/** An administrator of an office, and somebody who works there on a device. */
async function anAdministrator() {
  const { organization } = await anOffice(db());
  const admin = await aUser(db(), { organizationIds: [organization.id], role: 'administrator' });
  const user = await aUser(db(), { organizationIds: [organization.id] });
  const { call } = await server.signedIn(admin.email);
  const enable = (is_enabled: boolean) => call(updateUser, { id: user.id, name: null, is_enabled });
  return { admin, user, call, enable };
}

describe('the removal of what a device keeps', () => {
  test('[EV8] is ordered by who ends a sign-in and wishes it, and by nothing else that ends one', async () => {
    const { there, others, end } = await twoDevices();
    expect(await others()).toMatchObject([{ keeps_copy: true }]);
    expect(await there.ask()).toBeNull();
    await end();
    expect(await there.ask()).toBeNull();
    const wished = await twoDevices();
    await wished.end(true);
    const at = new Date(server.clock.now()).toISOString();
    const removal = { user_id: wished.user.id, device_id: 'there', reason: 'revoked', ordered_at: at };
    expect(await wished.there.ask()).toMatchObject(removal);
    expect(await wished.here.ask()).toBeNull();
    // an answer may be lost
    expect(await wished.there.ask()).toMatchObject(removal);
    for (const ends of [
      async ({ here }: Awaited<ReturnType<typeof twoDevices>>) => here.call(endOtherSessions, {}),
      async ({ there: other }: Awaited<ReturnType<typeof twoDevices>>) => other.call(logout, {}),
      // it runs out
      async () => server.clock.advance(13 * 3_600_000),
    ]) {
      const devices = await twoDevices();
      await ends(devices);
      expect(await devices.there.ask()).toBeNull();
    }
  });

  test('[EV8] is not ordered for a device on which another sign-in is open, nor for one nobody knows, nor by somebody else', async () => {
    const user = await aUser(db());
    const [here, there] = [await aDevice(user, 'here'), await aDevice(user, 'there')];
    // signed in again without signing out
    await there.call(login, { email: user.email, password: testPassword });
    await there.call(reportDevice, { device_id: 'there', pending: 0 });
    const others = (await here.call(listOwnSessions, {})).filter(({ is_present }) => !is_present);
    expect(others.map(({ keeps_copy }) => keeps_copy)).toEqual([false, false]);
    for (const { id } of others.slice(1)) await here.call(endOwnSession, { id, remove_copy: true });
    expect(await there.ask()).toBeNull();
    const stranger = await server.signedIn((await aUser(db())).email);
    await expect(stranger.call(endOwnSession, { id: others[0]?.id ?? '', remove_copy: true })).rejects.toMatchObject({ code: 'not_found' });
    expect(await there.ask()).toBeNull();
    const shared = server.anyone();
    await shared.call(login, { email: user.email, password: testPassword, shared_computer: true });
    await shared.call(reportDevice, { device_id: 'shared', pending: 0 });
    expect((await here.call(listOwnSessions, {}))[0]).toMatchObject({ keeps_copy: false });
  });

  test('[EV9] is told to that device about that person, and to no other browser, device, person or port', async () => {
    const { user, here, there, end } = await twoDevices();
    await end(true);
    expect(await there.ask({ device_id: 'here' })).toBeNull();
    expect(await there.ask({ user_id: (await aUser(db())).id })).toBeNull();
    expect(await there.ask({ user_id: 'nobody' })).toBeNull();
    expect(await here.ask({ device_id: 'there' })).toBeNull();
    const question = uuidv7();
    const asked = { question, user_id: user.id, device_id: 'there' };
    expect(await server.anyone().call(findRemoval, asked)).toEqual({ question, removal: null });
    const cookie = [...there.jar].map((pair) => pair.join('=')).join('; ');
    const headers = { cookie, origin: 'http://localhost:9', host: 'localhost:9' };
    const elsewhere = await server.app.inject({ method: 'POST', url: '/api/sync/v1/removal', headers, payload: asked });
    expect([elsewhere.statusCode, elsewhere.json<unknown>()]).toEqual([200, { question, removal: null }]);
    // and nobody else takes it from it, or notes anything about it
    const { id = '' } = (await there.ask()) ?? {};
    const lost = [{ kind: 'Update entity', count: 3 }];
    await here.call(reportRemoval, { id, user_id: user.id, device_id: 'there', lost });
    await there.call(reportRemoval, { id, user_id: user.id, device_id: 'here', lost });
    expect(await there.ask()).toMatchObject({ id });
  });

  test('[EV10] is for every device of somebody who is disabled, and for none once they are enabled again', async () => {
    const { admin, user, enable } = await anAdministrator();
    const [one, two] = [await aDevice(user, 'one'), await aDevice(user, 'two')];
    const asks = () => Promise.all([one.ask(), two.ask()]);
    expect(await asks()).toEqual([null, null]);
    await enable(true);
    expect(await asks()).toEqual([null, null]);
    await enable(false);
    expect(await asks()).toMatchObject([{ reason: 'disabled' }, { reason: 'disabled' }]);
    const adminsOwn = await aDevice(admin, 'one');
    expect(await adminsOwn.ask()).toBeNull();
    await enable(true);
    expect(await asks()).toEqual([null, null]);
    // whatever was enabled otherwise, an order for a disabled account holds for that alone
    await enable(false);
    await db().execute(sql`update users set is_enabled = true where id = ${user.id}::uuid`);
    expect(await asks()).toEqual([null, null]);
  });

  test('[EV11] is over where its person signed in on that device since: they keep what is there', async () => {
    const { user, there, end } = await twoDevices();
    await end(true);
    expect(await there.ask()).not.toBeNull();
    server.clock.advance(1_000);
    await there.call(login, { email: user.email, password: testPassword });
    await there.call(reportDevice, { device_id: 'there', pending: 2 });
    expect(await there.ask()).toBeNull();
  });

  test('[EV12] is told of before it is done, with how many edits of which kinds go unsent, once, and is in the audit trail', async () => {
    const { admin, user, call, enable } = await anAdministrator();
    const device = await aDevice(user, 'one');
    await enable(false);
    const { id = '' } = (await device.ask()) ?? {};
    const told = { id, user_id: user.id, device_id: 'one' };
    const lost = [
      { kind: 'Update entity', count: 2 },
      { kind: 'Mark transfer', count: 1 },
    ];
    server.clock.advance(60_000);
    const done_at = new Date(server.clock.now()).toISOString();
    await device.call(reportRemoval, { ...told, lost });
    server.clock.advance(60_000);
    await device.call(reportRemoval, { ...told, lost: null });
    expect(await device.ask()).toBeNull();
    expect(await rowsOf(db(), sql`select 1 from devices where user_id = ${user.id}::uuid`)).toEqual([]);
    const entries = (await call(listAuditEntries, { noun: 'device_removals' })).filter(({ row_id }) => row_id === `${user.id} ${id}`);
    const lost_kinds = '2 edits: Update entity, 1 edit: Mark transfer';
    expect(entries).toMatchObject([
      { action: 'update', title: user.email, user_id: null, after: { done_at, lost_edits: 3, lost_kinds } },
      { action: 'create', title: user.email, user_email: admin.email, after: { reason: 'disabled', browser: 'set', device_id: 'set' } },
    ]);
    // enabled again, what was done stays told
    await enable(true);
    const unknown = await aDevice(user, 'two');
    await enable(false);
    const order = await unknown.ask();
    await unknown.call(reportRemoval, { id: order?.id ?? '', user_id: user.id, device_id: 'two', lost: null });
    const rows = await rowsOf<{ lost_edits: number | null }>(
      db(),
      sql`select lost_edits from device_removals where user_id = ${user.id}::uuid order by ordered_at`,
    );
    expect(rows).toEqual([{ lost_edits: 3 }, { lost_edits: null }]);
  });
});
