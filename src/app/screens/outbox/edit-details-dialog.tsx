import { useState } from 'react';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { isOfNewerBuild } from '#replica/newer-builds.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editLine, stateWords } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { type EditField, fieldsOf, jsonOf } from './edit-fields.ts';
import { useAtEnd } from './use-edit-focus.ts';

function CopyJson({ edit }: { edit: OutboxRow }) {
  const [words, setWords] = useState('Copy as JSON');
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(jsonOf(edit));
      setWords('Copied');
    } catch {
      setWords('The browser did not allow copying');
    }
  };
  return (
    <Button onClick={() => void copy()}>
      <span aria-live="polite">{words}</span>
    </Button>
  );
}

function Fields({ title, fields }: { title: string; fields: readonly EditField[] }) {
  return (
    <section className="py-2">
      <h3 className="pb-1 text-small font-semibold text-muted">{title}</h3>
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] gap-x-3 gap-y-1 text-grid">
        {fields.map(({ label, text }) => (
          <div key={label} className="contents">
            <dt className="text-muted">{label}</dt>
            <dd className="figures break-words">
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function triedWords(attempts: number): string {
  if (attempts === 0) return 'Not yet';
  return attempts === 1 ? 'Once' : `${attempts.toLocaleString('en-US')} times`;
}

interface EditDetailsDialogProps {
  edit: OutboxRow;
  place: string | null;
  hasNetwork: boolean;
  zone: TimeZone;
  onClose: () => void;
  onGone: () => void;
}

/** Everything that is kept of an edit, as it was when this was opened. */
export function EditDetailsDialog({ edit, place, hasNetwork, zone, onClose, onGone }: EditDetailsDialogProps) {
  useAtEnd(onGone);
  const standing: EditField[] = [
    ...(place === null ? [] : [{ label: 'Belongs to', text: place }]),
    { label: 'Made', text: `${formatDate(edit.created_at, zone)} ${zone}` },
    { label: 'State', text: isOfNewerBuild(edit) ? editLine(edit, hasNetwork) : stateWords(edit.state, hasNetwork) },
    { label: 'Tried', text: triedWords(edit.attempts) },
    ...(edit.error ? [{ label: 'Last error', text: `${edit.error.detail} (${edit.error.code})` }] : []),
    { label: 'Kind', text: edit.name },
    { label: 'Id', text: edit.id },
  ];
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Details of the edit"
      actions={
        <>
          <CopyJson edit={edit} />
          <Button look="primary" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      <p className="font-medium break-words">
        <bdi>{edit.title}</bdi>
      </p>
      <Fields title="What it says" fields={fieldsOf(edit.input)} />
      <Fields title="How it stands" fields={standing} />
    </Dialog>
  );
}
