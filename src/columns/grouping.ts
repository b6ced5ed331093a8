import type { Dictionary } from './dictionaries.ts';
import { pickCodes } from './pick.ts';
import { expectKind, type Layout } from './schema.ts';
import { type CodeColumn, type Hot, nullSmall } from './segments.ts';

/** A code or small column that rows are grouped by. */
export type GroupColumn = {
  readonly of: (hot: Hot) => CodeColumn;
  /** All values of the column are below this. */
  readonly size: number;
  readonly valueOf: (value: number) => string | number | null;
};

/** Throws a RangeError for a column of another kind. */
export function groupColumn(layout: Layout, dictionaries: ReadonlyMap<string, Dictionary>, column: string): GroupColumn {
  if (expectKind(layout, column, ['code', 'small']) === 'small') {
    return { of: (hot) => hot.smalls[column] as Uint8Array, size: 256, valueOf: (value) => (value === nullSmall ? null : value) };
  }
  const values = dictionaries.get(column)?.values ?? [];
  return { of: (hot) => hot.codes[column] as CodeColumn, size: values.length, valueOf: (code) => values[code] ?? null };
}

/** The largest table of cells that is kept at hand. */
const mostCells = 2 ** 20;
/** The group of each cell, or -1: one table for all groupings, which its holder has filled with its groups. */
const shared: { table: Int32Array; holder: Grouping | null } = { table: new Int32Array(0), holder: null };
/** The codes of the rows at hand. */
const picked = [new Uint32Array(65_536), new Uint32Array(65_536)] as const;

/** Numbers the groups of up to two columns as they come, and counts their rows. */
export class Grouping {
  counts = new Float64Array(16);
  /** How many groups there are. */
  size = 0;
  /** The values of each group's columns. */
  readonly firsts: number[] = [];
  readonly seconds: number[] = [];
  private readonly columns: readonly GroupColumn[];
  private readonly width: number;
  private readonly cells: number;
  private readonly map = new Map<number, number>();

  constructor(columns: readonly GroupColumn[]) {
    this.columns = columns;
    this.width = columns[1]?.size ?? 1;
    this.cells = (columns[0]?.size ?? 1) * this.width;
    if (columns.length === 0) this.groupOf(0, 0);
  }

  /** Writes the groups of `count` listed rows (at most 65,536) into `groups`, and counts each row `sign` times. */
  assign(hot: Hot, rows: Uint32Array, count: number, groups: Uint32Array, sign: 1 | -1): void {
    const [first, second] = this.columns;
    if (!first) {
      groups.fill(0, 0, count);
      this.counts[0] = (this.counts[0] as number) + sign * count;
      return;
    }
    if (this.cells <= mostCells) this.lookUp(first.of(hot), second?.of(hot), rows, count, groups);
    else this.search(first.of(hot), second?.of(hot), rows, count, groups);
    const { counts } = this;
    for (let i = 0; i < count; i++) counts[groups[i] as number] = (counts[groups[i] as number] as number) + sign;
  }

  /** The group of two values, a new one if need be. */
  groupOf(first: number, second: number): number {
    const cell = first * this.width + second;
    const known = this.map.get(cell);
    if (known !== undefined) return known;
    this.map.set(cell, this.size);
    return this.open(first, second);
  }

  valuesOf(group: number): (string | number | null)[] {
    const values = [this.firsts[group], this.seconds[group]];
    return this.columns.map((column, i) => column.valueOf(values[i] as number));
  }

  private lookUp(first: CodeColumn, second: CodeColumn | undefined, rows: Uint32Array, count: number, groups: Uint32Array): void {
    const { width } = this;
    const [cells, seconds] = picked;
    pickCodes(first, rows, count, cells);
    if (second) {
      pickCodes(second, rows, count, seconds);
      for (let i = 0; i < count; i++) cells[i] = (cells[i] as number) * width + (seconds[i] as number);
    }
    const table = this.holdTable();
    for (let i = 0; i < count; i++) {
      const cell = cells[i] as number;
      let group = table[cell] as number;
      if (group < 0) {
        group = this.groupOf(Math.floor(cell / width), cell % width);
        table[cell] = group;
      }
      groups[i] = group;
    }
  }

  private holdTable(): Int32Array {
    if (shared.holder === this) return shared.table;
    shared.holder?.writeTable(true);
    if (shared.table.length < this.cells) shared.table = new Int32Array(this.cells).fill(-1);
    shared.holder = this;
    this.writeTable(false);
    return shared.table;
  }

  private writeTable(clear: boolean): void {
    const { firsts, seconds, width } = this;
    for (let group = 0; group < this.size; group++) {
      shared.table[(firsts[group] as number) * width + (seconds[group] as number)] = clear ? -1 : group;
    }
  }

  private search(first: CodeColumn, second: CodeColumn | undefined, rows: Uint32Array, count: number, groups: Uint32Array): void {
    for (let i = 0; i < count; i++) {
      const row = rows[i] as number;
      groups[i] = this.groupOf(first[row] as number, second ? (second[row] as number) : 0);
    }
  }

  private open(first: number, second: number): number {
    this.firsts.push(first);
    this.seconds.push(second);
    if (this.size === this.counts.length) {
      const longer = new Float64Array(this.size * 2);
      longer.set(this.counts);
      this.counts = longer;
    }
    return this.size++;
  }
}
