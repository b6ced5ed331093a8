import { ApiError } from '#contract/errors.ts';
import { type KeysetCursor, type SkipCursor, skipStart } from '#replica/pulls.ts';

/** A row as paging sees it. */
interface Dated {
  id: string;
  trx_date: string;
}

/** Most rows a skipping page shares with the one before it, to prove that nothing fell between them. */
const overlap = 10;
/** Rows remembered of what was read last. */
const tailLength = 200;
/** Backing up this often without joining means the list moves too fast; the stretch is read anew from its date. */
const farthestBack = 6;

/** How far off a day may be that a server reads out of a moment, in any zone, in milliseconds. */
const dayOffMs = 2 * 86_400_000;

/**
 * So much later than the last row read a list is asked up to, ms, where the page does not begin with that row: a server may leave out the
 * moment it is asked up to, or read no more of it than the second, the minute or the day, in any zone.
 */
const laterSteps = [1_000, dayOffMs];

/** A moment from which, or up to which, a stretch is asked for, so far aside that a server that reads a day out of it leaves nothing out. */
export function asideOf(moment: string, direction: -1 | 1): string {
  const at = Date.parse(moment) + direction * dayOffMs;
  // what is no date the server is to refuse
  return Number.isNaN(at) ? moment : new Date(at).toISOString();
}

/** Pages one after another with nothing new in them, far beyond as many rows as there are, after which a server does not skip. */
const idlePages = 20;

/** What a page of a list read newest first means for the pull. */
export interface KeysetStep<Row> {
  /** The page joins what was read before it: between its newest and its oldest row it holds all there are. */
  isJoined: boolean;
  /** Rows not read before. */
  fresh: Row[];
  /** Where to go on, or null: the list is read to its end. */
  next: KeysetCursor | null;
}

/** A row where it lies: one that moved since proves nothing of what lies beside it. */
function placeOf({ id, trx_date }: Dated): string {
  return `${id} ${trx_date}`;
}

/** Ids of rows that were read before a place in a list, the latest last. */
export function idsReadBefore({ tail }: Pick<KeysetCursor, 'tail'>): string[] {
  return tail.map((place) => place.slice(0, place.lastIndexOf(' ')));
}

function remember(cursor: KeysetCursor, page: readonly Dated[]): string[] {
  return [...cursor.tail, ...page.map(placeOf)].slice(-tailLength);
}

/** The rows of the moment at which a page ends, with those of the pages before. */
function momentAfter({ moment }: KeysetCursor, page: readonly Dated[]): { at: number; ids: string[] } {
  const at = timeOf(page.at(-1));
  const ids = page.filter((row) => timeOf(row) === at).map((row) => row.id);
  return { at, ids: moment?.at === at ? [...new Set([...moment.ids, ...ids])] : ids };
}

function timeOf(row: Dated | undefined): number {
  return row ? Date.parse(row.trx_date) : Number.NaN;
}

/** Up to when a list is asked for, the moment included; null from its newest row on. */
export function askedUpTo({ end_date: last, later = 0 }: KeysetCursor): string | null {
  return last === null || later === 0 ? last : new Date(Date.parse(last) + later).toISOString();
}

/**
 * Where the page lies beyond the moment that it was asked up to, though rows of that were read: the same asked for from later on. Null where
 * it does not, or where these rows are gone.
 */
function askedLater(cursor: KeysetCursor, page: readonly Dated[]): KeysetCursor | null {
  const { end_date: last, later: before = 0, tail } = cursor;
  if (last === null || tail.length === 0 || timeOf(page[0]) >= Date.parse(last)) return null;
  const later = laterSteps.find((step) => step > before);
  return later === undefined ? null : { ...cursor, later };
}

/** The next page is asked for later, too, where this one has rows that were left out of one which was not. */
function laterAfter({ end_date: last, later, tail }: KeysetCursor, page: readonly Dated[]): Pick<KeysetCursor, 'later'> {
  if (later === undefined || last === null) return {};
  const isLeftOut = page.some((row) => timeOf(row) === Date.parse(last) && tail.includes(placeOf(row)));
  return isLeftOut ? { later } : {};
}

function longestOf({ longest = 0 }: KeysetCursor, page: readonly unknown[]): number {
  return Math.max(longest, page.length);
}

/** The list moved and the page does not join what was read: go back, each time further. */
function backUp(cursor: KeysetCursor): KeysetCursor {
  const step = overlap * 2 ** farthestBack;
  return { ...cursor, skip: Math.max(0, cursor.skip - Math.min(step, Math.max(overlap, Math.floor(cursor.skip / 2)))) };
}

/** How far to skip past a page, that the next one shares rows with it: of a server that hands out few at a time half of them. */
function stepPast(page: readonly unknown[]): number {
  return Math.max(1, page.length - Math.min(overlap, Math.floor(page.length / 2)));
}

/**
 * Whether a page of known rows alone is the end of a list. One as long as any before it may be all that the server hands out at a time,
 * and a longer one than the overlap is only the way past what is known: behind these it is looked on.
 * @param longest rows of the longest page before; undefined where an older build did not note it.
 */
function isEndOf(page: readonly unknown[], longest: number | undefined): boolean {
  return page.length <= 1 || (page.length <= overlap && page.length < (longest ?? Infinity));
}

function skippingStep<Row extends Dated>(cursor: KeysetCursor, page: readonly Row[], fresh: Row[], isLast: boolean): KeysetStep<Row> {
  const joins = page.some((row) => cursor.tail.includes(placeOf(row)));
  if (!joins) return { isJoined: false, fresh, next: backUp(cursor) };
  const last = page.at(-1);
  if (isLast || !last || (fresh.length === 0 && isEndOf(page, cursor.longest))) return { isJoined: true, fresh, next: null };
  const [tail, moment, longest] = [remember(cursor, page), momentAfter(cursor, page), longestOf(cursor, page)];
  // past the day that filled whole pages: by date again, which costs nothing at any depth unless it is asked for from later on
  const isPast = cursor.later === undefined && (cursor.end_date === null || dayOf(last.trx_date) < dayOf(cursor.end_date));
  if (isPast) return { isJoined: true, fresh, next: { end_date: last.trx_date, skip: 0, tail, moment, longest } };
  return { isJoined: true, fresh, next: { ...cursor, skip: cursor.skip + stepPast(page), tail, moment, longest } };
}

function dayOf(moment: string): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/**
 * The step after a page of `newest_first` rows asked for with `end_date` (inclusive) and `skip` of the cursor.
 * Moving the end date down to the last date seen never leaves a hole, however rows come and go above it. Where one moment
 * (or, at a server that compares days, one day) fills a page, it skips inside it with overlap. A page that does not reach back to the row
 * it was asked up to is asked for again from later on. It ends only when a page holds nothing but what is known, so a server that hands out
 * smaller pages than asked for does not end it early.
 * @param isLast the server says how many rows it puts in a page, and this one has fewer: there are no more.
 */
export function keysetStep<Row extends Dated>(cursor: KeysetCursor, page: readonly Row[], isLast = false): KeysetStep<Row> {
  const known = new Set(cursor.tail);
  const fresh = page.filter((row) => !known.has(placeOf(row)));
  if (cursor.skip > 0) return skippingStep(cursor, page, fresh, isLast);
  const last = page.at(-1);
  const again = isLast ? null : askedLater(cursor, page);
  if (again) return { isJoined: false, fresh, next: again };
  if (isLast || !last) return { isJoined: true, fresh, next: null };
  const [tail, moment, longest] = [remember(cursor, page), momentAfter(cursor, page), longestOf(cursor, page)];
  const hasMoved = cursor.end_date === null || Date.parse(last.trx_date) < Date.parse(cursor.end_date);
  if (hasMoved)
    return { isJoined: true, fresh, next: { end_date: last.trx_date, ...laterAfter(cursor, page), skip: 0, tail, moment, longest } };
  if (fresh.length === 0 && isEndOf(page, cursor.longest)) return { isJoined: true, fresh, next: null };
  return { isJoined: true, fresh, next: { ...cursor, skip: stepPast(page), tail, moment, longest } };
}

/** A few letters that tell a text from others, with odds of about 2^-64: what was read before is compared without being kept. */
function printOf(text: string): string {
  let [one, other] = [0x811c9dc5, 0x9e3779b1];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b);
    other ^= other >>> 15;
  }
  return `${(one >>> 0).toString(36)}${(other >>> 0).toString(36)}`;
}

/** What a page read by skipping means for where the reading goes on. */
export interface SkipStep<Row> {
  /** Nothing fell between it and the page before. */
  isJoined: boolean;
  /** Rows of it that were not read before. */
  fresh: Row[];
  /** Where to go on, or null: the list is read to its end. */
  next: SkipCursor | null;
  /** The same page comes whatever is skipped: the server does not skip. */
  isRepeating: boolean;
}

/**
 * The step after a page that was asked for from row `skip` of the cursor on. Each page overlaps the last; one that does not join is asked
 * for again from further back. Ends when a page holds nothing but the overlap, or where the same page comes again whatever is skipped.
 * @param seen ids of all rows read before.
 * @param isLast as for {@link keysetStep}.
 * @throws ApiError when the list moves faster than it can be read.
 */
export function skipStep<Row extends { id: string }>(
  cursor: SkipCursor,
  page: readonly Row[],
  seen: { has: (id: string) => boolean; size: number },
  isLast = false,
): SkipStep<Row> {
  const { skip } = cursor;
  const print = printOf(page.map(({ id }) => id).join(' '));
  const first = skip === 0 ? { print, rows: page.length } : cursor.first;
  const end = { isJoined: true, fresh: [], next: null };
  if (skip > 0 && first && skip >= first.rows && page.length === first.rows && print === first.print)
    return { ...end, isRepeating: page.length > 0 };
  // a row that is as it was, or between the two it was between, lies where it did
  const texts = page.map((row) => printOf(JSON.stringify(row)));
  const between = page.slice(2).map(({ id }, at) => printOf(`${page[at]?.id} ${page[at + 1]?.id} ${id}`));
  const tail = new Set(cursor.tail);
  if (skip > 0 && ![...texts, ...between].some((known) => tail.has(known))) {
    const failures = cursor.failures + 1;
    if (failures > farthestBack) throw new ApiError({ code: 'bad_answer', detail: 'The list changes faster than it can be read' });
    const next = { ...cursor, failures, skip: Math.max(0, skip - overlap * 2 ** failures) };
    return { isJoined: false, fresh: [], next, isRepeating: false };
  }
  const fresh = [...new Map(page.map((row) => [row.id, row])).values()].filter(({ id }) => !seen.has(id));
  const size = seen.size + fresh.length;
  const idle = fresh.length === 0 ? cursor.idle + 1 : 0;
  // it changed meanwhile, or is in no order: the page is not quite the same, and yet there is nothing new in it
  if (idle >= idlePages && skip >= 2 * size && page.length > 0) return { ...end, isRepeating: true };
  if (isLast || (fresh.length === 0 && isEndOf(page, cursor.longest))) return { ...end, fresh, isRepeating: false };
  const next: SkipCursor = {
    skip: skip + stepPast(page),
    tail: [...new Set([...cursor.tail, ...texts, ...between])].slice(-3 * tailLength),
    longest: Math.max(cursor.longest, page.length),
    idle,
    failures: 0,
    ...(first ? { first } : {}),
  };
  return { isJoined: true, fresh, next, isRepeating: false };
}

/** One page of a list read by skipping, asked for from row `skip` on. */
export type FetchFrom<Row> = (skip: number) => Promise<readonly Row[]>;

/**
 * Reads a whole list by skipping, page after page.
 * @returns `isRepeating` where the server does not skip.
 * @throws ApiError when the list moves faster than it can be read.
 */
export async function readBySkipping<Row extends { id: string }>(
  fetchFrom: FetchFrom<Row>,
): Promise<{ rows: Row[]; isRepeating: boolean }> {
  const rows = new Map<string, Row>();
  for (let cursor = skipStart; ; ) {
    const page = await fetchFrom(cursor.skip);
    const step: SkipStep<Row> = skipStep(cursor, page, rows);
    // of a row that comes again the later form counts
    if (step.isJoined) for (const row of page) rows.set(row.id, row);
    if (!step.next) return { rows: [...rows.values()], isRepeating: step.isRepeating };
    cursor = step.next;
  }
}

/** What a page says for certain: from one moment to another, in UTC milliseconds and both included, there are these rows and no others. */
export interface Coverage {
  from: number;
  to: number;
  ids: ReadonlySet<string>;
}

/**
 * What a page says of rows it does not have: of what is held of that time, the others are gone, or elsewhere now.
 * @param stretch what is read on the whole; `to` is as an end date of the cursor. @returns null where it says nothing.
 */
export function coverageOf<Row extends Dated>(
  stretch: { from: string; to?: string | undefined },
  cursor: KeysetCursor,
  page: readonly Row[],
  { isJoined, next }: KeysetStep<Row>,
): Coverage | null {
  if (!isJoined) return null;
  const ids = new Set(page.map((row) => row.id));
  const end = cursor.end_date ?? stretch.to;
  let to = end === undefined ? Infinity : Date.parse(end);
  if (cursor.skip > 0) {
    // what came before the page's first row of its moment is in the pages before
    const { at, ids: before } = cursor.moment ?? { at: Number.NaN, ids: [] };
    to = timeOf(page[0]) === at ? at : timeOf(page[0]) - 1;
    for (const id of before) ids.add(id);
  }
  const isEnd = next === null || page.length === 0;
  const from = isEnd ? Date.parse(stretch.from) : timeOf(page.at(-1)) + 1;
  return from <= to ? { from, to, ids } : null;
}
