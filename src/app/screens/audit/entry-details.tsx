import type { AuditEntry } from '#contract/audit.ts';
import { type AuditChange, entryWords, personWords, placeWords } from '#domain/audit-words.ts';
import { Button } from '#app/ui/button.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { SideHeads } from '#app/ui/side-heads.tsx';

const columns = [
  ['Field', 'w-[28%]'],
  ['Before', 'w-[36%]'],
  ['After', 'w-[36%]'],
] as const;
const cell = 'py-1 pr-3 align-top break-words';

interface EntryDetailsProps {
  entry: AuditEntry;
  changes: readonly AuditChange[];
  /** Narrows the trail to this row; null where it is already. */
  onHistory: (() => void) | null;
}

/** Every field of a change, before and after side by side. */
export function EntryDetails({ entry, changes, onHistory }: EntryDetailsProps) {
  const { numbers } = usePreferences();
  const nothing = <span className="text-muted">–</span>;
  return (
    <>
      {changes.length === 0 ? (
        <p className="text-muted">There is nothing more to tell.</p>
      ) : (
        <table className="figures w-full max-w-[880px] table-fixed text-grid">
          <caption className="sr-only">Fields: {entryWords(entry, numbers)}</caption>
          <SideHeads columns={columns} />
          <tbody>
            {changes.map(({ field, label, before, after }) => (
              <tr key={field} className="border-b border-line">
                <th scope="row" className={`${cell} text-left font-medium`}>
                  {label}
                </th>
                <td className={`${cell} text-soft`}>{before === null ? nothing : <bdi>{before}</bdi>}</td>
                <td className={cell}>{after === null ? nothing : <bdi>{after}</bdi>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 pt-2 text-small text-muted">
        <span className="figures break-all">
          {personWords(entry)} · {placeWords(entry)} · {entry.at} · entry {entry.id} · row {entry.row_id}
        </span>
        {onHistory ? (
          <Button look="quiet" size="small" onClick={onHistory}>
            Everything about this row
          </Button>
        ) : null}
      </div>
    </>
  );
}
