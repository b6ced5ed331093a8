import { amongKeys, amongTexts } from './among.ts';
import type { Chunk } from './chunks.ts';
import { type DefaultOrder, defaultOrderOf } from './default-order.ts';
import { StaleSelectionError } from './errors.ts';
import { keyOf } from './keys.ts';
import { firstRefs } from './first-refs.ts';
import { sortRefs } from './sort-refs.ts';
import { compileSort, type Sorter } from './sorting.ts';
import { type Facet, facetsOf, type Summed, sumsOf, type Totals, type TotalsRequest, totalsOf } from './totals.ts';
import type { TableState } from './table-state.ts';
import { countBits, hasBit } from './bits.ts';
import { timeOf } from './times.ts';
import { compileConditions, type Condition, spanOf } from './conditions.ts';
import type { Query } from './query.ts';
import { bitsIn, type View, viewAgain, viewOf } from './view.ts';

/** Some rows in order: where each lies, and a 1 for each that comes from the overlay (its place is the one given to `setOverlay`). */
export type Window = { readonly places: Uint32Array; readonly overlaid: Uint8Array };

/** Where a row lies in memory. */
export type Place = { readonly chunk: Chunk | null; readonly row: number };

/**
 * The rows that a query matched, kept while the filter stands: scrolling and totals need no second filter. A put, a removal or a new
 * overlay does not reach it (its `revision` then differs from the table's); after a seal every method throws a StaleSelectionError.
 */
export class Selection {
  /** How many rows matched. */
  readonly count: number;
  /** The table's revision at which this was selected. */
  readonly revision: number;
  private readonly state: TableState;
  private readonly seals: number;
  private readonly contents: number;
  private readonly view: View;
  private readonly query: Query;
  /** The query's sorts, made ready for its table. */
  readonly sorters: readonly Sorter[];
  /** The sums made so far, by request. */
  private readonly summed = new Map<string, Summed>();
  private order: DefaultOrder | null = null;
  private sorted: Uint32Array | null = null;
  /** The first rows of the order, as far as they were wanted before all were sorted. */
  private first: Uint32Array = new Uint32Array();

  /** Selects the rows of a query; with `before`, a selection of the same query made since the last seal, by what has changed since. */
  constructor(state: TableState, query: Query, before?: Selection) {
    const { layout, dictionaries, segments, runs, delta, overlay } = state;
    const filters = compileConditions(layout, dictionaries, query.where ?? []);
    const source = { chunks: [...segments, delta, overlay], runs };
    this.state = state;
    this.query = query;
    const keeping = { filters, span: spanOf(query.where ?? []) };
    this.view = before ? viewAgain(before.view, source, keeping) : viewOf(source, keeping);
    this.sorters = (query.sort ?? []).map((sort) => compileSort(layout, dictionaries, sort));
    if (before) this.summed = before.summed;
    this.count = this.view.count;
    this.revision = state.revision;
    this.seals = state.seals;
    this.contents = state.contents;
  }

  /** Whether the table's rows are still the ones this was selected from, wherever they lie by now: then `again` gives the same. */
  get isOfNow(): boolean {
    return this.contents === this.state.contents;
  }

  /** The rows at `offset` to `offset + limit` in the query's order, fewer at the end. The first call pays for the sort. */
  window(offset: number, limit: number): Window {
    this.expectFresh();
    for (const number of [offset, limit]) if (!(number >= 0)) throw new RangeError(`A window begins and ends at 0 or later, not ${number}`);
    const { chunks, slots, bases } = this.view;
    const refs = this.refs(Math.floor(offset), Math.floor(limit));
    const places = new Uint32Array(refs.length);
    const overlaid = new Uint8Array(refs.length);
    const overlay = chunks.length - 1;
    let index = -1;
    let base = 0;
    let place = places;
    for (let i = 0; i < refs.length; i++) {
      const ref = refs[i] as number;
      const next = slots[ref >>> 16] as number;
      // most of a window's rows lie in one chunk
      if (next !== index) {
        index = next;
        base = bases[index] as number;
        place = (chunks[index] as Chunk).hot.place as Uint32Array<ArrayBuffer>;
      }
      places[i] = place[ref - base] as number;
      overlaid[i] = index === overlay ? 1 : 0;
    }
    return { places, overlaid };
  }

  /** All rows in the query's order, in windows of `size` rows. */
  *windows(size = 4096): Generator<Window> {
    for (let offset = 0; offset < this.count; offset += size) yield this.window(offset, size);
  }

  /** The position of a key in the query's order, or -1 when its row is not matched. */
  positionOf(key: string): number {
    this.expectFresh();
    const { chunks, bases } = this.view;
    const wanted = keyOf(key);
    for (let chunk = chunks.length - 1; chunk >= 0; chunk--) {
      const row = chunks[chunk]?.find(wanted, 0) ?? -1;
      if (row < 0 || !hasBit(bitsIn(this.view, chunk), row)) continue;
      const ref = (bases[chunk] as number) + row;
      return this.sorters.length === 0 ? this.defaultOrder().positionOf(ref) : this.sortedRefs().indexOf(ref);
    }
    return -1;
  }

  /** How many of the matched rows also meet some conditions. Throws as `table.select` does. */
  countOf(where: readonly Condition[]): number {
    this.expectFresh();
    const filters = compileConditions(this.state.layout, this.state.dictionaries, where);
    let count = 0;
    for (const [index, chunk] of this.view.chunks.entries()) {
      const kept = bitsIn(this.view, index).slice();
      for (const filter of filters) filter.keep(chunk, kept);
      count += countBits(kept);
    }
    return count;
  }

  /** Counts and exact sums of the matched rows, by group. */
  totals(request: TotalsRequest): Totals[] {
    this.expectFresh();
    const { layout, dictionaries } = this.state;
    const name = JSON.stringify(request);
    const known = this.summed.get(name);
    const sums = known?.view === this.view ? known.sums : sumsOf(layout, dictionaries, this.view, request, known);
    this.summed.set(name, { view: this.view, sums });
    return totalsOf(sums, request);
  }

  /**
   * The same query as the table is now. What a few edits or rows since have left alone is neither filtered nor added up again; after a
   * seal all is. Sorts rank codes as they did: where new codes may have come, select anew.
   */
  again(): Selection {
    return new Selection(this.state, this.query, this.seals === this.state.seals ? this : undefined);
  }

  /**
   * For each of some texts of a column (whatever the case), or keys for 'key', whether a matched row has it. Throws a TextNotLoadedError
   * when a partition with matched rows has no text: load it and ask again.
   */
  among(column: string, values: readonly string[]): boolean[] {
    this.expectFresh();
    return column === 'key' ? amongKeys(this.view, values) : amongTexts(this.state.layout, this.view, column, values);
  }

  /** How often each value of a code or small column occurs among the matched rows. */
  facets(column: string): Facet[] {
    this.expectFresh();
    return facetsOf(this.state.layout, this.state.dictionaries, this.view, column);
  }

  /** The time of the row at a position of the order; NaN past its end. */
  timeAt(position: number): number {
    const { chunk, row } = this.placeAt(position);
    return chunk ? timeOf(chunk.hot.time, row) : Number.NaN;
  }

  /** Where the row at a position of the order lies in memory. */
  placeAt(position: number): Place {
    return this.placesAt(position, 1)[0] ?? { chunk: null, row: 0 };
  }

  /** Where the rows at `offset` to `offset + limit` of the order lie in memory. */
  placesAt(offset: number, limit: number): Place[] {
    this.expectFresh();
    const { chunks, slots, bases } = this.view;
    return Array.from(this.refs(offset, limit), (ref) => {
      const chunk = slots[ref >>> 16] as number;
      return { chunk: chunks[chunk] ?? null, row: ref - (bases[chunk] as number) };
    });
  }

  private refs(offset: number, limit: number): Uint32Array {
    if (this.sorters.length === 0) return this.defaultOrder().walk(offset, limit);
    const end = offset + limit;
    if (this.sorted === null && this.first.length < end) this.first = firstRefs(this.view, this.sorters, end) ?? this.first;
    const isEnough = this.sorted === null && this.first.length >= Math.min(end, this.count);
    return (isEnough ? this.first : this.sortedRefs()).subarray(offset, end);
  }

  private defaultOrder(): DefaultOrder {
    this.order ??= defaultOrderOf(this.view);
    return this.order;
  }

  private sortedRefs(): Uint32Array {
    this.sorted ??= sortRefs(this.view, this.defaultOrder().walk(0, this.count), this.sorters);
    return this.sorted;
  }

  private expectFresh(): void {
    if (this.seals !== this.state.seals) throw new StaleSelectionError();
  }
}
