import type { CellPlace, CellRange } from './cell-range.ts';
import type { GridSource } from './grid-source.ts';
import { namedRows, noSelection, type RowSelection, selectionOf, toggled, withRows, without } from './row-selection.ts';
import { anchorAt, anchoredIndex, type Place, type RowAnchor } from './row-anchor.ts';
import { rowsBetween } from './rows-between.ts';
import { createListeners } from '#app/listeners.ts';

/** Most rows one selection holds by name; more are selected as all, or summed by the filter. */
export const mostSelected = 5_000;

export interface GridSnapshot<Row> {
  /** The cell the keyboard is on. */
  active: CellPlace;
  /** Cells to copy; null where none were drawn over. */
  range: CellRange | null;
  selection: RowSelection<Row>;
  /** Somebody began to select rows: a tap selects one instead of opening it. */
  isSelecting: boolean;
  /** The active row is open beside the grid. */
  isOpen: boolean;
  /** How often the active cell went along with its row: nobody moved it, and nothing is to be brought into view for that. */
  follows: number;
}

/** Where one is in a grid, and what is selected there. Every part of the screen that needs it follows the same one. */
export interface GridState<Row> {
  snapshot: () => GridSnapshot<Row>;
  subscribe: (onChange: () => void) => () => void;
  /** Goes to a cell. What was drawn over is let go. */
  move: (to: Partial<CellPlace>) => void;
  /** Draws the range of cells from where it began, or from the active cell, to here. */
  drawTo: (to: CellPlace) => void;
  drawFrom: (from: CellPlace) => void;
  clearRange: () => void;
  toggle: (index: number) => void;
  /** Selects every row between the last one that was chosen and this one. */
  extend: (index: number) => void;
  /** From now on taps select. */
  startSelecting: () => void;
  selectAll: () => void;
  /** Lets go of every row, and of selecting them. */
  clearSelection: () => void;
  /** Lets go of some rows, and of selecting where none are left; of all there are it lets go of every row. */
  unselect: (keys: ReadonlySet<string>) => void;
  open: () => void;
  close: () => void;
  /** Another list is shown: its top, nothing selected. */
  restart: () => void;
  /** The rows changed: one stays on the row one was on, and what is selected is as it is now. To be called with every change of the same list. */
  follow: () => void;
}

/** Whether a tap selects a row rather than opens it: so one began, or has selected some. */
export function areTapsSelecting({ isSelecting, selection }: Pick<GridSnapshot<unknown>, 'isSelecting' | 'selection'>): boolean {
  return isSelecting || selection.kind !== 'none';
}

export interface StatePorts<Row> {
  source: GridSource<Row>;
  /** A range of more rows was asked for than a selection holds. */
  onTooMany: () => void;
  /** Waits for so many milliseconds. */
  pause: (ms: number) => Promise<void>;
}

/** Shortest rest between two readings of what is selected, in milliseconds; and how much longer it is than the reading took. */
const refreshRest = { ms: 500, times: 4 };

/** Keeps one grid's place and selection. */
export function createGridState<Row>({ source, onTooMany, pause }: StatePorts<Row>): GridState<Row> {
  const listeners = createListeners();
  const place = (row: number): Place => ({ row, keys: anchorAt(source, row) });
  let current: GridSnapshot<Row> = {
    active: { row: 0, column: 0 },
    range: null,
    selection: noSelection,
    isSelecting: false,
    isOpen: false,
    follows: 0,
  };
  let held: RowAnchor = anchorAt(source, 0);
  /** Where a range of rows began, and where one of cells did. */
  let anchor = place(0);
  let drawn: Place | null = null;
  let asked = 0;
  /** The choice whose rows are on their way; null where none is. */
  let reading: number | null = null;
  /** As of which revision of the list all rows of the selection are; null where some may be older. */
  let readAt: number | null = null;
  let isRefreshing = false;
  const set = (change: Partial<GridSnapshot<Row>>): void => {
    current = { ...current, ...change };
    if (change.active) held = anchorAt(source, current.active.row);
    const from = current.range?.from.row;
    if (from === undefined) drawn = null;
    else if (drawn?.row !== from) drawn = place(from);
    if (change.selection) readAt = null;
    listeners.tell();
  };
  /** Where a place is by now: with its row, or, where that is not here, as far on as the row one is on. */
  const along = ({ row, keys }: Place, by: number): Place => {
    const found = keys.at === null ? null : anchoredIndex(source, row, keys);
    return found === null ? { row: Math.max(0, row + by), keys } : place(found);
  };
  const within = (index: number): number => Math.max(0, Math.min((source.count() ?? 1) - 1, index));

  /** Reads what is selected anew, as often as the list changed since it was read, and with a rest between: the list may change all the time. */
  const refresh = async (): Promise<void> => {
    if (isRefreshing) return;
    isRefreshing = true;
    try {
      for (;;) {
        const revision = source.revision();
        const keys = new Set(namedRows(current.selection).keys());
        if (keys.size === 0 || readAt === revision) return;
        const before = current.selection;
        const began = performance.now();
        const found = await source.pick(keys);
        if (found !== null) {
          const next = withRows(current.selection, { asked: keys, found }, source);
          const isWhole = current.selection === before;
          if (next !== current.selection) set({ selection: next });
          // what was selected meanwhile was not asked for
          if (isWhole) readAt = revision;
        }
        await pause(Math.max(refreshRest.ms, refreshRest.times * (performance.now() - began)));
        if (found === null) return;
      }
    } finally {
      isRefreshing = false;
    }
  };
  // a worker that is being closed answers no more
  const keepFresh = (): void => void refresh().catch(() => undefined);

  /** Selects all rows between two places, both included. */
  const select = async (top: Place, bottom: Place): Promise<void> => {
    asked += 1;
    const own = asked;
    const count = bottom.row - top.row + 1;
    const choose = (rows: readonly Row[]): void => {
      // a later choice has taken this one's place
      if (own !== asked) return;
      set({ selection: selectionOf(new Map(rows.map((row) => [source.keyOf(row), row]))) });
      // out of sight they may be as they were a while ago
      keepFresh();
    };
    const here = Array.from({ length: count }, (_, at) => source.rowNow(top.row + at));
    if (here.every((row) => row !== undefined)) {
      choose(here);
      return;
    }
    reading = own;
    try {
      choose(await rowsBetween(source, top, bottom));
    } finally {
      if (reading === own) reading = null;
    }
  };

  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    move: ({ row = current.active.row, column = current.active.column }) => {
      const next = { row: within(row), column: Math.max(0, column) };
      if (next.row === current.active.row && next.column === current.active.column && current.range === null) return;
      set({ active: next, range: null });
    },
    drawTo: (to) => {
      const next = { row: within(to.row), column: Math.max(0, to.column) };
      set({ active: next, range: { from: current.range?.from ?? current.active, to: next } });
    },
    drawFrom: (from) => set({ active: from, range: { from, to: from } }),
    clearRange: () => set({ range: null }),
    toggle: (index) => {
      const row = source.row(index);
      if (!row) return;
      asked += 1;
      anchor = place(index);
      set({ selection: toggled(current.selection, source.keyOf(row), row) });
    },
    extend: (index) => {
      // where nothing is selected yet the range begins at the row one is on
      if (current.selection.kind !== 'some' && reading !== asked) anchor = place(current.active.row);
      const to = place(within(index));
      const [top, bottom] = to.row < anchor.row ? [to, anchor] : [anchor, to];
      if (bottom.row - top.row >= mostSelected) onTooMany();
      else select(top, bottom).catch(() => undefined);
    },
    startSelecting: () => set({ isSelecting: true, isOpen: false }),
    selectAll: () => {
      asked += 1;
      set({ selection: (source.count() ?? 0) > 0 ? { kind: 'all', except: new Map() } : noSelection, range: null });
    },
    clearSelection: () => {
      asked += 1;
      set({ selection: noSelection, isSelecting: false });
    },
    unselect: (keys) => {
      asked += 1;
      const selection = without(current.selection, keys);
      set({ selection, isSelecting: current.isSelecting && selection.kind !== 'none' });
    },
    open: () => set({ isOpen: true }),
    close: () => set({ isOpen: false }),
    restart: () => {
      asked += 1;
      anchor = place(0);
      // the column stays: one goes on where one was
      const active = { row: 0, column: current.active.column };
      set({ active, range: null, selection: noSelection, isSelecting: false });
    },
    follow: () => {
      const { active, range, follows } = current;
      keepFresh();
      const found = anchoredIndex(source, active.row, held);
      if (found === null) return;
      // where the last row left one is on the one before it
      const row = (source.count() ?? 0) > 0 ? within(found) : found;
      const by = row - active.row;
      anchor = along(anchor, by);
      drawn = drawn && along(drawn, by);
      const from = drawn?.row ?? row;
      if (by === 0 && (range === null || range.from.row === from)) {
        held = anchorAt(source, row);
        return;
      }
      const moved = range && { from: { ...range.from, row: from }, to: { ...range.to, row } };
      set({ active: { ...active, row }, range: moved, follows: follows + (by === 0 ? 0 : 1) });
    },
  };
}
