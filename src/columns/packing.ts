import { allocateDecimals, type DecimalColumn, formOf, marked } from './decimal-columns.ts';
import type { Hot, PackedDecimals, PackedHot, PackedPlaces } from './segments.ts';

/**
 * The hot tier of a segment as it is stored: places that count up as runs, and decimals of which most are null without them. Yields after
 * every column.
 */
export function* packHot({ place, decimals, ...others }: Hot): Generator<void, PackedHot> {
  const packed: Record<string, PackedDecimals> = {};
  for (const [name, column] of Object.entries(decimals)) {
    packed[name] = packDecimals(column);
    yield;
  }
  return { ...others, place: packPlaces(place), decimals: packed };
}

/** The hot tier as queries read it. What is packed is unpacked when it is first looked at, and kept. */
export function unpackHot({ place, decimals, ...others }: PackedHot, rows: number): Hot {
  const hot = { ...others, decimals: {} };
  unpackLater(hot, 'place', () => unpackPlaces(place, rows));
  for (const [name, column] of Object.entries(decimals)) unpackLater(hot.decimals, name, () => unpackDecimals(column, rows));
  return hot as unknown as Hot;
}

function unpackLater<T>(into: object, name: string, unpack: () => T): void {
  let unpacked: T | undefined;
  Object.defineProperty(into, name, { enumerable: true, get: () => (unpacked ??= unpack()) });
}

function packPlaces(place: Uint32Array): PackedPlaces {
  let runs = 0;
  for (let row = 0; row < place.length; row++) if (row === 0 || place[row] !== (place[row - 1] as number) + 1) runs++;
  // a run takes the room of two places
  if (runs * 3 > place.length) return { starts: place, rows: null };
  const starts = new Uint32Array(runs);
  const rows = new Uint32Array(runs);
  let run = 0;
  for (let row = 0; row < place.length; row++) {
    if (row > 0 && place[row] === (place[row - 1] as number) + 1) continue;
    starts[run] = place[row] as number;
    rows[run++] = row;
  }
  return { starts, rows };
}

function unpackPlaces({ starts, rows: firsts }: PackedPlaces, rows: number): Uint32Array {
  if (firsts === null) return starts;
  const place = new Uint32Array(rows);
  for (let run = 0; run < firsts.length; run++) {
    const first = firsts[run] as number;
    const shift = (starts[run] as number) - first;
    for (let row = first; row < (firsts[run + 1] ?? rows); row++) place[row] = row + shift;
  }
  return place;
}

function packDecimals(column: DecimalColumn): PackedDecimals {
  const { top, low } = column;
  if (!top) return { ...column, rows: null };
  let held = 0;
  for (let row = 0; row < top.length; row++) if (top[row] !== marked) held++;
  if (held * 2 > top.length) return { ...column, rows: null };
  const rows = new Uint16Array(held);
  let at = 0;
  for (let row = 0; row < top.length; row++) if (top[row] !== marked) rows[at++] = row;
  return {
    ...column,
    low: low.map((limb) => entriesAt(rows, limb, new Uint32Array(held))),
    top: entriesAt(rows, top, new Int32Array(held)),
    rows,
  };
}

function entriesAt<T extends Uint32Array | Int32Array>(rows: Uint16Array, of: T, into: T): T {
  for (let at = 0; at < rows.length; at++) into[at] = of[rows[at] as number] as number;
  return into;
}

function unpackDecimals(packed: PackedDecimals, rows: number): DecimalColumn {
  const { top, low, scale, side, rows: held } = packed;
  if (!top || held === null) return { scale, low, top, side };
  const column: DecimalColumn = { ...allocateDecimals(rows, formOf(packed)), side };
  for (let at = 0; at < held.length; at++) {
    const row = held[at] as number;
    (column.top as Int32Array)[row] = top[at] as number;
    for (let limb = 0; limb < low.length; limb++) (column.low[limb] as Uint32Array)[row] = low[limb]?.[at] as number;
  }
  return column;
}
