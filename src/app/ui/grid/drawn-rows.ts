/** Some rows that follow each other, undefined where one is on its way. */
export interface RowsHere<Row> {
  first: number;
  rows: readonly (Row | undefined)[];
}

/** What one line draws. */
export interface DrawnRow<Row> {
  row: Row | undefined;
  /** What its cells out of sight show. */
  spareRow: Row | undefined;
}

interface Drawing<Row> {
  /** The rows as they are. */
  now: RowsHere<Row>;
  /** As they were when they were painted last. */
  painted: RowsHere<Row>;
  /** The rows one sees. */
  visible: { first: number; last: number };
  /** Any row, where it is here. */
  rowOf: (index: number) => Row | undefined;
}

/**
 * What the line at a place draws. Of another list the rows that one sees come first, the spare ones around them, and their cells out of
 * sight, once those are painted; until then they are what they were. While one scrolls a row that comes is not put off: it may come into
 * sight before anything is painted.
 */
export function drawnRow<Row>({ now, painted, visible, rowOf }: Drawing<Row>, index: number): DrawnRow<Row> {
  const row = now.rows[index - now.first] ?? rowOf(index);
  const before = painted.rows[index - painted.first];
  const isStill = painted.first === now.first;
  const isDrawnAnyway = index < now.first || index >= now.first + now.rows.length;
  const spareRow = isStill && !isDrawnAnyway ? before : (before ?? row);
  const isSpare = index < visible.first || index > visible.last;
  if (isSpare) return { row: spareRow, spareRow };
  return { row, spareRow: row && isStill ? spareRow : row };
}
