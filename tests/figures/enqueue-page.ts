import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';

// Runs in a page: how long an edit takes to be on the disk.

declare global {
  interface Window {
    enqueueTimes: (count: number) => Promise<number[]>;
  }
}

window.enqueueTimes = async (count) => {
  const replica = await openReplica(browserStores, 'bench', Date.now());
  const times: number[] = [];
  for (let no = 0; no < count; no += 1) {
    const began = performance.now();
    await enqueue(replica.outbox, {
      id: crypto.randomUUID(),
      name: 'markTransfer',
      input: { trx_id: crypto.randomUUID(), counterpart_id: null, is_transfer: true },
      title: 'Mark transfer: 1.5 BTC Kraken -> Ledger, 09/14/2026',
      now: Date.now(),
      clientId: null,
      entityId: null,
    });
    times.push(performance.now() - began);
  }
  closeReplica(replica);
  return times;
};
