import type { KeysetCursor } from '#replica/pulls.ts';

/** A row as paging sees it. */
interface Dated {
  id: string;
  trx_date: string;
}

/** Rows a skipping page shares with the one before it, to prove that nothing fell between them. */
const overlap = 10;
/** Ids remembered of what was read last. */
const tailLength = 200;
/** Backing up this often without joining means the list moves too fast; the stretch is read anew from its date. */
const farthestBack = 6;

/** What a page of a list read newest first means for the pull. */
export interface KeysetStep<Row> {
  /** The page joins what was read before it: between its newest and its oldest row it holds all there are. */
  isJoined: boolean;
  /** Rows not read before. */
  fresh: Row[];
  /** Where to go on, or null: the list is read to its end. */
  next: KeysetCursor | null;
}

function remember(cursor: KeysetCursor, page: readonly Dated[]): string[] {
  return [...cursor.tail, ...page.map((row) => row.id)].slice(-tailLength);
}

/** The list moved and the page does not join what was read: go back, each time further. */
function backUp(cursor: KeysetCursor): KeysetCursor {
  const step = overlap * 2 ** farthestBack;
  return { ...cursor, skip: Math.max(0, cursor.skip - Math.min(step, Math.max(overlap, Math.floor(cursor.skip / 2)))) };
}

function skippingStep<Row extends Dated>(cursor: KeysetCursor, page: readonly Row[], fresh: Row[]): KeysetStep<Row> {
  const joins = page.some((row) => cursor.tail.includes(row.id));
  if (!joins) return { isJoined: false, fresh, next: backUp(cursor) };
  const last = page.at(-1);
  // nothing but the overlap: the end. A longer page of known rows is only the way past them
  if (!last || (fresh.length === 0 && page.length <= overlap)) return { isJoined: true, fresh, next: null };
  const tail = remember(cursor, page);
  // past the day that filled whole pages: by date again, which costs nothing at any depth
  if (cursor.end_date === null || dayOf(last.trx_date) < dayOf(cursor.end_date))
    return { isJoined: true, fresh, next: { end_date: last.trx_date, skip: 0, tail } };
  return { isJoined: true, fresh, next: { ...cursor, skip: cursor.skip + Math.max(1, page.length - overlap), tail } };
}

function dayOf(moment: string): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/**
 * The step after a page of `newest_first` rows asked for with `end_date` (inclusive) and `skip` of the cursor.
 * Moving the end date down to the last date seen never leaves a hole, however rows come and go above it. Where one moment
 * (or, at a server that compares days, one day) fills a page, it skips inside it with overlap. It ends only when a page
 * holds nothing but what is known, so a server that hands out smaller pages than asked for does not end it early.
 */
export function keysetStep<Row extends Dated>(cursor: KeysetCursor, page: readonly Row[]): KeysetStep<Row> {
  const known = new Set(cursor.tail);
  const fresh = page.filter((row) => !known.has(row.id));
  if (cursor.skip > 0) return skippingStep(cursor, page, fresh);
  const last = page.at(-1);
  if (!last) return { isJoined: true, fresh, next: null };
  const tail = remember(cursor, page);
  const hasMoved = cursor.end_date === null || Date.parse(last.trx_date) < Date.parse(cursor.end_date);
  if (hasMoved) return { isJoined: true, fresh, next: { end_date: last.trx_date, skip: 0, tail } };
  // so few rows, all known: the end. More may be a page that one moment fills, so it is looked behind
  if (fresh.length === 0 && page.length <= overlap) return { isJoined: true, fresh, next: null };
  return { isJoined: true, fresh, next: { ...cursor, skip: Math.max(1, page.length - overlap), tail } };
}

/** One page of a list read by skipping, asked for from row `skip` on. */
export type FetchFrom<Row> = (skip: number) => Promise<readonly Row[]>;

/**
 * Reads a whole list by skipping, each page overlapping the last; a page that does not join is asked for again from further
 * back. Ends when a page holds nothing but the overlap.
 * @throws when the list moves faster than it can be read.
 */
export async function readBySkipping<Row extends { id: string }>(fetchFrom: FetchFrom<Row>): Promise<Row[]> {
  const rows = new Map<string, Row>();
  let tail: string[] = [];
  let skip = 0;
  let back = overlap;
  let failures = 0;
  while (true) {
    const page = await fetchFrom(skip);
    const joins = skip === 0 || page.some((row) => tail.includes(row.id));
    if (!joins) {
      failures += 1;
      if (failures > farthestBack) throw new Error('The list changes faster than it can be read');
      back *= 2;
      skip = Math.max(0, skip - back);
      continue;
    }
    const before = rows.size;
    for (const row of page) rows.set(row.id, row);
    // a longer page of known rows is only the way back to where the reading was
    if (rows.size === before && page.length <= overlap) return [...rows.values()];
    tail = [...tail, ...page.map((row) => row.id)].slice(-tailLength);
    skip += Math.max(1, page.length - overlap);
    back = overlap;
  }
}

/** A stretch of moments in UTC milliseconds, both ends included. */
export interface Span {
  from: number;
  to: number;
}

/**
 * The moments of which a page holds every row there is: what is held of them beyond the page is gone, or elsewhere now. At the seams
 * of pages within one moment nothing is certain.
 * @param stretch what is read on the whole; `to` as the cursor's end date is. @returns null where it is none.
 */
export function coveredSpan<Row extends Dated>(
  stretch: { from: string; to?: string | undefined },
  cursor: KeysetCursor,
  page: readonly Row[],
  { isJoined, next }: KeysetStep<Row>,
): Span | null {
  if (!isJoined) return null;
  const [first, last] = [page[0], page.at(-1)];
  const end = cursor.end_date ?? stretch.to;
  const to = cursor.skip > 0 && first ? Date.parse(first.trx_date) - 1 : end === undefined ? Infinity : Date.parse(end);
  const from = next === null || !last ? Date.parse(stretch.from) : Date.parse(last.trx_date) + 1;
  return from <= to ? { from, to } : null;
}
