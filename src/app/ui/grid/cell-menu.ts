import type { MenuChoice } from './popup-menu.tsx';

interface CellMenuParts {
  /** The cell's value as it is shown; empty where it has none. */
  value: string;
  /** Null where the list cannot be narrowed so. */
  onOnly: (() => void) | null;
  onNot: (() => void) | null;
  /** Null where a row is one cell. */
  onCopyValue: (() => void) | null;
  onCopyRow: () => void;
  isSelected: boolean;
  /** Null where rows are not selected. */
  onSelect: (() => void) | null;
  /** Null where rows do not open. */
  onOpen: (() => void) | null;
  /** What else can be done with this cell. */
  more?: readonly MenuChoice[];
}

/** Long values are cut in the menu; the filter takes them whole. */
const longest = 32;

/** What one can do with a cell. */
export function cellChoices({
  value,
  onOnly,
  onNot,
  onCopyValue,
  onCopyRow,
  isSelected,
  onSelect,
  onOpen,
  more = [],
}: CellMenuParts): MenuChoice[] {
  const shown = value === '' ? 'nothing here' : value.length > longest ? `${value.slice(0, longest)}...` : value;
  return [
    ...(onOnly ? [{ key: 'only', label: `Only ${shown}`, hint: 'F', run: onOnly }] : []),
    ...(onNot ? [{ key: 'not', label: `Not ${shown}`, hint: 'Shift+F', run: onNot }] : []),
    ...(onCopyValue
      ? [{ key: 'value', label: 'Copy value', hint: 'Ctrl+C', opensGroup: onOnly !== null || onNot !== null, run: onCopyValue }]
      : []),
    { key: 'row', label: 'Copy row', run: onCopyRow },
    ...(onSelect
      ? [{ key: 'select', label: isSelected ? 'Let go of row' : 'Select row', hint: 'Space', opensGroup: true, run: onSelect }]
      : []),
    ...(onOpen ? [{ key: 'open', label: 'Open', hint: 'Enter', opensGroup: onSelect === null, run: onOpen }] : []),
    ...more,
  ];
}
