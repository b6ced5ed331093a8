import type { OutboxRow, OutboxStore, Receipt } from './outbox-tables.ts';

/** What the receipt says of an edit that is not sent, for it takes back what waited and was never tried. */
export const needlessText = 'Not sent: with the edits before it, it changes nothing';

/** The edits that were settled last, the latest first. */
export function newestReceipts(outbox: OutboxStore, most: number): Promise<Receipt[]> {
  return outbox.read(['receipts'], (tx) => tx.list('receipts', { isBackwards: true, limit: most }));
}

/** Edits that were accepted from a moment on, by the clock of then. */
export async function acceptedSince(outbox: OutboxStore, since: number): Promise<Receipt[]> {
  const receipts = await outbox.read(['receipts'], (tx) => tx.list('receipts'));
  return receipts.filter(({ outcome, settled_at: at }) => outcome === 'accepted' && at >= since);
}

/** The edit that was settled last. */
export async function newestReceipt(outbox: OutboxStore): Promise<Receipt | undefined> {
  const [newest] = await newestReceipts(outbox, 1);
  return newest;
}

/** How an edit stands: as it waits, or its receipt once it is settled; undefined where nothing is known of it. */
export interface EditStanding {
  waiting?: OutboxRow;
  settled?: Receipt;
}

/** How some edits stand, by id. */
export function standingsOf(outbox: OutboxStore, ids: readonly string[]): Promise<EditStanding[]> {
  return outbox.read(['mutations', 'receipts'], async (tx) => {
    const standings: EditStanding[] = [];
    for (const is of ids) {
      const [waiting] = await tx.list('mutations', { index: 'id', is });
      const [settled] = await tx.list('receipts', { index: 'id', is });
      standings.push({ ...(waiting ? { waiting } : {}), ...(settled ? { settled } : {}) });
    }
    return standings;
  });
}
