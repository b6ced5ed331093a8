import type { Chunk } from './chunks.ts';
import { type DecimalColumn, marked, sideMark } from './decimals.ts';
import type { Layout } from './schema.ts';
import { allocateHot, checksumOf, type Hot, type Segment, type TextColumn, type TextTier, textChecksumOf } from './segments.ts';

/** Rows picked from some chunks: the i-th is row `row[i]` of `sources[source[i]]`. */
export type Picks = { readonly sources: readonly Chunk[]; readonly source: Uint16Array; readonly row: Uint32Array };

/** Picked rows as runs of neighbours: run i is the rows `row[i]` to `row[i] + (at[i + 1] - at[i])` of `source[i]`, put at `at[i]`. */
type Runs = {
  readonly sources: readonly Chunk[];
  readonly source: readonly number[];
  readonly row: readonly number[];
  readonly at: readonly number[];
};

/** Copies picked rows, which lie in the default order and have their text, into a new segment. */
export function gatherSegment(layout: Layout, partition: number, picks: Picks): Segment {
  const runs = runsOf(picks);
  const rows = picks.row.length;
  const hot = allocateHot(layout, rows);
  const fill = (into: Column, of: (hot: Hot) => Column | undefined, width = 1) => {
    gather(
      runs,
      runs.sources.map((chunk) => of(chunk.hot) as Column),
      into,
      width,
    );
  };
  fill(hot.time, ({ time }) => time);
  fill(hot.key, ({ key }) => key, 4);
  fill(hot.place, ({ place }) => place);
  fill(hot.flags, ({ flags }) => flags);
  for (const [name, into] of Object.entries(hot.codes)) fill(into, ({ codes }) => codes[name]);
  for (const [name, into] of Object.entries(hot.smalls)) fill(into, ({ smalls }) => smalls[name]);
  for (const [name, into] of Object.entries(hot.decimals)) {
    for (const limb of ['d0', 'd1', 'd2', 'd3'] as const) fill(into[limb], ({ decimals }) => decimals[name]?.[limb]);
    gatherSide(picks, name, into);
  }
  const shape = { partition, rows, newest: hot.time[0] as number, oldest: hot.time[rows - 1] as number, hot };
  const checksum = checksumOf(shape);
  return { ...shape, checksum, text: layout.texts.length > 0 ? gatherTexts(layout, { partition, checksum }, runs) : null };
}

type Column = Uint32Array | Int32Array | Uint8Array | Float64Array;

function runsOf({ sources, source, row }: Picks): Runs {
  const runs = { sources, source: [] as number[], row: [] as number[], at: [] as number[] };
  for (let i = 0; i < row.length; i++) {
    if (i > 0 && source[i] === source[i - 1] && row[i] === (row[i - 1] as number) + 1) continue;
    runs.source.push(source[i] as number);
    runs.row.push(row[i] as number);
    runs.at.push(i);
  }
  runs.at.push(row.length);
  return runs;
}

/** Copies the runs of a column with `width` entries a row. */
function gather({ source, row, at }: Runs, columns: readonly Column[], into: Column, width: number): void {
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as Column;
    copy(from, (row[run] as number) * width, into, (at[run] as number) * width, ((at[run + 1] as number) - (at[run] as number)) * width);
  }
}

// A short piece is copied faster by hand than by a call.
function copy(from: Column, at: number, into: Column, to: number, length: number): void {
  if (length > 24) into.set(from.subarray(at, at + length), to);
  else for (let i = 0; i < length; i++) into[to + i] = from[at + i] as number;
}

function gatherSide({ sources, source, row }: Picks, name: string, into: DecimalColumn): void {
  const sides = sources.map((chunk) => chunk.hot.decimals[name]?.side);
  if (sides.every((side) => side?.size === 0)) return;
  for (let i = 0; i < row.length; i++) {
    if (into.d3[i] !== marked || into.d0[i] !== sideMark) continue;
    const value = sides[source[i] as number]?.get(row[i] as number);
    if (value) into.side.set(i, value);
  }
}

function gatherTexts(layout: Layout, segment: Pick<Segment, 'partition' | 'checksum'>, runs: Runs): TextTier {
  const columns = Object.fromEntries(layout.texts.map((name) => [name, gatherText(runs, name)]));
  return { columns, checksum: textChecksumOf(segment, columns) };
}

function gatherText({ sources, source, row, at }: Runs, name: string): TextColumn {
  const columns = sources.map(({ texts }) => texts?.[name] as TextColumn);
  const offsets = new Uint32Array((at.at(-1) as number) + 1);
  for (let run = 0; run < row.length; run++) {
    const from = (columns[source[run] as number] as TextColumn).offsets;
    const first = at[run] as number;
    const last = at[run + 1] as number;
    const shift = (offsets[first] as number) - (from[row[run] as number] as number);
    for (let i = first + 1; i <= last; i++) offsets[i] = (from[(row[run] as number) + i - first] as number) + shift;
  }
  const bytes = new Uint8Array(offsets.at(-1) as number);
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as TextColumn;
    const to = offsets[at[run] as number] as number;
    copy(from.bytes, from.offsets[row[run] as number] as number, bytes, to, (offsets[at[run + 1] as number] as number) - to);
  }
  return { offsets, bytes };
}
