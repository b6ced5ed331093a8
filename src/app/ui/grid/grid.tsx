import { type FocusEvent, type KeyboardEvent, type PointerEvent, useId, useState } from 'react';
import { PrintedGrid } from '#app/ui/print/printed-grid.tsx';
import { rowsAtHand } from '#app/ui/print/rows-at-hand.ts';
import { usePrinted } from '#app/ui/print/use-printed.ts';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { cellAt } from './cell-at.ts';
import { boundsOf, type CellPlace, rowEdges } from './cell-range.ts';
import { cellChoices } from './cell-menu.ts';
import { cellTexts, plainOf } from './grid-column.ts';
import { onGridKey } from './grid-commands.ts';
import { GridHeader } from './grid-header.tsx';
import type { GridProps } from './grid-props.ts';
import { areTapsSelecting } from './grid-state.ts';
import { GridRows } from './grid-rows.tsx';
import { CopyProgress } from './copy-progress.tsx';
import { type MenuPlace, PopupMenu } from './popup-menu.tsx';
import { isSelected } from './row-selection.ts';
import { useGrid } from './use-grid.ts';
import { useGridPointer } from './use-grid-pointer.ts';
import { useRangeCopy } from './use-range-copy.ts';
import { useRangeDrag } from './use-range-drag.ts';

/** A list of any length as a grid: only the rows and columns in view exist. */
export function Grid<Row extends object, Field extends string>(props: GridProps<Row, Field>) {
  const { label, source, state, card, isSelectable = false, canOpen = false, isBusy = false, say } = props;
  const { active, view, viewport, places, frame, shape, focus, shown, scroller, body, ...grid } = useGrid(props);
  const id = useId();
  const [menu, setMenu] = useState<{ cell: CellPlace; key: string | undefined; at: MenuPlace } | null>(null);
  const [said, setSaid] = useState('');
  const copyColumns = card ? props.columns : shown.map(({ column }) => column);
  const { fullColumns = null } = props;
  const texts = async () => (fullColumns ? cellTexts(await fullColumns()) : grid.textOf);
  const copying = useRangeCopy({ source, state, columns: copyColumns, texts, areCards: card !== null, say });
  const startDrag = useRangeDrag({ scroller: scroller, viewport, places, headHeight: shape.headHeight, state });

  const keyAt = (index: number): string | undefined => {
    const row = source.row(index);
    return row && source.keyOf(row);
  };
  const openMenu = (cell: CellPlace, at: MenuPlace): void => setMenu({ cell, key: keyAt(cell.row), at });
  // another row may have come under it
  const isMenuOver = menu !== null && keyAt(menu.cell.row) !== menu.key;
  if (isMenuOver) setMenu(null);
  const filterOf = (cell: CellPlace, not: boolean): (() => void) | null => {
    const row = source.row(cell.row);
    const key = shown[cell.column]?.key;
    const { onCellFilter, canFilter } = props;
    if (card || !row || key === undefined || !onCellFilter || canFilter?.(key, row, not) === false) return null;
    return () => onCellFilter(key, row, not);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const isHeard = onGridKey(event, {
      state,
      source,
      viewport,
      lastColumn: grid.last,
      areCards: card !== null,
      isSelectable,
      canOpen,
      actions: props.actions ?? [],
      copy: copying.copy,
      cancelCopy: copying.cancel,
      filter: (not) => filterOf(active, not)?.(),
      openMenu: (cell) => {
        const box = cell.getBoundingClientRect();
        openMenu(active, { x: box.left + 12, y: box.bottom });
      },
    });
    if (isHeard) event.preventDefault();
  };
  const pointer = useGridPointer({
    state,
    areCards: card !== null,
    isSelectable,
    canOpen,
    isInRange: (row) => grid.range !== null && rowEdges(boundsOf(grid.range), row) !== null,
    onDraw: startDrag,
    onMenu: openMenu,
  });
  // only the cell one points at says everything it knows: a title on each would cost every row that comes into view
  const onPointerOver = (event: PointerEvent): void => {
    const cell = cellAt(event.target);
    const own = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
    const row = cell ? source.row(cell.row) : undefined;
    const key = cell ? shown[cell.column]?.key : undefined;
    if (!own || !row || card || key === undefined) return;
    const { full, shown: short } = grid.textOf(row, key);
    own.title = full ?? short;
  };
  // the focus came by other means than the keys above
  const onFocus = (event: FocusEvent): void => {
    focus.onFocus();
    const cell = cellAt(event.target);
    if (cell && (cell.row !== active.row || cell.column !== active.column) && !grid.range) state.move(cell);
  };
  const { selection, isEmpty } = grid;
  const onEmptyFocus = useLostFocus(focus.regain);
  const menuRow = menu && !isMenuOver ? source.row(menu.cell.row) : undefined;
  const menuColumn = menu ? (shown[menu.cell.column]?.column ?? props.columns[0]) : undefined;
  const areAllSelected = selection.kind === 'all' && selection.except.size === 0;
  const atHand = usePrinted(() => rowsAtHand(source, viewport.visible()));
  return (
    <>
      <div className="relative flex min-h-0 min-w-0 grow flex-col print:hidden">
        <div
          ref={scroller}
          id={id}
          role="grid"
          aria-label={label}
          aria-rowcount={source.isCounted() ? shape.count + (card ? 0 : 1) : -1}
          aria-colcount={card ? 1 : shown.length}
          aria-multiselectable={isSelectable ? true : undefined}
          aria-busy={isBusy}
          data-version={source.version()}
          tabIndex={-1}
          className="grid-scroller ring-inner relative min-h-0 grow overflow-auto overscroll-contain bg-surface"
        >
          <div style={card ? undefined : { width: frame.width }}>
            {card ? null : (
              <GridHeader
                gridId={id}
                columns={props.columns}
                frame={grid.headFrame}
                places={places}
                layout={grid.layout}
                sort={props.sort}
                height={shape.headHeight}
                at={grid.head}
                onAt={grid.setHeadAt}
                onReveal={grid.revealHead}
                areAllSelected={areAllSelected}
                onSort={props.onSort}
                scrollLeft={viewport.scrollLeft}
                onDraft={grid.setDraft}
                onLayout={(layout, words) => {
                  setSaid(words);
                  props.onLayout(layout);
                }}
                onReset={() => {
                  setSaid('All columns are as usual');
                  props.onLayout(null);
                }}
                onSelectAll={() => (areAllSelected ? state.clearSelection() : state.selectAll())}
                onEnterRows={focus.enter}
              />
            )}
            {isEmpty ? null : (
              <div
                ref={body}
                role="rowgroup"
                className="relative"
                style={{ height: view.height }}
                onFocus={onFocus}
                onBlur={focus.onBlur}
                {...{ onKeyDown, onPointerOver, ...pointer }}
              >
                <GridRows
                  source={source}
                  version={source.version()}
                  visible={viewport.visible()}
                  columns={viewport.visibleColumns()}
                  first={view.first}
                  last={Math.min(view.last, shape.count - 1)}
                  count={shape.count}
                  rowHeight={shape.rowHeight}
                  shift={view.shift}
                  active={active}
                  range={grid.range}
                  selection={selection}
                  isSelecting={areTapsSelecting(grid)}
                  isOpen={grid.isOpen}
                  frame={frame}
                  card={card}
                />
              </div>
            )}
          </div>
        </div>
        {isEmpty ? (
          <div
            onFocus={onEmptyFocus}
            className="absolute inset-x-0 overflow-y-auto"
            style={{ top: shape.headHeight, maxHeight: `calc(100% - ${shape.headHeight}px)` }}
          >
            {props.empty}
          </div>
        ) : null}
        <CopyProgress progress={copying.progress} onCancel={copying.cancel} />
        <OrderSaid columns={props.columns} sort={props.sort} />
        <span aria-live="polite" className="sr-only">
          {said}
        </span>
        {menu && menuRow && menuColumn ? (
          <PopupMenu
            label="Cell"
            at={menu.at}
            onClose={() => setMenu(null)}
            choices={cellChoices({
              value: props.filterWords?.(menuColumn.key, menuRow) ?? plainOf(grid.textOf(menuRow, menuColumn.key)),
              onOnly: filterOf(menu.cell, false),
              onNot: filterOf(menu.cell, true),
              onCopyValue: card ? null : () => copying.copyCell(menuRow, menuColumn),
              onCopyRow: () => copying.copyRow(menuRow),
              more: props.cellActions?.(menuColumn.key, menuRow) ?? [],
              isSelected: isSelected(selection, source.keyOf(menuRow)),
              onSelect: isSelectable ? () => state.toggle(menu.cell.row) : null,
              onOpen: canOpen
                ? () => {
                    state.move(menu.cell);
                    state.open();
                  }
                : null,
            })}
          />
        ) : null}
      </div>
      {atHand ? <PrintedGrid {...props} atHand={atHand} /> : null}
    </>
  );
}
