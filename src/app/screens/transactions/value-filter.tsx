import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react';
import type { GridRow } from '#workers/start.ts';
import { IconButton } from '#app/ui/button.tsx';
import { FilterIcon } from '#app/ui/icons.tsx';
import { cellFilterWords } from './cell-filter.ts';
import type { PanelLine } from './panel-lines.ts';

/** What narrows the list to a value of a row, or to all others. */
export interface ValueFilters {
  /** Whether it can be narrowed so. */
  can: (key: string, row: GridRow, not: boolean) => boolean;
  run: (key: string, row: GridRow, not: boolean) => void;
}

interface ValueFilterProps {
  row: GridRow;
  line: PanelLine;
  filters: ValueFilters;
}

// it shows where one is: at each of twenty lines it would be all one sees
const quiet =
  'size-6 opacity-0 transition-opacity duration-[120ms] group-focus-within:opacity-100 group-hover:opacity-100 data-open:opacity-100 [@media(hover:none)]:opacity-100';

/** Narrows the list to the value of a line, or to all others. */
export function ValueFilter({ row, line: { column, label, text }, filters }: ValueFilterProps) {
  const choices = [
    { not: false, word: 'Only' },
    { not: true, word: 'Not' },
  ].filter(({ not }) => column !== undefined && filters.can(column, row, not));
  // the buttons before it stay in line
  if (column === undefined || choices.length === 0) return <span aria-hidden="true" className="size-6 shrink-0" />;
  const value = cellFilterWords(column, row) ?? text;
  return (
    <Menu>
      <MenuButton as={IconButton} label={`Filter by ${label.toLowerCase()}`} className={quiet}>
        <FilterIcon />
      </MenuButton>
      <MenuItems
        modal={false}
        anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
        className="z-40 w-max max-w-[min(340px,96vw)] min-w-40 rounded bg-raised p-1 text-grid shadow-pop outline-none"
      >
        {choices.map(({ not, word }) => (
          <MenuItem key={word}>
            <button
              type="button"
              className="flex min-h-8 w-full items-center rounded-sm px-2 py-1 text-left data-focus:bg-selected"
              onClick={() => filters.run(column, row, not)}
            >
              <span className="min-w-0 truncate">
                {word} {value}
              </span>
            </button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}
