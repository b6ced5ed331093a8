import { afterEach, expect, test } from 'vitest';
import { v7 as uuidv7 } from 'uuid';
import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Entity } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { listTransactions, selectTransactions, type Transaction } from '#contract/transactions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { OwnRights } from '#workers/own-rights.ts';
import { pullStretch } from '#workers/pull.ts';
import type { TransactionSet } from '#workers/transaction-pages.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { planted } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const entity = { id: 'e', client_id: 'c' };
const dayOf = (day: number): string => new Date(Date.UTC(2026, 4, 1 + day)).toISOString();
const aRow = (no: number, trx_date = dayOf(no), version = 1): Transaction =>
  aPulledRow({ id: `row-${no}`, entity_id: entity.id, trx_date, version });

interface Question {
  trx_id?: string[];
  start_date?: string;
  end_date?: string;
  skip?: number;
}

type Takes = ((ids: readonly string[]) => readonly string[]) | 'refuses' | 'refuses_alone' | 'knows_no_question';

/** A server with some rows, which of several ids takes all, or one alone, or refuses what is not there. */
function aServer(rows: readonly Transaction[], takes: Takes) {
  const select = (ids: readonly string[]): Transaction[] => {
    if (typeof takes === 'function') return rows.filter(({ id }) => takes(ids).includes(id));
    const asked = takes === 'refuses_alone' ? ids.slice(0, 1) : ids;
    const found = takes === 'knows_no_question' ? [] : rows.filter(({ id }) => asked.includes(id));
    if (found.length < asked.length) throw new ApiError({ code: 'not_found', detail: 'Not found', isSaid: true });
    return found;
  };
  const call = async (endpoint: Endpoint, { trx_id = [], start_date = '', end_date = '9', skip = 0 }: Question) => {
    if (endpoint === selectTransactions) return select(trx_id);
    if (endpoint !== listTransactions) throw new Error('Nothing else is asked');
    const listed = rows.filter(({ trx_date }) => trx_date >= start_date && trx_date <= end_date);
    return listed.toSorted((a, b) => (a.trx_date < b.trx_date ? 1 : -1)).slice(skip, skip + 100);
  };
  return call as unknown as ApiCall;
}

const corrected = [
  ...Array.from({ length: 15 }, (_, at) => aRow(at + 5)),
  ...[0, 1, 2].map((no) => aRow(no, '2025-01-01T00:00:00.000Z', 2)),
];

/** What is held of 20 rows after a reading, by default once somebody corrected the dates of the first three, and deleted two more. */
async function afterCorrections(
  takes: Takes,
  rows: readonly Transaction[] = corrected,
  { from = '2026-04-01', elsewhere = [] as readonly Transaction[] } = {},
): Promise<TransactionSet> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  await planted(replica.rows, 'entities', [{ ...(entity as Entity), _scope: 'user' }]);
  const sets = someSets(replica, { now: () => 0 });
  const set = await sets.transactions('c');
  await set.apply(Array.from({ length: 20 }, (_, no) => aRow(no)));
  if (elsewhere.length > 0) await (await sets.transactions('other')).apply(elsewhere);
  const call = aServer([...rows, ...elsewhere], takes);
  const ports = { replica, call, sets, now: () => 0, rights: {} as OwnRights, build: 'test', pageLimit: null };
  await pullStretch(ports, entity, { from, to: '2026-12-31' });
  return set;
}

test.each([
  ['all', (ids: readonly string[]) => ids],
  ['the first', (ids: readonly string[]) => ids.slice(0, 1)],
  ['the last', (ids: readonly string[]) => ids.slice(-1)],
  ['none where one of them is not there', 'refuses'],
  ['the first, and refuses one that is not there', 'refuses_alone'],
] as const)(
  '[SY78] rows that went elsewhere in their list are not taken for gone, and those that are gone are, at a server that takes of several ids %s',
  async (_, takes: Takes) => {
    const set = await afterCorrections(takes);
    expect(Array.from({ length: 6 }, (_, no) => set.holds(`row-${no}`))).toEqual([true, true, true, false, false, true]);
  },
);

test.each([
  ['all', (ids: readonly string[]) => ids],
  ['the first', (ids: readonly string[]) => ids.slice(0, 1)],
  ['the last', (ids: readonly string[]) => ids.slice(-1)],
] as const)('[SY78] so they are where the list has one row, or none, at a server that takes of several ids %s', async (_, takes: Takes) => {
  const elsewhere = corrected.slice(-3);
  for (const listed of [corrected.slice(0, 1), []]) {
    const set = await afterCorrections(takes, [...listed, ...elsewhere]);
    expect(Array.from({ length: 20 }, (_, no) => set.holds(`row-${no}`))).toEqual(
      Array.from({ length: 20 }, (_, no) => no < 3 || (no === 5 && listed.length > 0)),
    );
  }
});

test('[SY78] nothing is taken for gone at a server that knows no such question', async () => {
  const set = await afterCorrections('knows_no_question');
  expect(Array.from({ length: 20 }, (_, no) => set.holds(`row-${no}`))).not.toContain(false);
});

test('[SY78] where a server refuses what is not there, rows go that were the last of their list', async () => {
  const set = await afterCorrections('refuses', []);
  expect(Array.from({ length: 20 }, (_, no) => set.holds(`row-${no}`))).not.toContain(true);
});

test('[SY78] there, too, where what else is held of the client is gone as well', async () => {
  // the first days are not read: their rows are held still, and are gone at the server
  const recent = { from: dayOf(12) };
  const held = async (elsewhere: readonly Transaction[]) => {
    const set = await afterCorrections('refuses', [], { ...recent, elsewhere });
    return Array.from({ length: 20 }, (_, no) => set.holds(`row-${no}`));
  };
  // of what another client has the server knows something
  expect(await held([aPulledRow({ id: 'another', entity_id: 'of another', trx_date: dayOf(0), version: 1 })])).toEqual(
    Array.from({ length: 20 }, (_, no) => no < 10),
  );
  // where nothing is there it may be that it knows no such question
  expect(await held([])).not.toContain(false);
});
