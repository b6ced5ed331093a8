import { createListeners } from '#app/listeners.ts';

/** One answer of a window request. */
export interface WindowAnswer<Row> {
  revision: number;
  rows: Row[];
}

interface Page<Row> {
  revision: number;
  rows: Row[];
  usedAt: number;
}

/** The rows around what is looked at, kept so that scrolling back costs nothing and a change never shows a hole. */
export interface WindowCache<Row> {
  row: (index: number) => Row | undefined;
  /** The same where it is as of the newest revision: what was out of sight when the rows changed may be another row by now. */
  rowNow: (index: number) => Row | undefined;
  /** Sees to it that one row more is as of the newest revision, wherever one looks; none for null. */
  wantAlso: (index: number | null) => void;
  /** Sees to it that these rows are here, as of the newest revision. */
  want: (first: number, last: number) => void;
  /**
   * The rows behind the query changed: what is held stays shown until its newer answer is here.
   * @param brought rows that came along, so that nobody needs to ask for them: whole pages, the last one as long as it is.
   * @param isNew whether something else changed with them, to be drawn whether or not they are other rows.
   */
  revise: (revision: number, brought?: { offset: number; rows: readonly Row[] }, isNew?: boolean) => void;
  /**
   * Another query: answers still on their way are of no use; what is held stays shown until its answer is here.
   * @param isShown the query is the one whose rows are held: what was looked at in them is looked at still.
   */
  restart: (isShown?: boolean) => void;
  subscribe: (onChange: () => void) => () => void;
  /** Grows with every change of what `row` gives. */
  version: () => number;
}

export const pageRows = 100;
/** Pages kept; the ones longest unused go first. */
const pagesKept = 24;

/** The page a row is in. */
const pageAt = (index: number): number => Math.floor(index / pageRows);

/**
 * @param fetch asks for rows of the current query, fewer at its end.
 * @param isSame whether a row that came again is what is held already: then it stays the same object, and nothing is drawn anew.
 */
export function createWindowCache<Row>(
  fetch: (offset: number, limit: number) => Promise<WindowAnswer<Row>>,
  isSame: (held: Row, row: Row) => boolean = Object.is,
): WindowCache<Row> {
  const pages = new Map<number, Page<Row>>();
  const asked = new Map<number, number>();
  const listeners = createListeners();
  let revision = -1;
  let era = 0;
  let version = 0;
  let uses = 0;
  let wanted: { first: number; last: number } | null = null;
  let also: number | null = null;
  let isAnother = true;

  const changed = (): void => {
    version += 1;
    listeners.tell();
  };
  const isWanted = (no: number): boolean => (wanted !== null && no >= pageAt(wanted.first) && no <= pageAt(wanted.last)) || no === also;
  const forget = (): void => {
    // what another query left behind may stand in only where the person looks, and only until its answer is here
    for (const [no, page] of pages) if (page.revision < 0 && !isWanted(no)) pages.delete(no);
    const surplus = [...pages].sort(([, a], [, b]) => a.usedAt - b.usedAt).slice(0, Math.max(0, pages.size - pagesKept));
    for (const [no] of surplus) pages.delete(no);
  };
  /** @returns whether there is anything to draw anew. */
  const keep = (no: number, of: number, rows: readonly Row[]): boolean => {
    const held = pages.get(no)?.rows;
    uses += 1;
    const same = rows.map((row, at) => {
      const before = held?.[at];
      return before !== undefined && isSame(before, row) ? before : row;
    });
    pages.set(no, { revision: of, rows: same, usedAt: uses });
    return held?.length !== same.length || same.some((row, at) => row !== held[at]);
  };
  const ask = async (no: number): Promise<void> => {
    const [askedIn, askedAt] = [era, revision];
    asked.set(no, askedAt);
    try {
      const answer = await fetch(no * pageRows, pageRows);
      if (askedIn !== era) return;
      // where the rows changed while it was on its way they are asked for anew already, or came along
      if (asked.get(no) === askedAt) asked.delete(no);
      // older than what it was asked for it is where nobody can say: what is shown stays until somebody can
      if (answer.revision < Math.max(askedAt, pages.get(no)?.revision ?? -1)) return;
      const isOther = keep(no, answer.revision, answer.rows);
      forget();
      if (isOther) changed();
    } catch {
      // a worker that is being closed answers no more; the next look asks again
      if (askedIn === era && asked.get(no) === askedAt) asked.delete(no);
    }
  };
  const isNow = (no: number): boolean => revision >= 0 && (pages.get(no)?.revision ?? -1) >= revision;
  const lookAt = (no: number): void => {
    const page = pages.get(no);
    if (page) {
      uses += 1;
      page.usedAt = uses;
    }
    if (!isNow(no) && asked.get(no) !== revision) void ask(no);
  };
  const look = (): void => {
    if (!wanted || revision < 0) return;
    for (let no = pageAt(wanted.first); no <= pageAt(wanted.last); no += 1) lookAt(no);
    if (also !== null) lookAt(also);
  };
  const row = (index: number): Row | undefined => pages.get(pageAt(index))?.rows[index % pageRows];
  return {
    row,
    rowNow: (index) => (isNow(pageAt(index)) ? row(index) : undefined),
    wantAlso: (index) => {
      also = index === null ? null : pageAt(index);
      look();
    },
    want: (first, last) => {
      wanted = { first, last };
      look();
    },
    revise: (next, brought, isNew = true) => {
      const isFirst = revision < 0;
      revision = next;
      // another list begins with what came along: what was looked at in the one before is of no use
      if (isFirst && isAnother && brought) wanted = { first: brought.offset, last: brought.offset + Math.max(0, brought.rows.length - 1) };
      if (brought && brought.offset % pageRows === 0) {
        const first = brought.offset / pageRows;
        const count = Math.ceil(brought.rows.length / pageRows);
        let isOther = isNew;
        for (let at = 0; at < count; at += 1) {
          if (keep(first + at, next, brought.rows.slice(at * pageRows, (at + 1) * pageRows))) isOther = true;
        }
        forget();
        if (isOther) changed();
      }
      look();
    },
    restart: (isShown = false) => {
      era += 1;
      isAnother = !isShown;
      asked.clear();
      // whatever revision the new query starts from, nothing held counts as its answer
      for (const page of pages.values()) page.revision = -1;
      revision = -1;
    },
    subscribe: listeners.subscribe,
    version: () => version,
  };
}
