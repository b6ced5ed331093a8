import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useId, useState } from 'react';
import { formatDate } from '#domain/dates.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import { editsAhead } from '#replica/lanes.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { isRestatable } from '#replica/restating.ts';
import { useHasNetwork, useStatus } from '#app/engine-status.tsx';
import { useServices } from '#app/services.tsx';
import { holdWords } from '#app/shell/outbox-words.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { useOutbox } from '#app/outbox-edits.tsx';
import { useReceipts } from '#app/use-replica.ts';
import { ChooseFieldsDialog } from './choose-fields-dialog.tsx';
import { DiscardDialog } from './discard-dialog.tsx';
import { EditDetailsDialog } from './edit-details-dialog.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { editDialogs } from './edit-dialogs.ts';
import { GoneEdit } from './gone-edit.tsx';
import { SettledEdit } from './settled-edit.tsx';
import { useAskedEdit } from './use-asked-edit.ts';
import { useEditFocus } from './use-edit-focus.ts';
import { useNews } from './use-news.ts';
import { type OutboxActions, useOutboxActions } from './use-outbox-actions.ts';
import { usePlaceNames } from './use-place-names.ts';
import { useValueNames } from './use-value-names.ts';
import { WaitingEdit } from './waiting-edit.tsx';

const route = getRouteApi('/_app/outbox');

/** Settled edits that are listed. */
const receiptsShown = 100;
/** Waiting edits drawn before one asks for more. */
const step = 100;

function Part({ title, count, children }: { title: string; count: number | null; children: ReactNode }) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <h2 id={id} tabIndex={-1} className="page-inset ring-inner border-b border-line pt-4 pb-2 font-semibold">
        {title}
        {count === null ? null : <span className="figures ml-2 font-normal text-muted">{count.toLocaleString('en-US')}</span>}
      </h2>
      {children}
    </section>
  );
}

function NothingWaits() {
  const { last_sync_at: lastSyncAt } = useStatus();
  const { zone } = usePreferences();
  return (
    <EmptyState title="Nothing waits: everything you did has reached the server">
      <span className="figures">
        {lastSyncAt === null ? 'This device has not synced yet.' : `Last synced ${formatDate(lastSyncAt, zone)} ${zone}.`}
      </span>
    </EmptyState>
  );
}

interface ForAllProps {
  edits: readonly OutboxRow[];
  actions: OutboxActions;
  onDiscard: (edits: readonly OutboxRow[]) => void;
}

function ForAll({ edits, actions, onDiscard }: ForAllProps) {
  const stuck = edits.filter(({ state }) => needsPerson(state));
  if (edits.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-2">
      {stuck.length > 0 ? (
        <Button look="danger" onClick={() => onDiscard(stuck)}>
          Discard all that need you
        </Button>
      ) : null}
      <Button onClick={() => void actions.save(edits)}>Save to file</Button>
      <Button look="primary" onClick={() => void actions.sendNow()}>
        Send now
      </Button>
    </div>
  );
}

interface WaitingProps {
  edits: readonly OutboxRow[];
  placeOf: (edit: OutboxRow) => string | null;
  actions: OutboxActions;
  onDiscard: (edits: readonly OutboxRow[]) => void;
  onDetails: (edit: OutboxRow) => void;
  onChooseFields: (edit: OutboxRow) => void;
  onEdit: (edit: OutboxRow) => void;
  /** The one that one came for, by its id. */
  asked: string | undefined;
  /** Edits to draw. */
  most: number;
  onMore: () => void;
}

function Waiting({ edits, placeOf, actions, onDiscard, onDetails, onChooseFields, onEdit, asked, most, onMore }: WaitingProps) {
  const { clock } = useServices();
  const { zone } = usePreferences();
  const hasNetwork = useHasNetwork();
  const ahead = editsAhead(edits);
  return (
    <>
      <ol>
        {edits.slice(0, most).map((edit) => (
          <WaitingEdit
            key={edit.id}
            isAsked={edit.id === asked}
            {...{ edit, hasNetwork, zone }}
            canEdit={edit.name in editDialogs && isRestatable(edit, edits)}
            ahead={ahead.get(edit.seq)}
            place={placeOf(edit)}
            now={clock()}
            onTryAgain={() => void actions.tryAgain(edit)}
            onSendNow={() => void actions.sendNow()}
            onDiscard={() => onDiscard([edit])}
            onDetails={() => onDetails(edit)}
            onKeepMine={() => void actions.keepMine(edit)}
            onTakeTheirs={() => void actions.takeTheirs(edit)}
            onChooseFields={() => onChooseFields(edit)}
            onEdit={() => onEdit(edit)}
          />
        ))}
      </ol>
      {edits.length > most ? (
        <div className="page-inset py-3">
          <Button onClick={onMore}>Show {Math.min(step, edits.length - most)} more</Button>
        </div>
      ) : null}
    </>
  );
}

function Settled() {
  const receipts = useReceipts(receiptsShown);
  const { zone } = usePreferences();
  return (
    <Part title="Settled" count={null}>
      {receipts === undefined ? (
        <SkeletonRows rows={3} />
      ) : receipts.length === 0 ? (
        <p className="page-inset py-3 text-grid text-muted">What became of your edits is listed here, the latest first.</p>
      ) : (
        <ol>
          {receipts.map((receipt) => (
            <SettledEdit key={receipt.i} receipt={receipt} zone={zone} />
          ))}
        </ol>
      )}
    </Part>
  );
}

/** Why the edits are not on their way just now. */
function Hold() {
  const words = holdWords(useStatus(), useHasNetwork());
  return words === null ? null : <p className="page-inset pb-2 text-grid text-muted">{words}</p>;
}

/** Every edit that has not reached the server, what one can do about it, and what became of the others. */
export function OutboxScreen() {
  const edits = useOutbox();
  const { zone } = usePreferences();
  const hasNetwork = useHasNetwork();
  const actions = useOutboxActions();
  const placeOf = usePlaceNames();
  const news = useNews(edits);
  const { box, onFocus, onDialogGone } = useEditFocus();
  const [discarded, setDiscarded] = useState<readonly OutboxRow[] | null>(null);
  const [shown, setShown] = useState<OutboxRow | null>(null);
  const [chosen, setChosen] = useState<OutboxRow | null>(null);
  const [edited, setEdited] = useState<OutboxRow | null>(null);
  const [most, setMost] = useState(step);
  const names = useValueNames();
  const { edit: asked } = route.useSearch();
  const isGone = useAskedEdit({ asked, edits, box, isDrawn: edits !== undefined && placeOf !== undefined });
  const askedAt = edits?.findIndex(({ id }) => id === asked) ?? -1;
  return (
    <div ref={box} onFocus={onFocus} className="pb-10">
      <PageHead title="Outbox" action={edits ? <ForAll edits={edits} actions={actions} onDiscard={setDiscarded} /> : null} />
      <Hold />
      {isGone && asked !== undefined ? <GoneEdit id={asked} most={receiptsShown} /> : null}
      <p role="status" className="sr-only">
        {news}
      </p>
      <Part title="Waiting" count={edits?.length ?? null}>
        {edits === undefined || placeOf === undefined ? (
          <SkeletonRows rows={3} />
        ) : edits.length === 0 ? (
          <NothingWaits />
        ) : (
          <Waiting
            {...{ edits, placeOf, actions, asked }}
            most={Math.max(most, askedAt + 1)}
            onDiscard={setDiscarded}
            onDetails={setShown}
            onChooseFields={setChosen}
            onEdit={setEdited}
            onMore={() => setMost(most + step)}
          />
        )}
      </Part>
      <Settled />
      {discarded ? (
        <DiscardDialog
          edits={discarded}
          onDiscard={() => actions.discard(discarded)}
          onClose={() => setDiscarded(null)}
          onGone={onDialogGone}
        />
      ) : null}
      {chosen ? (
        <ChooseFieldsDialog
          edit={chosen}
          names={names}
          onChosen={(theirFields) => actions.keepMine(chosen, theirFields)}
          onClose={() => setChosen(null)}
          onGone={onDialogGone}
        />
      ) : null}
      {edited ? (
        <EditDialog
          edit={edited}
          onSave={(restated) => actions.restate(edited, restated)}
          onClose={() => setEdited(null)}
          onGone={onDialogGone}
        />
      ) : null}
      {shown ? (
        <EditDetailsDialog
          edit={shown}
          place={placeOf?.(shown) ?? null}
          {...{ hasNetwork, zone }}
          onClose={() => setShown(null)}
          onGone={onDialogGone}
        />
      ) : null}
    </div>
  );
}
