import { useState } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { type AuditNames, changesOf, entryWords, personWords } from '#domain/audit-words.ts';
import { formatDate } from '#domain/dates.ts';
import { DownIcon } from '#app/ui/icons.tsx';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { ChangeWords } from './change-words.tsx';
import { EntryDetails } from './entry-details.tsx';

interface EntryProps {
  entry: AuditEntry;
  names: AuditNames;
  onHistory: (() => void) | null;
}

/** Where a change was made: the client and the entity, as far as they may be named. */
function placeWords({ client_name, entity_name }: AuditEntry): string {
  return [client_name, entity_name].filter(Boolean).join(' / ') || '–';
}

interface OpenerProps {
  entry: AuditEntry;
  isOpen: boolean;
  onToggle: () => void;
}

/** What happened, as the button that opens the details. */
function Opener({ entry, isOpen, onToggle }: OpenerProps) {
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      onClick={onToggle}
      className="ring-inner flex max-w-full items-start gap-1.5 rounded-sm text-left font-medium hover:underline"
    >
      <span className={`mt-1 text-muted ${isOpen ? '' : '-rotate-90'}`}>
        <DownIcon />
      </span>
      <bdi className="min-w-0 break-words">{entryWords(entry)}</bdi>
    </button>
  );
}

const cell = 'px-2 py-1.5 align-top';

function EntryRow({ entry, names, onHistory }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const changes = changesOf(entry, names);
  return (
    <>
      <tr className={`border-b border-line hover:bg-hover ${isOpen ? 'bg-subtle' : ''}`}>
        <td className={`${cell} figures whitespace-nowrap text-soft first:pl-[inherit]`} title={entry.at}>
          {formatDate(Date.parse(entry.at), names.zone)}
        </td>
        <td className={`${cell} truncate text-soft`} title={personWords(entry)}>
          {personWords(entry)}
        </td>
        <td className={cell}>
          <Opener entry={entry} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        </td>
        <td className={`${cell} break-words text-soft`}>{placeWords(entry)}</td>
        <td className={cell}>
          <ChangeWords changes={changes} />
        </td>
      </tr>
      {isOpen ? (
        <tr className="border-b border-line bg-subtle">
          <td colSpan={5} className="px-2 pt-1 pb-3 pl-8">
            <EntryDetails {...{ entry, changes, onHistory }} />
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** An entry on a narrow screen: what and when, then who, where and what differs. */
function EntryCard({ entry, names, onHistory }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const changes = changesOf(entry, names);
  return (
    <li className={`page-inset border-b border-line py-2 text-grid ${isOpen ? 'bg-subtle' : ''}`}>
      <div className="flex items-start justify-between gap-3">
        <Opener entry={entry} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
        <span className="figures shrink-0 text-small leading-5 text-muted">{formatDate(Date.parse(entry.at), names.zone)}</span>
      </div>
      <p className="truncate pl-[18px] text-small text-muted">
        {personWords(entry)} · {placeWords(entry)}
      </p>
      <div className="pl-[18px] text-small">
        {isOpen ? <EntryDetails {...{ entry, changes, onHistory }} /> : <ChangeWords changes={changes} />}
      </div>
    </li>
  );
}

const heads: readonly { label: string; width: string }[] = [
  { label: 'When', width: 'w-[150px]' },
  { label: 'Who', width: 'w-[16%]' },
  { label: 'What', width: 'w-[24%]' },
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
          {heads.map(({ label, width }) => (
            <th key={label} scope="col" className={`${width} px-2 py-1.5 font-medium`}>
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
