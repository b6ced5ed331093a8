/** Some rows of a list that may change: all of one revision. */
export interface RowStretch<Row> {
  revision: number;
  rows: readonly Row[];
}

/** Where a grid takes its rows from. They may come later than they are asked for. */
export interface GridSource<Row> {
  /** How many rows there are; null while nobody knows. */
  count: () => number | null;
  /** False while `count` is of the rows that are here, and nobody knows of how many. */
  isCounted: () => boolean;
  /** Undefined while it is on its way. */
  row: (index: number) => Row | undefined;
  /** The same where it is as of now: a row that is out of sight may be shown as it was, and may be another one by now. */
  rowNow: (index: number) => Row | undefined;
  keyOf: (row: Row) => string;
  /** Says which rows are looked at. */
  want: (first: number, last: number) => void;
  /** Which list is shown; null while another one was asked for, whose rows would come in its place. */
  list: () => string | null;
  /** Any rows in their order, fewer at the end: for copies and selections. */
  stretch: (offset: number, limit: number) => Promise<RowStretch<Row>>;
  /** Those of some rows that are in the list, as they are now, in its order; null where nobody can say. */
  pick: (keys: ReadonlySet<string>) => Promise<readonly Row[] | null>;
  /** Whether a row that came again says what it said before. */
  isSame: (held: Row, row: Row) => boolean;
  subscribe: (onChange: () => void) => () => void;
  /** Tells of rows that are likely to be the first ones of the next list: what they say can be made while nobody waits. @returns how to stop. */
  expect?: (onExpected: (rows: readonly Row[]) => void) => () => void;
  /** Grows with every change of what `count` and `row` give. */
  version: () => number;
  /** Grows with every change of the rows, also where none in sight differs and all counts and sums are as before. */
  revision: () => number;
}

const stretchRows = 1_000;
const attempts = 3;

export interface ReadOptions {
  signal: AbortSignal;
  onProgress: (rows: number) => void;
}

export class ChangedMeanwhileError extends Error {
  override name = 'ChangedMeanwhileError';
}

/** Those of some rows that are in the list, as they are now, in its order. @throws ChangedMeanwhileError where nobody can say. */
export async function pickRows<Row>(source: Pick<GridSource<Row>, 'pick'>, keys: ReadonlySet<string>): Promise<readonly Row[]> {
  const rows = await source.pick(keys);
  if (rows === null) throw new ChangedMeanwhileError('The list changed while its rows were read');
  return rows;
}

/** The revision of what nobody can say for the moment: the worker is new, or mends what is stored. It is no list without rows. */
const unknownRevision = 0;

/**
 * Reads rows in stretches, all of one revision: where the list changes meanwhile it begins again.
 * @param count how many; Infinity for all there are by then.
 * @throws ChangedMeanwhileError where the list does not rest, or another one was asked for; the signal's reason where it was cancelled.
 */
export async function readRows<Row>(
  source: Pick<GridSource<Row>, 'stretch' | 'list'>,
  first: number,
  count: number,
  { signal, onProgress }: ReadOptions,
): Promise<Row[]> {
  const list = source.list();
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const rows: Row[] = [];
    let revision: number | null = null;
    let isWhole = true;
    let isEnd = false;
    while (rows.length < count && isWhole && !isEnd) {
      signal.throwIfAborted();
      const asked = Math.min(stretchRows, count - rows.length);
      const next = await source.stretch(first + rows.length, asked);
      signal.throwIfAborted();
      if (list === null || source.list() !== list) throw new ChangedMeanwhileError('Another list was asked for');
      isEnd = count === Infinity && next.rows.length < asked && next.revision !== unknownRevision;
      isWhole = (next.rows.length > 0 || isEnd) && (revision === null || revision === next.revision);
      revision = next.revision;
      if (isWhole) rows.push(...next.rows);
      onProgress(rows.length);
    }
    if (isWhole) return rows;
  }
  throw new ChangedMeanwhileError('The list changed while its rows were read');
}
