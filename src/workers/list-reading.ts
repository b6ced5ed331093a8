import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { type Absence, absenceOf } from '#replica/pulls.ts';
import { givenIn, unreadAmong, withUnread } from './given-rows.ts';
import { readBySkipping } from './paging.ts';
import { type Stream, streams } from './streams.ts';

interface ListPorts {
  call: ApiCall;
  /** The most rows the server puts in one page, where it says so: then a shorter page is all there is. Null at any other. */
  pageLimit: number | null;
}

type Row = { id: string };
type Input = Readonly<Record<string, unknown>>;

/** What a list was answered, and what that says of rows that are not in it. */
export interface ReadList {
  rows: readonly Row[];
  /** Ids of rows that are there and could not be read. */
  unread: readonly string[];
  absence: Absence;
}

/** Answers of a server that takes no `skip` here, or cannot make anything of it: rows that cannot be read are none of these. */
const takesNoSkip: ReadonlySet<ErrorCode> = new Set(['invalid', 'unsupported', 'not_found', 'internal', 'bad_answer']);

/** Reads a stream's whole list: all that its questions are answered. */
export async function readStream(ports: ListPorts, stream: Stream, id: string): Promise<ReadList> {
  const read: ReadList[] = [];
  for (const input of stream.inputs(id)) read.push(await readList(ports, stream, input));
  return together(read);
}

function together(lists: readonly ReadList[]): ReadList {
  const rows = new Map(lists.flatMap((list) => list.rows.map((row) => [row.id, row])));
  const unread = lists.flatMap((list) => list.unread).filter((id) => !rows.has(id));
  return { rows: [...rows.values()], unread, absence: absenceOf([absenceAmong(lists.length), ...lists.map(({ absence }) => absence)]) };
}

/** What lists say at most that are asked for one after another: a row may go from one that is not read yet to one that was. */
export const absenceAmong = (questions: number): Absence => (questions > 1 ? 'missed' : 'gone');

/** A page of a list. */
export interface ListPage {
  rows: Row[];
  /** The same with those that could not be read, by their ids alone. */
  given: Row[];
  /** How many of the rows the server gave could not be read. */
  leftOut: number;
  /** The server says how many rows it puts in a page, and this one had fewer. */
  isLast: boolean;
}

/** How many rows of a list are asked for at once. */
export function pageSizeOf({ pageLimit }: Pick<ListPorts, 'pageLimit'>, { paging }: Endpoint): number {
  return pageLimit ?? paging?.limit ?? Infinity;
}

/**
 * Asks for rows, of which nothing but their ids may be readable.
 * @returns `given` null where all could be read.
 * @throws ApiError where none can be, nor the id of any: it is not known what is there.
 */
async function askRows(
  call: ApiCall,
  endpoint: Endpoint,
  input: Input,
): Promise<Pick<ListPage, 'rows' | 'leftOut'> & { given: Row[] | null }> {
  let leftOut = 0;
  let given: Row[] | null = null;
  const onLeftOut = (count: number, body: readonly unknown[]): void => void ([leftOut, given] = [count, givenIn(body)]);
  const rows = (await call(endpoint, input, { onLeftOut, mayLeaveOutAll: true })) as Row[];
  if (leftOut > 0 && withUnread(rows, given).length === 0)
    throw new ApiError({ code: 'bad_answer', isSaid: true, detail: 'No row of a list can be read' });
  return { rows, leftOut, given };
}

/** Asks for a page of a list that has pages. @param skip the row it begins with; absent for a list that knows no other page. */
export async function askListPage(ports: ListPorts, endpoint: Endpoint, input: Input, skip?: number): Promise<ListPage> {
  const limit = pageSizeOf(ports, endpoint);
  const from = skip === undefined ? {} : { [endpoint.paging?.by === 'offset' ? 'offset' : 'skip']: skip };
  const { rows, leftOut, given } = await askRows(ports.call, endpoint, { ...input, ...from, limit });
  return { rows, given: withUnread(rows, given), leftOut, isLast: ports.pageLimit !== null && rows.length + leftOut < ports.pageLimit };
}

/**
 * What a list that came in one answer says of rows that are not in it. A server that does not say how many rows it puts in a page tells
 * nothing of a row that went, either: one answer that lacks rows takes nothing away.
 */
function absenceInWhole({ pageLimit }: Pick<ListPorts, 'pageLimit'>): Absence {
  return pageLimit === null ? 'missed' : 'gone';
}

/** Rows of a page below which no server cuts a list. */
const fewestInAPage = 10;

/** Whether a page of so many rows may be cut: where a server gives no more at a time, that is a round number. */
function mayBeCut(rows: number): boolean {
  return rows >= fewestInAPage && (rows % 5 === 0 || Number.isInteger(Math.log2(rows)));
}

/** Whether a first page is the whole list: it is shorter than it was asked to be, and none comes behind it, as at a server that gives fewer rows at a time. */
export async function isWhole(ports: ListPorts, endpoint: Endpoint, input: Input, { rows, leftOut, given }: ListPage): Promise<boolean> {
  if (rows.length + leftOut >= pageSizeOf(ports, endpoint)) return false;
  if (ports.pageLimit !== null || !mayBeCut(given.length)) return true;
  const known = new Set(given.map(({ id }) => id));
  const next = await askListPage(ports, endpoint, input, given.length).catch(noneToSkipTo);
  return next === null || next.given.every(({ id }) => known.has(id));
}

/** @throws what says something else than that the server takes no `skip`. */
function noneToSkipTo(cause: unknown): null {
  const isOfRows = cause instanceof ApiError && cause.code === 'bad_answer' && cause.isSaid;
  if (cause instanceof ApiError && takesNoSkip.has(cause.code) && !isOfRows) return null;
  throw cause;
}

/**
 * What a list that was read by skipping says of rows that are not in it. A server that gives the same page again, whatever is skipped,
 * gave all there is only where that page is not full.
 * @param rows how many it gave in all. @param limit how many were asked for at once.
 */
export function absenceBySkipping(isRepeating: boolean, rows: number, limit: number): Absence {
  return isRepeating && rows >= limit ? 'nothing' : 'missed';
}

/** Reads a whole list. */
export async function readList(ports: ListPorts, stream: Pick<Stream, 'endpoint' | 'parts'>, input: Input): Promise<ReadList> {
  const { endpoint } = stream;
  const { paging } = endpoint;
  if (!paging) return { ...(await readAll(ports.call, endpoint, input)), absence: absenceInWhole(ports) };
  const isSingle = paging.by === 'single';
  if (!isSingle && ports.pageLimit === null) return bySkipping(ports, endpoint, input, null);
  const first = await askListPage(ports, endpoint, input);
  if (await isWhole(ports, endpoint, input, first))
    return { rows: first.rows, unread: unreadAmong(first.given, first.rows), absence: absenceInWhole(ports) };
  if (!isSingle) return bySkipping(ports, endpoint, input, first);
  // a list that knows no next page, and one that is full: the server may know one all the same
  const beyond = await readBehind(ports, endpoint, input, first);
  const read: ReadList = beyond ?? { rows: first.rows, unread: [], absence: 'nothing' };
  return read.absence === 'nothing' && stream.parts ? readInParts(ports, { ...stream, parts: stream.parts }, { input, cut: read }) : read;
}

/** Reads a list that has no pages. */
export async function readAll(call: ApiCall, endpoint: Endpoint, input: Input): Promise<Pick<ReadList, 'rows' | 'unread'>> {
  const { rows, given } = await askRows(call, endpoint, input);
  return { rows, unread: unreadAmong(given ?? [], rows) };
}

/** Reads on from the first page of a list; null where the server knows no next one. */
export function readBehind(ports: ListPorts, endpoint: Endpoint, input: Input, first: ListPage): Promise<ReadList | null> {
  return bySkipping(ports, endpoint, input, first).catch(noneToSkipTo);
}

/** @param first what was read of it already. */
async function bySkipping(ports: ListPorts, endpoint: Endpoint, input: Input, first: ListPage | null): Promise<ReadList> {
  const read = new Set<string>();
  const { rows: given, isRepeating } = await readBySkipping(async (skip) => {
    const page = (skip === 0 ? first : null) ?? (await askListPage(ports, endpoint, input, skip));
    for (const { id } of page.rows) read.add(id);
    return page.given;
  });
  const rows = given.filter(({ id }) => read.has(id));
  return { rows, unread: unreadAmong(given, rows), absence: absenceBySkipping(isRepeating, given.length, pageSizeOf(ports, endpoint)) };
}

/** Reads a list that is cut in the parts that are those of the rows of another list. */
async function readInParts(
  ports: ListPorts,
  { endpoint, parts }: Required<Pick<Stream, 'endpoint' | 'parts'>>,
  { input, cut }: { input: Input; cut: ReadList },
): Promise<ReadList> {
  const [owning] = streams.filter(({ noun }) => noun === parts.of);
  if (!owning) return cut;
  const owners = await readStream(ports, owning, '');
  const read: ReadList[] = [];
  const ids = [...owners.rows.map(({ id }) => id), ...owners.unread];
  for (const id of ids) read.push(await readList(ports, { endpoint }, { ...input, [parts.by]: id }));
  const held = new Set(read.flatMap(({ rows }) => rows.map(({ id }) => id)));
  // a row that is of none of them says that there may be more of its kind
  const isCovered = owners.absence !== 'nothing' && cut.rows.every(({ id }) => held.has(id));
  const all = together([cut, ...read]);
  return {
    rows: all.rows,
    unread: all.unread,
    absence: isCovered && read.every(({ absence }) => absence !== 'nothing') ? 'missed' : 'nothing',
  };
}
