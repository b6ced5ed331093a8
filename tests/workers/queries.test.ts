import { afterEach, expect, test } from 'vitest';
import type { Transaction } from '#contract/transactions.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { ColumnSet } from '#replica/column-set.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { RowTables } from '#replica/row-tables.ts';
import { Queries } from '#workers/queries.ts';
import type { GridQuery, GridResult } from '#workers/start.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { planted } from '#tests/support/stored.ts';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

const now = Date.parse('2026-01-01T00:00:00Z');
const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const nameOf = (index: number): string => `row-${String(index).padStart(6, '0')}`;
/** A row that is the newer the smaller its number; below zero newer than all there are at first. */
const aRow = (index: number): Transaction =>
  aPulledRow({
    id: nameOf(index + 1_000),
    trx_date: new Date(now - index * 60_000).toISOString(),
    account_id: index % 2 === 0 ? 'even' : 'odd',
  });
const query: GridQuery = { clientIds: ['c'], filter: noFilter, sort: [], zone: 'UTC' };

/** A list of so many rows, asked and answered, whose later answers wait until they are let go on. */
async function aList(count: number, asked: Partial<GridQuery> = {}) {
  const replica = await openReplica(browserStores, `list ${performance.now()}`, now);
  open.push(replica);
  const sets = someSets(replica, { now: () => now });
  const set = await sets.transactions('c');
  await set.apply(Array.from({ length: count }, (_, index) => aRow(index)));
  const waiting: (() => void)[] = [];
  let revision = 0;
  const queries = new Queries({
    replica,
    sets,
    breathe,
    pause: () => new Promise((resolve) => void waiting.push(resolve)),
    nextRevision: () => (revision += 1),
    onProblem: (error) => expect(error).toBeUndefined(),
  });
  const told: GridResult[] = [];
  await queries.watch('list', { ...query, ...asked }, { offset: 0, limit: 10 }, { onResult: (result) => void told.push(result) });
  return {
    replica,
    sets,
    set,
    queries,
    told,
    goOn: () => waiting.splice(0).forEach((go) => go()),
    /** The ids of a stretch, by the revision they are said to be of. */
    read: async (offset: number, limit: number) => {
      const { revision: of, rows } = await queries.rows('list', offset, limit);
      return { of, ids: rows.map(({ id }) => id) };
    },
  };
}

/** Lets what is asked of a set wait until it is let go. */
function held(set: ColumnSet<Transaction>) {
  const select = set.select.bind(set);
  const waiting: (() => void)[] = [];
  set.select = async (make) => {
    await new Promise<void>((resolve) => void waiting.push(resolve));
    return select(make);
  };
  return {
    chosen: () => waiting.length,
    letGo: () => {
      set.select = select;
      for (const go of waiting) go();
    },
  };
}

function named(id: string, account_name: string): RowTables['accounts']['row'] {
  return { id, client_id: 'c', entity_id: 'e', account_name, _scope: 'client:c' } as RowTables['accounts']['row'];
}

const always = (): boolean => true;
/** The ids of rows at some positions of a list that begins with this many newer ones. */
const idsAt = (from: number, to: number, newer = 0): string[] =>
  Array.from({ length: to - from }, (_, at) => nameOf(1_000 + from + at - newer));

test('[LS9] rows read right after what came was sorted into place are of a later revision, which is told, not of the one before', async () => {
  const { set, queries, told, goOn, read } = await aList(600);
  expect(await read(0, 300)).toEqual({ of: 2, ids: idsAt(0, 300) });
  await set.apply([aRow(-1)]);
  // what came before the sorting is not in the list yet
  expect(await read(0, 300)).toEqual({ of: 2, ids: idsAt(0, 300) });
  queries.changed(set.key);
  await set.rest(always);
  const reading = read(300, 300);
  goOn();
  expect(await reading).toEqual({ of: 3, ids: idsAt(300, 600, 1) });
  expect(told.map(({ revision, count }) => [revision, count])).toEqual([
    [2, 600],
    [3, 601],
  ]);
});

test('[LS9] also where nobody said yet that something came', async () => {
  const { set, told, read } = await aList(600);
  await set.apply([aRow(-1)]);
  await set.rest(always);
  expect(await read(300, 300)).toEqual({ of: 3, ids: idsAt(300, 600, 1) });
  expect(told.at(-1)).toMatchObject({ revision: 3, count: 601 });
});

test('[LS9] rows that were sorted into place and are the same ones are read on under their revision', async () => {
  for (const sort of [[], [{ field: 'quantity', ascending: true }] as const]) {
    const { set, told, read } = await aList(600, { sort: [...sort] });
    const before = await read(0, 600);
    await set.rest(always);
    expect(await read(0, 600)).toEqual(before);
    expect(told).toHaveLength(1);
  }
});

test('[LS9] nor is the order another one by names that changed meanwhile', async () => {
  const { replica, set, read } = await aList(600, { sort: [{ field: 'account', ascending: true }] });
  const before = await read(0, 600);
  expect(before.ids.slice(0, 2)).toEqual([nameOf(1_000), nameOf(1_002)]);
  await planted(replica.rows, 'accounts', [named('odd', 'Aardvark')]);
  await set.rest(always);
  expect(await read(0, 600)).toEqual(before);
});

test('[LS9] where what is stored was dropped meanwhile no rows are read, of no revision', async () => {
  const { sets, set, read } = await aList(600);
  const dropping = sets.without(['c'], async () => {
    expect(await read(0, 10)).toEqual({ of: 0, ids: [] });
  });
  await dropping;
  await (await sets.transactions('c')).apply([aRow(-1)]);
  expect(set).not.toBe(await sets.transactions('c'));
  expect(await read(0, 1)).toEqual({ of: 0, ids: [] });
});

test('[LS7] a list is true to names that changed, also where rows are sorted into place while it is answered', async () => {
  const { replica, sets, set, queries, told, goOn } = await aList(600, {
    clientIds: ['c', 'd'],
    sort: [{ field: 'account', ascending: true }],
  });
  const other = await sets.transactions('d');
  await planted(replica.rows, 'accounts', [named('odd', 'Aardvark')]);
  const { chosen, letGo } = held(other);
  queries.renamed();
  goOn();
  await expect.poll(chosen).toBe(1);
  await set.rest(always);
  letGo();
  await expect.poll(() => told.at(-1)?.rows[0]?.account_id).toBe('odd');
});

test('[LS10] an answer worked out ahead while rows came is not given for the newest', async () => {
  const { sets, set, queries } = await aList(3);
  const other = await sets.transactions('d');
  const { chosen, letGo } = held(other);
  const ofBoth: GridQuery = { ...query, clientIds: ['c', 'd'] };
  const window = { offset: 0, limit: 10 };
  const preparing = queries.prepare('both', ofBoth, window);
  await expect.poll(chosen).toBe(1);
  await set.apply([aRow(-1)]);
  queries.changed(set.key);
  letGo();
  const prepared = await preparing;
  expect(prepared?.count).toBe(3);
  const told: number[] = [];
  await queries.watch('both', ofBoth, window, { onResult: ({ count }) => void told.push(count), known: prepared?.revision ?? 0 });
  expect(told).toEqual([4]);
});
