import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import { listAccounts } from '#contract/accounts.ts';
import { listEntities } from '#contract/entities.ts';
import { listEntityWorklists } from '#contract/entity-worklists.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import { accountReconciliations, accountSyncs, accountValues, entityValues } from '#server/database/tables/figures.ts';
import { accounts } from '#server/database/tables/places.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { organizationMembers, roles } from '#server/database/tables/users.ts';
import { aDevice } from '#tests/support/feed.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import { aClient, anAccount, anEntity, anOffice, aPendingMatch, aSecurity, aTransaction, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let device: Awaited<ReturnType<typeof aDevice>>;
const db = () => server.database.db;

beforeAll(async () => {
  server = await aServer();
});
beforeEach(async () => {
  office = await anOffice(db());
  device = await aDevice(server, office.accountant.email);
});
afterAll(() => server.close());

type Account = Awaited<ReturnType<typeof anAccount>>;

const aValue = (account: Account, value_usd: string) =>
  db()
    .insert(accountValues)
    .values({ account_id: account.id, as_of: new Date(testNow), value_usd });

function aReconciliation(account: Account, end_date: string, ...differences: (string | null)[]) {
  const breaks = differences.map((difference_usd) => ({
    security_id: null,
    ticker: 'BTC',
    reported: '2',
    computed: '1',
    difference: '1',
    difference_usd,
  }));
  const status = breaks.length > 0 ? ('UNRECONCILED' as const) : ('RECONCILED' as const);
  return db().insert(accountReconciliations).values({ account_id: account.id, end_date, status, breaks });
}

const entityNow = async () => (await device.call(listEntities, { client_id: office.client.id }))[0];
const worklistNow = async () => (await device.call(listEntityWorklists, { client_id: office.client.id }))[0];

describe('what entities are worth and what there is to do', () => {
  test('[HM1] an entity is worth exactly what its accounts are, and nothing is known before one was valued', async () => {
    expect(await entityNow()).toMatchObject({ portfolio_value: null, unreconciled_accounts: 0 });
    await aValue(office.exchange, '9007199254740993.000000000000000001');
    await aValue(office.wallet, '0.10');
    expect(await entityNow()).toMatchObject({ portfolio_value: '9007199254740993.100000000000000001' });
    const found = await device.call(listAccounts, { entity_id: office.entity.id });
    expect(found.find(({ id }) => id === office.wallet.id)).toMatchObject({ value_usd: '0.1' });
  });

  test('[HM1] by what they are worth entities are in the order of the amounts, those not valued last', async () => {
    await aValue(office.exchange, '9');
    const [larger, unknown] = [
      await anEntity(db(), { client_id: office.client.id }),
      await anEntity(db(), { client_id: office.client.id }),
    ];
    await aValue(await anAccount(db(), { entity_id: larger.id }), '10');
    const ordered = async (order_by_asc: boolean) =>
      (await device.call(listEntities, { order_by: 'portfolio_value', order_by_asc })).map(({ id }) => id);
    expect(await ordered(true)).toEqual([office.entity.id, larger.id, unknown.id]);
    expect(await ordered(false)).toEqual([larger.id, office.entity.id, unknown.id]);
  });

  test('[HM2] the newest comparison of each active account says whether it ties out', async () => {
    await aReconciliation(office.exchange, '2026-07-31', '5');
    await aReconciliation(office.exchange, '2026-08-31');
    await aReconciliation(office.wallet, '2026-07-31');
    await aReconciliation(office.wallet, '2026-08-31', '-12.50', null, '2.25');
    await aReconciliation(await anAccount(db(), { entity_id: office.entity.id, is_inactive: true }), '2026-08-31', '1000');
    expect(await entityNow()).toMatchObject({ unreconciled_accounts: 1 });
    expect(await worklistNow()).toMatchObject({ unreconciled_usd: '14.75' });
    const states = (await device.call(listAccounts, { entity_id: office.entity.id })).map(({ id, reconciliation_status }) => [
      id,
      reconciliation_status,
    ]);
    expect(Object.fromEntries(states)).toEqual({ [office.exchange.id]: 'RECONCILED', [office.wallet.id]: 'UNRECONCILED' });
  });

  test('[HM3] rows that wait for a match, a price or a name are counted, and their money once', async () => {
    const { match, out } = await aPendingMatch(db(), office.exchange, office.wallet, { usd_value: '100.10' });
    await aTransaction(db(), office.exchange, { unpriced_trx: true, usd_value: null });
    await aTransaction(db(), office.exchange, { is_unidentified: true, usd_value: '7.5' });
    await db().update(transactions).set({ is_unidentified: true }).where(eq(transactions.id, out.id!));
    expect(await worklistNow()).toMatchObject({
      pending_matches: 1,
      pending_usd: '100.1',
      unpriced: 1,
      unidentified: 2,
      unidentified_usd: '7.5',
    });
    await db().update(transactions).set({ usd_value: null }).where(eq(transactions.id, out.id!));
    expect(await worklistNow()).toMatchObject({ pending_usd: '100.1' });
    await db().update(transactionMatches).set({ state: 'REJECTED' }).where(eq(transactionMatches.id, match.id));
    expect(await worklistNow()).toMatchObject({ pending_matches: 0, pending_usd: '0' });
  });

  test('[HM4] failed syncs are those of active accounts; updates are counted by day, of what is fetched alone', async () => {
    await db()
      .update(accounts)
      .set({ last_update: new Date('2026-08-30T23:59:59.999Z') })
      .where(eq(accounts.id, office.exchange.id));
    await anAccount(db(), { entity_id: office.entity.id, account_integration_type_id: 4 });
    const closed = await anAccount(db(), { entity_id: office.entity.id, is_inactive: true });
    const at = new Date(testNow);
    await db()
      .insert(accountSyncs)
      .values([
        { account_id: office.exchange.id, at, status: 'SYNC_ERROR', error: 'No answer' },
        { account_id: office.wallet.id, at, status: 'SYNCED' },
        { account_id: closed.id, at, status: 'SYNC_ERROR' },
      ]);
    expect(await worklistNow()).toMatchObject({
      failed_syncs: 1,
      updated_accounts: [
        { day: null, accounts: 1 },
        { day: '2026-08-30', accounts: 1 },
      ],
    });
  });

  test('[HM5] a history has the last day of each week and month of thirteen months, and the newest, to the last digit', async () => {
    const days = ['2025-06-30', '2026-07-30', '2026-07-31', '2026-08-01', '2026-08-02', '2026-08-04'];
    await db()
      .insert(entityValues)
      .values(days.map((day, index) => ({ entity_id: office.entity.id, day, value_usd: `${index}.10` })));
    await aValue(office.exchange, '3');
    await aValue(office.wallet, '1.5');
    const [history] = await device.call(listValueHistories, { client_id: office.client.id });
    expect(history?.days).toEqual([
      { day: '2026-07-31', value_usd: '2.1' },
      { day: '2026-08-02', value_usd: '4.1' },
      { day: '2026-08-04', value_usd: '5.1' },
    ]);
    expect(history?.kinds).toEqual([{ account_integration_type_id: 1, account_type_id: 1, value_usd: '4.5' }]);
  });

  test('[HM6] whatever they are counted from, a change of it is told with the rows as they are', async () => {
    const security = await aSecurity(db());
    const { out } = await aPendingMatch(db(), office.exchange, office.wallet);
    const scopes = ['user', `client:${office.client.id}`];
    const at = new Date(testNow);
    const account_id = office.exchange.id;
    const [work, worth] = ['entity_worklists', 'value_histories'];
    const steps: [() => Promise<unknown>, string[]][] = [
      [() => aTransaction(db(), office.exchange, { unpriced_trx: true }), [work!]],
      [() => aTransaction(db(), office.exchange, { security_id: security.id }), []],
      [() => db().update(transactions).set({ usd_value: '9' }).where(eq(transactions.id, out.id!)), [work!]],
      [() => db().update(transactions).set({ description: 'x' }).where(eq(transactions.id, out.id!)), []],
      [() => db().execute(sql`delete from transaction_matches where entity_id = ${office.entity.id}`), [work!]],
      [() => db().insert(accountSyncs).values({ account_id, at, status: 'SYNC_ERROR' }), ['accounts', work!]],
      [() => db().update(accountSyncs).set({ error: 'No answer' }), []],
      [() => aReconciliation(office.exchange, '2026-08-31', '1'), ['accounts', 'entities', work!]],
      [() => aValue(office.exchange, '5'), ['accounts', 'entities', worth!]],
      [() => db().update(accounts).set({ last_update: at }).where(eq(accounts.id, account_id)), ['accounts', work!]],
      [() => db().insert(entityValues).values({ entity_id: office.entity.id, day: '2026-08-31', value_usd: '5' }), [worth!]],
    ];
    for (const [change, told] of steps) {
      const cursor = await device.now();
      await change();
      const { changes } = await device.changes(cursor, scopes);
      expect(changes.map(({ noun }) => noun).sort()).toEqual(told);
      const put = changes.find(({ noun }) => noun === work);
      if (put) expect(put.row).toEqual(await worklistNow());
    }
  });

  test('[HM7] who may not read all that is counted sees no worklist, and nobody those of entities they do not see', async () => {
    const other = await anEntity(db(), { client_id: (await aClient(db(), { organization_id: office.organization.id })).id });
    expect((await device.call(listEntityWorklists, {})).map(({ id }) => id)).toEqual([office.entity.id]);
    expect((await device.call(listValueHistories, {})).map(({ id }) => id)).not.toContain(other.id);
    const id = uuidv7();
    const permissions = ['entity_read', 'account_read', 'transaction_read'];
    await db().insert(roles).values({ id, name: 'Test', sees_whole_organization: true, permissions });
    const user = await aUser(db());
    await db().insert(organizationMembers).values({ user_id: user.id, organization_id: office.organization.id, role_id: id });
    const { call } = await server.signedIn(user.email);
    expect(await call(listEntityWorklists, {})).toEqual([]);
    expect(await call(listValueHistories, {})).toHaveLength(2);
  });
});
