import type { Replica } from './open.ts';
import { replicaEpoch } from './row-tables.ts';

/** Small things kept beside the rows under a name, gone with them. */
export async function readKept({ rows }: Replica, name: string): Promise<unknown> {
  return (await rows.read(['meta'], (tx) => tx.get('meta', name)))?.value;
}

export async function writeKept({ rows }: Replica, name: string, value: unknown): Promise<void> {
  await rows.write(['meta'], (tx) => tx.put('meta', { k: name, value }));
}

export async function removeKept({ rows }: Replica, name: string): Promise<void> {
  await rows.write(['meta'], (tx) => tx.remove('meta', name));
}

const lastSyncName = 'last_sync_at';

/** When the server last answered everything asked, UTC milliseconds; null where it never has. */
export async function readLastSync(replica: Replica): Promise<number | null> {
  const last = await readKept(replica, lastSyncName);
  return typeof last === 'number' ? last : null;
}

export function writeLastSync(replica: Replica, now: number): Promise<void> {
  return writeKept(replica, lastSyncName, now);
}

/** Changes when what is kept can no longer be read: another user, or another shape of the replica. */
export function keptFor({ userKey }: Replica): string {
  return `${userKey} ${replicaEpoch}`;
}
