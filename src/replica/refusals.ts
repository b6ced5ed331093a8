import type { Replica } from './open.ts';
import { countPurge, countReset, newPull, type PullRow, type Standing, standingIn } from './pulls.ts';
import { dropColumnsToPullAnew, purgedTables } from './purge.ts';
import type { RowNoun, RowTables } from './row-tables.ts';
import type { StoreReading } from './store.ts';

interface Refusal {
  /** Where the pull that was refused stood before. */
  askedAt: Standing;
  now: number;
}

/** The pull that was refused as it is now; null where rights came back since it was asked for, or all was begun anew. */
async function refusedIn(
  tx: StoreReading<RowTables>,
  { askedAt, now }: Refusal,
): Promise<(PullRow & Required<Pick<PullRow, 'denied_at'>>) | null> {
  const { scope, noun } = askedAt.pull;
  const { pull, resets, generation } = await standingIn(tx, scope, noun);
  if (resets !== askedAt.resets || generation !== askedAt.generation) return null;
  return { ...pull, denied_at: now };
}

/**
 * Leaves a list alone for a while, or until the session is renewed, or the feed tells of new permissions.
 * @param drops what is held of it may no longer be seen, and goes; null where it stays.
 */
export async function noteRefusal({ rows }: Replica, { drops, ...refusal }: Refusal & { drops: RowNoun | null }): Promise<void> {
  await rows.write(drops ? [drops, 'pulls', 'meta'] : ['pulls', 'meta'], async (tx) => {
    const refused = await refusedIn(tx, refusal);
    if (!refused) return;
    if (drops === null) return tx.put('pulls', refused);
    await countPurge(tx);
    await tx.removeAll(drops, { index: '_scope', is: refused.scope });
    const { sweep: _begun, ...known } = refused;
    await tx.put('pulls', { ...known, is_withheld: true, last_complete_at: null });
  });
}

/**
 * An entity's transactions may no longer be read: the columns they are or were in go, for what is deleted of them stays on the disk for
 * a while, and what may still be read of their other entities is pulled anew. Nothing may be writing to them.
 * @param clients whose columns these are: its own, and one it moved from.
 */
export async function dropRefusedColumns({ rows }: Replica, clients: readonly string[], refusal: Refusal): Promise<void> {
  await rows.write(purgedTables, async (tx) => {
    const refused = await refusedIn(tx, refusal);
    if (!refused) return;
    const { scope, noun, denied_at } = refused;
    if (clients.length > 0) await countReset(tx);
    await countPurge(tx);
    for (const client of clients) await dropColumnsToPullAnew(tx, client);
    await tx.put('pulls', { ...newPull(scope, noun), denied_at });
  });
}
