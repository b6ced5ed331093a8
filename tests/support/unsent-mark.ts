import { v7 as uuidv7 } from 'uuid';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';

/** A person marked a transfer in this browser, and it was not sent. */
export async function keepUnsentMark(userId: string): Promise<void> {
  const replica = await openReplica(browserStores, userId, 0);
  await enqueue(replica.outbox, {
    id: uuidv7(),
    name: 'markTransfer',
    input: { trx_id: uuidv7(), counterpart_id: null, is_transfer: true },
    title: 'Mark',
    now: 0,
    clientId: null,
    entityId: null,
    seen: null,
  });
  closeReplica(replica);
}
