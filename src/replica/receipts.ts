import type { OutboxStore, Receipt } from './outbox-tables.ts';

/** The edits that were settled last, the latest first. */
export function newestReceipts(outbox: OutboxStore, most: number): Promise<Receipt[]> {
  return outbox.read(['receipts'], (tx) => tx.list('receipts', { isBackwards: true, limit: most }));
}

/** The edit that was settled last. */
export async function newestReceipt(outbox: OutboxStore): Promise<Receipt | undefined> {
  const [newest] = await newestReceipts(outbox, 1);
  return newest;
}
