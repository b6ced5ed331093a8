import { layBeneath } from './handed-words.ts';
import { hasPerhapsArrived, isOnItsWay, isRetriable, isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { isDecidedBetween, tellOtherRows } from './other-rows.ts';
import type { OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import { holdFollowers, settle } from './settling.ts';
import type { StoreWriting } from './store.ts';

type Writing = StoreWriting<OutboxTables>;

/**
 * The person's decision to let an edit go. Not while it is on its way or just accepted. One whose answer was lost may have
 * reached the server; the receipt says so, and the next pull shows what is true.
 */
export function discard(outbox: OutboxStore, seq: number, now: number): Promise<'discarded' | 'on_its_way'> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const edit = await tx.get('mutations', seq);
    const outcome = await letGo(tx, seq, now);
    if (edit && outcome === 'discarded') await holdFollowers(tx, [edit]);
    return outcome;
  });
}

/** The same for several edits at once; those that are on their way stay. @returns how many stayed. */
export function discardMany(outbox: OutboxStore, seqs: readonly number[], now: number): Promise<number> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const gone: OutboxRow[] = [];
    let stayed = 0;
    for (const seq of seqs) {
      const edit = await tx.get('mutations', seq);
      if ((await letGo(tx, seq, now)) === 'on_its_way') stayed += 1;
      else if (edit) gone.push(edit);
    }
    await holdFollowers(tx, gone);
    return stayed;
  });
}

async function letGo(tx: Writing, seq: number, now: number): Promise<'discarded' | 'on_its_way'> {
  const mutation = await tx.get('mutations', seq);
  if (!mutation) return 'discarded';
  if (isOnItsWay(mutation.state)) return 'on_its_way';
  const lost = hasPerhapsArrived(mutation) ? { error: { code: 'network' as const, detail: 'It may have reached the server' } } : {};
  await settle(tx, { ...mutation, ...lost }, 'discarded', now);
  return 'discarded';
}

/** The person's decision to try an edit again that waits for them. Where they were told that another row it rests on was changed, they saw that. */
export function retry(outbox: OutboxStore, seq: number): Promise<void> {
  return outbox.write(['mutations'], async (tx) => {
    const mutation = await tx.get('mutations', seq);
    if (!mutation || isOfNewerBuild(mutation) || !isRetriable(mutation.state)) return;
    const { failing: _former, rests_on: other, ...rest } = mutation;
    const rests = other && !other.is_told ? { rests_on: other } : {};
    await tx.put('mutations', { ...rest, ...rests, state: 'queued', next_attempt_at: 0, attempts: 0 });
    if (isShown(mutation.state)) return;
    if (!(await isDecidedBetween(tx, mutation))) await layBeneath(tx, mutation);
    await tellOtherRows(tx, mutation, { isGone: false });
  });
}
