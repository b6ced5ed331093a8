import { ApiError } from '#contract/errors.ts';
import { applyList, applyListPage, dropSweep, standingOf, sweptIds } from '#replica/apply.ts';
import { absenceOf, isVoid, skipStart, type Standing, startCursor, type Sweep } from '#replica/pulls.ts';
import { scopeKey } from '#replica/scopes.ts';
import { noteUnread } from '#replica/unread-rows.ts';
import { unreadAmong } from './given-rows.ts';
import { absenceAmong, absenceBySkipping, askListPage, type ListPage, pageSizeOf, readStream } from './list-reading.ts';
import { askedUpTo, keysetStep, skipStep } from './paging.ts';
import type { PullPorts } from './pull-ports.ts';
import { unlessRefused } from './refused.ts';
import { mayBeOfThisAlone } from './server-faults.ts';
import type { Stream } from './streams.ts';

interface PulledList {
  stream: Stream;
  /** The client's or entity's; of a list of the person nothing. */
  id: string;
  scope: string;
}

type Row = { id: string };

/**
 * Reads a noun's list for one scope and writes it. One that takes several pages is written page by page, with the place where it goes on.
 * @param goesOn asked between the pages of such a one.
 * @returns whether it is over for now: else there is more to read.
 */
export async function pullStream(ports: PullPorts, stream: Stream, id: string, goesOn: () => boolean = () => true): Promise<boolean> {
  const { replica } = ports;
  const list = { stream, id, scope: scopeKey(stream.per, id) };
  const askedAt = await standingOf(replica, list.scope, stream.noun);
  const question = { askedAt, right: stream.endpoint.permission };
  const isOver = await unlessRefused(ports, question, () =>
    isSwept(ports, list) ? sweepList(ports, list, askedAt, goesOn) : readAtOnce(ports, list, askedAt),
  );
  return isOver ?? true;
}

/** Whether a list is read page by page. Of several questions at a server that answers each in one page nothing would be gained. */
function isSwept({ pageLimit }: PullPorts, { stream, id }: PulledList): boolean {
  const { paging } = stream.endpoint;
  const isPaged = paging?.by === 'skip' || paging?.by === 'offset' || paging?.by === 'date_keyset';
  return isPaged && (pageLimit === null || stream.inputs(id).length === 1);
}

async function readAtOnce(ports: PullPorts, { stream, id, scope }: PulledList, askedAt: Standing): Promise<boolean> {
  const now = ports.now();
  const { noun } = stream;
  const read = await readStream(ports, stream, id);
  if (read.unread.length > 0) await noteUnread(ports.replica, ports.build, [{ scope, noun }]);
  return applyList(ports.replica, { noun, scope, ...read, askedAt, now });
}

/** A list that is begun. */
function newSweep({ stream, id }: PulledList, { resets, generation, answers, pull }: Standing, now: number): Sweep {
  const begunIn = { resets, generation, settled: pull.settled ?? 0, answers };
  return { begun_at: now, begun_in: begunIn, at: 0, cursor: skipStart, absence: absenceAmong(stream.inputs(id).length) };
}

/** The list that is under way, unless what was read of it is void. */
function sweepUnderWay(standing: Standing): Sweep | null {
  const { sweep } = standing.pull;
  return sweep && !isVoid(sweep, standing) ? sweep : null;
}

async function sweepList(ports: PullPorts, list: PulledList, begun: Standing, goesOn: () => boolean): Promise<boolean> {
  const { replica, build, now } = ports;
  const { scope } = list;
  const { noun } = list.stream;
  const underWay = sweepUnderWay(begun);
  let sweep = underWay ?? newSweep(list, begun, now());
  const seen = underWay ? await sweptIds(replica, noun, scope, underWay) : new Set<string>();
  for (let askedAt = begun; ; askedAt = await standingOf(replica, scope, noun)) {
    const read = await nextPage(ports, list, sweep, seen);
    const { rows, unread } = read;
    if (unread.length > 0) await noteUnread(replica, build, [{ scope, noun }]);
    // one answer that is the whole list says more than pages do
    if (read.isWhole) return applyList(replica, { noun, scope, rows, unread, absence: 'gone', askedAt, now: sweep.begun_at });
    const written = await applyListPage(replica, { noun, scope, askedAt, ...read });
    if (written === 'over' || written === 'void') return written === 'over';
    if (written === 'goes_on') {
      sweep = read.sweep;
      for (const id of [...rows.map((row) => row.id), ...unread]) seen.add(id);
    }
    if (!goesOn()) return false;
  }
}

/** A page of a list, and where its reading stands with it. */
interface SweptPage {
  rows: readonly Row[];
  /** Ids of rows of it that could not be read. */
  unread: readonly string[];
  sweep: Sweep;
  end?: { ids: ReadonlySet<string>; isMiscounted: boolean };
  /** It is all there is. */
  isWhole?: true;
}

/** What an answered page means for where a list goes on. */
interface PageStep {
  isJoined: boolean;
  /** It had rows that were not read before. */
  isNews: boolean;
  isRepeating: boolean;
  /** Null at its end. */
  next: Pick<Sweep, 'cursor' | 'dated'> | null;
}

/** A page that was asked for, and the step after it. */
interface AskedPage extends ListPage {
  isFirst: boolean;
  step: PageStep;
}

async function askSkipping(ports: PullPorts, list: PulledList, { at, cursor }: Sweep, seen: ReadonlySet<string>): Promise<AskedPage> {
  const { endpoint, inputs } = list.stream;
  const page = await askListPage(ports, endpoint, inputs(list.id)[at] ?? {}, cursor.skip);
  const { isJoined, isRepeating, fresh, next } = await joined(ports, list, () => skipStep(cursor, page.given, seen, page.isLast));
  const step = { isJoined, isRepeating, isNews: fresh.length > 0, next: next && { cursor: next } };
  return { ...page, isFirst: cursor.skip === 0, step };
}

/** @param date the field of a row that the list goes by. */
async function askDated(ports: PullPorts, list: PulledList, { at, cursor, dated = startCursor }: Sweep, date: string): Promise<AskedPage> {
  const { endpoint, inputs } = list.stream;
  const upTo = askedUpTo(dated);
  const from = { newest_first: true, ...(upTo === null ? {} : { end_date: upTo }) };
  const page = await askListPage(ports, endpoint, { ...inputs(list.id)[at], ...from }, dated.skip);
  // behind rows that do not say when they were nobody knows what is
  if (page.rows.length === 0 && page.leftOut > 0)
    throw new ApiError({ code: 'bad_answer', isSaid: true, detail: 'No row of a page can be read' });
  const places = page.rows.map((row) => ({ id: row.id, trx_date: String((row as Row & Record<string, unknown>)[date]) }));
  const { isJoined, fresh, next } = keysetStep(dated, places, page.isLast);
  const step = { isJoined, isRepeating: false, isNews: fresh.length > 0, next: next && { cursor, dated: next } };
  return { ...page, isFirst: dated === startCursor, step };
}

async function nextPage(ports: PullPorts, list: PulledList, sweep: Sweep, seen: ReadonlySet<string>): Promise<SweptPage> {
  const { stream } = list;
  const { paging } = stream.endpoint;
  const asked = paging?.by === 'date_keyset' ? askDated(ports, list, sweep, paging.date) : askSkipping(ports, list, sweep, seen);
  const { rows, given, isFirst, isLast, step } = await asked;
  const unread = unreadAmong(given, rows);
  if (isFirst && isLast) return { rows, unread, sweep, isWhole: true };
  if (!step.isJoined) return { rows: [], unread: [], sweep: { ...sweep, ...step.next } };
  if (step.next) {
    // of a list that has a second page the server is asked how many rows it has
    const isLong = !isFirst && step.isNews;
    const count = isLong && sweep.count === undefined ? await countOf(ports, list) : sweep.count;
    return { rows, unread, sweep: { ...sweep, ...step.next, ...(count === undefined ? {} : { count }) } };
  }
  const ids = new Set([...seen, ...given.map(({ id }) => id)]);
  const says = absenceBySkipping(step.isRepeating, ids.size, pageSizeOf(ports, stream.endpoint));
  const { dated: _read, ...known } = sweep;
  const after: Sweep = { ...known, at: sweep.at + 1, cursor: skipStart, absence: absenceOf([sweep.absence, says]) };
  if (after.at < stream.inputs(list.id).length) return { rows, unread, sweep: after };
  return { rows, unread, sweep: after, end: { ids, isMiscounted: await isMiscounted(ports, list, after, ids.size) } };
}

/** A list that moves faster than it can be read is begun anew another time. */
async function joined<T>({ replica }: PullPorts, { scope, stream }: PulledList, step: () => T): Promise<T> {
  try {
    return step();
  } catch (error) {
    if (error instanceof ApiError) await dropSweep(replica, scope, stream.noun);
    throw error;
  }
}

/** How many rows the server counts in the list; null where it does not say. */
async function countOf({ call }: PullPorts, { stream, id }: PulledList): Promise<number | null> {
  const [input] = stream.inputs(id);
  if (!stream.count) return null;
  try {
    return ((await call(stream.count, input ?? {})) as { count: number }).count;
  } catch (error) {
    // a server may have no such call, or fail at it, and give the list all the same: where it answers nothing the next page tells
    if (mayBeOfThisAlone(error)) return null;
    throw error;
  }
}

/** Whether the server counts other rows than were read, or counted others at the beginning. */
async function isMiscounted(ports: PullPorts, list: PulledList, { count: before = null }: Sweep, rows: number): Promise<boolean> {
  if (before === null) return false;
  const count = await countOf(ports, list);
  return count !== null && (count !== before || count !== rows);
}
