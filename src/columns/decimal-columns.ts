import { type BigDecimal, powersOfTen } from './decimals.ts';

/**
 * One decimal per row, as a whole number of 10^-scale in 32 to 128 bits of two's complement: `top` holds the highest and signed limb, `low`
 * the others, lowest first. A row whose `top` is `marked` holds no number: its value is in `side` (more than 18 decimals, or too large), or
 * it is null. `top` is null where every row is one of the two. The limbs below a mark are zero.
 */
export type DecimalColumn = {
  readonly scale: number;
  readonly low: readonly Uint32Array[];
  readonly top: Int32Array | null;
  readonly side: Map<number, BigDecimal>;
};

/** How the numbers of a column are written: whole numbers of 10^-scale in so many limbs, 0 to 4. */
export type DecimalForm = { readonly scale: number; readonly limbs: number };

/** The most decimals that limbs keep. */
export const mostDecimals = 18;
/** The most limbs of a number. */
export const mostLimbs = 4;
/** The `top` of a row without a number in its limbs. */
export const marked = -0x80000000;
/** A whole float below this is exact, and so is the next. */
export const safe = 2 ** 53;
/** What one step of a limb is worth in the limb below. */
export const limbBase = 2 ** 32;

/** A column of a form for `rows` decimals, all null. */
export function allocateDecimals(rows: number, { scale, limbs }: DecimalForm): DecimalColumn {
  return {
    scale,
    low: Array.from({ length: Math.max(0, limbs - 1) }, () => new Uint32Array(rows)),
    top: limbs > 0 ? new Int32Array(rows).fill(marked) : null,
    side: new Map(),
  };
}

/** The form of a column. */
export function formOf({ scale, low, top }: DecimalColumn): DecimalForm {
  return { scale, limbs: top ? low.length + 1 : 0 };
}

/** How many limbs hold every number of so many digits; more than four where none do. */
export function limbsFor(digits: number): number {
  return digits <= 9 ? 1 : digits <= 18 ? 2 : digits <= 28 ? 3 : digits <= 38 ? 4 : 5;
}

/** The most digits of a number in so many limbs. */
export function digitsOf(limbs: number): number {
  return [0, 10, 19, 29, 39][limbs] as number;
}

/** The exact value of a row, or null. */
export function readDecimal(column: DecimalColumn, row: number): BigDecimal | null {
  const { top, scale } = column;
  if (!top || top[row] === marked) return column.side.get(row) ?? null;
  return { unscaled: readWhole(column, row), scale };
}

/** The number in the limbs of a row that is not marked. */
export function readWhole({ low, top }: DecimalColumn, row: number): bigint {
  let whole = BigInt(top?.[row] as number);
  for (let limb = low.length - 1; limb >= 0; limb--) whole = (whole << 32n) | BigInt(low[limb]?.[row] as number);
  return whole;
}

/** Writes a whole number of the column's unit into the limbs of a row. False, with nothing written, when it does not fit. */
export function writeWhole({ low, top }: DecimalColumn, row: number, whole: bigint): boolean {
  const head = whole >> BigInt(32 * low.length);
  if (!top || head <= BigInt(marked) || head > 0x7fffffffn) return false;
  top[row] = Number(head);
  let rest = whole;
  for (const limb of low) {
    limb[row] = Number(BigInt.asUintN(32, rest));
    rest >>= 32n;
  }
  return true;
}

/** Writes a safe integer, which fits the column, into the limbs of a row. */
export function writeSafe({ low, top }: DecimalColumn, row: number, whole: number): void {
  if (!top) return;
  if (low.length === 0) {
    top[row] = whole;
    return;
  }
  const head = Math.floor(whole / limbBase);
  (low[0] as Uint32Array)[row] = whole - head * limbBase;
  if (low.length === 1) {
    top[row] = head;
    return;
  }
  (low[1] as Uint32Array)[row] = head;
  const sign = head < 0 ? -1 : 0;
  if (low.length === 3) (low[2] as Uint32Array)[row] = sign;
  top[row] = sign;
}

/** Writes a null, or what stands for a value in the side map. */
export function writeNull({ low, top }: DecimalColumn, row: number): void {
  if (top) top[row] = marked;
  for (let limb = 0; limb < low.length; limb++) (low[limb] as Uint32Array)[row] = 0;
}

/** Writes a value, or null: into the limbs where it fits them exactly, else into the side map. */
export function writeDecimal(column: DecimalColumn, row: number, value: BigDecimal | null): void {
  if (value && value.scale <= column.scale && writeWhole(column, row, value.unscaled * 10n ** BigInt(column.scale - value.scale))) return;
  writeNull(column, row);
  if (value) column.side.set(row, value);
}

/** Copies `count` rows into a column whose unit is not larger and whose limbs are not fewer. What does not fit them goes to its side map. */
export function copyDecimals(from: DecimalColumn, fromRow: number, into: DecimalColumn, toRow: number, count: number): void {
  const { top } = from;
  const into4 = into.top;
  if (!into4) return;
  if (!top) into4.fill(marked, toRow, toRow + count);
  else if (from.scale === into.scale) copyLimbs(from, top, fromRow, into, toRow, count);
  else for (let i = 0; i < count; i++) convertRow(from, top, fromRow + i, into, toRow + i);
}

function copyLimbs(from: DecimalColumn, top: Int32Array, fromRow: number, into: DecimalColumn, toRow: number, count: number): void {
  for (const [limb, words] of from.low.entries()) copyWords(words, fromRow, into.low[limb] as Uint32Array, toRow, count);
  if (from.low.length === into.low.length) {
    copyWords(top, fromRow, into.top as Int32Array, toRow, count);
    return;
  }
  const head = into.low[from.low.length] as Uint32Array;
  const extra = into.low.slice(from.low.length + 1);
  for (let i = 0; i < count; i++) {
    const word = top[fromRow + i] as number;
    const sign = word < 0 ? -1 : 0;
    (into.top as Int32Array)[toRow + i] = word === marked ? marked : sign;
    head[toRow + i] = word === marked ? 0 : word;
    for (const limb of extra) limb[toRow + i] = word === marked ? 0 : sign;
  }
}

/** Copies a piece of an array. A short piece is copied faster by hand than by a call. */
export function copyWords<T extends Uint32Array | Int32Array>(from: T, at: number, into: T, to: number, count: number): void {
  if (count > 24) into.set(from.subarray(at, at + count), to);
  else for (let i = 0; i < count; i++) into[to + i] = from[at + i] as number;
}

function convertRow(from: DecimalColumn, top: Int32Array, row: number, into: DecimalColumn, to: number): void {
  const head = top[row] as number;
  if (head === marked) {
    (into.top as Int32Array)[to] = marked;
    return;
  }
  const by = into.scale - from.scale;
  if (from.low.length < 2) {
    const whole = from.low[0] ? head * limbBase + (from.low[0][row] as number) : head;
    const scaled = whole * (powersOfTen[by] as number);
    const most = into.low.length === 0 ? -marked : safe;
    if (Math.abs(scaled) < most && Math.abs(whole) < safe) {
      writeSafe(into, to, scaled);
      return;
    }
  }
  writeDecimal(into, to, { unscaled: readWhole(from, row), scale: from.scale });
}
