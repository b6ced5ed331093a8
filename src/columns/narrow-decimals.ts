import { allocateDecimals, type DecimalColumn, limbBase, marked, readWhole, safe, writeSafe, writeWhole } from './decimal-columns.ts';
import { powersOfTen } from './decimals.ts';

/**
 * The same values in the narrowest form that holds them all exactly: the fewest decimals first, and then the fewest limbs. Yields between
 * two looks at the column.
 */
export function* narrowDecimals(column: DecimalColumn, rows: number): Generator<void, DecimalColumn> {
  const zeros = column.top ? commonZeros(column, column.top, rows) : column.scale;
  yield;
  let narrow = withoutZeros(column, rows, zeros);
  while (narrow.top && canDropTop(narrow, rows)) {
    narrow = dropTop(narrow, rows);
    yield;
  }
  return narrow;
}

/** Divides by a power of ten that divides every number. */
function withoutZeros(column: DecimalColumn, rows: number, zeros: number): DecimalColumn {
  const { top, low, scale, side } = column;
  if (zeros === 0) return column;
  const fewer: DecimalColumn = { ...allocateDecimals(rows, { scale: scale - zeros, limbs: top ? low.length + 1 : 0 }), side };
  for (let row = 0; top && row < rows; row++) {
    if (top[row] === marked) continue;
    const whole = safeWhole(column, top, row);
    if (Number.isNaN(whole)) writeWhole(fewer, row, readWhole(column, row) / 10n ** BigInt(zeros));
    else writeSafe(fewer, row, whole / (powersOfTen[zeros] as number));
  }
  return fewer;
}

/** The largest power of ten that divides every number. */
function commonZeros(column: DecimalColumn, top: Int32Array, rows: number): number {
  let zeros = column.scale;
  for (let row = 0; row < rows && zeros > 0; row++) {
    if (top[row] === marked) continue;
    const whole = safeWhole(column, top, row);
    if (whole === 0) continue;
    if (Number.isNaN(whole)) {
      const large = readWhole(column, row);
      while (zeros > 0 && large % 10n ** BigInt(zeros) !== 0n) zeros--;
    } else while (zeros > 0 && whole % (powersOfTen[zeros] as number) !== 0) zeros--;
  }
  return zeros;
}

/** The number of a row, or NaN where a float might not hold it. */
function safeWhole({ low }: DecimalColumn, top: Int32Array, row: number): number {
  const head = top[row] as number;
  if (low.length === 0) return head;
  const next = low[low.length - 1]?.[row] as number;
  if (low.length === 1) {
    const whole = head * limbBase + next;
    return Math.abs(whole) < safe ? whole : Number.NaN;
  }
  // of a longer number only one that would fit two limbs
  const sign = low[1]?.[row] as number;
  if (low.length === 3 && next !== head >>> 0) return Number.NaN;
  const whole = (sign | 0) * limbBase + (low[0]?.[row] as number);
  return head === (sign | 0) >> 31 && Math.abs(whole) < safe ? whole : Number.NaN;
}

/** Whether the limb below could stand for the top one in every row. */
function canDropTop({ top, low }: DecimalColumn, rows: number): boolean {
  const below = low.at(-1);
  if (!top) return false;
  if (!below) return top.every((head) => head === marked);
  for (let row = 0; row < rows; row++) {
    const head = top[row] as number;
    const next = (below[row] as number) | 0;
    if (head !== marked && (head !== next >> 31 || next === marked)) return false;
  }
  return true;
}

function dropTop({ scale, low, top, side }: DecimalColumn, rows: number): DecimalColumn {
  const below = low.at(-1);
  if (!below) return { scale: 0, low: [], top: null, side };
  const head = new Int32Array(rows);
  for (let row = 0; row < rows; row++) head[row] = top?.[row] === marked ? marked : (below[row] as number);
  return { scale, low: low.slice(0, -1), top: head, side };
}
