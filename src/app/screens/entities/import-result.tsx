import { Link } from '@tanstack/react-router';
import type { Account } from '#contract/accounts.ts';
import type { ImportAnswer } from '#contract/raw-data.ts';
import { dayIn } from '#domain/dates.ts';
import { fileTypes } from '#domain/file-names.ts';
import { saveFile } from '#app/save-file.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { failedRowsCsv, failedRowsWords } from './failed-rows.ts';

interface ImportResultProps {
  account: Account;
  answer: ImportAnswer;
  onClose: () => void;
  onAgain: () => void;
}

/** Most failed rows listed; the saved file has all that the answer names. */
const listed = 100;

function Counts({ answer }: { answer: ImportAnswer }) {
  const counts = [
    ['processed', answer.processed],
    ['ok', answer.ok],
    ['failed', answer.failed],
    ['unchanged', answer.unchanged],
  ] as const;
  return (
    <dl className="figures grid grid-cols-4 gap-2 border-y border-line py-3 max-sm:grid-cols-2">
      {counts.map(([label, count]) => (
        <div key={label} className="flex flex-col-reverse">
          <dt className="text-grid text-muted">{label}</dt>
          <dd className={`text-title font-semibold ${label === 'failed' && count > 0 ? 'text-bad' : ''}`}>
            {count.toLocaleString('en-US')}
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Failures({ answer }: { answer: ImportAnswer }) {
  const { save, fileName, missing } = failedRowsWords(answer);
  return (
    <section className="pt-3">
      <div className="mb-1 flex items-center justify-between">
        <h3 className="font-semibold">Rows that could not be read</h3>
        <Button size="small" onClick={() => saveFile(fileName, new Blob([failedRowsCsv(answer)], { type: fileTypes.csv }))}>
          {save}
        </Button>
      </div>
      {missing === null ? null : <p className="mb-2 text-grid text-soft">{missing}</p>}
      <div className="max-h-64 overflow-auto">
        <table className="w-full text-grid">
          <thead>
            <tr className="text-left text-small text-muted">
              <th className="py-1 pr-3 text-right font-medium">Row</th>
              <th className="py-1 pr-3 font-medium">Reason</th>
              <th className="py-1 font-medium">Text</th>
            </tr>
          </thead>
          <tbody>
            {answer.failures.slice(0, listed).map((failure) => (
              <tr key={`${failure.row} ${failure.reason}`} className="border-t border-line align-top">
                <td className="figures py-1 pr-3 text-right">{failure.row}</td>
                <td className="py-1 pr-3">{failure.reason}</td>
                <td className="max-w-80 truncate py-1 font-mono text-small text-muted" title={failure.text}>
                  {failure.text}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {answer.failures.length > listed ? (
          <p className="py-2 text-grid text-muted">
            {(answer.failures.length - listed).toLocaleString('en-US')} more are in the saved file
          </p>
        ) : null}
      </div>
    </section>
  );
}

/** What became of an imported file. */
export function ImportResult({ account, answer, onClose, onAgain }: ImportResultProps) {
  const { zone } = usePreferences();
  const { first_date: first, last_date: last } = answer;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="wide"
      title={`${answer.file_name} into ${account.account_name}`}
      actions={
        <>
          <Button onClick={onAgain}>Import another</Button>
          {first !== null && last !== null ? (
            <Link
              to="/transactions"
              search={{
                entity: account.entity_id,
                account: account.id,
                from: dayIn(Date.parse(first), zone),
                to: dayIn(Date.parse(last), zone),
              }}
              className="inline-flex h-9 items-center rounded bg-primary px-3.5 font-semibold text-on-primary hover:brightness-95"
            >
              Show in transactions
            </Link>
          ) : (
            <Button look="primary" onClick={onClose}>
              Done
            </Button>
          )}
        </>
      }
    >
      <Counts answer={answer} />
      {first === null ? <p className="pt-3 text-grid text-soft">Nothing changed: every good row had been imported before.</p> : null}
      {answer.warnings.map((warning) => (
        <p key={warning} className="mt-3 rounded bg-warn-soft px-3 py-2 text-grid">
          {warning}
        </p>
      ))}
      {answer.failures.length > 0 ? <Failures answer={answer} /> : null}
    </Dialog>
  );
}
