import type { Replica } from './open.ts';
import { type Standing, standingIn } from './pulls.ts';
import type { RowNoun } from './row-tables.ts';

interface Refusal {
  /** Where the pull that was refused stood before. */
  askedAt: Standing;
  /** What is held of it may no longer be seen, and goes; null where it stays. */
  drops: RowNoun | null;
  now: number;
}

/**
 * Leaves a list alone for a while, or until the session is renewed, or the feed tells of new permissions. A refusal that was asked for
 * before rights came back says nothing any more.
 */
export async function noteRefusal({ rows }: Replica, { askedAt, drops, now }: Refusal): Promise<void> {
  const { scope, noun } = askedAt.pull;
  await rows.write(drops ? [drops, 'pulls', 'meta'] : ['pulls', 'meta'], async (tx) => {
    const { pull, resets, generation } = await standingIn(tx, scope, noun);
    if (resets !== askedAt.resets || generation !== askedAt.generation) return;
    const refused = { ...pull, is_denied: true, denied_at: now };
    if (drops) await tx.removeAll(drops, { index: '_scope', is: scope });
    await tx.put('pulls', drops ? { ...refused, last_complete_at: null } : refused);
  });
}
