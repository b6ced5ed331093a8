import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { selectTransactions } from '#contract/transactions.ts';
import { rowsOf } from '#server/database/open.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAccount, anEntity, anOffice, aPendingMatch, aTransaction, restrict } from '#tests/support/world.ts';

let server: TestServer;
let call: ApiCall;
let cookie: string;
let office: Awaited<ReturnType<typeof anOffice>>;
let pair: Awaited<ReturnType<typeof aPendingMatch>>;

beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  const client = await server.signedIn(office.accountant.email);
  call = client.call;
  cookie = [...client.jar].map(([name, value]) => `${name}=${value}`).join('; ');
});
beforeEach(async () => {
  pair = await aPendingMatch(server.database.db, office.exchange, office.wallet);
});
afterAll(() => server.close());

const put = (payload: object, key?: string) =>
  server.app.inject({
    method: 'PUT',
    url: '/api/transaction_matches/transfer',
    headers: { cookie, ...(key ? { 'idempotency-key': key } : {}) },
    payload,
  });
const stateOf = async (id: string) => (await call(selectTransactions, { trx_id: id }))[0]?.match_state;
const versionOf = async (id: string) =>
  (await server.database.db.select({ version: transactions.version }).from(transactions).where(eq(transactions.id, id)))[0]?.version;

describe('PUT /transaction_matches/transfer', () => {
  test('[M1] marking a pair approves its match and both legs', async () => {
    const match = await call(markTransfer, { trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: true });
    expect(match).toMatchObject({
      id: pair.match.id,
      state: 'APPROVED',
      source: 'manual',
      out_trx_id: pair.out.id,
      in_trx_id: pair.into.id,
      version: 2,
    });
    expect([await stateOf(pair.out.id), await stateOf(pair.into.id)]).toEqual(['APPROVED', 'APPROVED']);
  });

  test('[M2] taking the mark away rejects the pair and remembers it', async () => {
    const match = await call(markTransfer, { trx_id: pair.into.id, counterpart_id: pair.out.id, is_transfer: false });
    expect(match).toMatchObject({ id: pair.match.id, state: 'REJECTED' });
    expect([await stateOf(pair.out.id), await stateOf(pair.into.id)]).toEqual(['REJECTED', 'REJECTED']);
  });

  test('[M3] a leg marked with another counterpart lets its former partner go', async () => {
    const { db } = server.database;
    const better = await aTransaction(db, office.wallet, { trx_type_id: 1, quantity: '1.5' });
    await call(markTransfer, { trx_id: pair.out.id, counterpart_id: better.id, is_transfer: true });
    expect([await stateOf(pair.out.id), await stateOf(better.id), await stateOf(pair.into.id)]).toEqual(['APPROVED', 'APPROVED', null]);
    const [former] = await db.select().from(transactionMatches).where(eq(transactionMatches.id, pair.match.id));
    expect(former?.state).toBe('REJECTED');
  });

  test('[M15] a decision tells which transactions it changed, as it left them, and those it left as they were not', async () => {
    const better = await aTransaction(server.database.db, office.wallet, { trx_type_id: 1, quantity: '1.5' });
    const decide = async (is_transfer: boolean, counterpart_id: string) => {
      const { changed_transactions = [] } = await call(markTransfer, { trx_id: pair.out.id, counterpart_id, is_transfer });
      return Object.fromEntries(changed_transactions.map(({ id, ...left }) => [id, left]));
    };
    // that two rows are no pair leaves the one that another match holds
    expect(await decide(false, better.id)).toEqual({ [better.id]: { version: 2, match_state: 'REJECTED' } });
    expect(await decide(true, better.id)).toEqual({
      [pair.out.id]: { version: 2, match_state: 'APPROVED' },
      [better.id]: { version: 3, match_state: 'APPROVED' },
      [pair.into.id]: { version: 2, match_state: null },
    });
    expect(await decide(true, better.id)).toEqual({});
  });

  test('[M4] refuses what cannot be one transfer, says why, and changes nothing', async () => {
    const { db } = server.database;
    const sameAccount = await aTransaction(db, office.exchange, { trx_type_id: 1 });
    const sameDirection = await aTransaction(db, office.wallet, { trx_type_id: 2 });
    const stake = await aTransaction(db, office.wallet, { trx_type_id: 22 });
    const otherEntity = await aTransaction(
      db,
      await anAccount(db, { entity_id: (await anEntity(db, { client_id: office.client.id })).id }),
      {},
    );
    for (const [counterpart, reason] of [
      [sameAccount.id, /one account/],
      [sameDirection.id, /leaves an account and one that arrives/],
      [stake.id, /moves nothing/],
      [otherEntity.id, /different entities/],
      [pair.out.id, /own counterpart/],
    ] as const) {
      const answer = await put({ trx_id: pair.out.id, counterpart_id: counterpart, is_transfer: true });
      expect(answer.statusCode).toBe(422);
      expect(answer.json<{ detail: string }>().detail).toMatch(reason);
    }
    expect((await put({ trx_id: uuidv7(), counterpart_id: null, is_transfer: true })).statusCode).toBe(404);
    expect([await stateOf(pair.out.id), await versionOf(pair.out.id)]).toEqual(['PENDING', 1]);
  });

  test('[M5] a single leg can be marked, and marked as no transfer', async () => {
    const lone = await aTransaction(server.database.db, office.exchange, { trx_type_id: 2 });
    expect(await call(markTransfer, { trx_id: lone.id, counterpart_id: null, is_transfer: true })).toMatchObject({
      state: 'APPROVED',
      in_trx_id: null,
    });
    expect(await call(markTransfer, { trx_id: lone.id, counterpart_id: null, is_transfer: false })).toMatchObject({
      state: 'REJECTED',
      in_trx_id: null,
    });
    expect(await stateOf(lone.id)).toBe('REJECTED');
  });

  test('[ID1] the same key again gets the stored answer and has no second effect', async () => {
    const key = uuidv7();
    const body = { trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: true };
    const first = await put(body, key);
    const second = await put(body, key);
    expect([first.statusCode, second.statusCode]).toEqual([200, 200]);
    expect(second.json()).toEqual(first.json());
    expect([first.headers['idempotent-replayed'], second.headers['idempotent-replayed']]).toEqual([undefined, 'true']);
    expect(await versionOf(pair.out.id)).toBe(2);
  });

  test('[ID2] many at once under one key have one effect', async () => {
    const key = uuidv7();
    const body = { trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: true };
    const answers = await Promise.all(Array.from({ length: 8 }, () => put(body, key)));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.body)).size).toBe(1);
    expect(await versionOf(pair.out.id)).toBe(2);
  });

  test('[ID3] a key used for another request is refused, and a refused request leaves its key free', async () => {
    const key = uuidv7();
    expect((await put({ trx_id: uuidv7(), counterpart_id: null, is_transfer: true }, key)).statusCode).toBe(404);
    expect((await put({ trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: true }, key)).statusCode).toBe(200);
    expect((await put({ trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: false }, key)).statusCode).toBe(422);
    expect(await stateOf(pair.out.id)).toBe('APPROVED');
  });

  test('[M9] saying that two rows are no pair leaves their other matches alone', async () => {
    const { db } = server.database;
    const [c, d] = [await aTransaction(db, office.wallet, { trx_type_id: 1 }), await aTransaction(db, office.exchange, { trx_type_id: 2 })];
    await call(markTransfer, { trx_id: pair.out.id, counterpart_id: c.id, is_transfer: true });
    await call(markTransfer, { trx_id: d.id, counterpart_id: pair.into.id, is_transfer: true });
    await call(markTransfer, { trx_id: pair.out.id, counterpart_id: pair.into.id, is_transfer: false });
    expect(await Promise.all([pair.out.id, pair.into.id, c.id, d.id].map(stateOf))).toEqual([
      'APPROVED',
      'APPROVED',
      'APPROVED',
      'APPROVED',
    ]);
  });

  test('[M11] who may not read a transaction does not decide about it either, on whatever version', async () => {
    const { db } = server.database;
    const other = await anOffice(db);
    const { out } = await aPendingMatch(db, other.exchange, other.wallet);
    await restrict(db, other.accountant.id, 'transaction_read');
    const person = await server.signedIn(other.accountant.email);
    for (const ifVersion of [undefined, 0]) {
      const marked = person.call(markTransfer, { trx_id: out.id, counterpart_id: null, is_transfer: true }, { ifVersion });
      await expect(marked).rejects.toMatchObject({ code: 'not_found' });
    }
    expect(await versionOf(out.id)).toBe(1);
  });

  test('[M10] decisions that cross in one entity take turns: none fails', async () => {
    const { db } = server.database;
    const rows = await Promise.all(
      [1, 2, 3, 4].map((n) => aTransaction(db, n % 2 ? office.exchange : office.wallet, { trx_type_id: n % 2 ? 2 : 1 })),
    );
    const [a, b, c, d] = rows.map((row) => row.id);
    const answers: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const pairs =
        round % 2
          ? [
              [a, b],
              [c, d],
            ]
          : [
              [a, d],
              [c, b],
            ];
      const sent = await Promise.all(pairs.map(([out, into]) => put({ trx_id: out, counterpart_id: into, is_transfer: true })));
      answers.push(...sent.map((answer) => answer.statusCode));
    }
    expect(new Set(answers)).toEqual(new Set([200]));
  });

  test('[M6] two people deciding about one leg at once leave one live match', async () => {
    const { db } = server.database;
    const others = await Promise.all([1, 2, 3].map(() => aTransaction(db, office.wallet, { trx_type_id: 1 })));
    const answers = await Promise.all(others.map((other) => put({ trx_id: pair.out.id, counterpart_id: other.id, is_transfer: true })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    const live = (await db.select().from(transactionMatches).where(eq(transactionMatches.out_trx_id, pair.out.id))).filter(
      (match) => match.state !== 'REJECTED',
    );
    expect(live).toHaveLength(1);
  });
});

test('[M12] all matches of a leg, refused ones too, are found by indexes, however many there are', async () => {
  const plan = await server.database.db.transaction(async (tx) => {
    await tx.execute(sql`set local enable_seqscan = off`);
    const leg = sql`${pair.out.id}::uuid`;
    return rowsOf<Record<string, string>>(
      tx,
      sql`explain (costs off) select id from transaction_matches where out_trx_id in (${leg}) or in_trx_id in (${leg})`,
    );
  });
  const text = plan.map((row) => Object.values(row)[0]).join('\n');
  // an index of which a column stands first
  expect(text).toMatch(/Scan on transaction_matches_pair\s+Index Cond: \(out_trx_id = /);
  expect(text).toMatch(/Scan on transaction_matches_by_in\s+Index Cond: \(in_trx_id = /);
});

describe('GET /transaction_matches', () => {
  test('[M7] pages by offset, counts what it lists, and narrows to the pending', async () => {
    const { db } = server.database;
    const entity = await anEntity(db, { client_id: office.client.id });
    const [from, to] = [await anAccount(db, { entity_id: entity.id }), await anAccount(db, { entity_id: entity.id })];
    const made = [await aPendingMatch(db, from, to), await aPendingMatch(db, from, to), await aPendingMatch(db, from, to)];
    await call(markTransfer, { trx_id: made[0]!.out.id, counterpart_id: made[0]!.into.id, is_transfer: true });
    expect(await call(countTransactionMatches, { entity_id: entity.id })).toEqual({ count: 3 });
    expect(await call(countTransactionMatches, { entity_id: entity.id, pending_matches_only: true })).toEqual({ count: 2 });
    const pages = [
      await call(listTransactionMatches, { entity_id: entity.id, limit: 2 }),
      await call(listTransactionMatches, { entity_id: entity.id, limit: 2, offset: 2 }),
    ];
    expect(pages.flat().map((match) => match.id)).toEqual(made.map((one) => one.match.id));
    await expect(call(listTransactionMatches, { entity_id: '' })).rejects.toMatchObject({ status: 422 });
  });
});

test('[M13] a row that is paired with another one is of another version, though its state stays: what was decided about the former pair is refused', async () => {
  const others = [];
  for (let no = 0; no < 2; no += 1) others.push(await aTransaction(server.database.db, office.wallet, { trx_type_id: 1 }));
  const [third, fourth] = others.map(({ id }) => id) as [string, string];
  const mark = (counterpart_id: string | null, is_transfer = true) => ({ trx_id: pair.out.id, counterpart_id, is_transfer });
  await put(mark(pair.into.id));
  const seen = await versionOf(pair.out.id);
  await put(mark(third));
  for (const decision of [mark(fourth), mark(null, false)]) {
    const headers = { cookie, 'if-match': `"${seen}"` };
    const late = await server.app.inject({ method: 'PUT', url: '/api/transaction_matches/transfer', headers, payload: decision });
    expect([late.statusCode, await stateOf(third)]).toEqual([412, 'APPROVED']);
  }
  const before = await versionOf(pair.out.id);
  await put(mark(third));
  expect(await versionOf(pair.out.id)).toBe(before);
});
