import { compareRows, firstRow } from './chunks.ts';
import type { Condition } from './conditions.ts';
import { addDecimals, formatDecimal, parseDecimal } from './decimals.ts';
import { FirstOf } from './first-of.ts';
import type { Place, Selection } from './selection.ts';
import type { Facet, Totals, TotalsRequest } from './totals.ts';

/** Some rows of a union in order: of which selection each is, and what that selection's window says of it. */
export type UnionWindow = { readonly sources: Uint16Array; readonly places: Uint32Array; readonly overlaid: Uint8Array };

/**
 * Selections of the same query over several tables of the same schema, as if all rows were in one table: in the order of the query's sorts
 * and then the default order, whichever table a row is of. Where a sort ranks the codes of a column, each table's own query has ranks for its
 * own codes, which must mean the same: equal for equal values, and comparable across tables. Without ranks strings are compared. No key
 * is in more than one of the tables.
 */
export function unite(selections: readonly Selection[]): Union {
  return new Union(selections);
}

/** After so many rows it is remembered how many of them are of each selection. */
const checkEvery = 1024;

/** See `unite`. A union lives as long as its selections do. */
export class Union {
  /** How many rows matched. */
  readonly count: number;
  private readonly selections: readonly Selection[];
  /** The selection of each row in order, as far as somebody has looked. */
  private readonly order: Uint16Array;
  private merged = 0;
  private readonly heads: readonly Head[];
  private readonly heap: FirstOf<Head>;
  /** How many rows of each selection come before row 0, `checkEvery`, twice `checkEvery` and so on. */
  private readonly checks: number[][] = [];

  constructor(selections: readonly Selection[]) {
    this.selections = selections;
    this.count = selections.reduce((sum, { count }) => sum + count, 0);
    this.order = new Uint16Array(selections.length > 1 ? this.count : 0);
    this.heads = selections.map((selection, source) => new Head(selection, source));
    this.heap = new FirstOf(
      this.heads.filter((head) => selections.length > 1 && head.advance()),
      (a, b) => (compareAt(a, b) || a.source - b.source) < 0,
    );
  }

  /** The rows at `offset` to `offset + limit`, fewer at the end. What was once looked at is not merged again. */
  window(offset: number, limit: number): UnionWindow {
    for (const number of [offset, limit]) if (!(number >= 0)) throw new RangeError(`A window begins and ends at 0 or later, not ${number}`);
    const [only, ...others] = this.selections;
    if (only && others.length === 0) {
      const { places, overlaid } = only.window(offset, limit);
      return { sources: new Uint16Array(places.length), places, overlaid };
    }
    const from = Math.min(Math.floor(offset), this.count);
    const end = Math.min(from + Math.floor(limit), this.count);
    this.mergeTo(end);
    const sources = this.order.slice(from, end);
    const before = this.countsBefore(from);
    const counts = this.selections.map(() => 0);
    for (const source of sources) counts[source] = (counts[source] as number) + 1;
    const windows = this.selections.map((selection, source) => selection.window(before[source] as number, counts[source] as number));
    const places = new Uint32Array(sources.length);
    const overlaid = new Uint8Array(sources.length);
    const next = this.selections.map(() => 0);
    for (const [i, source] of sources.entries()) {
      const at = next[source] as number;
      next[source] = at + 1;
      places[i] = windows[source]?.places[at] as number;
      overlaid[i] = windows[source]?.overlaid[at] as number;
    }
    return { sources, places, overlaid };
  }

  /** The position of a key in the order, or -1 when its row is not matched. */
  positionOf(key: string): number {
    for (const [source, selection] of this.selections.entries()) {
      const position = selection.positionOf(key);
      if (position < 0) continue;
      const place = selection.placeAt(position);
      return this.selections.reduce((sum, other, index) => {
        if (index === source) return sum;
        const isAfter = (at: number) =>
          (compareAt({ selection: other, place: other.placeAt(at) }, { selection, place }) || index - source) > 0;
        return sum + firstRow(other.count, isAfter);
      }, position);
    }
    return -1;
  }

  /** How many of the matched rows also meet some conditions. */
  countOf(where: readonly Condition[]): number {
    return this.selections.reduce((sum, selection) => sum + selection.countOf(where), 0);
  }

  /** Counts and exact sums of the matched rows, by group. */
  totals(request: TotalsRequest): Totals[] {
    const groups = new Map<string, Totals>();
    if ((request.groupBy ?? []).length === 0) groups.set('[]', emptyTotals(request));
    for (const totals of this.selections.flatMap((selection) => selection.totals(request))) {
      const name = JSON.stringify(totals.by);
      const known = groups.get(name);
      groups.set(name, known ? addTotals(known, totals) : totals);
    }
    return [...groups.values()];
  }

  /** How often each value of a code or small column occurs among the matched rows, null first. */
  facets(column: string): Facet[] {
    const counts = new Map<Facet['value'], number>();
    for (const { value, count } of this.selections.flatMap((selection) => selection.facets(column))) {
      counts.set(value, (counts.get(value) ?? 0) + count);
    }
    const facets = Array.from(counts, ([value, count]) => ({ value, count }));
    return facets.toSorted((a, b) => Number(b.value === null) - Number(a.value === null));
  }

  /** For each of some texts of a column, or keys for 'key', whether a matched row has it. */
  among(column: string, values: readonly string[]): boolean[] {
    const answers = this.selections.map((selection) => selection.among(column, values));
    return values.map((_, i) => answers.some((each) => each[i] === true));
  }

  private mergeTo(end: number): void {
    while (this.merged < end) {
      if (this.merged % checkEvery === 0) this.checks.push(this.heads.map(({ taken }) => taken));
      const head = this.heap.first as Head;
      this.order[this.merged++] = head.source;
      head.taken++;
      this.heap.goneOn(!head.advance());
    }
  }

  private countsBefore(position: number): number[] {
    const check = Math.min(Math.floor(position / checkEvery), this.checks.length - 1);
    const counts = [...(this.checks[check] ?? this.selections.map(() => 0))];
    for (const source of this.order.subarray(Math.max(0, check) * checkEvery, position)) counts[source] = (counts[source] as number) + 1;
    return counts;
  }
}

/** The most rows of a selection that are asked for at once. */
const mostAtOnce = 4096;

/** The next row of a selection, in its order. */
class Head {
  readonly selection: Selection;
  readonly source: number;
  /** How many rows have gone into the union. */
  taken = 0;
  place: Place = { chunk: null, row: 0 };
  private places: readonly Place[] = [];
  private next = 0;
  private asked = 0;

  constructor(selection: Selection, source: number) {
    this.selection = selection;
    this.source = source;
  }

  /** Goes on to the next row. False at the end. */
  advance(): boolean {
    if (this.next === this.places.length) {
      this.places = this.selection.placesAt(this.asked, Math.max(64, Math.min(mostAtOnce, this.asked)));
      this.asked += this.places.length;
      this.next = 0;
    }
    const place = this.places[this.next++];
    if (place) this.place = place;
    return place !== undefined;
  }
}

type At = { readonly selection: Selection; readonly place: Place };

/** Compares two rows of two selections by their sorts and the default order. */
function compareAt(a: At, b: At): number {
  const [left, right] = [a.place, b.place];
  if (!left.chunk || !right.chunk) return 0;
  for (const [i, sorter] of a.selection.sorters.entries()) {
    const other = b.selection.sorters[i];
    const order = other ? sorter.compare(left.chunk, left.row, right.chunk, right.row, other) : 0;
    if (order !== 0) return order;
  }
  return compareRows(left.chunk.hot, left.row, right.chunk.hot, right.row);
}

function emptyTotals({ sums = [], products = [] }: TotalsRequest): Totals {
  return { by: [], count: 0, sums: Object.fromEntries(sums.map((name) => [name, '0'])), products: products.map(() => '0') };
}

function addTotals(a: Totals, b: Totals): Totals {
  return {
    by: a.by,
    count: a.count + b.count,
    sums: Object.fromEntries(Object.entries(a.sums).map(([name, sum]) => [name, addTexts(sum, b.sums[name] ?? '0')])),
    products: a.products.map((product, i) => addTexts(product, b.products[i] ?? '0')),
  };
}

function addTexts(a: string, b: string): string {
  return formatDecimal(addDecimals(parseDecimal(a, 'sum'), parseDecimal(b, 'sum')));
}
