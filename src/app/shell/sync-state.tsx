import { Popover, PopoverButton, PopoverPanel } from '@headlessui/react';
import { useLiveQuery } from 'dexie-react-hooks';
import { formatDate, formatDay, type TimeZone } from '#domain/dates.ts';
import { entitiesOf } from '#replica/nouns.ts';
import type { EntityProgress } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useReplica } from '#app/use-replica.ts';
import { type SyncTone, syncWords } from './sync-words.ts';

const dots: Record<SyncTone, string> = { good: 'bg-ok', busy: 'bg-primary animate-pulse', quiet: 'bg-muted', problem: 'bg-warn' };

/** How the transactions of an entity stand on this device. */
function standingWords({ phase, is_let_go, complete_from }: EntityProgress, zone: TimeZone): string {
  switch (phase) {
    case 'left_out':
      return is_let_go ? 'No room' : 'Not kept here';
    case 'withheld':
      return 'No access';
    case 'steady':
      return 'Complete';
    case 'bootstrap':
      return complete_from === null ? 'Nothing yet' : `Complete to ${formatDay(complete_from, zone)}`;
  }
}

function Progress() {
  const { entities } = useStatus();
  const { zone } = usePreferences();
  const replica = useReplica();
  const names = useLiveQuery(async () => new Map((await entitiesOf(replica)).map((entity) => [entity.id, entity.entity_name])), [replica]);
  if (entities.length === 0) return <p className="text-grid text-muted">No transactions are on this device yet.</p>;
  return (
    <table className="w-full text-grid">
      <thead>
        <tr className="text-left text-small text-muted">
          <th className="pb-1 font-medium">Entity</th>
          <th className="pb-1 text-right font-medium">Rows</th>
          <th className="pb-1 pl-3 font-medium whitespace-nowrap">On this device</th>
        </tr>
      </thead>
      <tbody>
        {entities.map((entity) => (
          <tr key={entity.entity_id} className="border-t border-line align-top">
            <td className="max-w-0 w-full truncate py-1">{names?.get(entity.entity_id) ?? 'Entity'}</td>
            <td className="figures py-1 text-right whitespace-nowrap">
              {entity.rows.toLocaleString('en-US')}
              {entity.phase === 'bootstrap' && entity.rows_in_all !== null ? ` of ${entity.rows_in_all.toLocaleString('en-US')}` : ''}
            </td>
            <td className="py-1 pl-3 whitespace-nowrap text-soft">{standingWords(entity, zone)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** How fresh what one sees is: quiet in the bar, in full on demand. */
export function SyncState() {
  const { engine, clock, notices } = useServices();
  const status = useStatus();
  const isOnline = useIsOnline();
  const { zone } = usePreferences();
  const { text, tone } = syncWords(status, isOnline, clock(), zone);
  const sync = (): void => void engine.syncNow().catch((error: unknown) => notices.notice('error', textOfError(error)));
  return (
    <Popover>
      <PopoverButton className="flex h-8 items-center rounded px-2 text-grid text-soft hover:bg-hover" title="How fresh this is">
        <span role="status" className="figures flex items-center gap-2">
          <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${dots[tone]}`} />
          <span className="max-sm:sr-only">{text}</span>
        </span>
      </PopoverButton>
      <PopoverPanel
        role="dialog"
        aria-label="How fresh this is"
        anchor={{ to: 'bottom end', gap: 4, padding: 8 }}
        className="z-30 w-[480px] max-w-[94vw] rounded bg-raised p-4 shadow-pop"
      >
        <div className="mb-2 flex items-center justify-between gap-3">
          <p className="font-semibold">{text}</p>
          <Button size="small" disabled={!isOnline} onClick={sync}>
            Sync now
          </Button>
        </div>
        {status.last_sync_at === null ? null : (
          <p className="mb-2 text-grid text-muted">
            The server last answered everything on {formatDate(status.last_sync_at, zone)} {zone}.
          </p>
        )}
        {isOnline ? null : (
          <p className="mb-2 text-grid text-muted">There is no network. You can go on working; edits wait in the outbox.</p>
        )}
        {status.problem ? <p className="mb-2 rounded bg-warn-soft px-3 py-2 text-grid">{status.problem}</p> : null}
        <div className="max-h-72 overflow-y-auto">
          <Progress />
        </div>
      </PopoverPanel>
    </Popover>
  );
}
