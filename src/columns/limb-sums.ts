import { safe } from './decimal-columns.ts';

/**
 * Exact sums of whole numbers, one per group: each in limbs of `width` bits that are gathered as whole floats, and carried into the next
 * limb before one of them could pass 2^53.
 */
export class LimbSums {
  /** Entries a group: the limbs that rows add to, lowest first, and one more for what is carried out of them. */
  readonly stride: number;
  words = new Float64Array(0);
  private pending = 0;
  private readonly width: number;
  private readonly mostPending: number;

  /** Rows add to `limbs` limbs; `mostPending` rows may do so before a carry. */
  constructor(limbs: number, width: number, mostPending: number) {
    this.stride = limbs + 1;
    this.width = width;
    this.mostPending = mostPending;
  }

  /** Sums of the same kind, all zero. */
  alike(): LimbSums {
    return new LimbSums(this.stride - 1, this.width, this.mostPending);
  }

  /** Makes room for `rows` more rows of `groups` groups. */
  prepare(rows: number, groups: number): void {
    if (this.pending + rows > this.mostPending) this.carry();
    this.pending += rows;
    if (groups * this.stride <= this.words.length) return;
    const longer = new Float64Array(groups * 2 * this.stride);
    longer.set(this.words);
    this.words = longer;
  }

  /** Adds sums of the same kind: group `i` of the others to group `groups[i]`, which are below `groupCount`. */
  merge(others: LimbSums, groups: Uint32Array, groupCount: number): void {
    // sums that were carried have no rows pending, and yet may fill their limbs
    this.prepare(others.pending + 1, groupCount);
    const { words, stride } = this;
    const held = Math.min(groups.length, others.words.length / stride);
    for (let group = 0; group < held; group++) {
      const at = (groups[group] as number) * stride;
      const from = group * stride;
      for (let limb = 0; limb < stride; limb++) words[at + limb] = (words[at + limb] as number) + (others.words[from + limb] as number);
    }
  }

  /** The sum of a group as a float where that is exact, else NaN. To be asked after `carry`. */
  safeOf(group: number): number {
    const { words, stride } = this;
    const base = 2 ** this.width;
    let sum = 0;
    for (let at = (group + 1) * stride - 1; at >= group * stride; at--) sum = sum * base + (words[at] ?? 0);
    return Math.abs(sum) < safe ? sum : Number.NaN;
  }

  /** The sum of a group. */
  wholeOf(group: number): bigint {
    const { words, stride } = this;
    let sum = 0n;
    for (let at = (group + 1) * stride - 1; at >= group * stride; at--) sum = (sum << BigInt(this.width)) + BigInt(words[at] ?? 0);
    return sum;
  }

  /** Brings every limb but the last into the range of its width. */
  carry(): void {
    if (this.pending === 0) return;
    const { words, stride } = this;
    const base = 2 ** this.width;
    for (let from = 0; from < words.length; from += stride) {
      for (let at = from; at < from + stride - 1; at++) {
        const over = Math.floor((words[at] as number) / base);
        words[at] = (words[at] as number) - over * base;
        words[at + 1] = (words[at + 1] as number) + over;
      }
    }
    this.pending = 0;
  }
}
