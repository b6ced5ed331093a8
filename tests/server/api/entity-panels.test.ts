import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listEntityBalances } from '#contract/balances.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { getEntity, listAllocationMethods, updateEntity } from '#contract/entities.ts';
import { listUnreconciledAccounts } from '#contract/reconciliations.ts';
import { accounts } from '#server/database/tables/places.ts';
import { securityIdOf } from '#server/seed/reference.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAccount, anOffice, aReconciliation, aSecurity, aTransaction } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let foreign: Awaited<ReturnType<typeof anOffice>>;
let call: Awaited<ReturnType<TestServer['signedIn']>>['call'];
beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  foreign = await anOffice(server.database.db);
  ({ call } = await server.signedIn(office.accountant.email));
});
afterAll(() => server.close());
const db = () => server.database.db;

const aBreak = (difference_usd: string | null) => ({
  security_id: null,
  ticker: 'BTC',
  reported: '1.5',
  computed: '1.25',
  difference: '0.25',
  difference_usd,
});

describe('unreconciled accounts', () => {
  test('[PL21] those that do not tie out as of a day are told, the most money at stake first, then those never compared', async () => {
    const [worse, closed] = [
      await anAccount(db(), { entity_id: office.entity.id }),
      await anAccount(db(), { entity_id: office.entity.id, is_inactive: true }),
    ];
    const [account_id, end_date] = [office.exchange.id, '2026-07-31'];
    await aReconciliation(db(), { account_id, end_date, status: 'UNRECONCILED', breaks: [aBreak('-5.25'), aBreak(null), aBreak('3')] });
    await aReconciliation(db(), { account_id, end_date: '2026-08-31' });
    await aReconciliation(db(), { account_id: worse.id, end_date, status: 'UNRECONCILED', breaks: [aBreak('8.250000000000000001')] });
    const asOf = async (day: string) => {
      const rows = await call(listUnreconciledAccounts, { id: office.entity.id, end_date: day });
      return rows.map((row) => [row.account_id, row.status, row.end_date, row.difference_usd, row.breaks.length]);
    };
    const told = [worse.id, 'UNRECONCILED', end_date, '8.250000000000000001', 1];
    const never = (account: { id: string }) => [account.id, null, null, null, 0];
    expect(await asOf('2026-08-15')).toEqual([told, [account_id, 'UNRECONCILED', end_date, '8.25', 3], never(office.wallet)]);
    expect(await asOf('2026-08-31')).toEqual([told, never(office.wallet)]);
    // a moment within a day is of that day
    expect(await asOf('2026-07-31T23:59:59Z')).toEqual(await asOf('2026-07-31'));
    expect(await asOf('2026-07-30')).not.toContainEqual(told);
    // an account closed before anything was compared is not asked about
    expect((await asOf('2026-07-30')).map(([id]) => id)).not.toContain(closed.id);
    await aReconciliation(db(), { account_id: office.wallet.id, end_date, status: 'NO_SNAPSHOT' });
    expect(await asOf('2026-08-31')).toEqual([told, [office.wallet.id, 'NO_SNAPSHOT', end_date, null, 0]]);
  });

  test('[PL22] the summary asks for an end date, and for an entity one sees', async () => {
    await expect(
      call(listUnreconciledAccounts, { id: office.entity.id } as InputOf<typeof listUnreconciledAccounts>),
    ).rejects.toMatchObject({ status: 422 });
    await expect(call(listUnreconciledAccounts, { id: foreign.entity.id, end_date: '2026-08-31' })).rejects.toMatchObject({ status: 404 });
    await expect(call(listEntityBalances, { id: foreign.entity.id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('balances', () => {
  test('[PL23] an entity holds what came less what went, exactly, a fee within a quantity not taken off again, valued at the price said last', async () => {
    const { entity, exchange, wallet, accountant } = await anOffice(db());
    const { call: ask } = await server.signedIn(accountant.email);
    const [coin, unpriced, gone] = [await aSecurity(db()), await aSecurity(db()), await aSecurity(db())];
    const at = (day: string) => new Date(`${day}T00:00:00Z`);
    const rows = [
      [exchange, { trx_type_id: 3, quantity: '1.000000000000000001', price: '10', trx_date: at('2026-01-01') }],
      [wallet, { trx_type_id: 1, quantity: '2', price: '20', trx_date: at('2026-03-01') }],
      // older, though it came last
      [wallet, { trx_type_id: 2, quantity: '0.5', price: '99', trx_date: at('2026-02-01'), fee_quantity: '0.1', fee_security_id: coin.id }],
      // a stake moves nothing, a price that nobody said values nothing
      [exchange, { trx_type_id: 22, quantity: '5', price: null, trx_date: at('2026-04-01') }],
    ] as const;
    for (const [account, values] of rows) await aTransaction(db(), account, { security_id: coin.id, ...values });
    await aTransaction(db(), exchange, { security_id: unpriced.id, quantity: '7', price: null });
    await aTransaction(db(), exchange, { security_id: gone.id, trx_type_id: 1, quantity: '3' });
    await aTransaction(db(), wallet, { security_id: gone.id, trx_type_id: 2, quantity: '3' });
    await aTransaction(db(), exchange, { security_id: null, quantity: '11', is_unidentified: true });
    await aTransaction(db(), exchange, { security_id: securityIdOf('USD'), trx_type_id: 2, quantity: '40', price: null });
    expect((await ask(listEntityBalances, { id: entity.id })).map((row) => [row.ticker, row.quantity, row.price, row.usd_volume])).toEqual([
      [coin.ticker, '2.500000000000000001', '20', '50.00000000000000002'],
      ['USD', '-40', '1', '-40'],
      [unpriced.ticker, '7', null, null],
    ]);
    // what an account that was closed since holds is still held
    await db().update(accounts).set({ is_inactive: true }).where(eq(accounts.id, exchange.id));
    expect(await ask(listEntityBalances, { id: entity.id })).toHaveLength(3);
  });
});

describe('the allocation method', () => {
  test('[PL24] is one of the six Titan has, kept with the entity, and left as it is by who does not say it', async () => {
    const methods = await call(listAllocationMethods, {});
    expect(methods.map(({ name }) => name)).toEqual(['FIFO', 'LIFO', 'HIFO', 'LOFO', 'Average cost', 'Specific identification']);
    const { id } = office.entity;
    expect(await call(getEntity, { id })).toMatchObject({ allocation_method_id: null });
    expect(await call(updateEntity, { id, ...entityFields, allocation_method_id: 2 })).toMatchObject({ allocation_method_id: 2 });
    expect(await call(updateEntity, { id, ...entityFields })).toMatchObject({ allocation_method_id: 2 });
    await expect(call(updateEntity, { id, ...entityFields, allocation_method_id: 99 })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining('There is no such allocation method'),
    });
    expect(await call(updateEntity, { id, ...entityFields, allocation_method_id: null })).toMatchObject({ allocation_method_id: null });
  });
});
