import { useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { type AuditNames, changesOf, entryWords, personWords, placeWords } from '#domain/audit-words.ts';
import { formatDate } from '#domain/dates.ts';
import { DownIcon } from '#app/ui/icons.tsx';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { ChangeWords } from './change-words.tsx';
import { EntryDetails } from './entry-details.tsx';

interface EntryProps {
  entry: AuditEntry;
  names: AuditNames;
  onHistory: (() => void) | null;
}

interface OpenerProps {
  entry: AuditEntry;
  isOpen: boolean;
  onToggle: () => void;
}

/** What happened, as the button that opens the details. */
function Opener({ entry, isOpen, onToggle }: OpenerProps) {
  const { numbers } = usePreferences();
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="ring-inner flex max-w-full min-w-0 items-start gap-1.5 rounded-sm text-left font-medium hover:underline"
    >
      <span className={`mt-1 text-muted ${isOpen ? '' : '-rotate-90'}`}>
        <DownIcon />
      </span>
      <bdi className={`min-w-0 break-words ${isOpen ? '' : 'max-sm:truncate'}`}>{entryWords(entry, numbers)}</bdi>
    </button>
  );
}

const cell = 'px-2 py-1.5 align-top';
// the first and the last stand where the page's own stays are
const firstCell = 'page-inset py-1.5 pr-2! align-top';
const lastCell = 'page-inset py-1.5 pl-2! align-top';

function EntryRow({ entry, names, onHistory }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { numbers } = usePreferences();
  const changes = changesOf(entry, { ...names, numbers });
  return (
    <>
      <tr className={`border-b border-line hover:bg-hover ${isOpen ? 'bg-subtle' : ''}`}>
        <td className={`${firstCell} figures whitespace-nowrap text-soft`} title={entry.at}>
          {formatDate(Date.parse(entry.at), names.zone)}
        </td>
        <td className={`${cell} truncate text-soft`} title={personWords(entry)}>
          {personWords(entry)}
        </td>
        <td className={cell}>
          <Opener entry={entry} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </td>
        <td className={`${cell} truncate text-soft`} title={placeWords(entry)}>
          {placeWords(entry)}
        </td>
        <td className={lastCell}>
          <ChangeWords changes={changes} />
        </td>
      </tr>
      {isOpen ? (
        <tr className="border-b border-line bg-subtle">
          <td colSpan={5} className="page-inset pt-1 pb-3">
            <EntryDetails {...{ entry, changes, onHistory }} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** An entry on a narrow screen: what and when, then what differs, by whom and where. */
function EntryCard({ entry, names, onHistory }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { numbers } = usePreferences();
  const changes = changesOf(entry, { ...names, numbers });
  return (
    <li className={`page-inset border-b border-line py-2 text-grid ${isOpen ? 'bg-subtle' : ''}`}>
      <div className="flex items-start justify-between gap-3">
        <Opener entry={entry} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        <span className="figures shrink-0 text-small leading-5 text-muted">{formatDate(Date.parse(entry.at), names.zone)}</span>
      </div>
      {isOpen ? (
        <div className="pt-1 pl-[18px]">
          <EntryDetails {...{ entry, changes, onHistory }} />
        </div>
      ) : (
        <p className="relative truncate pl-[18px] text-small text-muted">
          <ChangeWords changes={changes} /> · {personWords(entry)} · {placeWords(entry)}
        </p>
      )}
    </li>
  );
}

const heads: readonly { label: string; width: string }[] = [
  { label: 'When', width: 'w-[164px]' },
  { label: 'Who', width: 'w-[15%]' },
  { label: 'What', width: 'w-[26%]' },
  { label: 'Where', width: 'w-[20%]' },
  { label: 'Before → After', width: '' },
];

interface AuditEntriesProps {
  entries: readonly AuditEntry[];
  names: AuditNames;
  /** Narrows the trail to the row of an entry. */
  onHistory: (entry: AuditEntry) => void;
  /** The row it is narrowed to. */
  row: string | undefined;
}

/** The entries, newest first: a table, on a narrow screen a list with the same words. */
export function AuditEntries({ entries, names, onHistory, row }: AuditEntriesProps) {
  const isNarrow = useIsNarrow();
  const propsOf = (entry: AuditEntry): EntryProps => ({ entry, names, onHistory: row === undefined ? () => onHistory(entry) : null });
  if (isNarrow)
    return (
      <ul aria-label="Changes">
        {entries.map((entry) => (
          <EntryCard key={entry.id} {...propsOf(entry)} />
        ))}
      </ul>
    );
  return (
    <table aria-label="Changes" className="w-full table-fixed text-grid">
      <thead className="sticky top-0 z-10 bg-surface">
        <tr className="text-left text-small text-muted shadow-[inset_0_-1px_0_var(--line-strong)]">
          {heads.map(({ label, width }, index) => (
            <th
              key={label}
              scope="col"
              className={`${width} ${index === 0 ? firstCell : index === heads.length - 1 ? lastCell : cell} font-medium`}
            >
              {label === 'When' ? `When (${names.zone})` : label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <EntryRow key={entry.id} {...propsOf(entry)} />
        ))}
      </tbody>
    </table>
  );
}
