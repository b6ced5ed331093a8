import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { listAccounts } from '#contract/accounts.ts';
import { listSecurities } from '#contract/securities.ts';
import { listTransactions, listTransactionTypeGroups, selectTransactions, type Transaction } from '#contract/transactions.ts';
import { rowsOf } from '#server/database/open.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import {
  aCustodianSecurity,
  anAccount,
  anEntity,
  anOffice,
  aSecurity,
  aTransaction,
  someTransactions,
  transactionRow,
} from '#tests/support/world.ts';

let server: TestServer;
let call: ApiCall;
let office: Awaited<ReturnType<typeof anOffice>>;

beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  call = (await server.signedIn(office.accountant.email)).call;
});
afterAll(() => server.close());

const newEntity = () => anEntity(server.database.db, { client_id: office.client.id });
const ids = (rows: Transaction[]) => rows.map((row) => row.id);

describe('GET /transactions', () => {
  test('[TX1] asks for an account, or an entity with a start date, and refuses anything less with 422', async () => {
    const { call: mine } = await server.signedIn(office.accountant.email);
    await expect(mine(listTransactions, {})).rejects.toMatchObject({ status: 422, code: 'invalid' });
    await expect(mine(listTransactions, { entity_id: office.entity.id })).rejects.toMatchObject({ status: 422 });
    expect(await mine(listTransactions, { account_id: office.exchange.id })).toEqual([]);
    expect(await mine(listTransactions, { entity_id: office.entity.id, start_date: '2020-01-01' })).toEqual([]);
  });

  test('[TX2] decimals arrive as text with every digit, dates as ISO with Z', async () => {
    const entity = await newEntity();
    const account = await anAccount(server.database.db, { entity_id: entity.id });
    const quantity = '12345678901.123456789012345678';
    await aTransaction(server.database.db, account, {
      quantity,
      price: '0.000000000000000001',
      usd_value: null,
      trx_date: new Date('2026-03-01T10:11:12.345Z'),
    });
    const [row] = await call(listTransactions, { account_id: account.id });
    expect(row).toMatchObject({
      quantity,
      price: '0.000000000000000001',
      usd_value: null,
      trx_date: '2026-03-01T10:11:12.345Z',
      version: 1,
    });
    expect(row).not.toHaveProperty('natural_key');
  });

  test('[TX3] each filter narrows to exactly its rows', async () => {
    const { db } = server.database;
    const entity = await newEntity();
    const [first, second] = [await anAccount(db, { entity_id: entity.id }), await anAccount(db, { entity_id: entity.id })];
    const [btc, eth] = [await aSecurity(db), await aSecurity(db)];
    const symbol = await aCustodianSecurity(db, { custodian_id: first.custodian_id });
    const rows = {
      plain: await aTransaction(db, first, { security_id: btc.id }),
      eth: await aTransaction(db, first, { security_id: eth.id, trx_type_id: 3 }),
      elsewhere: await aTransaction(db, second, { security_id: btc.id, trx_type_id: 2 }),
      manual: await aTransaction(db, first, { manual_trx: true }),
      updated: await aTransaction(db, first, { updated_trx: true }),
      unpriced: await aTransaction(db, first, { unpriced_trx: true, price: null, usd_value: null }),
      unidentified: await aTransaction(db, first, { is_unidentified: true, custodian_security_id: symbol.id }),
    };
    const list = (query: object) => call(listTransactions, { entity_id: entity.id, start_date: '2020-01-01', ...query }).then(ids);
    const idsOf = (...names: (keyof typeof rows)[]) => names.map((name) => rows[name].id).sort();
    expect((await list({})).length).toBe(7);
    expect((await list({ account_id: second.id })).sort()).toEqual(idsOf('elsewhere'));
    expect((await list({ security_id: [btc.id, eth.id] })).sort()).toEqual(idsOf('plain', 'eth', 'elsewhere'));
    expect((await list({ security_id: eth.id })).sort()).toEqual(idsOf('eth'));
    expect((await list({ custodian_security_ids: symbol.id })).sort()).toEqual(idsOf('unidentified'));
    expect((await list({ custodian_id: second.custodian_id })).sort()).toEqual(idsOf('elsewhere'));
    expect((await list({ trx_type_id: [2, 3] })).sort()).toEqual(idsOf('eth', 'elsewhere'));
    expect(await list({ trx_type_id: 'all', custodian_id: 'all' })).toHaveLength(7);
    expect((await list({ manual_trx: true })).sort()).toEqual(idsOf('manual'));
    expect(await list({ manual_trx: false })).toHaveLength(6);
    expect((await list({ updated_trx: true })).sort()).toEqual(idsOf('updated'));
    expect((await list({ unpriced_trx: true })).sort()).toEqual(idsOf('unpriced'));
    expect((await list({ is_unidentified: true })).sort()).toEqual(idsOf('unidentified'));
  });

  test('[TX4] both dates are inclusive, and a date alone means its whole UTC day', async () => {
    const entity = await newEntity();
    const account = await anAccount(server.database.db, { entity_id: entity.id });
    const at = async (text: string) => (await aTransaction(server.database.db, account, { trx_date: new Date(text) })).id;
    const before = await at('2026-03-01T23:59:59.999Z');
    const start = await at('2026-03-02T00:00:00.000Z');
    const end = await at('2026-03-03T23:59:59.999Z');
    const after = await at('2026-03-04T00:00:00.000Z');
    const list = (query: object) => call(listTransactions, { account_id: account.id, ...query }).then(ids);
    expect(await list({ start_date: '2026-03-02', end_date: '2026-03-03' })).toEqual([end, start]);
    expect(await list({ end_date: '2026-03-01T23:59:59.999Z' })).toEqual([before]);
    expect(await list({ start_date: '2026-03-04T00:00:00.000Z' })).toEqual([after]);
    expect(await list({ start_date: '2026-03-02', newest_first: false })).toEqual([start, end, after]);
  });

  test('[TX5] rows of one moment keep one order by id, so pages neither repeat nor lose a row', async () => {
    const entity = await newEntity();
    const account = await anAccount(server.database.db, { entity_id: entity.id });
    const moment = new Date('2026-02-02T02:02:02.000Z');
    await someTransactions(
      server.database.db,
      Array.from({ length: 250 }, () => transactionRow(account, { trx_date: moment })),
    );
    const pages: Transaction[] = [];
    for (let skip = 0; skip < 300; skip += 100) pages.push(...(await call(listTransactions, { account_id: account.id, skip })));
    expect(new Set(ids(pages)).size).toBe(250);
    expect(ids(pages)).toEqual([...ids(pages)].sort().reverse());
  });

  test('[TX6] a page is 100 rows unless asked, never more than 5,000, and beyond the end it is empty', async () => {
    const entity = await newEntity();
    const account = await anAccount(server.database.db, { entity_id: entity.id });
    await someTransactions(
      server.database.db,
      Array.from({ length: 120 }, () => transactionRow(account)),
    );
    expect(await call(listTransactions, { account_id: account.id })).toHaveLength(100);
    expect(await call(listTransactions, { account_id: account.id, limit: 5000 })).toHaveLength(120);
    expect(await call(listTransactions, { account_id: account.id, skip: 1_000_000 })).toEqual([]);
    await expect(call(listTransactions, { account_id: account.id, limit: 5001 })).rejects.toMatchObject({ status: 422 });
    await expect(call(listTransactions, { account_id: account.id, skip: -1 })).rejects.toMatchObject({ status: 422 });
  });

  test('[TX7] a page by date at any depth reads a range of the index, not the rows before it', async () => {
    const { db } = server.database;
    const entity = await newEntity();
    const account = await anAccount(db, { entity_id: entity.id });
    const start = Date.parse('2024-01-01T00:00:00Z');
    await someTransactions(
      db,
      Array.from({ length: 6000 }, (_, index) => transactionRow(account, { trx_date: new Date(start + index * 60_000) })),
    );
    await db.execute(sql`analyze transactions`);
    const plan = await rowsOf<Record<string, string>>(
      db,
      sql`explain (analyze, costs off, timing off, summary off) select id from transactions where entity_id = ${entity.id}::uuid and trx_date >= '1970-01-01'
        and trx_date <= ${new Date(start + 60_000_000).toISOString()}::timestamptz order by trx_date desc, id desc limit 100`,
    );
    const text = plan.map((row) => Object.values(row)[0]).join('\n');
    expect(text).toMatch(/Index (Only )?Scan Backward using transactions_by_entity/);
    expect(text).not.toContain('Sort');
    expect(text).toMatch(/Index (Only )?Scan Backward[^\n]*rows=100/);
  });

  test('[TX8] malformed queries are answered 422 with the place of the fault, never a 5xx', async () => {
    const { jar } = await server.signedIn(office.accountant.email);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    for (const query of [
      'limit=abc',
      'start_date=13/45/2022',
      'end_date=2026-02-31',
      'trx_type_id=x',
      'manual_trx=perhaps',
      'skip=1e99',
      'account_id=',
    ]) {
      const answer = await server.app.inject({ url: `/api/transactions?account_id=${office.exchange.id}&${query}`, headers: { cookie } });
      expect([query, answer.statusCode]).toEqual([query, 422]);
      expect(answer.json<{ detail: { loc: string[] }[] }>().detail[0]?.loc[0]).toBe('query');
    }
    const odd = await server.app.inject({ url: '/api/transactions?account_id=not-a-uuid&security_id=%00%27', headers: { cookie } });
    expect([odd.statusCode, odd.json()]).toEqual([200, []]);
  });

  test('[TX9] select finds a transaction by id, and only of the type and account asked for', async () => {
    const entity = await newEntity();
    const account = await anAccount(server.database.db, { entity_id: entity.id });
    const row = await aTransaction(server.database.db, account, { trx_type_id: 2 });
    expect(ids(await call(selectTransactions, { trx_id: row.id }))).toEqual([row.id]);
    expect(await call(selectTransactions, { trx_id: row.id, primary_trx_type_id: 1 })).toEqual([]);
    expect(await call(selectTransactions, { trx_id: row.id, account_id: office.exchange.id })).toEqual([]);
    expect(await call(selectTransactions, { trx_id: uuidv7() })).toEqual([]);
  });

  test('[TX10] the type groups are the reduced list: Trade holds buy, sell, fee and rebate; fees of movements have no group', async () => {
    const groups = await call(listTransactionTypeGroups, {});
    expect(groups.find((group) => group.id === 3)).toMatchObject({ name: 'Trade', types: [{ id: 3 }, { id: 4 }, { id: 5 }, { id: 6 }] });
    const shown = groups.map((group) => group.id);
    for (const omitted of [4, 5, 6, 7, 8, 27, 28]) expect(shown).not.toContain(omitted);
    expect(groups).toHaveLength(22);
  });
});

describe('other lists', () => {
  test('[AC1] accounts leave out the inactive unless asked, keep sub-accounts unless told, and ask for a scope', async () => {
    const { db } = server.database;
    const entity = await newEntity();
    const parent = await anAccount(db, { entity_id: entity.id, account_name: 'A' });
    const child = await anAccount(db, { entity_id: entity.id, account_name: 'B', parent_account_id: parent.id });
    const asleep = await anAccount(db, { entity_id: entity.id, account_name: 'C', is_inactive: true });
    const list = async (query: object) => (await call(listAccounts, { entity_id: entity.id, ...query })).map((row) => row.id);
    expect(await list({})).toEqual([parent.id, child.id]);
    expect(await list({ exclude_sub_accounts: true })).toEqual([parent.id]);
    expect(await list({ is_inactive: true })).toEqual([asleep.id]);
    await expect(call(listAccounts, {})).rejects.toMatchObject({ status: 422 });
  });

  test('[SC1] securities page by id without gaps, and filter by part of a name whatever its case', async () => {
    const { db } = server.database;
    const mark = uuidv7().slice(-8);
    for (let count = 0; count < 3; count += 1) await aSecurity(db, { security_name: `Zeta%${mark}` });
    const found = await call(listSecurities, { security_name: `zETA%${mark}` });
    expect(found).toHaveLength(3);
    expect(await call(listSecurities, { security_name: `zeta_${mark}` })).toEqual([]);
    const one = await call(listSecurities, { security_name: mark, limit: 1, skip: 1 });
    expect(one[0]?.id).toBe(found.map((row) => row.id).sort()[1]);
  });
});
