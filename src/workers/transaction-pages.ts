import type { OutputOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { listTransactions, selectTransactions, type Transaction, transactionPage } from '#contract/transactions.ts';
import { instantSchema } from '#contract/wire.ts';
import type { ColumnSet } from '#replica/column-set.ts';
import { isSameValue } from '#replica/merge.ts';
import { entitiesOf } from '#replica/nouns.ts';
import type { KeysetCursor } from '#replica/pulls.ts';
import { scopeKey } from '#replica/scopes.ts';
import type { Removal, SetChange } from '#replica/set-writes.ts';
import { setRevisions } from '#replica/watch.ts';
import { noteUnread } from '#replica/unread-rows.ts';
import { askedUpTo, type Coverage, coverageOf, idsReadBefore, type KeysetStep, keysetStep } from './paging.ts';
import type { PulledEntity, PullPorts } from './pull-ports.ts';
import { isSaidGone } from './server-faults.ts';

type TransactionPage = OutputOf<typeof listTransactions>;
export type TransactionSet = ColumnSet<Transaction>;

/** Where a row lies in a list by dates. */
type Place = Pick<Transaction, 'id' | 'trx_date'>;

/** How a moment ends that says of which zone it is. */
const zoned = /:\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$/;

/** The same of all rows of an answer, be it that nothing else of them can be read. */
function placesIn(given: readonly unknown[]): Place[] {
  return given.flatMap((row) => {
    const { id, trx_date } = (row ?? {}) as Record<string, unknown>;
    if (typeof id !== 'string' || typeof trx_date !== 'string') return [];
    if (instantSchema.safeParse(trx_date).success) return [{ id, trx_date }];
    // as it is written it is no date to ask by, and when it was without a zone nobody knows
    const at = zoned.test(trx_date) ? Date.parse(trx_date) : Number.NaN;
    return Number.isNaN(at) ? [] : [{ id, trx_date: new Date(at).toISOString() }];
  });
}

/**
 * Before anything this product could hold, things that were owned long before there were digital assets among it, and the day with which
 * spreadsheets begin (1899-12-30); and a day that every database knows: some begin with 1753.
 */
export const beginning = '1800-01-01';

/** Dates between which an entity's list is read, both included; without an end from the newest row on. */
export interface Stretch {
  from: string;
  to?: string | undefined;
}

/** A page of a stretch that was asked for from a place in it. */
export interface AskedPage {
  stretch: Stretch;
  cursor: KeysetCursor;
  answer: Promise<Page>;
}

interface Page {
  rows: TransactionPage;
  /** Where its rows lie, also those that could not be read: what is behind them is not behind the end. */
  places: readonly Place[];
  /** The server says how many rows it puts in a page, and this one had fewer. */
  isLast: boolean;
}

/** Asks for the page of a stretch at a place in it. */
export function askPage(ports: PullPorts, entity: PulledEntity, stretch: Stretch, cursor: KeysetCursor): AskedPage {
  const answer = pageOf(ports, entity, stretch, cursor);
  // whoever would wait for it may end before, by what became of the page before it
  answer.catch(() => undefined);
  return { stretch, cursor, answer };
}

async function pageOf(
  { call, replica, build, pageLimit }: PullPorts,
  entity: PulledEntity,
  stretch: Stretch,
  cursor: KeysetCursor,
): Promise<Page> {
  const question = {
    entity_id: entity.id,
    start_date: stretch.from,
    end_date: askedUpTo(cursor) ?? stretch.to,
    newest_first: true,
    skip: cursor.skip,
    limit: pageLimit ?? transactionPage.limit,
  };
  const leftOut: { rows: number; given: readonly unknown[] | null } = { rows: 0, given: null };
  const onLeftOut = (rows: number, given: readonly unknown[]): void => void Object.assign(leftOut, { rows, given });
  const rows = await call(listTransactions, question, { onLeftOut, mayLeaveOutAll: true });
  const { given } = leftOut;
  const isLast = pageLimit !== null && rows.length + leftOut.rows < pageLimit;
  if (!given) return { rows, places: rows, isLast };
  await noteUnread(replica, build, [{ scope: scopeKey('entity', entity.id), noun: 'transactions' }]);
  const places = placesIn(given);
  // behind rows that say not even where they lie nobody knows what is, unless others lie farther
  const isStuck = places.length < given.length && keysetStep(cursor, places).fresh.length === 0;
  if (isStuck && !isLast) throw new ApiError({ code: 'bad_answer', detail: 'No transaction of a page can be read' });
  return { rows, places, isLast };
}

type KeysetStepOf = KeysetStep<Place>;

/** From when on everything was read with a page, in UTC milliseconds; null where it says nothing of that. */
export function readToBy(rows: readonly Place[], { isJoined }: KeysetStepOf): number | null {
  const last = rows.at(-1);
  // a page that does not join lies beyond rows that were not read
  return last && isJoined ? Date.parse(last.trx_date) : null;
}

/** What a page changes: the rows that came, and those that are held where it says there are none, once that was made sure of. */
export async function changeBy(
  ports: PullPorts,
  { set, entity }: { set: TransactionSet; entity: PulledEntity },
  { stretch, cursor }: AskedPage,
  { rows, places, step }: { rows: TransactionPage; places: readonly Place[]; step: KeysetStepOf },
): Promise<SetChange<TransactionPage[number]>> {
  const covered = coverageOf(stretch, cursor, places, step);
  const news = new Set(step.fresh.map(({ id }) => id));
  const fresh = rows.filter(({ id }) => news.has(id));
  const absent = covered ? await absentRows(set, entity, covered) : [];
  const undone = ports.pageLimit === null ? await undoneRows(ports, set, fresh) : [];
  if (absent.length === 0) return { rows: fresh, removed: [], undone };
  const sure = await certain(ports, { set, entity }, absent, [...idsReadBefore(cursor), ...places.map(({ id }) => id)]);
  return { rows: [...fresh, ...sure.rows], removed: sure.removed, undone };
}

/**
 * Rows of a page that are of an older version than what is held, or of the same one and other than that, and are so still when they are
 * asked for by their ids: the server was restored from a backup. Only a feed tells of that.
 */
async function undoneRows(
  { call }: PullPorts,
  set: TransactionSet,
  page: TransactionPage,
): Promise<{ row: TransactionPage[number]; held: number }[]> {
  const held = new Map((await set.heldOf(page.map(({ id }) => id))).map((row) => [row.id, row]));
  const versionHeld = ({ id }: { id: string }): number => Number(held.get(id)?.version);
  const isUndone = (row: TransactionPage[number]): boolean => {
    const version = Number(row.version);
    return version < versionHeld(row) || (version === versionHeld(row) && !isSameValue(row, held.get(row.id)));
  };
  const asked = page.filter(isUndone);
  const undone: { row: TransactionPage[number]; held: number }[] = [];
  for (let at = 0; at < asked.length; at += idsAtOnce) {
    const { rows } = await selected(call, asked.slice(at, at + idsAtOnce));
    undone.push(...rows.filter(isUndone).map((row) => ({ row, held: versionHeld(row) })));
  }
  return undone;
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
export const idsAtOnce = 100;

/** Questions that a batch of ids may take beside the first, to find the few that cannot be read: enough for two. */
const mostSplits = 26;

/** Rows that were asked for by their ids, and of which ids that tells whether they are there. */
interface Selected {
  rows: TransactionPage;
  sure: readonly { id: string }[];
}

/**
 * Asks for rows by their ids: one that cannot be read is found by asking for fewer, so that it leaves nothing open but itself. Of more than
 * a few the rest stays open.
 */
async function selected(call: PullPorts['call'], asked: readonly { id: string }[], splits = { left: mostSplits }): Promise<Selected> {
  let isWhole = true;
  const onLeftOut = (): void => void (isWhole = false);
  const rows = await call(selectTransactions, { trx_id: asked.map(({ id }) => id) }, { onLeftOut }).catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.code !== 'bad_answer' || !error.isSaid) throw error;
    isWhole = false;
    return [];
  });
  if (isWhole) return { rows, sure: asked };
  if (asked.length <= 1 || splits.left < 2) return { rows, sure: [] };
  splits.left -= 2;
  const half = Math.ceil(asked.length / 2);
  const one = await selected(call, asked.slice(0, half), splits);
  const other = await selected(call, asked.slice(half), splits);
  return { rows: [...one.rows, ...other.rows], sure: [...one.sure, ...other.sure] };
}

/** The same of each asked for alone, at a server that answers so: be it that it refuses those that are not there. */
async function selectedAlone(call: PullPorts['call'], asked: readonly { id: string }[]): Promise<Selected> {
  const all: Selected[] = [];
  for (const one of asked) {
    const unlessUnknown = (error: unknown): Selected => {
      if (isSaidGone(error)) return { rows: [], sure: [one] };
      throw error;
    };
    all.push(await selected(call, [one]).catch(unlessUnknown));
  }
  return { rows: all.flatMap(({ rows }) => rows), sure: all.flatMap(({ sure }) => sure) };
}

/** Rows that are asked for beside others, to tell whether a server answers for several. */
interface Beside {
  /** Ids of rows in their order. */
  ids: readonly string[];
  /** They were read just now; else they are held, and may be gone as well. */
  isRead: boolean;
}

/**
 * The same of a server that may take one id of several, or refuse all for one that is not there: where it gives not even rows that are there,
 * each is asked for alone.
 */
async function selectedBeside(call: PullPorts['call'], asked: readonly Removal[], { ids, isRead }: Beside): Promise<Selected> {
  const ends = [...new Set([...ids.slice(0, 1), ...ids.slice(-1)])].map((id) => ({ id }));
  const [first, last] = ends;
  try {
    if (asked.length === 1) return await selected(call, asked);
    if (first) {
      // a single one is asked for on either side: the server may take the first alone, or the last
      const before = await selected(call, [first, ...asked, ...(last ? [last] : [])]);
      const after = last ? before : await selected(call, [...asked, first]);
      if ([before, after].every(({ rows }) => ends.every((end) => rows.some(({ id }) => id === end.id)))) return after;
    }
  } catch (error) {
    if (!isSaidGone(error)) throw error;
    // it may know no such question at all
    if (first && !(await isAnyThere(call, isRead ? [first.id] : ids))) return { rows: [], sure: [] };
  }
  return selectedAlone(call, asked);
}

async function isAnyThere(call: PullPorts['call'], ids: readonly string[]): Promise<boolean> {
  for (const id of ids) if ((await selectedAlone(call, [{ id }])).rows.length > 0) return true;
  return false;
}

/** Most rows of each, of an entity, of its client's others and of so many other clients, that are asked for beside what a list lacks. */
const mostBeside = 2;

/** Rows that are held, and none of some, to ask for beside these: all of an entity, and of a client, may be gone at once. */
async function heldBeside(
  { replica, sets }: PullPorts,
  set: TransactionSet,
  entity: PulledEntity,
  others: readonly Removal[],
): Promise<string[]> {
  const asked = new Set(others.map(({ id }) => id));
  const someOf = async (of: TransactionSet, not: boolean): Promise<string[]> => {
    const { selection, overlay } = await of.select(() => ({ where: [{ column: 'entity_id', in: [entity.id], not }] }));
    const held = await of.rowsOf(selection.window(0, asked.size + mostBeside), overlay);
    return held.flatMap(({ id }) => (asked.has(id) ? [] : id)).slice(0, mostBeside);
  };
  const ids = [...(await someOf(set, true)), ...(await someOf(set, false))];
  const clients = (await setRevisions(replica.rows)).filter(({ noun, set: client }) => noun === set.key.noun && client !== set.key.set);
  for (const { set: client } of clients.slice(0, mostBeside)) ids.push(...(await someOf(await sets.transactions(client), true)));
  return ids;
}

/**
 * What became of rows that a list lacks: a row is gone only where asking for it by its id finds none, and then in the version that was
 * held: it may come back meanwhile.
 */
async function certain(
  ports: PullPorts,
  { set, entity }: { set: TransactionSet; entity: PulledEntity },
  absent: readonly Removal[],
  read: readonly string[],
): Promise<SetChange<TransactionPage[number]>> {
  const { call, replica, pageLimit } = ports;
  const rows: TransactionPage = [];
  const sure: Removal[] = [];
  const isRead = read.length > 0;
  const beside = { isRead, ids: isRead || pageLimit !== null ? read : await heldBeside(ports, set, entity, absent) };
  for (let at = 0; at < absent.length; at += idsAtOnce) {
    const asked = absent.slice(at, at + idsAtOnce);
    const found = await (pageLimit === null ? selectedBeside(call, asked, beside) : selected(call, asked));
    const known = new Set(found.sure.map(({ id }) => id));
    rows.push(...found.rows);
    sure.push(...asked.filter(({ id }) => known.has(id)));
  }
  // one that went to another client is in that client's set
  const clients = new Map((await entitiesOf(replica)).map((entity) => [entity.id, entity.client_id]));
  const own = rows.filter((row) => clients.get(row.entity_id) === set.key.set);
  const there = new Set(own.map((row) => row.id));
  return { rows: own, removed: sure.filter(({ id }) => !there.has(id)).map(({ id, version }) => ({ id, version })) };
}
