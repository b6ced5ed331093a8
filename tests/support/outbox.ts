import { type Outcome, takeTurn } from '#replica/sending.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';

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
