import { type DecimalColumn, marked, readDecimal } from './decimal-columns.ts';
import { addDecimals, type BigDecimal, formatDecimal, formatSafe } from './decimals.ts';
import { LimbSums } from './limb-sums.ts';

/** Which rows to add, and to which groups: `rows[i]` to `groups[i]`, below `groupCount`. With sign -1 they are taken away again. */
export type Added = {
  readonly rows: Uint32Array;
  readonly groups: Uint32Array;
  readonly count: number;
  readonly groupCount: number;
  readonly sign: 1 | -1;
};

/** Exact sums of decimals, or of products of decimals, per group, whatever the forms of the columns they come from. */
export class DecimalSums {
  /** The sums of whole numbers of 10^-scale. */
  private readonly forms = new Map<string, { readonly scale: number; readonly sums: LimbSums }>();
  private readonly side = new Map<number, BigDecimal>();

  /** The sums for numbers of a scale; `kind` tells apart what may not be added limb by limb. */
  formOf(kind: string, scale: number, make: () => LimbSums): LimbSums {
    const name = `${kind} ${scale}`;
    const known = this.forms.get(name);
    if (known) return known.sums;
    const sums = make();
    this.forms.set(name, { scale, sums });
    return sums;
  }

  addSide(group: number, value: BigDecimal): void {
    const known = this.side.get(group);
    this.side.set(group, known ? addDecimals(known, value) : value);
  }

  /** Adds the sums of other groups: group `i` to group `groups[i]`, which are below `groupCount`. */
  merge(others: DecimalSums, groups: Uint32Array, groupCount: number): void {
    for (const [name, { scale, sums }] of others.forms) {
      const own = this.forms.get(name) ?? { scale, sums: sums.alike() };
      this.forms.set(name, own);
      own.sums.merge(sums, groups, groupCount);
    }
    for (const [group, value] of others.side) this.addSide(groups[group] as number, value);
  }

  /** Ends the adding: to be called before `textOf`. */
  carry(): void {
    for (const { sums } of this.forms.values()) sums.carry();
  }

  /** The exact sum of a group as canonical text. */
  textOf(group: number): string {
    if (this.side.size === 0 && this.forms.size <= 1) {
      for (const { scale, sums } of this.forms.values()) {
        const sum = sums.safeOf(group);
        return Number.isNaN(sum) ? formatDecimal({ unscaled: sums.wholeOf(group), scale }) : formatSafe(sum, scale);
      }
      return '0';
    }
    let sum: BigDecimal = this.side.get(group) ?? { unscaled: 0n, scale: 0 };
    for (const { scale, sums } of this.forms.values()) sum = addDecimals(sum, { unscaled: sums.wholeOf(group), scale });
    return formatDecimal(sum);
  }
}

/** Adds the values of some rows of a column. Nulls add nothing. */
export function addValues(into: DecimalSums, column: DecimalColumn, added: Added): void {
  const { top, low, scale, side } = column;
  if (side.size > 0) addSides(into, column, added);
  if (!top) return;
  const limbs = low.length + 1;
  // 2^20 values below 2^32 stay below 2^53
  const sums = into.formOf(`${limbs}`, scale, () => new LimbSums(limbs, 32, 2 ** 20));
  sums.prepare(added.count, added.groupCount);
  if (added.groupCount === 1) {
    for (const [limb, words] of low.entries()) addLowToOne(sums, limb, words, added);
    addTopToOne(sums, low.length, top, added);
  } else if (low.length === 0) addOneLimb(sums, top, added);
  else if (low.length === 1) addTwoLimbs(sums, low[0] as Uint32Array, top, added);
  else if (low.length === 2) addThreeLimbs(sums, low[0] as Uint32Array, low[1] as Uint32Array, top, added);
  else addFourLimbs(sums, low, top, added);
}

// One loop for each number of limbs: the additions of a row wait for memory together.
function addOneLimb({ words: sums, stride }: LimbSums, top: Int32Array, { rows, groups, count, sign }: Added): void {
  for (let i = 0; i < count; i++) {
    const word = top[rows[i] as number] as number;
    if (word === marked) continue;
    const at = (groups[i] as number) * stride;
    sums[at] = (sums[at] as number) + sign * word;
  }
}

function addTwoLimbs({ words: sums, stride }: LimbSums, low: Uint32Array, top: Int32Array, { rows, groups, count, sign }: Added): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const word = top[row] as number;
    if (word === marked) continue;
    const at = (groups[i] as number) * stride;
    sums[at] = (sums[at] as number) + sign * (low[row] as number);
    sums[at + 1] = (sums[at + 1] as number) + sign * word;
  }
}

function addThreeLimbs(
  { words: sums, stride }: LimbSums,
  first: Uint32Array,
  second: Uint32Array,
  top: Int32Array,
  { rows, groups, count, sign }: Added,
): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const word = top[row] as number;
    if (word === marked) continue;
    const at = (groups[i] as number) * stride;
    sums[at] = (sums[at] as number) + sign * (first[row] as number);
    sums[at + 1] = (sums[at + 1] as number) + sign * (second[row] as number);
    sums[at + 2] = (sums[at + 2] as number) + sign * word;
  }
}

function addFourLimbs(
  { words: sums, stride }: LimbSums,
  low: readonly Uint32Array[],
  top: Int32Array,
  { rows, groups, count, sign }: Added,
): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const word = top[row] as number;
    if (word === marked) continue;
    const at = (groups[i] as number) * stride;
    for (let limb = 0; limb < 3; limb++) sums[at + limb] = (sums[at + limb] as number) + sign * ((low[limb] as Uint32Array)[row] as number);
    sums[at + 3] = (sums[at + 3] as number) + sign * word;
  }
}

// One group only: the sum stays in a register, and as the limbs below a mark are zero only the top one has to look.
function addLowToOne(sums: LimbSums, limb: number, words: Uint32Array, { rows, count, sign }: Added): void {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += words[rows[i] as number] as number;
  sums.words[limb] = (sums.words[limb] as number) + sign * sum;
}

function addTopToOne(sums: LimbSums, limb: number, words: Int32Array, { rows, count, sign }: Added): void {
  let sum = 0;
  for (let i = 0; i < count; i++) {
    const word = words[rows[i] as number] as number;
    sum += word === marked ? 0 : word;
  }
  sums.words[limb] = (sums.words[limb] as number) + sign * sum;
}

function addSides(into: DecimalSums, { top, side }: DecimalColumn, { rows, groups, count, sign }: Added): void {
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const value = top && top[row] !== marked ? undefined : side.get(row);
    if (value) into.addSide(groups[i] as number, { unscaled: BigInt(sign) * value.unscaled, scale: value.scale });
  }
}

/** Adds the products of the values of some rows of two columns. A row where either is null adds nothing. */
export function addProducts(into: DecimalSums, a: DecimalColumn, b: DecimalColumn, { rows, groups, count, groupCount, sign }: Added): void {
  // 2^17 rows of at most eight products below 2^32 in one limb stay below 2^53
  const sums = into.formOf('product', a.scale + b.scale, () => new LimbSums(16, 16, 2 ** 17));
  sums.prepare(count, groupCount);
  const { words, stride } = sums;
  const left = new Float64Array(8);
  const right = new Float64Array(8);
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number;
    const aTop = a.top ? (a.top[row] as number) : marked;
    const bTop = b.top ? (b.top[row] as number) : marked;
    if (aTop === marked || bTop === marked) {
      const values = [readDecimal(a, row), readDecimal(b, row)] as const;
      if (!values[0] || !values[1]) continue;
      const unscaled = BigInt(sign) * values[0].unscaled * values[1].unscaled;
      into.addSide(groups[i] as number, { unscaled, scale: values[0].scale + values[1].scale });
      continue;
    }
    const leftLength = writeMagnitude(a, aTop, row, left);
    const rightLength = writeMagnitude(b, bTop, row, right);
    const at = (groups[i] as number) * stride;
    for (let l = 0; l < leftLength; l++) {
      const factor = (aTop < 0 === bTop < 0 ? sign : -sign) * (left[l] as number);
      for (let r = 0; r < rightLength; r++) words[at + l + r] = (words[at + l + r] as number) + factor * (right[r] as number);
    }
  }
}

/** Writes the magnitude of a row's value as 16-bit digits, lowest first. @returns how many digits there are up to the highest not zero. */
function writeMagnitude({ low }: DecimalColumn, top: number, row: number, digits: Float64Array): number {
  const flip = top < 0 ? 0xffffffff : 0;
  let carry = top < 0 ? 1 : 0;
  let length = 0;
  for (let limb = 0; limb <= low.length; limb++) {
    const word = limb < low.length ? (low[limb]?.[row] as number) : top;
    const sum = ((word ^ flip) >>> 0) + carry;
    carry = sum > 0xffffffff ? 1 : 0;
    const value = sum >>> 0;
    digits[limb * 2] = value & 0xffff;
    digits[limb * 2 + 1] = value >>> 16;
    if (value !== 0) length = value >>> 16 === 0 ? limb * 2 + 1 : limb * 2 + 2;
  }
  return length;
}
