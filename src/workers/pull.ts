import type { ApiCall } from '#api-client/call.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { listTransactions, selectTransactions, type Transaction, transactionPage } from '#contract/transactions.ts';
import { startOfPreviousMonth } from '#domain/dates.ts';
import { applyList, standingOf } from '#replica/apply.ts';
import { scopeKey } from '#replica/scopes.ts';
import type { ColumnSet } from '#replica/column-set.ts';
import { entitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { admitted, type KeysetCursor, type PullRow, type Standing, standingIn, startCursor } from '#replica/pulls.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import type { Removal, SetChange } from '#replica/set-writes.ts';
import { readStream } from './list-reading.ts';
import { type Coverage, coverageOf, keysetStep } from './paging.ts';
import type { OwnRights } from './own-rights.ts';
import { unlessRefused } from './refused.ts';
import type { Stream } from './streams.ts';
import type { ColumnSets } from './column-sets.ts';

export interface PullPorts {
  replica: Replica;
  call: ApiCall;
  sets: ColumnSets;
  now: () => number;
  rights: OwnRights;
  /** The most rows the server puts in one page, where it says so: then a shorter page is all there is. Null at any other. */
  pageLimit: number | null;
}

/** An entity as the pull needs it: whose it is decides the column set its rows go to. */
export interface PulledEntity {
  id: string;
  client_id: string;
}

/** Pages of older rows read again in one round of the steady phase. */
const sweepPages = 3;
/** Before anything this product could hold. */
const beginning = '1970-01-01';

/** Reads a noun's whole list for one scope and writes it. */
export async function pullStream(ports: PullPorts, stream: Stream, id: string): Promise<void> {
  const { replica, now } = ports;
  const startedAt = now();
  const { noun, endpoint } = stream;
  const scope = scopeKey(stream.per, id);
  const askedAt = await standingOf(replica, scope, noun);
  const read = await unlessRefused(ports, { askedAt, right: endpoint.permission }, () => readStream(ports, stream, id));
  if (read) await applyList(replica, { noun, scope, ...read, askedAt, now: startedAt });
}

type TransactionPage = OutputOf<typeof listTransactions>;
type TransactionSet = ColumnSet<Transaction>;

interface Stretch {
  from: string;
  to?: string | undefined;
}

/** What a page of an entity's list brings, and where its reading goes on. */
interface PageRead {
  /** Everything from here on was read, in UTC milliseconds; null where the page says nothing of that. */
  readTo: number | null;
  change: SetChange<TransactionPage[number]>;
  next: KeysetCursor | null;
}

/** Reads one page of a stretch, and makes sure of rows that are held where the page says there are none. */
async function readPage(
  ports: PullPorts,
  set: TransactionSet,
  entity: PulledEntity,
  stretch: Stretch,
  cursor: KeysetCursor,
): Promise<PageRead> {
  const page = await askPage(ports, entity, stretch, cursor);
  const step = keysetStep(cursor, page);
  const last = page.at(-1);
  // a page that does not join lies beyond rows that were not read
  const readTo = last && step.isJoined ? Date.parse(last.trx_date) : null;
  const covered = coverageOf(stretch, cursor, page, step);
  const absent = covered ? await absentRows(set, entity, covered) : [];
  if (absent.length === 0) return { readTo, change: { rows: step.fresh, removed: [] }, next: step.next };
  const { rows, removed } = await certain(ports, set, absent);
  return { readTo, change: { rows: [...step.fresh, ...rows], removed }, next: step.next };
}

/** The held rows of an entity where a page says that there are only others. */
async function absentRows(set: TransactionSet, { id }: PulledEntity, { from, to, ids }: Coverage): Promise<Removal[]> {
  const { selection, overlay } = await set.select(() => ({
    where: [
      { column: 'entity_id', in: [id] },
      { column: 'time', from, to },
    ],
  }));
  // most pages miss nothing: then no row has to be read
  if (selection.among('key', [...ids]).filter(Boolean).length === selection.count) return [];
  const rows = await set.rowsOf(selection.window(0, selection.count), overlay);
  return rows.filter((row) => !ids.has(row.id));
}

/** Ids asked for at once, so that an address stays short. */
const idsAtOnce = 100;

/**
 * What became of rows that a list lacks: a row is gone only where asking for it by its id finds none, and then in the version that was
 * held: it may come back meanwhile.
 */
async function certain({ call, replica }: PullPorts, set: TransactionSet, absent: readonly Removal[]): Promise<PageRead['change']> {
  const rows: TransactionPage = [];
  const ids = absent.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += idsAtOnce)
    rows.push(...(await call(selectTransactions, { trx_id: ids.slice(at, at + idsAtOnce) })));
  // one that went to another client is in that client's set
  const clients = new Map((await entitiesOf(replica)).map((entity) => [entity.id, entity.client_id]));
  const own = rows.filter((row) => clients.get(row.entity_id) === set.key.set);
  const there = new Set(own.map((row) => row.id));
  return { rows: own, removed: absent.filter(({ id }) => !there.has(id)).map(({ id, version }) => ({ id, version })) };
}

function askPage({ call, pageLimit }: PullPorts, entity: PulledEntity, stretch: Stretch, cursor: KeysetCursor): Promise<TransactionPage> {
  return call(listTransactions, {
    entity_id: entity.id,
    start_date: stretch.from,
    end_date: cursor.end_date ?? stretch.to,
    newest_first: true,
    skip: cursor.skip,
    limit: pageLimit ?? transactionPage.limit,
  });
}

/**
 * Where the pull of an entity's transactions stands at this moment; what was planned may be out of date.
 * @throws ClosedSetError where its rows are another client's by now.
 */
function standing({ replica }: PullPorts, entity: PulledEntity): Promise<Standing> {
  return replica.rows.read(['pulls', 'meta', 'entities'], async (tx) => {
    if ((await tx.get('entities', entity.id))?.client_id !== entity.client_id) throw new ClosedSetError();
    return standingIn(tx, scopeKey('entity', entity.id), columnNouns.transactions.noun);
  });
}

/**
 * One page of the first pull of an entity: its rows and the new standing are written together, so a kill at any point loses
 * neither. The set is taken before the standing is read: one that is dropped meanwhile takes nothing more.
 * @returns where it stands then; null where the server refuses it.
 */
export async function pullFirstPage(ports: PullPorts, entity: PulledEntity): Promise<PullRow | null> {
  const set = await ports.sets.transactions(entity.client_id);
  const askedAt = await standing(ports, entity);
  const { pull } = askedAt;
  if (pull.phase === 'steady') return pull;
  const recentFrom = pull.recent_from ?? new Date(startOfPreviousMonth(ports.now())).toISOString();
  const stretch = pull.phase === 'recent' ? { from: recentFrom } : { from: beginning };
  // what was read first is as old as that, however long the rest took: a laptop may have slept in between
  const { begun_at: begunAt = ports.now(), ...held } = pull;
  const question = { askedAt, right: listTransactions.permission };
  const read = await unlessRefused(ports, question, () => readPage(ports, set, entity, stretch, pull.cursor));
  if (!read) return null;
  const { readTo, change, next } = read;
  const progress = { ...admitted(held), recent_from: recentFrom };
  const after: PullRow =
    next !== null
      ? { ...progress, begun_at: begunAt, cursor: next, complete_from: readTo ?? pull.complete_from }
      : pull.phase === 'recent'
        ? {
            ...progress,
            begun_at: begunAt,
            phase: 'older',
            cursor: { ...startCursor, end_date: recentFrom },
            complete_from: Date.parse(recentFrom),
          }
        : { ...progress, phase: 'steady', cursor: startCursor, complete_from: 0, last_complete_at: begunAt };
  await set.change(change, { askedAt, pull: after });
  return after;
}

/** Reads one stretch of an entity's dates to its end, leaving the pull's own place as it is. */
export async function pullStretch(ports: PullPorts, entity: PulledEntity, stretch: Stretch): Promise<void> {
  const set = await ports.sets.transactions(entity.client_id);
  await readStretch(ports, { set, entity, askedAt: await standing(ports, entity) }, stretch);
}

/** Whose rows are read, where they go, and how the pull stood before. */
interface Reading {
  set: TransactionSet;
  entity: PulledEntity;
  askedAt: Standing;
}

async function readStretch(ports: PullPorts, { set, entity, askedAt }: Reading, stretch: Stretch): Promise<void> {
  let cursor: KeysetCursor | null = startCursor;
  while (cursor) {
    const read: PageRead = await readPage(ports, set, entity, stretch, cursor);
    await set.change(read.change, { askedAt });
    cursor = read.next;
  }
}

/** Keeps a pulled entity true: its recent stretch anew, then a few pages of a round through everything older. */
export async function refreshTransactions(ports: PullPorts, entity: PulledEntity): Promise<void> {
  const startedAt = ports.now();
  const set = await ports.sets.transactions(entity.client_id);
  const askedAt = await standing(ports, entity);
  const { pull } = askedAt;
  if (pull.phase !== 'steady') return;
  const recentFrom = new Date(startOfPreviousMonth(startedAt)).toISOString();
  const question = { askedAt, right: listTransactions.permission };
  const cursor = await unlessRefused(ports, question, async () => {
    await readStretch(ports, { set, entity, askedAt }, { from: recentFrom });
    let at = pull.cursor;
    for (let pages = 0; pages < sweepPages; pages += 1) {
      const { change, next } = await readPage(ports, set, entity, { from: beginning, to: recentFrom }, at);
      await set.change(change, { askedAt });
      at = next ?? startCursor;
      if (!next) break;
    }
    return at;
  });
  if (!cursor) return;
  const after = { ...admitted(pull), recent_from: recentFrom, cursor, last_complete_at: startedAt };
  await set.change({ rows: [], removed: [] }, { askedAt, pull: after });
}
