import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { transactionTypes } from '#contract/transaction-codes.ts';
import { displayAddress } from '#domain/addresses.ts';
import { decimal } from '#domain/amounts.ts';
import { signOfType } from '#domain/transaction-types.ts';
import type { MatchRow, TransactionRow } from '#server/seed/book.ts';
import { demoUsers } from '#server/seed/demo-users.ts';
import { openWorld, type World } from '#server/seed/demo-world.ts';
import { quantityText, truncated, valueText } from '#server/seed/exact.ts';
import { idAt } from '#server/seed/ids.ts';
import { openRandom } from '#server/seed/random.ts';
import { referenceCustodians, referenceSecurities, securityIdOf } from '#server/seed/reference.ts';

const now = Date.UTC(2026, 6, 28, 14, 5);
const dayMs = 86_400_000;

/** The rows of a demo, all at once. */
function rowsOfDemo(world: World): { transactions: TransactionRow[]; matches: MatchRow[] } {
  const chunks = [...world.chunks()];
  return { transactions: chunks.flatMap((chunk) => chunk.transactions), matches: chunks.flatMap((chunk) => chunk.matches) };
}

function hashOf(world: World): string {
  return createHash('sha256')
    .update(JSON.stringify([world, rowsOfDemo(world)]))
    .digest('hex');
}

/** Kind of account as the specification tells them apart: the integration type, or DeFi. */
function kindsByAccount(world: World): Map<string, string> {
  return new Map(
    world.accounts.map((account) => [account.id, account.account_type_id === 2 ? 'defi' : String(account.account_integration_type_id)]),
  );
}

function countOf<T>(rows: readonly T[], test: (row: T) => boolean): number {
  return rows.filter(test).length;
}

function groupsOf<T>(rows: readonly T[], key: (row: T) => string | null): T[][] {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const name = key(row);
    if (name !== null) groups.set(name, [...(groups.get(name) ?? []), row]);
  }
  return [...groups.values()];
}

describe('the rows of the demo', () => {
  const world = openWorld({ transactions: 10_000, now });
  const { transactions, matches } = rowsOfDemo(world);
  const byId = new Map(transactions.map((row) => [row.id, row]));
  const accounts = new Map(world.accounts.map((account) => [account.id, account]));

  test('[SD1] one seed and day give the same rows to the last digit, another seed gives others', () => {
    const small = { transactions: 2500, now };
    expect(hashOf(openWorld(small))).toBe(hashOf(openWorld({ ...small, seed: 1 })));
    const once = openWorld(small);
    expect(hashOf(once)).toBe(hashOf(once));
    expect(hashOf(openWorld({ ...small, seed: 2 }))).not.toBe(hashOf(openWorld(small)));
    const begin = (seed: number) => rowsOfDemo(openWorld({ ...small, seed })).transactions[0]?.trx_date;
    expect(begin(2)).not.toBe(begin(1));
    const ids = (seed: number) => openWorld({ ...small, seed }).entities.map(({ id }) => id);
    expect(ids(2)).toEqual(ids(1));
  });

  test.each([0, 1, 7, 100, 1999, 2000, 2001, 6123])('[SD2] exactly %i transactions come out when asked for', (count) => {
    expect(rowsOfDemo(openWorld({ transactions: count, now })).transactions).toHaveLength(count);
  });

  test('[SD2] every id is its own, and UUIDv7 of the date of its row', () => {
    expect(byId.size).toBe(10_000);
    expect(new Set(matches.map(({ id }) => id)).size).toBe(matches.length);
    for (const { id, trx_date } of transactions) {
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(Number.parseInt(id.slice(0, 13).replace('-', ''), 16)).toBe(Date.parse(trx_date));
    }
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])('[SD3] 2,000 rows show all 29 types in all eight kinds of account (seed %i)', (seed) => {
    const other = openWorld({ transactions: 2000, now, seed });
    const rows = rowsOfDemo(other).transactions;
    const kinds = kindsByAccount(other);
    const types = [...new Set(rows.map((row) => row.trx_type_id))].sort((a, b) => a - b);
    expect(types).toEqual(Object.keys(transactionTypes).map(Number));
    expect(new Set(rows.map((row) => kinds.get(row.account_id)))).toEqual(new Set(['1', '2', '3', '4', '5', '6', '7', 'defi']));
  });

  test('[SD3] 3 organizations, 8 clients, 20 entities, about 120 accounts: some inactive, some under another', () => {
    expect([world.organizations.length, world.clients.length, world.entities.length]).toEqual([3, 8, 20]);
    expect(world.accounts.length).toBeGreaterThan(110);
    expect(world.accounts.length).toBeLessThan(135);
    expect(countOf(world.accounts, (account) => account.is_inactive)).toBeGreaterThan(2);
    for (const account of world.accounts.filter((row) => row.parent_account_id !== null)) {
      const parent = accounts.get(account.parent_account_id ?? '');
      expect(parent).toMatchObject({ entity_id: account.entity_id, custodian_id: account.custodian_id, parent_account_id: null });
    }
    expect(countOf(world.accounts, (account) => account.parent_account_id !== null)).toBeGreaterThan(4);
  });

  test('[SD4] a value is exactly quantity times price; quantities are positive and no amount is a float', () => {
    for (const row of transactions) {
      expect(row.quantity).toMatch(/^\d{1,18}(\.\d{0,17}[1-9])?$/);
      expect(decimal(row.quantity).isPositive() && !decimal(row.quantity).isZero()).toBe(true);
      if (row.price === null) expect([row.usd_value, row.fee_usd]).toEqual([null, null]);
      else expect(row.usd_value).toBe(decimal(row.quantity).times(row.price).toFixed());
      if (row.fee_quantity !== null && row.price !== null) expect(row.fee_usd).toBe(decimal(row.fee_quantity).times(row.price).toFixed());
    }
    const digits = (row: TransactionRow) => row.quantity.split('.')[1]?.length ?? 0;
    expect(countOf(transactions, (row) => digits(row) === 18)).toBeGreaterThan(600);
    const most = (ticker: string) => Math.max(...transactions.filter((row) => row.security_id === securityIdOf(ticker)).map(digits));
    expect([most('USD'), most('BTC'), most('ETH')]).toEqual([2, 8, 18]);
  });

  test('[SD4] the arithmetic beneath keeps every digit', () => {
    expect(quantityText(1n)).toBe('0.000000000000000001');
    expect(quantityText(12_300_000_000_000_000_000n)).toBe('12.3');
    expect(quantityText(5_000_000_000_000_000_000n)).toBe('5');
    expect(valueText(1n, 1n)).toBe('0.0000000000000000000000000001');
    expect(truncated(1_999_999_999_999_999_999n, 2)).toBe(1_990_000_000_000_000_000n);
  });

  test('[SD5] every reference of every row leads somewhere, and place copies are the account’s', () => {
    const securities = new Set(referenceSecurities.map(({ id }) => id));
    const custodians = new Set(referenceCustodians.map(({ id }) => id));
    const symbols = new Map(world.symbols.map((row) => [row.id, row]));
    for (const account of world.accounts) expect(custodians.has(account.custodian_id)).toBe(true);
    for (const row of transactions) {
      expect(accounts.get(row.account_id)).toMatchObject({ entity_id: row.entity_id, custodian_id: row.custodian_id });
      if (row.security_id !== null) expect(securities.has(row.security_id)).toBe(true);
      if (row.fee_security_id !== null) expect(securities.has(row.fee_security_id)).toBe(true);
      if (row.custodian_security_id === null) continue;
      expect(symbols.get(row.custodian_security_id)).toMatchObject({ custodian_id: row.custodian_id, security_id: row.security_id });
    }
    const keys = transactions.flatMap((row) => (row.natural_key === null ? [] : [`${row.account_id} ${row.natural_key}`]));
    expect(new Set(keys).size).toBe(keys.length);
    expect(countOf(transactions, (row) => row.manual_trx !== (row.natural_key === null))).toBe(0);
  });

  test('[SD6] a match joins two accounts of one entity, out before in, and its legs carry its state', () => {
    const pairs = matches.filter((match) => match.source === 'engine');
    expect(pairs.length).toBeGreaterThan(400);
    for (const match of pairs) {
      const out = byId.get(match.out_trx_id ?? '');
      const into = byId.get(match.in_trx_id ?? '');
      if (!out || !into) throw new Error(`match ${match.id} has lost a leg`);
      expect([signOfType(out.trx_type_id), signOfType(into.trx_type_id)]).toEqual([-1, 1]);
      expect(out.account_id).not.toBe(into.account_id);
      expect([out.entity_id, into.entity_id]).toEqual([match.entity_id, match.entity_id]);
      expect([out.match_state, into.match_state]).toEqual([match.state, match.state]);
      expect(Date.parse(out.trx_date)).toBeLessThanOrEqual(Date.parse(into.trx_date));
      expect(match.quantity_difference).toBe(decimal(out.quantity).minus(into.quantity).toFixed());
      if (match.quantity_difference !== '0') expect(out.fee_quantity).toBe(match.quantity_difference);
      if (match.reason === 'tx_hash') expect(out.tx_hash).toBe(into.tx_hash);
      if (match.kind === 'transfer') expect(out.security_id).toBe(into.security_id);
      else expect([match.state, match.reason, out.is_unidentified, into.is_unidentified]).toEqual(['PENDING', 'tx_hash', false, true]);
      expect(match.decided_at === null).toBe(match.state === 'PENDING');
    }
    const legs = matches.flatMap((match) => [match.out_trx_id, match.in_trx_id].filter((id) => id !== null));
    expect(new Set(legs).size).toBe(legs.length);
    expect(countOf(transactions, (row) => row.match_state !== null)).toBe(legs.length);
  });

  test('[SD6] matches are found by every reason, mostly by hash; most wait, some are decided', () => {
    const count = (fields: Partial<MatchRow>) =>
      countOf(matches, (match) => Object.entries(fields).every(([key, value]) => match[key as keyof MatchRow] === value));
    expect(count({ reason: 'tx_hash' })).toBeGreaterThan(matches.length / 2);
    expect(Math.min(count({ reason: 'unique' }), count({ reason: 'best' }))).toBeGreaterThan(30);
    expect(count({ state: 'PENDING' })).toBeGreaterThan(matches.length / 2);
    expect(count({ state: 'APPROVED' })).toBeGreaterThan(50);
    expect(Math.min(count({ state: 'REJECTED' }), count({ kind: 'matched_unidentified' }), count({ source: 'manual' }))).toBeGreaterThan(5);
    expect(countOf(matches, (match) => match.quantity_difference !== null && match.quantity_difference !== '0')).toBeGreaterThan(20);
    for (const { score } of matches) if (score !== null) expect(score >= 0 && score <= 100 && Number.isInteger(score)).toBe(true);
  });

  test('[SD7] every row lies within the three years up to now, some today, many in the month before', () => {
    const dates = transactions.map((row) => row.trx_date);
    const sorted = [...dates].sort();
    expect(sorted[0] && sorted[0] >= '2023-07-28T14:05:00.000Z').toBe(true);
    expect(sorted[0] && sorted[0] < '2023-08-10').toBe(true);
    expect(Date.parse(sorted.at(-1) ?? '')).toBeLessThanOrEqual(now);
    expect(countOf(dates, (date) => date.startsWith('2026-07-28'))).toBeGreaterThan(8);
    expect(countOf(dates, (date) => date.startsWith('2026-06'))).toBeGreaterThan(900);
    expect(countOf(dates, (date) => date >= '2025-07-28')).toBeGreaterThan(countOf(dates, (date) => date < '2024-07-28') * 2);
    for (const match of matches) expect(Date.parse(match.decided_at ?? match.created_at)).toBeLessThanOrEqual(now);
  });

  test.each([Date.UTC(2024, 1, 29, 0, 0, 0), Date.UTC(2026, 2, 1, 23, 59, 59, 999), Date.UTC(2027, 0, 1, 0, 0, 1)])(
    '[SD7] no clock breaks the calendar (%i)',
    (moment) => {
      const dates = rowsOfDemo(openWorld({ transactions: 2000, now: moment })).transactions.map((row) => Date.parse(row.trx_date));
      expect(dates.reduce((a, b) => Math.max(a, b))).toBeLessThanOrEqual(moment);
      expect(dates.reduce((a, b) => Math.min(a, b))).toBeGreaterThan(moment - 1097 * dayMs);
    },
  );

  test('[SD8] a few percent are unpriced, about one unidentified, some manual, some updated; the flags say what the fields say', () => {
    const share = (test: (row: TransactionRow) => boolean) => countOf(transactions, test) / transactions.length;
    expect(share((row) => row.unpriced_trx)).toBeGreaterThan(0.02);
    expect(share((row) => row.unpriced_trx)).toBeLessThan(0.06);
    expect(share((row) => row.is_unidentified)).toBeGreaterThan(0.006);
    expect(share((row) => row.is_unidentified)).toBeLessThan(0.016);
    expect(share((row) => row.manual_trx)).toBeGreaterThan(0.01);
    expect(share((row) => row.updated_trx)).toBeGreaterThan(0.005);
    const pool = transactions.filter((row) => row.security_id === securityIdOf('UNI-V2'));
    expect(pool.length).toBeGreaterThan(5);
    expect(pool.every((row) => row.unpriced_trx)).toBe(true);
    for (const row of transactions) {
      expect(row.unpriced_trx).toBe(row.usd_value === null);
      expect(row.is_unidentified).toBe(row.security_id === null);
      if (row.is_unidentified) expect(row.custodian_security_id).not.toBeNull();
      expect(row.version).toBe(row.updated_trx ? 2 : 1);
    }
  });

  test('[SD9] a trade is one buy, one sell and at most one fee or rebate, in one account at one moment', () => {
    const groups = groupsOf(transactions, (row) => row.trade_group_id);
    expect(groups.length).toBeGreaterThan(1200);
    for (const rows of groups) {
      const types = rows.map((row) => row.trx_type_id);
      expect(types.slice(0, 2)).toEqual([3, 4]);
      expect(types.length === 2 || (types.length === 3 && (types[2] === 5 || types[2] === 6))).toBe(true);
      expect(new Set(rows.map((row) => `${row.account_id} ${row.trx_date}`)).size).toBe(1);
      expect(rows[0]?.security_id).not.toBe(rows[1]?.security_id);
    }
    expect(countOf(groups, (rows) => rows.some((row) => row.trx_type_id === 5))).toBeGreaterThan(groups.length * 0.8);
  });

  test('[SD9] a swap is what left, what came and the gas: rows of one hash in one DeFi account', () => {
    const kinds = kindsByAccount(world);
    const defi = transactions.filter((row) => kinds.get(row.account_id) === 'defi' && row.description !== null);
    const swaps = groupsOf(defi, (row) => row.tx_hash).filter((rows) => rows.some((row) => row.description?.includes(' on ')));
    expect(swaps.length).toBeGreaterThan(120);
    for (const rows of swaps) {
      expect(new Set(rows.map((row) => `${row.account_id} ${row.trx_date}`)).size).toBe(1);
      expect(rows.map((row) => row.trx_type_id)).toEqual(expect.arrayContaining([2, 1]));
    }
    expect(countOf(swaps, (rows) => rows.at(-1)?.trx_type_id === 24)).toBeGreaterThan(swaps.length * 0.8);
    expect(countOf(swaps, (rows) => rows.length === 4)).toBeGreaterThan(2);
  });

  test('[SD10] addresses and hashes look as their chain writes them; bank accounts have a currency', () => {
    for (const account of world.accounts) {
      const onChain = account.account_integration_type_id === 2;
      expect([account.blockchain !== null, account.address !== null]).toEqual([onChain, onChain]);
      expect(account.currency !== null).toBe(account.account_integration_type_id === 3);
    }
    const addresses = new Set([
      ...world.accounts.map((row) => row.address),
      ...transactions.flatMap((row) => [row.from_address, row.to_address]),
    ]);
    for (const address of addresses) {
      if (address?.startsWith('0x')) expect(address).toBe(displayAddress(address));
      else if (address !== null) expect(address).toMatch(/^bc1q[02-9ac-hj-np-z]{38}$|^[1-9A-HJ-NP-Za-km-z]{44}$/);
    }
    for (const { tx_hash } of transactions)
      if (tx_hash !== null) expect(tx_hash).toMatch(/^0x[0-9a-f]{64}$|^[0-9a-f]{64}$|^[1-9A-HJ-NP-Za-km-z]{88}$/);
  });

  test('[SD11] in the order of writing no account gives what it has not', () => {
    const balances = new Map<string, { least: number; most: number; now: number }>();
    for (const row of transactions) {
      if (row.security_id === null) continue;
      const key = `${row.account_id} ${row.security_id}`;
      const balance = balances.get(key) ?? { least: 0, most: 0, now: 0 };
      balance.now += signOfType(row.trx_type_id) * Number(row.quantity);
      balance.least = Math.min(balance.least, balance.now);
      balance.most = Math.max(balance.most, balance.now);
      balances.set(key, balance);
    }
    expect(countOf([...balances.values()], ({ least, most }) => least < -1e-6 * most)).toBe(0);
  });

  test('[SD12] rows come in chunks of about 2,000, each match with its own rows', () => {
    for (const chunk of world.chunks()) {
      expect(chunk.transactions.length).toBeLessThan(2010);
      const ids = new Set(chunk.transactions.map((row) => row.id));
      for (const { out_trx_id, in_trx_id } of chunk.matches)
        expect([out_trx_id, in_trx_id].every((id) => id === null || ids.has(id))).toBe(true);
    }
  });

  test('[SD13] one entity has a fifth of all rows, the smallest less than a hundredth', () => {
    const sizes = groupsOf(transactions, (row) => row.entity_id)
      .map((rows) => rows.length)
      .sort((a, b) => b - a);
    expect(sizes).toHaveLength(20);
    expect(sizes[0]).toBeGreaterThan(1800);
    expect(sizes.at(-1)).toBeLessThan(30);
    expect(sizes.at(-1)).toBeGreaterThan(9);
  });

  test('[SD14] the accountant has two clients of one organization with the busiest entity; the auditor shares one', () => {
    const [admin, accountant, auditor] = demoUsers;
    expect([admin?.is_superuser, accountant?.is_superuser, auditor?.is_superuser]).toEqual([true, false, false]);
    const [first] = groupsOf(transactions, (row) => row.entity_id).sort((a, b) => b.length - a.length);
    const busiest = world.entities.find((entity) => entity.id === first?.[0]?.entity_id);
    expect(accountant?.clients).toHaveLength(2);
    expect(accountant?.clients).toContain(busiest?.client_id);
    expect(accountant?.clients).toEqual(expect.arrayContaining([...(auditor?.clients ?? [])]));
    const organizations = world.clients.filter((client) => accountant?.clients.includes(client.id)).map((client) => client.organization_id);
    expect([...new Set(organizations)]).toEqual(accountant?.organizations);
    expect(new Set(demoUsers.map((user) => user.password)).size).toBe(demoUsers.length);
    for (const { password } of demoUsers) expect(password.length).toBeGreaterThanOrEqual(12);
  });

  test('[SD20] on every day of thirteen months an entity is worth something, today exactly what its accounts are', () => {
    const { accountValues, entityValues, reconciliations, syncs } = world.figures;
    expect(accountValues).toHaveLength(world.accounts.length);
    const values = new Map(accountValues.map((row) => [row.account_id, row.value_usd]));
    for (const { id } of world.entities) {
      const own = entityValues.filter(({ entity_id }) => entity_id === id);
      expect([own.length, own.at(-1)?.day]).toEqual([400, '2026-07-28']);
      const held = world.accounts.filter(({ entity_id }) => entity_id === id).map((account) => decimal(values.get(account.id) ?? ''));
      expect(held.reduce((sum, value) => sum.plus(value), decimal('0')).toFixed(2)).toBe(own.at(-1)?.value_usd);
    }
    expect(
      accountValues.every(({ account_id, value_usd }) => (accounts.get(account_id)?.is_inactive ?? false) === (value_usd === '0.00')),
    ).toBe(true);
    const newest = reconciliations.filter(({ end_date }) => end_date === '2026-06-30');
    const compared = new Set(newest.map(({ account_id }) => account_id));
    expect(world.accounts.some(({ id, is_inactive }) => !is_inactive && !compared.has(id))).toBe(true);
    const open = newest.filter(({ status }) => status === 'UNRECONCILED');
    expect(open.length).toBeGreaterThan(5);
    for (const { breaks } of open) {
      for (const { reported, computed, difference } of JSON.parse(breaks) as { reported: string; computed: string; difference: string }[])
        expect(decimal(reported).minus(decimal(computed)).toFixed()).toBe(decimal(difference).toFixed());
    }
    expect(countOf(syncs, ({ status }) => status === 'SYNC_ERROR')).toBeGreaterThan(2);
    expect(
      countOf(world.accounts, ({ is_inactive, last_update }) => !is_inactive && now - last_update.getTime() > 4 * dayMs),
    ).toBeGreaterThan(2);
  });

  test('[SD15] reference rows have ids, tickers and names of their own; the dollar is USD of type 3', () => {
    expect(referenceSecurities.filter((security) => security.ticker === 'USD')).toMatchObject([{ security_type_id: 3 }]);
    expect(new Set(referenceSecurities.map(({ ticker }) => ticker)).size).toBe(referenceSecurities.length);
    const ids = [...referenceSecurities, ...referenceCustodians].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // in databases by now: never to change
    expect(securityIdOf('USD')).toMatchInlineSnapshot(`"016f5e66-e800-7090-89d4-4cdf24ea7ef2"`);
  });

  test('[SD1] a stream is decided by its label, even, and within its bounds', () => {
    const draw = (label: string) => {
      const random = openRandom(label);
      return Array.from({ length: 1000 }, () => random.unit());
    };
    expect(draw('a')).toEqual(draw('a'));
    expect(draw('a')).not.toEqual(draw('b'));
    const mean = draw('c').reduce((sum, unit) => sum + unit, 0) / 1000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.04);
    const random = openRandom('ids');
    expect(new Set(Array.from({ length: 20_000 }, () => idAt(now, random))).size).toBe(20_000);
  });
});
