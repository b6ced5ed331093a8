import type { KeyboardEvent } from 'react';
import type { GridSource } from './grid-source.ts';
import type { GridState } from './grid-state.ts';
import { chordOf } from '#app/ui/chords.ts';
import { commandOf, type GridCommand, type RowAction } from './grid-keys.ts';
import type { GridViewport } from './grid-viewport.ts';

/** What keys work on. */
export interface CommandParts<Row> {
  state: GridState<Row>;
  source: GridSource<Row>;
  viewport: GridViewport;
  /** Number of the last shown column. */
  lastColumn: number;
  areCards: boolean;
  isSelectable: boolean;
  canOpen: boolean;
  actions: readonly RowAction[];
  copy: () => void;
  /** @returns whether a copy was under way. */
  cancelCopy: () => boolean;
  /** Only this value, or not. */
  filter: (not: boolean) => void;
  openMenu: (cell: Element) => void;
}

/** What marks a link in a cell that Enter does not work: it opens the row all the same. */
export const asideMark = 'data-aside';

/** The link or button of a cell, which Enter works. */
function controlIn(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.querySelector<HTMLElement>(`a[href]:not([${asideMark}]), button`) : null;
}

function leave<Row>({ state, cancelCopy }: CommandParts<Row>): void {
  const { range, isOpen } = state.snapshot();
  if (cancelCopy()) return;
  if (range) state.clearRange();
  else if (isOpen) state.close();
  else state.clearSelection();
}

/** Selects a row more, or where cells were drawn over, a line of cells more. */
function extendBy<Row>({ state, areCards }: CommandParts<Row>, by: number): void {
  const { range, active } = state.snapshot();
  const row = active.row + by;
  if (range && !areCards) {
    state.drawTo({ row, column: active.column });
    return;
  }
  state.extend(row);
  state.move({ row });
}

function drawBy<Row>({ state, lastColumn }: CommandParts<Row>, by: number): void {
  const { active } = state.snapshot();
  state.drawTo({ row: active.row, column: Math.max(0, Math.min(lastColumn, active.column + by)) });
}

const selecting: ReadonlySet<GridCommand> = new Set(['toggle', 'extend', 'select-all']);

function run<Row>(command: GridCommand, target: EventTarget, parts: CommandParts<Row>): void {
  const { state, source, viewport, lastColumn, areCards } = parts;
  const { row, column } = state.snapshot().active;
  const last = (source.count() ?? 0) - 1;
  const toColumn = (next: number): void => state.move({ column: Math.max(0, Math.min(lastColumn, next)) });
  const acts: Record<GridCommand, () => void> = {
    'row-down': () => state.move({ row: row + 1 }),
    'row-up': () => state.move({ row: row - 1 }),
    'cell-left': () => toColumn(column - 1),
    'cell-right': () => toColumn(column + 1),
    'page-down': () => state.move({ row: row + viewport.pageRows() }),
    'page-up': () => state.move({ row: row - viewport.pageRows() }),
    'row-start': () => (areCards ? state.move({ row: 0 }) : toColumn(0)),
    'row-end': () => (areCards ? state.move({ row: last }) : toColumn(lastColumn)),
    'list-start': () => state.move({ row: 0 }),
    'list-end': () => state.move({ row: last }),
    toggle: () => state.toggle(row),
    extend: () => state.extend(row),
    'extend-down': () => extendBy(parts, 1),
    'extend-up': () => extendBy(parts, -1),
    'draw-left': () => drawBy(parts, -1),
    'draw-right': () => drawBy(parts, 1),
    'select-all': () => state.selectAll(),
    copy: parts.copy,
    open: () => {
      const control = controlIn(target);
      if (control) control.click();
      else if (parts.canOpen) state.open();
    },
    menu: () => {
      if (target instanceof Element) parts.openMenu(target);
    },
    only: () => parts.filter(false),
    not: () => parts.filter(true),
    leave: () => leave(parts),
  };
  acts[command]();
}

/** The keys of the rows. @returns whether the key meant something here. */
export function onGridKey<Row>(event: KeyboardEvent, parts: CommandParts<Row>): boolean {
  const action = parts.actions.find(({ key }) => key === chordOf(event));
  if (action) {
    // the next row may be under the keyboard by now, and nobody has looked at it
    if (!event.repeat) action.run();
    return true;
  }
  const command = commandOf(event);
  if (!command || (!parts.isSelectable && selecting.has(command))) return false;
  // without rows to select the keys that select more of them move
  if (!parts.isSelectable && (command === 'extend-down' || command === 'extend-up')) {
    run(command === 'extend-down' ? 'row-down' : 'row-up', event.target, parts);
    return true;
  }
  run(command, event.target, parts);
  return true;
}
