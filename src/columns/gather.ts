import type { Chunk } from './chunks.ts';
import {
  allocateDecimals,
  copyDecimals,
  type DecimalColumn,
  type DecimalForm,
  digitsOf,
  formOf,
  limbsFor,
  marked,
  mostLimbs,
} from './decimal-columns.ts';
import { gatherTexts } from './gather-texts.ts';
import { narrowDecimals } from './narrow-decimals.ts';
import { packHot } from './packing.ts';
import type { Picks } from './picks.ts';
import type { Layout } from './schema.ts';
import { type CodeColumn, checksumFrom, type Hot, hotParts, type Segment } from './segments.ts';
import { narrowTimes, timeOf } from './times.ts';

/** Copies picked rows, which lie in the default order and have their text, into a new segment. Yields after every column. */
export function* gatherSegment(layout: Layout, partition: number, picks: Picks): Generator<void, Segment> {
  const rows = rowsOf(picks);
  const hot = yield* packHot(yield* gatherHot(layout, picks));
  yield;
  const shape = { partition, rows, newest: timeOf(hot.time, 0), oldest: timeOf(hot.time, rows - 1), hot };
  const sums: number[] = [];
  for (const part of hotParts(hot)) {
    sums.push(part());
    yield;
  }
  const checksum = checksumFrom(shape, sums);
  return { ...shape, checksum, text: layout.texts.length > 0 ? yield* gatherTexts(layout, { partition, checksum }, picks) : null };
}

function* gatherHot(layout: Layout, picks: Picks): Generator<void, Hot> {
  const rows = rowsOf(picks);
  const hots = picks.sources.map(({ hot }) => hot);
  const times = gatherTimes(picks);
  yield;
  const time = narrowTimes(times);
  yield;
  const key = gatherWords(
    picks,
    hots.map((hot) => hot.key),
    new Uint32Array(rows * 4),
    4,
  );
  yield;
  const place = gatherWords(
    picks,
    hots.map((hot) => hot.place),
    new Uint32Array(rows),
  );
  yield;
  const flags = gatherBytes(
    picks,
    hots.map((hot) => hot.flags),
  );
  yield;
  const codes: Record<string, CodeColumn> = {};
  for (const name of layout.codes) {
    const wide = hots.map((hot) => new Uint32Array(hot.codes[name] as CodeColumn));
    yield;
    codes[name] = narrowCodes(gatherWords(picks, wide, new Uint32Array(rows)));
    yield;
  }
  const smalls = Object.fromEntries(
    layout.smalls.map((name) => [
      name,
      gatherBytes(
        picks,
        hots.map((hot) => hot.smalls[name] as Uint8Array),
      ),
    ]),
  );
  yield;
  const decimals: Record<string, DecimalColumn> = {};
  for (const name of layout.decimals) {
    const gathered = gatherDecimals(
      picks,
      hots.map((hot) => hot.decimals[name] as DecimalColumn),
    );
    yield;
    decimals[name] = yield* narrowDecimals(gathered, rows);
    yield;
  }
  return { time, key, place, flags, codes, smalls, decimals };
}

function rowsOf({ at }: Picks): number {
  return at.at(-1) ?? 0;
}

function narrowCodes(codes: Uint32Array): CodeColumn {
  let most = 0;
  for (let row = 0; row < codes.length; row++) if ((codes[row] as number) > most) most = codes[row] as number;
  return most < 256 ? new Uint8Array(codes) : most < 65_536 ? new Uint16Array(codes) : codes;
}

function gatherTimes({ sources, source, row, at }: Picks): Float64Array {
  const times = new Float64Array(at.at(-1) as number);
  for (let run = 0; run < row.length; run++) {
    const { time } = (sources[source[run] as number] as Chunk).hot;
    const shift = (row[run] as number) - (at[run] as number);
    for (let i = at[run] as number; i < (at[run + 1] as number); i++) times[i] = timeOf(time, i + shift);
  }
  return times;
}

// A short piece is copied faster by hand than by a call.
const short = 24;

/** Copies the runs of a column with `width` entries a row. */
function gatherWords<T extends Uint32Array | Int32Array>({ source, row, at }: Picks, columns: readonly T[], into: T, width = 1): T {
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as T;
    const first = (row[run] as number) * width;
    const to = (at[run] as number) * width;
    const length = (at[run + 1] as number) * width - to;
    if (length > short) into.set(from.subarray(first, first + length), to);
    else for (let i = 0; i < length; i++) into[to + i] = from[first + i] as number;
  }
  return into;
}

function gatherBytes({ source, row, at }: Picks, columns: readonly Uint8Array[]): Uint8Array {
  const into = new Uint8Array(at.at(-1) as number);
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as Uint8Array;
    const first = row[run] as number;
    const to = at[run] as number;
    const length = (at[run + 1] as number) - to;
    if (length > short) into.set(from.subarray(first, first + length), to);
    else for (let i = 0; i < length; i++) into[to + i] = from[first + i] as number;
  }
  return into;
}

function gatherDecimals(picks: Picks, columns: readonly DecimalColumn[]): DecimalColumn {
  const { source, row, at } = picks;
  const form = commonForm(columns.filter((_, i) => source.includes(i)));
  const into = allocateDecimals(rowsOf(picks), form);
  for (let run = 0; run < row.length; run++) {
    const from = columns[source[run] as number] as DecimalColumn;
    copyDecimals(from, row[run] as number, into, at[run] as number, (at[run + 1] as number) - (at[run] as number));
    if (from.side.size > 0) gatherSide(from, row[run] as number, into, at[run] as number, at[run + 1] as number);
  }
  return into;
}

function gatherSide({ top, side }: DecimalColumn, row: number, into: DecimalColumn, first: number, end: number): void {
  for (let at = first; at < end; at++) {
    const own = row + at - first;
    const value = top && top[own] !== marked ? undefined : side.get(own);
    if (value) into.side.set(at, value);
  }
}

/** A form that holds the values of all columns. */
function commonForm(columns: readonly DecimalColumn[]): DecimalForm {
  const forms = columns.map(formOf);
  const scale = Math.max(0, ...forms.map((form) => (form.limbs > 0 ? form.scale : 0)));
  const needed = forms.map((form) => {
    if (form.limbs === 0 || form.scale === scale) return form.limbs;
    return Math.min(mostLimbs, limbsFor(digitsOf(form.limbs) + scale - form.scale));
  });
  return { scale, limbs: Math.max(0, ...needed) };
}
