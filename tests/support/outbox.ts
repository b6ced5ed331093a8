import { v7 as uuidv7 } from 'uuid';
import type { Fields } from '#replica/merge.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';
import { restate } from '#replica/restating.ts';
import { type Outcome, takeTurn } from '#replica/sending.ts';

/** Says an edit otherwise, in a form that shows it as it is given: it may be another by now. */
export function sayOtherwise(outbox: OutboxStore, shown: OutboxRow, changes: Fields): Promise<boolean> {
  const { seq, base, theirs } = shown;
  const begun = shown.input as Fields;
  const of = { titleOf: () => 'Otherwise', id: uuidv7(), now: 20 };
  return restate(outbox, seq, { begun, ended: { ...begun, ...changes }, base, theirs, ...of });
}

// A turn of the writer in parts, for tests that are about one of them.

/** Takes what may be sent. */
export function claimHeads(outbox: OutboxStore, epoch: number, now: number, most: number): Promise<OutboxRow[]> {
  return takeTurn(outbox, epoch, { attempted: [], now, most });
}

/** Writes what an attempt came to, and takes nothing. */
export async function settleAttempt(outbox: OutboxStore, epoch: number, seq: number, outcome: Outcome, now = 0): Promise<void> {
  await takeTurn(outbox, epoch, { attempted: [{ seq, outcome }], now, most: 0 });
}

/** A turn in which nothing ended and nothing is taken. */
export async function idleTurn(outbox: OutboxStore, epoch: number, now: number): Promise<void> {
  await takeTurn(outbox, epoch, { attempted: [], now, most: 0 });
}
