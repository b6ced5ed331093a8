import type { SortStep } from '#domain/sorting.ts';
import { type ColumnLayout, hideColumn, pinColumn, resizeColumn, shownColumns, stepColumn } from './column-layout.ts';
import type { GridColumn } from './grid-column.ts';
import type { MenuChoice } from './popup-menu.tsx';

/** Pixels a choice of the menu makes a column wider or narrower by. */
const widthStep = 24;

export interface HeaderMenuParts<Row, Field extends string> {
  column: GridColumn<Row, Field>;
  layout: ColumnLayout;
  sort: readonly SortStep<Field>[];
  /** @param said what was done, to be read out. */
  onLayout: (layout: ColumnLayout, said: string) => void;
  onSort: (sort: SortStep<Field>[]) => void;
  onFit: (key: string) => void;
  onReset: () => void;
}

function sortChoices<Row, Field extends string>({ column, sort, onSort }: HeaderMenuParts<Row, Field>): MenuChoice[] {
  const { sort: field } = column;
  if (field === undefined) return [];
  const held = sort.find((step) => step.field === field);
  const others = sort.filter((step) => step.field !== field);
  const own = (ascending: boolean): void => onSort([{ field, ascending }]);
  return [
    { key: 'asc', label: 'Sort ascending', isOn: held?.ascending === true, run: () => own(true) },
    { key: 'desc', label: 'Sort descending', isOn: held?.ascending === false, run: () => own(false) },
    { key: 'none', label: 'Not sorted', isOn: held === undefined, run: () => onSort(others) },
    ...(held === undefined && others.length > 0
      ? [{ key: 'add', label: 'Add to the order', hint: 'Shift+Enter', run: () => onSort([...sort, { field, ascending: true }]) }]
      : []),
  ];
}

/** What one can do with a column from its head. */
export function headerChoices<Row, Field extends string>(parts: HeaderMenuParts<Row, Field>): MenuChoice[] {
  const { column, layout, onLayout, onFit, onReset } = parts;
  const { key, label } = column;
  const choice = layout.find((one) => one.key === key);
  if (!choice) return [];
  const step = (by: -1 | 1): ColumnLayout => stepColumn(layout, key, by);
  const width = (by: number): void => {
    const next = resizeColumn(layout, key, choice.width + by);
    onLayout(next, `${label} is ${next.find((one) => one.key === key)?.width} pixels wide`);
  };
  return [
    ...sortChoices(parts),
    {
      key: 'pin',
      label: choice.isPinned ? 'Unpin' : 'Pin left',
      opensGroup: true,
      run: () => onLayout(pinColumn(layout, key, !choice.isPinned), `${label} ${choice.isPinned ? 'unpinned' : 'pinned'}`),
    },
    { key: 'left', label: 'Move left', stays: true, isDisabled: step(-1) === layout, run: () => onLayout(step(-1), `${label} moved left`) },
    {
      key: 'right',
      label: 'Move right',
      stays: true,
      isDisabled: step(1) === layout,
      run: () => onLayout(step(1), `${label} moved right`),
    },
    { key: 'wider', label: 'Wider', stays: true, opensGroup: true, run: () => width(widthStep) },
    { key: 'narrower', label: 'Narrower', stays: true, run: () => width(-widthStep) },
    { key: 'fit', label: 'Fit what is in view', run: () => onFit(key) },
    {
      key: 'hide',
      label: 'Hide column',
      opensGroup: true,
      isDisabled: shownColumns(layout).length < 2,
      run: () => onLayout(hideColumn(layout, key, true), `${label} hidden`),
    },
    { key: 'reset', label: 'Reset all columns', run: onReset },
  ];
}
