import { useId } from 'react';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { choosableFields, conflictOf } from '#replica/conflicts.ts';
import { isRetriable, needsPerson } from '#replica/mutation-states.ts';
import { isOfNewerBuild } from '#replica/newer-builds.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { aheadWords, attemptWords, editLine, noDiscardWords } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { conflictWords } from './compared-words.ts';
import { ConflictTable } from './conflict-table.tsx';
import { StateSign } from './state-sign.tsx';
import { editMark, stopMark } from './use-edit-focus.ts';
import { useValueNames } from './use-value-names.ts';

interface EditActions {
  onTryAgain: () => void;
  onSendNow: () => void;
  onDiscard: () => void;
  onDetails: () => void;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onChooseFields: () => void;
  onEdit: () => void;
}

interface WaitingEditProps extends EditActions {
  edit: OutboxRow;
  /** It is the one that one came for. */
  isAsked: boolean;
  /** It can be said otherwise. */
  canEdit: boolean;
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
      <StateSign state={isOfNewerBuild(edit) ? null : edit.state}>{editLine(edit, hasNetwork)}</StateSign>
      <div className="pl-[22px] text-muted">
        {ahead ? (
          <p className="break-words">
            {aheadWords(ahead)} <bdi>{ahead.title}</bdi>
          </p>
        ) : null}
        {attempts ? <p className="figures first-letter:uppercase">{attempts}</p> : null}
      </div>
    </div>
  );
}

/** The buttons of a conflict. Taking theirs is discarding, said of what is decided. */
function Decision({ edit, onKeepMine, onTakeTheirs, onChooseFields }: EditActions & { edit: OutboxRow }) {
  // with one field alone there is nothing more to choose
  const canChoose = choosableFields(edit).length > 1;
  return (
    <>
      <Button size="small" aria-label={`Keep mine: ${edit.title}`} onClick={onKeepMine}>
        Keep mine
      </Button>
      <Button size="small" aria-label={`Take theirs: ${edit.title}`} onClick={onTakeTheirs}>
        Take theirs
      </Button>
      {canChoose ? (
        <Button size="small" aria-label={`Choose by field: ${edit.title}`} onClick={onChooseFields}>
          Choose by field
        </Button>
      ) : null}
    </>
  );
}

function DiscardButton({ edit, onDiscard, reasonId }: { edit: OutboxRow; onDiscard: () => void; reasonId: string | undefined }) {
  const isOff = reasonId !== undefined;
  return (
    // a disabled button would drop the keyboard that is on it
    <Button
      size="small"
      look="quiet"
      aria-label={`Discard: ${edit.title}`}
      aria-disabled={isOff || undefined}
      aria-describedby={reasonId}
      className={isOff ? 'cursor-not-allowed! opacity-55' : ''}
      onClick={isOff ? undefined : onDiscard}
    >
      Discard
    </Button>
  );
}

function Actions({ edit, canSend, canEdit, ...on }: EditActions & { edit: OutboxRow; canSend: boolean; canEdit: boolean }) {
  const { onTryAgain, onSendNow, onDiscard, onDetails, onEdit } = on;
  const reasonId = useId();
  const noDiscard = noDiscardWords(edit.state);
  const isConflict = conflictOf(edit) !== null;
  return (
    <div className="flex flex-col gap-1 lg:col-start-3 lg:row-start-1 lg:items-end">
      <div className="flex flex-wrap gap-2 lg:justify-end">
        {isRetriable(edit.state) ? (
          <Button size="small" aria-label={`Try again: ${edit.title}`} onClick={onTryAgain}>
            Try again
          </Button>
        ) : null}
        {isConflict ? <Decision edit={edit} {...on} /> : null}
        {canEdit ? (
          <Button size="small" aria-label={`Edit: ${edit.title}`} onClick={onEdit}>
            Edit
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
        {isConflict ? null : <DiscardButton edit={edit} onDiscard={onDiscard} reasonId={noDiscard === null ? undefined : reasonId} />}
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
export function WaitingEdit({ edit, isAsked, canEdit, ahead, place, hasNetwork, zone, now, ...actions }: WaitingEditProps) {
  const canSend = !ahead && !isOfNewerBuild(edit) && (edit.state === 'queued' || edit.state === 'uncertain');
  const conflict = conflictOf(edit);
  const names = useValueNames();
  return (
    <li
      {...{ [editMark]: edit.id }}
      tabIndex={isAsked ? -1 : undefined}
      aria-current={isAsked || undefined}
      className={`page-inset ring-inner grid gap-x-6 gap-y-2 border-b border-line py-3 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_344px] ${needsPerson(edit.state) ? 'bg-subtle' : ''} ${isAsked ? 'shadow-[inset_3px_0_0_var(--primary)]' : ''}`}
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
      {conflict ? (
        <div className="min-w-0 lg:col-span-3">
          <p className="pb-1 text-grid text-soft">{conflictWords(conflict)}</p>
          <ConflictTable conflict={conflict} title={edit.title} names={names} />
        </div>
      ) : null}
      <Actions edit={edit} canSend={canSend} canEdit={canEdit} {...actions} />
    </li>
  );
}
