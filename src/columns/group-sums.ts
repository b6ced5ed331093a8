import type { Chunk } from './chunks.ts';
import type { DecimalColumn } from './decimal-columns.ts';
import { addProducts, addValues, DecimalSums } from './decimal-sums.ts';
import { type GroupColumn, Grouping } from './grouping.ts';

/** The decimal columns to add up, and the pairs whose products to add up. */
export type Summed = { readonly sums: readonly string[]; readonly products: readonly (readonly [string, string])[] };

const groups = new Uint32Array(65_536);

/** Counts and exact sums of some rows, by group. */
export class GroupSums {
  readonly grouping: Grouping;
  readonly sums: readonly DecimalSums[];
  readonly products: readonly DecimalSums[];
  private readonly summed: Summed;

  constructor(columns: readonly GroupColumn[], summed: Summed) {
    this.grouping = new Grouping(columns);
    this.summed = summed;
    this.sums = summed.sums.map(() => new DecimalSums());
    this.products = summed.products.map(() => new DecimalSums());
  }

  /** Adds `count` listed rows of a chunk (at most 65,536), or with sign -1 takes them away again. */
  add({ hot }: Chunk, rows: Uint32Array, count: number, sign: 1 | -1 = 1): void {
    this.grouping.assign(hot, rows, count, groups, sign);
    const added = { rows, groups, count, groupCount: this.grouping.size, sign };
    const column = (name: string) => hot.decimals[name] as DecimalColumn;
    for (const [i, name] of this.summed.sums.entries()) addValues(this.sums[i] as DecimalSums, column(name), added);
    for (const [i, [a, b]] of this.summed.products.entries()) addProducts(this.products[i] as DecimalSums, column(a), column(b), added);
  }

  /** Adds the totals of other rows for the same request. */
  merge(others: GroupSums): void {
    const { grouping } = this;
    const { firsts, seconds, counts, size } = others.grouping;
    const into = new Uint32Array(size);
    for (let group = 0; group < size; group++) {
      const own = grouping.groupOf(firsts[group] as number, seconds[group] as number);
      into[group] = own;
      grouping.counts[own] = (grouping.counts[own] as number) + (counts[group] as number);
    }
    for (const [i, sums] of others.sums.entries()) this.sums[i]?.merge(sums, into, grouping.size);
    for (const [i, sums] of others.products.entries()) this.products[i]?.merge(sums, into, grouping.size);
  }
}
