import { type KeyboardEvent, useRef, useState } from 'react';
import { nextSort, type SortStep } from '#domain/sorting.ts';
import { shortcutOf } from '#app/ui/chords.ts';
import { isFocusLost } from '#app/ui/focus.ts';
import { placeInOrder } from '#app/ui/sort-sign.tsx';
import { type ColumnLayout, resizeColumn } from './column-layout.ts';
import type { ColumnPlaces } from './column-places.ts';
import { fitWidth } from './fit-column.ts';
import { headKeys } from './grid-keys.ts';
import type { GridColumn } from './grid-column.ts';
import type { DrawnColumn, GridFrame } from './grid-frame.ts';
import { SelectBox } from './grid-row.tsx';
import { HeaderCell } from './header-cell.tsx';
import { headerChoices } from './header-menu.ts';
import { type MenuPlace, PopupMenu } from './popup-menu.tsx';
import { useHeadFocus } from './use-cell-focus.ts';
import { useHeaderDrag } from './use-header-drag.ts';

interface GridHeaderProps<Row, Field extends string> {
  /** Id of the whole grid's element. */
  gridId: string;
  columns: readonly GridColumn<Row, Field>[];
  frame: GridFrame<Row>;
  places: ColumnPlaces;
  layout: ColumnLayout;
  sort: readonly SortStep<Field>[];
  height: number;
  /** The head the keyboard is on, by its number among the shown columns. */
  at: number;
  areAllSelected: boolean;
  scrollLeft: () => number;
  onAt: (index: number) => void;
  /** Brings a head into view. */
  onReveal: (index: number) => void;
  onSort: (sort: SortStep<Field>[]) => void;
  onLayout: (layout: ColumnLayout, said: string) => void;
  onDraft: (layout: ColumnLayout | null) => void;
  onReset: () => void;
  onSelectAll: () => void;
  /** Down from the header goes into the rows. */
  onEnterRows: () => void;
}

/** Puts the focus on a head that is drawn. */
function focusHead(header: HTMLElement | null, index: number): void {
  header?.querySelector<HTMLElement>(`[aria-colindex="${index + 1}"] button`)?.focus({ preventScroll: true });
}

/** The place under a head, for its menu. */
function below(head: Element): MenuPlace {
  const box = head.getBoundingClientRect();
  return { x: box.left, y: box.bottom };
}

/** The heads of the columns. Left and right move between them. */
export function GridHeader<Row, Field extends string>(props: GridHeaderProps<Row, Field>) {
  const { columns, frame, places, layout, sort, height, at, onAt, onSort, onLayout } = props;
  const header = useRef<HTMLDivElement>(null);
  const [menu, setMenu] = useState<{ key: string; at: MenuPlace } | null>(null);
  const drag = useHeaderDrag<Row>({ places, layout, scrollLeft: props.scrollLeft, onLayout, onDraft: props.onDraft });
  useHeadFocus(header, at, props.onReveal, (index) => focusHead(header.current, index));
  const shown = [...places.pinned, ...places.free];
  const menuColumn = columns.find((column) => column.key === menu?.key);

  const fit = (key: string): void => {
    const place = shown.find((column) => column.key === key);
    const grid = document.getElementById(props.gridId);
    const width = place && grid ? fitWidth(grid, place.index, key) : null;
    if (width !== null) onLayout(resizeColumn(layout, key, width), `${key} fits`);
  };
  const openMenu = (key: string, index: number, place: MenuPlace): void => {
    onAt(index);
    setMenu({ key, at: place });
  };
  const closeMenu = (): void => {
    setMenu(null);
    // the head it was opened from may be gone: its neighbour takes the focus
    requestAnimationFrame(() => {
      if (isFocusLost()) focusHead(header.current, at);
    });
  };
  const go = (index: number): void => onAt(Math.max(0, Math.min(shown.length - 1, index)));
  const onKeyDown = (event: KeyboardEvent): void => {
    const own = columns.find((column) => column.key === shown[at]?.key);
    const head = header.current?.querySelector(`[aria-colindex="${at + 1}"]`);
    const command = shortcutOf(headKeys, event);
    if (command === undefined) return;
    const acts: Record<typeof command, () => void> = {
      next: () => go(at + 1),
      before: () => go(at - 1),
      first: () => go(0),
      last: () => go(shown.length - 1),
      rows: props.onEnterRows,
      sort: () => sortBy(own, false),
      'sort-too': () => sortBy(own, true),
      menu: () => {
        if (own && head) openMenu(own.key, at, below(head));
      },
    };
    acts[command]();
    event.preventDefault();
    event.stopPropagation();
  };
  const sortBy = (column: GridColumn<Row, Field> | undefined, adds: boolean): void => {
    if (column?.sort !== undefined) onSort(nextSort(sort, column.sort, adds));
  };
  const cell = (drawn: DrawnColumn<Row>, isFree: boolean) => {
    const column = columns.find((one) => one.key === drawn.key);
    const { step, order } = placeInOrder(sort, column?.sort);
    return (
      <HeaderCell
        key={drawn.key}
        drawn={drawn}
        isFree={isFree}
        step={step}
        order={order}
        isTabStop={drawn.index === at}
        drop={drag.drop?.key === drawn.key ? drag.drop.side : null}
        onSort={(adds) => sortBy(column, adds)}
        onFocus={() => onAt(drawn.index)}
        onMenu={(place) => openMenu(drawn.key, drawn.index, place)}
        onGrab={(event) => drag.grab(event, drawn)}
        onResize={(event) => drag.resize(event, drawn)}
        onFit={() => fit(drawn.key)}
      />
    );
  };
  return (
    <>
      <div
        ref={header}
        role="row"
        aria-rowindex={1}
        onKeyDown={onKeyDown}
        style={{ width: frame.width, height }}
        className="sticky top-0 z-20 border-b border-line-strong bg-subtle text-small font-medium text-muted"
      >
        <div
          role="presentation"
          className={`sticky left-0 z-10 flex h-full w-max bg-subtle ${frame.pinned.length > 0 ? 'shadow-[inset_-1px_0_0_var(--line-strong)]' : ''}`}
        >
          {frame.gutter > 0 ? (
            <span
              aria-hidden="true"
              title="Select all filtered rows (Ctrl+A)"
              onClick={props.onSelectAll}
              className="group flex h-full cursor-pointer items-center pl-3 print:invisible"
              style={{ width: frame.gutter }}
            >
              <SelectBox isSelected={props.areAllSelected} />
            </span>
          ) : null}
          {frame.pinned.map((drawn) => cell(drawn, false))}
        </div>
        {frame.free.map((drawn) => cell(drawn, true))}
      </div>
      {menu && menuColumn ? (
        <PopupMenu
          label={`Column ${menuColumn.label}`}
          at={menu.at}
          onClose={closeMenu}
          choices={headerChoices({
            column: menuColumn,
            layout,
            sort,
            onLayout,
            onSort,
            onFit: fit,
            onReset: props.onReset,
          })}
        />
      ) : null}
    </>
  );
}
