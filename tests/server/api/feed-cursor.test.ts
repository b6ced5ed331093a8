import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { feedRefusals } from '#contract/errors.ts';
import type { Hello } from '#contract/feed.ts';
import { rowsOf } from '#server/database/open.ts';
import { changeLog } from '#server/database/tables/feed.ts';
import { serverCronJobs } from '#server/jobs/cron-jobs.ts';
import { startRunner } from '#server/jobs/runner.ts';
import { beginWhereRestored, forgetChanges } from '#server/repositories/change-log.ts';
import { aDevice, inWords } from '#tests/support/feed.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anOffice, aPendingMatch, aTransaction, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let device: Awaited<ReturnType<typeof aDevice>>;
let scopes: string[];

beforeAll(async () => {
  server = await aServer();
});
beforeEach(async () => {
  office = await anOffice(server.database.db);
  device = await aDevice(server, office.accountant.email);
  scopes = ['user', `client:${office.client.id}`, `entity:${office.entity.id}`];
});
afterAll(() => server.close());

const db = () => server.database.db;

describe('acks', () => {
  const mark = (body: object, headers: Record<string, string>) =>
    server.app.inject({
      method: 'PUT',
      url: '/api/transaction_matches/transfer',
      headers: { cookie: device.cookie, ...headers },
      payload: body,
    });

  test('[FE14] the answer to a change a device sent comes with its feed, to that device alone', async () => {
    const { out, into } = await aPendingMatch(db(), office.exchange, office.wallet);
    const body = { trx_id: out.id, counterpart_id: into.id, is_transfer: true };
    const { cursor } = await device.changes(null, scopes);
    const key = uuidv7();
    const answer = await mark(body, { 'idempotency-key': key, 'x-device-id': device.deviceId });
    const own = await device.changes(cursor, scopes);
    expect(own.acks).toEqual([{ mutation_id: key, status: 200, version: answer.json<{ version: number }>().version }]);
    expect((await device.changes(own.cursor, scopes)).acks).toEqual([]);
    const another = (await device.ask({ cursor, scopes, device_id: uuidv7() })).json<{ acks: object[] }>();
    expect(another.acks).toEqual([]);
    const colleague = await aDevice(server, (await aUser(db(), { is_superuser: true })).email);
    expect((await colleague.ask({ cursor, scopes, device_id: device.deviceId })).json<{ acks: object[] }>().acks).toEqual([]);
  });

  test('[FE15] a refused change is not acked, a device may go unnamed, and an absurd name is refused', async () => {
    const { out, into } = await aPendingMatch(db(), office.exchange, office.wallet);
    const body = { trx_id: out.id, counterpart_id: into.id, is_transfer: true };
    const { cursor } = await device.changes(null, scopes);
    const refused = await mark({ ...body, counterpart_id: out.id }, { 'idempotency-key': uuidv7(), 'x-device-id': device.deviceId });
    const absurd = await mark(body, { 'idempotency-key': uuidv7(), 'x-device-id': 'x'.repeat(201) });
    const unnamed = await mark(body, { 'idempotency-key': uuidv7() });
    expect([refused.statusCode, absurd.statusCode, unnamed.statusCode]).toEqual([422, 422, 200]);
    expect((await device.changes(cursor, scopes)).acks).toEqual([]);
  });
});

describe('refusals of the feed', () => {
  test('[FE16] a cursor of another database is refused with 409, by the generation or by a number yet to come', async () => {
    const { cursor } = await device.changes(null, scopes);
    const foreign = await device.ask({ cursor, scopes, server_gen: uuidv7() });
    expect([foreign.statusCode, foreign.json()]).toEqual([409, { detail: feedRefusals.generationChanged }]);
    const ahead = await device.ask({ cursor: '9999999999999999999.0', scopes });
    expect([ahead.statusCode, ahead.json()]).toEqual([409, { detail: feedRefusals.generationChanged }]);
  });

  test('[FE17] an older protocol is refused with 426, and what is no question with 422', async () => {
    const old = await device.ask({ protocol: 0 });
    expect([old.statusCode, old.json()]).toEqual([426, { detail: feedRefusals.clientTooOld }]);
    const absurd = [
      { cursor: '1' },
      { cursor: "0.0'" },
      { cursor: 7 },
      { limit: 2001 },
      { limit: 0 },
      { scopes: 'user' },
      { scopes: ['\u0000'] },
      { device_id: '' },
    ];
    for (const body of absurd) expect([body, (await device.ask(body)).statusCode]).toEqual([body, 422]);
  });

  test('[FE18] what is older than 90 days is forgotten at the start and once a day, and a cursor before it is refused with 410', async () => {
    const { cursor } = await device.changes(null, scopes);
    const [old, young] = [await aTransaction(db(), office.exchange), await aTransaction(db(), office.exchange)];
    const agedDays = (id: string, days: number) =>
      db()
        .update(changeLog)
        .set({ at: new Date(server.clock.now() - days * 86_400_000) })
        .where(eq(changeLog.row_id, id));
    await db()
      .update(changeLog)
      .set({ at: new Date(server.clock.now()) });
    await agedDays(old.id, 91);
    await agedDays(young.id, 89);
    const held = async () =>
      (await rowsOf<{ id: string }>(db(), sql`select row_id::text as id from change_log where row_id in (${old.id}, ${young.id})`)).map(
        (row) => row.id,
      );
    const { clock } = server;
    const set = clock.timersSet();
    const ports = { database: server.database, clock: clock.now, timers: clock.timers, log: { error: () => undefined } };
    const runner = startRunner({ ...ports, cronJobs: serverCronJobs, workers: [] });
    await expect.poll(held).toEqual([young.id]);
    await expect.poll(clock.timersSet).toBe(set + 1);
    const { floor } = (await device.hello()).json<Hello>();
    const refused = await device.ask({ cursor, scopes: [...scopes, 'entity:nowhere'] });
    expect([refused.statusCode, refused.json()]).toEqual([410, { detail: feedRefusals.cursorTooOld, floor, resync: scopes }]);
    // from the floor itself nothing is missing
    expect(inWords(await device.changes(floor, scopes))).toEqual([`put transactions ${young.id}`]);
    clock.advance(2 * 86_400_000);
    await expect.poll(held).toEqual([]);
    await runner.stop();
    expect(clock.timersSet()).toBe(set);
  });
});

test('[FE41] so is one whose dump was restored where more transactions were done already, be it in the same cluster', async () => {
  const generation = async (): Promise<string> => (await device.hello()).json<Hello>().server_gen;
  const { cursor } = await device.changes(null, scopes);
  await beginWhereRestored(db());
  const before = await generation();
  expect([await beginWhereRestored(db()), await generation()]).toEqual([false, before]);
  // as the dump says it of the database that it was made of
  await db().execute(sql`update feed_state set place = '5 16500'`);
  expect([await beginWhereRestored(db()), (await generation()) === before]).toEqual([true, false]);
  await db().execute(sql`update feed_state set cluster = 'another'`);
  expect([await beginWhereRestored(db()), await beginWhereRestored(db())]).toEqual([true, false]);
  expect((await device.ask({ cursor, scopes, server_gen: before })).json()).toMatchObject({ detail: feedRefusals.generationChanged });
  expect(await beginWhereRestored(db())).toBe(false);
  // one of a build that did not note it
  await db().execute(sql`update feed_state set cluster = null, place = null`);
  expect(await beginWhereRestored(db())).toBe(false);
});

test('[FE41] a database whose dump was restored into another cluster is begun anew at the start: its feed goes on', async () => {
  const { cursor } = await device.changes(null, scopes);
  const before = (await device.hello()).json<Hello>();
  // as the lines of a cluster with more transactions behind it
  await db().execute(sql`insert into change_log (xid, seq, scope, noun, row_id, op, version, at)
    values ('5000000', 900000001, 'user', 'custodians', ${uuidv7()}::uuid, 'put', 2, ${new Date(server.clock.now() - 91 * 86_400_000).toISOString()}::timestamptz)`);
  expect(await beginWhereRestored(db())).toBe(true);
  await forgetChanges(db(), new Date(server.clock.now() - 90 * 86_400_000));
  expect((await device.ask({ cursor, scopes, server_gen: before.server_gen })).json()).toMatchObject({
    detail: feedRefusals.generationChanged,
  });
  const later = await aDevice(server, office.accountant.email);
  const { cursor: fresh } = await later.changes(null, scopes);
  await aTransaction(db(), office.exchange, {});
  expect((await later.changes(fresh, scopes)).changes.map(({ noun }) => noun)).toContain('transactions');
  expect(await beginWhereRestored(db())).toBe(false);
});
