import { formatDate, formatTime, type TimeZone } from '#domain/dates.ts';
import type { EngineStatus, EntityProgress } from '#workers/start.ts';

export type SyncTone = 'good' | 'busy' | 'quiet' | 'problem';

const dayMs = 24 * 3_600_000;

/** The time of the last sync: an hour and minute today, with its day when older. */
function lastSync(status: EngineStatus, now: number, zone: TimeZone): string | null {
  if (status.last_sync_at === null) return null;
  return now - status.last_sync_at < dayMs ? formatTime(status.last_sync_at, zone) : formatDate(status.last_sync_at, zone);
}

/** `1,200 of 48,000 rows`, or how many are here alone where nobody said of how many. Of what is not kept here, or may not be read, nothing is to come. */
export function rowsHere(entities: readonly EntityProgress[]): string {
  const kept = entities.filter(({ phase }) => phase !== 'left_out' && phase !== 'withheld');
  const here = kept.reduce((sum, { rows }) => sum + rows, 0).toLocaleString('en-US');
  if (kept.some(({ rows_in_all: inAll }) => inAll === null)) return `${here} rows`;
  return `${here} of ${kept.reduce((sum, { rows_in_all: inAll }) => sum + (inAll ?? 0), 0).toLocaleString('en-US')} rows`;
}

/** How syncing stands, in as few words as the bar has room for. */
export function syncWords(status: EngineStatus, isOnline: boolean, now: number, zone: TimeZone): { text: string; tone: SyncTone } {
  const last = lastSync(status, now, zone);
  if (!isOnline || status.phase === 'offline') return { text: last ? `Offline - as of ${last}` : 'Offline', tone: 'quiet' };
  const rows = status.entities.reduce((sum, entity) => sum + entity.rows, 0);
  switch (status.phase) {
    case 'starting':
      return { text: 'Starting', tone: 'busy' };
    case 'syncing':
      return {
        text:
          rows > 0 && status.entities.some(({ phase }) => phase === 'bootstrap') ? `Syncing... ${rowsHere(status.entities)}` : 'Syncing...',
        tone: 'busy',
      };
    case 'idle':
      if (status.problem) return { text: last ? `Sync problem - as of ${last}` : 'Sync problem', tone: 'problem' };
      return { text: last ? `Synced ${last}` : 'Synced', tone: 'good' };
    case 'waiting':
      return { text: last ? `Synced ${last}` : 'Waiting for another tab', tone: 'quiet' };
    case 'signed_out':
      return { text: 'Signed out', tone: 'problem' };
    case 'outdated':
      return { text: last ? `Update needed - as of ${last}` : 'Update needed', tone: 'problem' };
    case 'stopped':
      return { text: 'Not syncing', tone: 'quiet' };
  }
}
