import { nextMutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

// Edits that the server would not take of a build go on with another one; and with the same where it takes that again, as once it was put
// back to what it was before: one is tried, now and then, and where it is taken all are.

/**
 * How long such an edit waits before it is tried again by the build whose edit was not taken, in milliseconds: twice as long
 * each time, up to the longest.
 */
const firstWaitMs = 60_000;
const longestWaitMs = 900_000;

/** Edits that wait for a build that the server takes; what becomes of those of a newer build that build knows. */
export async function pausedEdits(tx: StoreReading<OutboxTables>): Promise<OutboxRow[]> {
  return (await tx.list('mutations', { index: 'state', is: 'paused_update' })).filter((edit) => !isOfNewerBuild(edit));
}

/** Lets such edits go on. */
export function resumePaused(tx: StoreWriting<OutboxTables>, edits: readonly OutboxRow[]): Promise<void> {
  return tx.putMany(
    'mutations',
    edits.map((edit) => ({ ...edit, state: nextMutationState[edit.state].updated ?? edit.state, next_attempt_at: 0 })),
  );
}

/** The server took an edit: where it would not take it of some build before, the others it would not take of that go on with it. */
export async function resumeWith(tx: StoreWriting<OutboxTables>, { paused_build, is_met }: OutboxRow): Promise<void> {
  // what was done without it says nothing of what it takes
  if (paused_build === undefined || is_met) return;
  await resumePaused(
    tx,
    (await pausedEdits(tx)).filter((edit) => edit.paused_build === paused_build),
  );
}

/** For how long it was not tried. A clock that was put right keeps none waiting. */
const restedMs = ({ tried_at: triedAt = -Infinity }: OutboxRow, now: number): number => Math.abs(now - triedAt);

/** The one to be tried next, of those that waited for long enough the one tried longest ago; none so soon after another one. */
async function nextPaused(tx: StoreReading<OutboxTables>, build: string, now: number): Promise<OutboxRow[]> {
  const paused = (await pausedEdits(tx)).filter((edit) => edit.paused_build === build);
  if (paused.some((edit) => restedMs(edit, now) < firstWaitMs)) return [];
  const waitMs = ({ attempts }: OutboxRow): number => Math.min(longestWaitMs, firstWaitMs * 2 ** Math.max(0, attempts - 1));
  const due = paused.filter((edit) => restedMs(edit, now) >= waitMs(edit));
  return due.sort((a, b) => (a.tried_at ?? 0) - (b.tried_at ?? 0) || a.seq - b.seq).slice(0, 1);
}

/** The server answers this build whatever else it asks: one of the edits it would not take of it may be tried again, if it waited for long enough. */
export async function tryPaused(outbox: OutboxStore, build: string, now: number): Promise<void> {
  if ((await outbox.read(['mutations'], (tx) => nextPaused(tx, build, now))).length === 0) return;
  await outbox.write(['mutations'], async (tx) => resumePaused(tx, await nextPaused(tx, build, now)));
}
