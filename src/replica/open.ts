import { recordLoss } from './device-tables.ts';
import { forgetKeeping } from './left-out.ts';
import { outboxSchema, type OutboxStore, type OutboxTables } from './outbox-tables.ts';
import { epochOf, replicaEpoch, rowSchema, type RowStore, type RowTables } from './row-tables.ts';
import type { StoreHost } from './store.ts';
import { plainKeyOf, takeUserKey, userKeyOf } from './user-keys.ts';

/** A user's two local databases: the copy of the server's rows, and the edits on their way. */
export interface Replica {
  userKey: string;
  rows: RowStore;
  outbox: OutboxStore;
  host: StoreHost;
}

/** The lock that a worker holds while it writes for a user: builds agree on its name. Two users who share it wait for each other, no more. */
export function engineLock(userId: string): string {
  return `tieout-engine:${plainKeyOf(userId)}`;
}

async function openRows(host: StoreHost, userKey: string): Promise<RowStore> {
  const rows = await host.open<RowTables>(rowSchema(userKey));
  try {
    // a database can open and still be broken inside: touch what everything else stands on
    await rows.read(['manifests', 'pulls', 'meta'], (tx) => Promise.all([tx.count('manifests'), tx.count('pulls'), tx.count('meta')]));
    return rows;
  } catch (error) {
    rows.close();
    throw error;
  }
}

/** Opens the copy; one that cannot be opened is set aside and started anew: its rows come back from the server. */
async function openSoundRows(host: StoreHost, userKey: string, now: number): Promise<RowStore> {
  try {
    return await openRows(host, userKey);
  } catch (error) {
    const schema = rowSchema(userKey);
    await host.remove(schema);
    await recordLoss(host, { at: now, database: schema.name, reason: String(error) });
    return openRows(host, userKey);
  }
}

/**
 * Opens a user's local databases, both at once: somebody waits for the list. The outbox is never set aside: it holds what only this
 * browser knows.
 */
export async function openReplica(host: StoreHost, userId: string, now: number): Promise<Replica> {
  const userKey = await takeUserKey(host, userId);
  const [outbox, rows] = await Promise.allSettled([host.open<OutboxTables>(outboxSchema(userKey)), openSoundRows(host, userKey, now)]);
  if (outbox.status === 'fulfilled' && rows.status === 'fulfilled') return { userKey, host, outbox: outbox.value, rows: rows.value };
  for (const opened of [outbox, rows]) if (opened.status === 'fulfilled') opened.value.close();
  throw (outbox.status === 'rejected' ? outbox : (rows as PromiseRejectedResult)).reason;
}

export function closeReplica(replica: Replica): void {
  replica.rows.close();
  replica.outbox.close();
}

/** Deletes what a user edited and the server may not have, as the end of a session on a shared computer asks. */
export async function deleteOutbox(host: StoreHost, userId: string): Promise<void> {
  await host.remove(outboxSchema(await userKeyOf(host, userId)));
}

/** Of which other epochs a user has copies here: of builds before this one or, where it was put back, after it. */
async function otherEpochs({ host, userKey }: Pick<Replica, 'host' | 'userKey'>): Promise<number[]> {
  const epochs = (await host.names()).map((name) => epochOf(name, userKey));
  return epochs.filter((epoch) => epoch !== null && epoch !== replicaEpoch) as number[];
}

/** Of which epochs before this build's a user has copies: nobody reads them once no tab of such a build is open any more. */
export async function olderEpochs(replica: Pick<Replica, 'host' | 'userKey'>): Promise<number[]> {
  return (await otherEpochs(replica)).filter((epoch) => epoch < replicaEpoch);
}

/**
 * Lets go of a user's copies of epochs before this build's. Those after it stay: they are a newer build's, which finds its rows as it left
 * them should it come back, and only it can tell how old they are.
 */
export async function dropOlderCopies(replica: Pick<Replica, 'host' | 'userKey'>): Promise<void> {
  for (const epoch of await olderEpochs(replica)) await replica.host.remove(rowSchema(replica.userKey, epoch));
}

/** Deletes a user's copies of the server's rows, whichever build made them, as signing out asks; the outbox stays. */
export async function deleteRows(host: StoreHost, userId: string): Promise<void> {
  const userKey = await userKeyOf(host, userId);
  await host.remove(rowSchema(userKey));
  await forgetKeeping({ host, userKey });
  for (const epoch of await otherEpochs({ host, userKey })) await host.remove(rowSchema(userKey, epoch));
}
