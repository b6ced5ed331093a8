import { Link } from '@tanstack/react-router';
import { needsPerson } from '#replica/mutation-states.ts';
import { OutboxIcon } from '#app/ui/icons.tsx';
import { useOutbox } from '#app/outbox-edits.tsx';
import { outboxLabel } from './outbox-words.ts';
import { useIconBadge } from './use-icon-badge.ts';

/** How many edits have not settled, as the outbox lists them: what the server has accepted is among them until it is read back. */
export function OutboxBadge() {
  const found = useOutbox();
  const edits = found ?? [];
  useIconBadge(found?.length);
  const isStuck = edits.some((edit) => needsPerson(edit.state));
  const label = outboxLabel(found);
  return (
    <Link to="/outbox" aria-label={label} title={label} className="flex h-8 items-center gap-1.5 rounded px-2 text-soft hover:bg-hover">
      <OutboxIcon />
      {edits.length > 0 ? (
        <span
          className={`figures min-w-5 rounded-full px-1.5 text-center text-small font-semibold ${isStuck ? 'bg-warn-soft text-warn' : 'bg-primary text-on-primary'}`}
        >
          {edits.length.toLocaleString('en-US')}
        </span>
      ) : null}
    </Link>
  );
}
