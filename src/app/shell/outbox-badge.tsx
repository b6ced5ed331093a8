import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { formatDate } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import { discard, retry } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { OutboxIcon } from '#app/ui/icons.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useOutbox, useReplica } from '#app/use-replica.ts';
import { stateWords } from './outbox-words.ts';

/** States in which nobody can say yet what the server did, so that an edit cannot be taken back. */
const onTheWay: ReadonlySet<OutboxRow['state']> = new Set(['sending', 'acked']);

function Edit({ edit }: { edit: OutboxRow }) {
  const { clock, engine, notices } = useServices();
  const { outbox } = useReplica();
  const { zone } = usePreferences();
  const tryAgain = async (): Promise<void> => {
    await retry(outbox, edit.seq);
    await engine.sendNow();
  };
  const letGo = async (): Promise<void> => {
    const outcome = await discard(outbox, edit.seq, clock());
    if (outcome === 'on_its_way') notices.notice('warning', 'This change is on its way to the server just now and cannot be discarded');
  };
  const isStuck = needsPerson(edit.state);
  return (
    <li className="border-t border-line py-2.5 first:border-t-0">
      <p className="text-grid font-medium">{edit.title}</p>
      <p className={`text-grid ${isStuck ? 'text-warn' : 'text-muted'}`}>
        <span className="figures">{formatDate(edit.created_at, zone)}</span>, {stateWords(edit.state)}
      </p>
      {edit.error && isStuck ? <p className="mt-1 rounded-sm bg-warn-soft px-2 py-1 text-grid">{edit.error.detail}</p> : null}
      <div className="mt-1.5 flex gap-2">
        {isStuck ? (
          <Button size="small" onClick={() => void tryAgain().catch(() => undefined)}>
            Retry
          </Button>
        ) : null}
        <Button size="small" look="quiet" disabled={onTheWay.has(edit.state)} onClick={() => void letGo()}>
          Discard
        </Button>
      </div>
    </li>
  );
}

/** How many edits have not reached the server, and which. */
export function OutboxBadge() {
  const edits = useOutbox() ?? [];
  const stuck = edits.filter((edit) => needsPerson(edit.state)).length;
  const label =
    edits.length === 0
      ? 'Outbox, no edits wait'
      : `Outbox, ${edits.length} ${edits.length === 1 ? 'edit waits' : 'edits wait'}${stuck > 0 ? `, ${stuck} for you` : ''}`;
  return (
    <Popover>
      <PopoverButton aria-label={label} title={label} className="flex h-8 items-center gap-1.5 rounded px-2 text-soft hover:bg-hover">
        <OutboxIcon />
        {edits.length > 0 ? (
          <span
            className={`figures min-w-5 rounded-full px-1.5 text-center text-small font-semibold ${stuck > 0 ? 'bg-warn-soft text-warn' : 'bg-primary text-on-primary'}`}
          >
            {edits.length}
          </span>
        ) : null}
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label="Outbox"
        anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
        className="z-30 w-[400px] max-w-[94vw] rounded bg-raised p-4 shadow-pop"
      >
        <p className="mb-1 font-semibold">Outbox</p>
        {edits.length === 0 ? (
          <p className="text-grid text-muted">Everything you edited has reached the server.</p>
        ) : (
          <ul className="max-h-[60vh] overflow-y-auto">
            {edits.map((edit) => (
              <Edit key={edit.id} edit={edit} />
            ))}
          </ul>
        )}
      </PopoverPanel>
    </Popover>
  );
}
