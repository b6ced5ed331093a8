import { Dexie } from 'dexie';
import { recordLoss } from './device-database.ts';
import { OutboxDatabase } from './outbox-database.ts';
import { ReplicaDatabase, replicaName } from './replica-database.ts';

/** A user's two local databases: the copy of the server's rows, and the edits on their way. */
export interface Replica {
  userKey: string;
  rows: ReplicaDatabase;
  outbox: OutboxDatabase;
}

/** The part of a user's id that goes into database names. */
export function userKeyOf(userId: string): string {
  return userId.toLowerCase().replace(/[^a-z0-9-]/g, '_');
}

/** Deletes a database that cannot be used and records it; its rows come back from the server. */
async function setAside(name: string, reason: unknown, now: number): Promise<void> {
  await Dexie.delete(name);
  await recordLoss({ at: now, database: name, reason: String(reason) });
}

/** Opens the copy; one that cannot be opened is set aside and started anew. */
async function openRows(userKey: string, now: number): Promise<ReplicaDatabase> {
  const rows = new ReplicaDatabase(userKey);
  try {
    await rows.open();
    // a database can open and still be broken inside: touch what everything else stands on
    await rows.transaction('r', rows.manifests, rows.pulls, rows.meta, async () => {
      await Promise.all([rows.manifests.count(), rows.pulls.count(), rows.meta.count()]);
    });
    return rows;
  } catch (error) {
    rows.close();
    await setAside(replicaName(userKey), error, now);
    const fresh = new ReplicaDatabase(userKey);
    await fresh.open();
    return fresh;
  }
}

/**
 * Opens a user's local databases, both at once: somebody waits for the list. The outbox is never set aside: it holds what only this
 * browser knows.
 */
export async function openReplica(userId: string, now: number): Promise<Replica> {
  const userKey = userKeyOf(userId);
  const outbox = new OutboxDatabase(userKey);
  const [opened, rows] = await Promise.allSettled([outbox.open(), openRows(userKey, now)]);
  if (opened.status === 'fulfilled' && rows.status === 'fulfilled') return { userKey, outbox, rows: rows.value };
  outbox.close();
  if (rows.status === 'fulfilled') rows.value.close();
  throw opened.status === 'rejected' ? opened.reason : (rows as PromiseRejectedResult).reason;
}

export function closeReplica(replica: Replica): void {
  replica.rows.close();
  replica.outbox.close();
}

/** Deletes a user's copy of the server's rows, as signing out asks; the outbox stays. */
export async function deleteRows(userId: string): Promise<void> {
  await Dexie.delete(replicaName(userKeyOf(userId)));
}
