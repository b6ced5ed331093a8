import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chosenRows } from '#app/screens/transactions/chosen-rows.ts';
import { createQuerySource } from '#app/screens/transactions/query-source.ts';
import { createGridState } from '#app/ui/grid/grid-state.ts';
import { accounts } from '#server/database/tables/places.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { sumOf } from '#domain/amounts.ts';
import { enqueue } from '#replica/outbox.ts';
import { listedRows } from '#app/ui/grid/row-selection.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import type { FirstRows, GridQuery, GridResult, RemoteEngine, SharedEngine } from '#workers/start.ts';
import { browsersOn } from '#tests/support/browser.ts';
import { aGrid } from '#tests/support/engine.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import { aClient, anAccount, anEntity, anOffice, aUser, someTransactions, transactionRow } from '#tests/support/world.ts';

let server: TestServer;
const browsers = browsersOn(() => server);

beforeAll(async () => {
  server = await aServer();
});
afterAll(async () => {
  await browsers.close();
  await server.close();
});

const hour = 3_600_000;

/** Two clients with rows at turns, and somebody who sees both, synced. */
async function twoClients() {
  const { db } = server.database;
  const office = await anOffice(db);
  const other = await aClient(db, { organization_id: office.organization.id });
  const account = await anAccount(db, { entity_id: (await anEntity(db, { client_id: other.id })).id });
  const user = await aUser(db, { role: 'accountant', organizationIds: [office.organization.id], clientIds: [office.client.id, other.id] });
  const made = Array.from({ length: 400 }, (_, index) =>
    transactionRow(index % 3 === 0 ? account : office.exchange, {
      trx_date: new Date(testNow - index * hour),
      quantity: `${(index * 7919) % 400}.5`,
      tx_hash: `0xHASH${index}`,
    }),
  );
  await someTransactions(db, made);
  const { startSynced, aPage } = await browsers.signIn(user.email);
  const { client, exchange } = office;
  return { ...(await startSynced()), aPage, client, exchange, made, account, clientIds: [client.id, other.id] };
}

/** A list as a page shows it, beside the engine that answers it. */
async function aPageList(engine: SharedEngine, clientIds: string[], sort: GridQuery['sort'] = []) {
  const source = createQuerySource(engine as unknown as RemoteEngine, `list ${uuidv7()}`);
  const query: GridQuery = { clientIds, filter: noFilter, sort, zone: 'UTC' };
  const state = createGridState({ source, onTooMany: () => undefined, pause: async () => undefined });
  source.subscribe(state.follow);
  source.ask(JSON.stringify(query));
  const seen = async (index: number): Promise<void> => {
    source.want(index, index);
    await expect.poll(() => source.row(index)).toBeDefined();
  };
  await seen(0);
  return { source, state, seen };
}

describe('lists over the copy', () => {
  let office: Awaited<ReturnType<typeof twoClients>>;
  beforeAll(async () => {
    office = await twoClients();
  });
  afterAll(() => browsers.close());

  test('[LS1] a list spans clients: one order, one count and one sum over all their rows', async () => {
    const { engine, made, clientIds } = office;
    const newest = await aGrid(engine, clientIds);
    expect(newest.latest()).toMatchObject({ count: 400, usd: { net: newest.latest()?.usd.in } });
    expect(newest.latest()?.assets[0]?.in).toBe(sumOf(made.map((row) => String(row.quantity))));
    expect(newest.latest()?.rows.map((row) => row.id)).toEqual(made.slice(0, 50).map((row) => row.id));
    const largest = await aGrid(engine, clientIds, {}, [{ field: 'quantity', ascending: false }]);
    const expected = made.toSorted((a, b) => Number(b.quantity) - Number(a.quantity)).map((row) => row.id);
    expect((await largest.rows(100, 150)).map((row) => row.id)).toEqual(expected.slice(100, 250));
    const byAccount = await aGrid(engine, clientIds, {}, [
      { field: 'account', ascending: true },
      { field: 'trx_date', ascending: true },
    ]);
    const accounts = (await byAccount.rows(0, 400)).map((row) => row.account_id);
    expect(accounts.indexOf(accounts.at(-1) ?? '')).toBe(accounts.length - accounts.filter((id) => id === accounts.at(-1)).length);
  });

  test('[LS2] pasted hashes and ids find their rows, and those that no row has are named', async () => {
    const { engine, made, clientIds } = office;
    const hashes = ['0xhash5', made[17]!.id, '0xhash399', 'not there', '0xhash40'];
    const grid = await aGrid(engine, clientIds, { hashes });
    expect(grid.latest()?.rows.map((row) => row.id)).toEqual([5, 17, 40, 399].map((index) => made[index]!.id));
    expect(grid.latest()?.missing).toEqual(['not there']);
    // found, though another filter hides it
    const hidden = await aGrid(engine, clientIds, {
      hashes: ['0xhash5'],
      fields: [{ kind: 'amount', field: 'quantity', range: { above: '9999' } }],
    });
    expect(hidden.latest()).toMatchObject({ count: 0, missing: [] });
  });

  test('[LS3] facets count the rows of each value under the filter, their own field left aside', async () => {
    const { engine, account, clientIds } = office;
    const grid = await aGrid(engine, clientIds, { fields: [{ kind: 'list', field: 'account', values: [account.id] }] });
    const facets = await engine.facets(grid.id, 'account');
    expect(facets.map(({ count }) => count).toSorted((a, b) => a - b)).toEqual([134, 266]);
    expect(await engine.facets(grid.id, 'type')).toEqual([{ value: '1', count: 134 }]);
  });

  test('[LS4] an answer worked out ahead is the one that is then given, and a later change replaces it', async () => {
    const { engine, clientIds, made } = office;
    const grid = await aGrid(engine, clientIds);
    const query = {
      clientIds,
      filter: { entity_ids: [], from: null, to: null, fields: [], text: 'hash39', hashes: [] },
      sort: [],
      zone: 'UTC',
    } as const;
    await engine.prepareQuery(grid.id, query, { offset: 0, limit: 5 });
    await grid.ask(query);
    // 39 and 390 to 399
    expect(grid.latest()?.count).toBe(11);
    expect(grid.latest()?.rows[0]?.id).toBe(made[39]?.id);
  });

  test('[LS6] a prepared answer that is shown already is told again only once its rows change', async () => {
    const { engine, clientIds, made, aPage, client } = office;
    const query: GridQuery = { clientIds, filter: { ...noFilter, text: 'hash38' }, sort: [], zone: 'UTC' };
    const window = { offset: 0, limit: 5 };
    const prepared = await engine.prepareQuery('prepared', query, window);
    const told: GridResult[] = [];
    await engine.watchQuery('prepared', query, window, (result) => void told.push(result), undefined, prepared?.revision);
    expect(prepared).toMatchObject({ count: 11, rows: [{ id: made[38]?.id }, {}, {}, {}, {}] });
    expect(told).toEqual([]);
    expect(await engine.rows('prepared', 0, 1)).toMatchObject({ revision: prepared?.revision, rows: [{ id: made[38]?.id }] });
    const page = await aPage();
    await enqueue(page.outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: made[38]!.id!, counterpart_id: null, is_transfer: true },
      title: 'Mark transfer',
      now: testNow,
      clientId: client.id,
      entityId: made[38]!.entity_id,
    });
    await expect.poll(() => told.at(-1)?.rows[0]?.match_state).toBe('APPROVED');
    // and one whose rows have changed since it was prepared is told at once
    await engine.watchQuery('prepared', query, window, (result) => void told.push(result), undefined, prepared?.revision);
    expect(told.at(-1)?.revision).toBeGreaterThan(prepared?.revision ?? Infinity);
  });
});

test('[LS7] a list that is searched or sorted by names is true to them once they change', async () => {
  const { engine, sync, exchange, client, clientIds, made } = await twoClients();
  const own = made.filter((row) => row.account_id === exchange.id).length;
  const searched = await aGrid(engine, client.id, { text: 'zeta' });
  const { source } = await aPageList(engine, clientIds, [{ field: 'account', ascending: true }]);
  expect(searched.latest()?.count).toBe(0);
  for (const account_name of ['Zeta', 'Aardvark']) {
    await server.database.db.update(accounts).set({ account_name }).where(eq(accounts.id, exchange.id));
    await sync();
    const isFirst = account_name === 'Aardvark';
    await expect.poll(() => searched.latest()?.count).toBe(isFirst ? 0 : own);
    await expect.poll(() => source.row(0)?.account_id === exchange.id).toBe(isFirst);
  }
});

test('[LS5] the first rows of a large copy are told before all of it is read, once, and they are those of the answer that follows', async () => {
  const { client, exchange, accountant } = await anOffice(server.database.db);
  const made = Array.from({ length: 26_000 }, (_, index) => transactionRow(exchange, { trx_date: new Date(testNow - index * hour) }));
  await someTransactions(server.database.db, made);
  const { session, startSynced, start } = await browsers.signIn(accountant.email);
  await (await startSynced()).engine.close(session.userId);

  const { engine } = start();
  await engine.open(session);
  const told: (FirstRows | GridResult)[] = [];
  const query: GridQuery = { clientIds: [client.id], filter: noFilter, sort: [], zone: 'UTC' };
  const tell = (result: FirstRows | GridResult): void => void told.push(result);
  await engine.watchQuery('opening', query, { offset: 0, limit: 100 }, tell, tell);
  const early = () => told.filter((result) => !('count' in result));
  const [first, answer] = told;
  expect(early()).toEqual([first]);
  expect(answer).toHaveProperty('count', 26_000);
  expect(first?.rows.map(({ id }) => id)).toEqual(made.slice(0, 100).map(({ id }) => id));
  expect(answer?.rows).toEqual(first?.rows);
  expect(answer?.revision).toBeGreaterThan(first?.revision ?? Infinity);
  await engine.watchQuery('opening', query, { offset: 0, limit: 100 }, tell, tell);
  expect(early()).toEqual([first]);
});

test('[GR56] what is selected is in the order of the list and as it is now, wherever it is, and without what is gone', async () => {
  const { engine, made, clientIds, sync } = await twoClients();
  const { source, state, seen } = await aPageList(engine, clientIds);
  await seen(333);
  state.toggle(333);
  await seen(5);
  for (const index of [5, 9, 0]) state.toggle(index);
  const ids = [0, 5, 9, 333].map((index) => made[index]!.id!);
  expect((await source.pick(new Set(ids)))?.map(({ id }) => id)).toEqual(ids);
  const { db } = server.database;
  await db.update(transactions).set({ quantity: '77.125', version: 2 }).where(eq(transactions.id, ids[3]!));
  await db.delete(transactions).where(eq(transactions.id, ids[2]!));
  await sync();
  const selected = () => {
    const { selection } = state.snapshot();
    return selection.kind === 'some' ? listedRows(selection.rows).map(({ id, quantity }) => [id, quantity]) : [];
  };
  await expect.poll(selected).toEqual([
    [ids[3], '77.125'],
    [ids[1], made[5]!.quantity],
    [ids[0], made[0]!.quantity],
  ]);
  expect((await chosenRows(source, state))?.map(({ id }) => id)).toEqual([ids[0], ids[1], ids[3]]);
});
