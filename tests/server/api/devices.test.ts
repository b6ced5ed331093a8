import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { login } from '#contract/session.ts';
import { mostDevices, reportDevice } from '#contract/devices.ts';
import { rowsOf } from '#server/database/open.ts';
import { forgetDevices, hearOf } from '#server/repositories/devices.ts';
import { aServer, type TestServer, testNow, testPassword } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

let server: TestServer;

beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const db = () => server.database.db;
const known = (userId: string) =>
  rowsOf<{ browser: string; device_id: string; pending: number }>(
    db(),
    sql`select browser, device_id, pending from devices where user_id = ${userId}::uuid order by heard_at, device_id`,
  );

describe('a device', () => {
  test('[EV3] that comes back with its databases gone is told how many edits waited, until it says that it knows', async () => {
    const user = await aUser(db());
    const { call, jar } = await server.signedIn(user.email);
    const lostOf = async (device_id: string, pending: number, knows_loss = false) =>
      (await call(reportDevice, { device_id, pending, knows_loss })).lost;
    expect([await lostOf('a', 0), await lostOf('a', 3)]).toEqual([null, null]);
    const told_at = new Date(server.clock.now()).toISOString();
    server.clock.advance(60_000);
    expect(await lostOf('b', 0)).toEqual({ pending: 3, told_at });
    // an answer may be lost
    expect(await lostOf('b', 1)).toEqual({ pending: 3, told_at });
    expect([await lostOf('b', 1, true), await lostOf('b', 2)]).toEqual([null, null]);
    // twice cleared before anybody was told: nothing that waited is left out
    expect(await lostOf('c', 4)).toMatchObject({ pending: 2 });
    expect(await lostOf('d', 0)).toMatchObject({ pending: 6 });
    // the browser keeps its name through sign-outs and sign-ins, and so it does at another person's
    const name = jar.get('tieout_browser');
    await call(login, { email: user.email, password: testPassword });
    expect([name, jar.get('tieout_browser')]).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), name]);
    expect(await lostOf('d', 0)).toMatchObject({ pending: 6 });
    const other = await aUser(db());
    await call(login, { email: other.email, password: testPassword });
    expect([await lostOf('d', 9), await lostOf('d', 9)]).toEqual([null, null]);
    expect((await known(user.id)).map(({ browser, device_id }) => [browser, device_id])).toEqual(
      ['b', 'c', 'd'].map((id) => [`${name} `, id]),
    );
  });

  test('[EV3] that goes on speaking was not cleared, whatever else has its cookies, and one that had nothing waiting lost nothing it knew of', async () => {
    const { call } = await server.signedIn((await aUser(db())).email);
    const lostOf = async (device_id: string, pending: number) => {
      server.clock.advance(1_000);
      return (await call(reportDevice, { device_id, pending })).lost;
    };
    expect([await lostOf('a', 3), await lostOf('b', 0)]).toMatchObject([null, { pending: 3 }]);
    expect([await lostOf('a', 3), await lostOf('b', 0), await lostOf('a', 3)]).toEqual([null, null, null]);
    // a name goes to every port of a host, and each has databases of its own
    const { jar } = await server.signedIn((await aUser(db())).email);
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const lostAt = async (host: string, device_id: string): Promise<unknown> => {
      const payload = { device_id, pending: 1 };
      return (
        await server.app.inject({ method: 'PUT', url: '/api/sync/v1/device', headers: { cookie, origin: `http://${host}`, host }, payload })
      ).json<unknown>();
    };
    expect([await lostAt('localhost:1', 'a'), await lostAt('localhost:2', 'b')]).toEqual([{ lost: null }, { lost: null }]);
    const { call: other } = await server.signedIn((await aUser(db())).email);
    await other(reportDevice, { device_id: 'a', pending: 0 });
    expect((await other(reportDevice, { device_id: 'b', pending: 0 })).lost).toMatchObject({ pending: 0 });
  });

  test('[EV3] that is another browser is told nothing, and nothing is remembered of a shared computer or of a name no server gave', async () => {
    const user = await aUser(db());
    const first = await server.signedIn(user.email);
    await first.call(reportDevice, { device_id: 'a', pending: 3 });
    const second = await server.signedIn(user.email);
    expect(await second.call(reportDevice, { device_id: 'b', pending: 0 })).toEqual({ lost: null });
    expect(await known(user.id)).toHaveLength(2);
    const shared = server.anyone();
    await shared.call(login, { email: user.email, password: testPassword, shared_computer: true });
    expect(shared.jar.has('tieout_browser')).toBe(false);
    // also in a browser somebody trusts
    await first.call(login, { email: user.email, password: testPassword, shared_computer: true });
    for (const { call } of [shared, first]) expect(await call(reportDevice, { device_id: 'c', pending: 7 })).toEqual({ lost: null });
    // whoever trusts it again finds its name as it was
    const name = first.jar.get('tieout_browser');
    await first.call(login, { email: user.email, password: testPassword });
    expect(first.jar.get('tieout_browser')).toBe(name);
    second.jar.set('tieout_browser', 'x'.repeat(4_000));
    expect(await second.call(reportDevice, { device_id: 'd', pending: 7 })).toEqual({ lost: null });
    expect((await known(user.id)).map(({ device_id }) => device_id)).toEqual(['a', 'b']);
    await expect(second.call(reportDevice, { device_id: 'a', pending: -1 })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('[EV7] is remembered for as long as its browser keeps its name, and of one person only the ones heard of last', async () => {
    const user = await aUser(db());
    const other = await aUser(db());
    const hear = (browser: number, at: number, { userId = user.id, pending = 0 } = {}) =>
      hearOf(db(), { id: userId }, { browser: `browser ${browser}`, device_id: 'a', pending, knows_loss: false }, testNow + at);
    await hear(0, 0, { userId: other.id });
    // what waits is not forgotten for others that came and went
    await hear(0, 0, { pending: 1 });
    for (let browser = 1; browser <= mostDevices; browser += 1) await hear(browser, browser);
    const left = [0, ...Array.from({ length: mostDevices - 1 }, (_value, index) => index + 2)];
    expect((await known(user.id)).map(({ browser }) => browser)).toEqual(left.map((browser) => `browser ${browser}`));
    await forgetDevices(db(), new Date(testNow + 40));
    expect(await known(user.id)).toHaveLength(11);
    expect(await known(other.id)).toEqual([]);
  });
});
