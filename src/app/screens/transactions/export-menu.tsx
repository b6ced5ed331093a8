import { useRef, useSyncExternalStore } from 'react';
import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react';
import { countWords } from '#domain/count-words.ts';
import { columnsOfKeys } from '#domain/file-cells.ts';
import { type FileFormat, transactionsFileName } from '#domain/file-names.ts';
import type { GridQuery } from '#workers/start.ts';
import type { RunningExport } from '#app/export-store.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { DownIcon } from '#app/ui/icons.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { useRunningExport } from '#app/use-exports.ts';
import type { QueryAnswer, QuerySource } from './query-source.ts';

interface ExportMenuProps {
  /** Null while it is not known yet: what is shown is another list still. */
  query: GridQuery | null;
  /** Its answer. */
  source: QuerySource;
  /** Keys of the columns shown, in their order. */
  columns: readonly string[];
  /** Whose transactions they are. */
  place: string;
}

const formats: readonly { format: FileFormat; label: string; hint: string }[] = [
  { format: 'csv', label: 'CSV', hint: 'Rows and totals as plain text, for any program' },
  { format: 'xlsx', label: 'XLSX', hint: 'Workbook with totals per asset and what the filter was' },
];

function rowsText(count: number): string {
  return countWords(count, 'row');
}

/** How many rows the query that was asked last has; null while that is not known. */
function countOf({ key, asked, result }: QueryAnswer): number | null {
  return key === asked ? (result?.count ?? null) : null;
}

/** Apart from the menu, which is drawn again only where there are rows and were none. */
function RowsOf({ source }: { source: QuerySource }) {
  const count = useSyncExternalStore(source.subscribe, () => countOf(source.answer()));
  return count === null ? null : ` ${rowsText(count)}`;
}

/** How far the file is, and a way out. */
function Progress({ running, onCancel }: { running: RunningExport; onCancel: () => void }) {
  const percent = running.all === 0 ? 0 : Math.floor((running.done / running.all) * 100);
  return (
    <div className="flex h-7 items-center gap-2 text-grid text-soft">
      <span className="figures whitespace-nowrap">Exporting {percent}%</span>
      <div
        role="progressbar"
        aria-label={`Export to ${running.name}`}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${running.done.toLocaleString('en-US')} of ${rowsText(running.all)}`}
        title={running.name}
        className="h-1.5 w-20 overflow-hidden rounded bg-hover"
      >
        <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
          <rect width={percent} height="1" className="fill-primary" />
        </svg>
      </div>
      <Button size="small" look="quiet" aria-label="Cancel the export" onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** Saves all rows of the list as a file: what the filter shows, in its order, with the columns shown. */
export function ExportMenu({ query, source, columns, place }: ExportMenuProps) {
  const { exports } = useServices();
  const running = useRunningExport();
  const box = useRef<HTMLDivElement>(null);
  // the menu makes room for the progress, and the other way round
  const onFocus = useLostFocus(() => box.current?.querySelector('button')?.focus());
  const hasRows = useSyncExternalStore(source.subscribe, () => query !== null && (countOf(source.answer()) ?? 0) > 0);
  const start = (format: FileFormat): void => {
    if (!query) return;
    const keys = columnsOfKeys(columns).map(({ key }) => key);
    void exports.start({ query, format, columns: keys }, transactionsFileName(place, query.filter, format));
  };
  return (
    <div ref={box} onFocus={onFocus} className="flex shrink-0 items-center">
      <span role="status" className="sr-only">
        {running ? `Export to ${running.name} started` : ''}
      </span>
      {running ? (
        <Progress running={running} onCancel={exports.cancel} />
      ) : (
        <Menu>
          <MenuButton as={Button} size="small" disabled={!hasRows} className="figures">
            Export
            <RowsOf source={source} />
            <DownIcon />
          </MenuButton>
          <MenuItems
            modal={false}
            anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
            className="z-30 w-72 max-w-[96vw] rounded bg-raised p-1 shadow-pop outline-none"
          >
            {formats.map(({ format, label, hint }) => (
              <MenuItem key={format}>
                <button
                  type="button"
                  className="flex w-full flex-col rounded-sm px-2 py-1.5 text-left data-focus:bg-selected"
                  onClick={() => start(format)}
                >
                  <span className="text-grid font-medium">{label}</span>
                  <span className="text-small text-muted">{hint}</span>
                </button>
              </MenuItem>
            ))}
          </MenuItems>
        </Menu>
      )}
    </div>
  );
}
