import { useRef, useSyncExternalStore } from 'react';
import { Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react';
import { countWords } from '#domain/count-words.ts';
import type { FileFormat } from '#domain/file-names.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { DownIcon } from '#app/ui/icons.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { useRunningExport } from '#app/use-exports.ts';
import { mostPrinted } from '#app/ui/print/rows-at-hand.ts';
import type { usePrintList } from './print/use-print-list.ts';
import { countOf, type QuerySource } from './query-source.ts';

interface ExportMenuProps {
  /** False while it is not known yet what is asked: what is shown is another list still. */
  isAsked: boolean;
  /** Its answer. */
  source: QuerySource;
  onExport: (format: FileFormat) => void;
  printing: Pick<ReturnType<typeof usePrintList>, 'progress' | 'print' | 'cancel'>;
}

const formats: readonly { format: FileFormat; label: string; hint: string }[] = [
  { format: 'csv', label: 'CSV', hint: 'Rows and totals as plain text, for any program' },
  { format: 'xlsx', label: 'XLSX', hint: 'Workbook with totals per asset and what the filter was' },
];

function rowsText(count: number): string {
  return countWords(count, 'row');
}

/** Apart from the menu, which is drawn again only where there are rows and were none. */
function RowsOf({ source }: { source: QuerySource }) {
  const count = useSyncExternalStore(source.subscribe, () => countOf(source.answer()));
  return count === null ? null : ` ${rowsText(count)}`;
}

interface ProgressProps {
  /** What is done: `Exporting`. */
  words: string;
  /** What it is done to, and what its way out does. */
  label: string;
  cancelLabel: string;
  title?: string;
  done: number;
  all: number;
  onCancel: () => void;
}

/** How far the file or the paper is, and a way out. */
function Progress({ words, label, cancelLabel, title, done, all, onCancel }: ProgressProps) {
  const percent = all === 0 ? 0 : Math.floor((done / all) * 100);
  return (
    <div className="flex h-7 items-center gap-2 text-grid text-soft">
      <span className="figures whitespace-nowrap">
        {words} {percent}%
      </span>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
        aria-valuetext={`${done.toLocaleString('en-US')} of ${rowsText(all)}`}
        title={title}
        className="h-1.5 w-20 overflow-hidden rounded bg-hover"
      >
        <svg aria-hidden="true" viewBox="0 0 100 1" preserveAspectRatio="none" className="block size-full">
          <rect width={percent} height="1" className="fill-primary" />
        </svg>
      </div>
      <Button size="small" look="quiet" aria-label={cancelLabel} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  );
}

/** A choice of the menu with what it gives. */
function Choice({ label, hint, onChoose }: { label: string; hint: string; onChoose: () => void }) {
  return (
    <MenuItem>
      <button type="button" className="flex w-full flex-col rounded-sm px-2 py-1.5 text-left data-focus:bg-selected" onClick={onChoose}>
        <span className="text-grid font-medium">{label}</span>
        <span className="text-small text-muted">{hint}</span>
      </button>
    </MenuItem>
  );
}

/** Saves all rows of the list as a file, or prints them: what the filter shows, in its order, with the columns shown. */
export function ExportMenu({ isAsked, source, onExport, printing }: ExportMenuProps) {
  const { exports } = useServices();
  const running = useRunningExport();
  const box = useRef<HTMLDivElement>(null);
  // the menu makes room for the progress, and the other way round
  const onFocus = useLostFocus(() => box.current?.querySelector('button')?.focus());
  const hasRows = useSyncExternalStore(source.subscribe, () => isAsked && (countOf(source.answer()) ?? 0) > 0);
  const { progress } = printing;
  return (
    <div ref={box} onFocus={onFocus} className="flex shrink-0 items-center">
      <span role="status" className="sr-only">
        {running ? `Export to ${running.name} started` : progress ? 'Reading the rows to print' : ''}
      </span>
      {running ? (
        <Progress
          words="Exporting"
          label={`Export to ${running.name}`}
          cancelLabel="Cancel the export"
          title={running.name}
          done={running.done}
          all={running.all}
          onCancel={exports.cancel}
        />
      ) : progress ? (
        <Progress words="Reading" label="Rows to print" cancelLabel="Cancel printing" {...progress} onCancel={printing.cancel} />
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
              <Choice key={format} label={label} hint={hint} onChoose={() => onExport(format)} />
            ))}
            <Choice
              label="Print"
              hint={`Rows, totals and what the filter was on paper, at most ${mostPrinted.toLocaleString('en-US')} rows`}
              onChoose={printing.print}
            />
          </MenuItems>
        </Menu>
      )}
    </div>
  );
}
