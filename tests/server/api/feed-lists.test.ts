import { gunzipSync } from 'node:zlib';
import { count, eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowsOf } from '#server/database/open.ts';
import { changeLog } from '#server/database/tables/feed.ts';
import { custodians } from '#server/database/tables/places.ts';
import { securities } from '#server/database/tables/securities.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { isEntityVisible } from '#server/repositories/visibility.ts';
import { seedDemo } from '#server/seed/demo.ts';
import { aDevice } from '#tests/support/feed.ts';
import { aDatabase } from '#tests/support/database.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import { anAccount, anEntity, anOffice, someTransactions, transactionRow } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let cookie: string;

beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  ({ cookie } = await aDevice(server, office.accountant.email));
});
afterAll(() => server.close());

const db = () => server.database.db;
const get = (path: string) => server.app.inject({ url: `/api${path}`, headers: { cookie, 'accept-encoding': 'gzip' } });

describe('lists of a server with a feed', () => {
  test('[FE34] every list of the feed gives up to 5,000 rows when asked, its own number unless asked, and travels compressed', async () => {
    const six = Array.from({ length: 600 }, (_, n) => ({ id: uuidv7(), custodian_name: `C${n}`, custodian_type_id: 900 }));
    await db().insert(custodians).values(six);
    await db()
      .insert(securities)
      .values(Array.from({ length: 600 }, (_, n) => ({ id: uuidv7(), security_name: `S${n}`, security_type_id: 3, ticker: `ZZ${n}` })));
    const rows = async (path: string) => JSON.parse(gunzipSync((await get(path)).rawPayload).toString()) as object[];
    const [held] = await db().select({ custodians: count() }).from(custodians);
    expect((await rows('/custodians?active=all')).length).toBe(500);
    expect((await rows('/custodians?active=all&limit=5000')).length).toBe(held?.custodians);
    expect((await rows('/securities')).length).toBe(100);
    expect((await rows('/securities?limit=5000')).length).toBeGreaterThan(600);
    const entity = office.entity.id;
    const lists = [
      '/organizations?',
      '/clients?',
      '/entities?',
      '/archived_assets?',
      '/custodians?',
      '/securities?',
      '/saved_views?',
      `/accounts?entity_id=${entity}&`,
      `/transactions?entity_id=${entity}&start_date=2020-01-01&`,
      `/transaction_matches?entity_id=${entity}&`,
    ];
    for (const list of lists)
      expect([list, (await get(`${list}limit=5000`)).statusCode, (await get(`${list}limit=5001`)).statusCode]).toEqual([list, 200, 422]);
  });

  test('[FE35] a page of 5,000 transactions is a range of the index, read in order and no further', async () => {
    const entity = await anEntity(db(), { client_id: office.client.id });
    const account = await anAccount(db(), { entity_id: entity.id });
    const start = Date.parse('2024-01-01T00:00:00Z');
    const rows = Array.from({ length: 20_000 }, (_, n) => transactionRow(account, { trx_date: new Date(start + n * 60_000) }));
    await someTransactions(db(), rows);
    await db().execute(sql`analyze transactions`);
    const viewer = { id: office.accountant.id, is_superuser: false };
    const plan = await rowsOf<Record<string, string>>(
      db(),
      sql`explain (analyze, costs off, timing off, summary off) select * from transactions
        where entity_id = ${entity.id}::uuid and ${isEntityVisible(viewer, 'transaction_read', entity.id)}
          and trx_date >= '1970-01-01' and trx_date <= ${new Date(start + 12_000 * 60_000).toISOString()}::timestamptz
        order by trx_date desc, id desc limit 5000`,
    );
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toMatch(/Index Scan Backward using transactions_by_entity[^\n]*rows=5000/);
    expect(text).not.toContain('Sort');
  });
});

describe('the log', () => {
  test('[FE36] the demo is written without a line of it in the log, and what changes after it is logged', async () => {
    const { database } = await aDatabase();
    await seedDemo(database.db, { transactions: 2_000, now: testNow, hashPassword: (password) => Promise.resolve(password) });
    const lines = (noun: 'transactions' | 'entities') => database.db.$count(changeLog, eq(changeLog.noun, noun));
    expect([await lines('transactions'), await lines('entities')]).toEqual([0, 0]);
    const [row] = await database.db.select({ id: transactions.id, version: transactions.version }).from(transactions).limit(1);
    expect(row?.version).toBe(1);
    await database.db
      .update(transactions)
      .set({ description: 'x' })
      .where(eq(transactions.id, row?.id ?? ''));
    expect(await lines('transactions')).toBe(1);
    await database.close();
  });

  test('[FE37] a statement that changes many rows logs each, in one statement of its own', async () => {
    const entity = await anEntity(db(), { client_id: office.client.id });
    const account = await anAccount(db(), { entity_id: entity.id });
    const rows = Array.from({ length: 1_000 }, () => transactionRow(account));
    const lines = () => db().$count(changeLog, eq(changeLog.scope, `entity:${entity.id}`));
    await someTransactions(db(), rows);
    expect(await lines()).toBe(1_000);
    await db().update(transactions).set({ description: 'x' }).where(eq(transactions.entity_id, entity.id));
    await db().delete(transactions).where(eq(transactions.entity_id, entity.id));
    expect(await lines()).toBe(3_000);
    const [kinds] = await rowsOf<{ triggers: number }>(
      db(),
      sql`select count(*)::int as triggers from pg_trigger t join pg_proc p on p.oid = t.tgfoid where p.proname = 'log_changes' and (t.tgtype & 1) = 1`,
    );
    expect(kinds?.triggers).toBe(0);
  });
});
