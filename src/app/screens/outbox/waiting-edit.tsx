import { useId } from 'react';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { isRetriable, needsPerson } from '#replica/mutation-states.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { attemptWords, noDiscardWords, stateLine } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { StateSign } from './state-sign.tsx';
import { editMark, stopMark } from './use-edit-focus.ts';

interface EditActions {
  onTryAgain: () => void;
  onSendNow: () => void;
  onDiscard: () => void;
  onDetails: () => void;
}

interface WaitingEditProps extends EditActions {
  edit: OutboxRow;
  /** The edit of the same row that goes first. */
  ahead: OutboxRow | undefined;
  place: string | null;
  hasNetwork: boolean;
  zone: TimeZone;
  /** UTC milliseconds. */
  now: number;
}

function Standing({ edit, ahead, hasNetwork, zone, now }: Pick<WaitingEditProps, 'edit' | 'ahead' | 'hasNetwork' | 'zone' | 'now'>) {
  const attempts = attemptWords(edit, now, zone);
  return (
    <div className="min-w-0 text-grid">
      <StateSign state={edit.state}>{stateLine(edit.state, edit.error?.detail ?? null, hasNetwork)}</StateSign>
      <div className="pl-[22px] text-muted">
        {ahead ? (
          <p className="break-words">
            Waits for the edit above: <bdi>{ahead.title}</bdi>
          </p>
        ) : null}
        {attempts ? <p className="figures first-letter:uppercase">{attempts}</p> : null}
      </div>
    </div>
  );
}

function Actions({ edit, canSend, onTryAgain, onSendNow, onDiscard, onDetails }: EditActions & { edit: OutboxRow; canSend: boolean }) {
  const reasonId = useId();
  const noDiscard = noDiscardWords(edit.state);
  return (
    <div className="flex flex-col gap-1 lg:items-end">
      <div className="flex flex-wrap gap-2 lg:justify-end">
        {isRetriable(edit.state) ? (
          <Button size="small" aria-label={`Try again: ${edit.title}`} onClick={onTryAgain}>
            Try again
          </Button>
        ) : null}
        {canSend ? (
          <Button size="small" aria-label={`Send now: ${edit.title}`} onClick={onSendNow}>
            Send now
          </Button>
        ) : null}
        <Button size="small" look="quiet" aria-label={`Show details: ${edit.title}`} onClick={onDetails} {...{ [stopMark]: '' }}>
          Show details
        </Button>
        {/* a disabled button would drop the keyboard that is on it */}
        <Button
          size="small"
          look="quiet"
          aria-label={`Discard: ${edit.title}`}
          aria-disabled={noDiscard !== null || undefined}
          aria-describedby={noDiscard === null ? undefined : reasonId}
          className={noDiscard === null ? '' : 'cursor-not-allowed! opacity-55'}
          onClick={noDiscard === null ? onDiscard : undefined}
        >
          Discard
        </Button>
      </div>
      {noDiscard === null ? null : (
        <p id={reasonId} className="text-small text-muted">
          {noDiscard}
        </p>
      )}
    </div>
  );
}

/** An edit that has not settled: what it is, how it stands, and what one can do about it. On a narrow screen one below the other. */
export function WaitingEdit({ edit, ahead, place, hasNetwork, zone, now, ...actions }: WaitingEditProps) {
  const canSend = !ahead && (edit.state === 'queued' || edit.state === 'uncertain');
  return (
    <li
      {...{ [editMark]: edit.id }}
      className={`page-inset grid gap-x-6 gap-y-2 border-b border-line py-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_308px] ${needsPerson(edit.state) ? 'bg-subtle' : ''}`}
    >
      <div className="min-w-0">
        <p className="font-medium break-words">
          <bdi>{edit.title}</bdi>
        </p>
        <p className="text-grid text-muted">
          {place === null ? '' : `${place}, `}
          <span className="figures whitespace-nowrap">
            made {formatDate(edit.created_at, zone)} {zone}
          </span>
        </p>
      </div>
      <Standing {...{ edit, ahead, hasNetwork, zone, now }} />
      <Actions edit={edit} canSend={canSend} {...actions} />
    </li>
  );
}
