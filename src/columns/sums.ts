import { addDecimals, type BigDecimal, type DecimalColumn, formatDecimal, limbScale, marked, readDecimal, sideMark } from './decimals.ts';

/** Adds decimals up, exactly, for each of some groups. */
export interface Summing {
  /** Adds the values of `count` (at most 65,536) listed rows, each to the group in `groups`, which are below `groupCount`. */
  add(rows: Uint32Array, groups: Uint32Array, count: number, groupCount: number): void;
  /** The exact sum of a group as canonical text. */
  textOf(group: number): string;
}

/** Sums of columns that come chunk by chunk: `next` names the column (or columns) of the coming `add` calls. */
export type ColumnSums = Summing & { next(...columns: DecimalColumn[]): void };

/** Exact totals per group: limbs are gathered as whole numbers in Float64 and carried into BigInt before they could round. */
class Carried {
  limbs = new Float64Array(0);
  private pending = 0;
  private readonly whole: bigint[] = [];
  private readonly side = new Map<number, BigDecimal>();
  private readonly limbCount: number;
  private readonly limbWidth: bigint;
  private readonly mostPending: number;

  /** `mostPending` rows may be gathered in `limbCount` limbs of `limbWidth` bits a group without passing 2^53. */
  constructor(limbCount: number, limbWidth: number, mostPending: number) {
    this.limbCount = limbCount;
    this.limbWidth = BigInt(limbWidth);
    this.mostPending = mostPending;
  }

  /** Makes room for `rows` more rows of `groups` groups. */
  prepare(rows: number, groups: number): void {
    if (this.pending + rows > this.mostPending) this.carry();
    this.pending += rows;
    if (groups * this.limbCount <= this.limbs.length) return;
    const longer = new Float64Array(groups * 2 * this.limbCount);
    longer.set(this.limbs);
    this.limbs = longer;
  }

  addSide(group: number, value: BigDecimal): void {
    const known = this.side.get(group);
    this.side.set(group, known ? addDecimals(known, value) : value);
  }

  textOf(group: number, scale: number): string {
    this.carry();
    const sum = { unscaled: this.whole[group] ?? 0n, scale };
    const side = this.side.get(group);
    return formatDecimal(side ? addDecimals(sum, side) : sum);
  }

  private carry(): void {
    if (this.pending === 0) return;
    const { limbs, limbCount } = this;
    for (let group = 0; group * limbCount < limbs.length; group++) {
      let sum = 0n;
      for (let limb = limbCount - 1; limb >= 0; limb--) sum = (sum << this.limbWidth) + BigInt(limbs[group * limbCount + limb] as number);
      this.whole[group] = (this.whole[group] ?? 0n) + sum;
    }
    limbs.fill(0);
    this.pending = 0;
  }
}

/** Sums of one decimal column. Nulls add nothing. */
export function sumsOf(): ColumnSums {
  const carried = new Carried(4, 32, 2 ** 20);
  let column: DecimalColumn | undefined;
  return {
    next: (coming) => {
      column = coming;
    },
    add: (rows, groups, count, groupCount) => {
      carried.prepare(count, groupCount);
      if (!column) return;
      if (groupCount === 1) addUngrouped(carried, column, rows, count);
      else addColumn(carried, column, rows, groups, count);
    },
    textOf: (group) => carried.textOf(group, limbScale),
  };
}

function addColumn(carried: Carried, column: DecimalColumn, rows: Uint32Array, groups: Uint32Array, count: number): void {
  const { limbs } = carried;
  const { d0, d1, d2, d3 } = column;
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const high = d3[row] as number;
    if (high === marked) {
      addMarked(carried, column, row, groups[i] as number);
      continue;
    }
    const at = (groups[i] as number) << 2;
    limbs[at] = (limbs[at] as number) + (d0[row] as number);
    limbs[at + 1] = (limbs[at + 1] as number) + (d1[row] as number);
    limbs[at + 2] = (limbs[at + 2] as number) + (d2[row] as number);
    limbs[at + 3] = (limbs[at + 3] as number) + high;
  }
}

// One group only: the sums stay in registers.
function addUngrouped(carried: Carried, column: DecimalColumn, rows: Uint32Array, count: number): void {
  const { limbs } = carried;
  const { d0, d1, d2, d3 } = column;
  let [sum0, sum1, sum2, sum3] = [0, 0, 0, 0];
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const high = d3[row] as number;
    if (high === marked) {
      addMarked(carried, column, row, 0);
      continue;
    }
    sum0 += d0[row] as number;
    sum1 += d1[row] as number;
    sum2 += d2[row] as number;
    sum3 += high;
  }
  for (const [i, sum] of [sum0, sum1, sum2, sum3].entries()) limbs[i] = (limbs[i] as number) + sum;
}

function addMarked(carried: Carried, column: DecimalColumn, row: number, group: number): void {
  const value = column.d0[row] === sideMark ? readDecimal(column, row) : null;
  if (value) carried.addSide(group, value);
}

/** Sums of the products of two decimal columns, exact to the last of their 36 decimals. A row where either is null adds nothing. */
export function productSumsOf(): ColumnSums {
  // 2^17 rows of at most eight products below 2^32 in one limb stay below 2^53.
  const carried = new Carried(16, 16, 2 ** 17);
  let left: DecimalColumn | undefined;
  let right: DecimalColumn | undefined;
  return {
    next: (a, b) => {
      [left, right] = [a, b];
    },
    add: (rows, groups, count, groupCount) => {
      carried.prepare(count, groupCount);
      if (left && right) addProducts(carried, left, right, rows, groups, count);
    },
    textOf: (group) => carried.textOf(group, 2 * limbScale),
  };
}

function addProducts(carried: Carried, a: DecimalColumn, b: DecimalColumn, rows: Uint32Array, groups: Uint32Array, count: number): void {
  const { limbs } = carried;
  const left = new Float64Array(8);
  const right = new Float64Array(8);
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    if (a.d3[row] === marked || b.d3[row] === marked) {
      const values = [readDecimal(a, row), readDecimal(b, row)] as const;
      if (!values[0] || !values[1]) continue;
      carried.addSide(groups[i] as number, { unscaled: values[0].unscaled * values[1].unscaled, scale: values[0].scale + values[1].scale });
      continue;
    }
    const leftLength = writeMagnitude(a, row, left);
    const rightLength = writeMagnitude(b, row, right);
    const sign = (a.d3[row] as number) < 0 === (b.d3[row] as number) < 0 ? 1 : -1;
    const at = (groups[i] as number) << 4;
    for (let l = 0; l < leftLength; l++) {
      const factor = sign * (left[l] as number);
      for (let r = 0; r < rightLength; r++) limbs[at + l + r] = (limbs[at + l + r] as number) + factor * (right[r] as number);
    }
  }
}

/** Writes the magnitude of a row's value as 16-bit digits, lowest first. @returns how many digits there are up to the highest not zero. */
function writeMagnitude({ d0, d1, d2, d3 }: DecimalColumn, row: number, digits: Float64Array): number {
  const high = d3[row] as number;
  const flip = high < 0 ? 0xffffffff : 0;
  let carry = high < 0 ? 1 : 0;
  let length = 0;
  for (let limb = 0; limb < 4; limb++) {
    const word = limb === 0 ? d0[row] : limb === 1 ? d1[row] : limb === 2 ? d2[row] : high;
    const sum = (((word as number) ^ flip) >>> 0) + carry;
    carry = sum > 0xffffffff ? 1 : 0;
    const value = sum >>> 0;
    digits[limb * 2] = value & 0xffff;
    digits[limb * 2 + 1] = value >>> 16;
    if (value !== 0) length = value >>> 16 === 0 ? limb * 2 + 1 : limb * 2 + 2;
  }
  return length;
}
