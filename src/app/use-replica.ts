import { useLiveQuery } from 'dexie-react-hooks';
import { use } from 'react';
import type { Receipt } from '#replica/outbox-tables.ts';
import type { Replica } from '#replica/open.ts';
import { newestReceipts } from '#replica/receipts.ts';
import { useServices, useUser } from './services.tsx';

/** The signed-in user's local databases; the render waits until they are open. */
export function useReplica(): Replica {
  const { replica } = useServices();
  return use(replica.open(useUser().id));
}

/** Edits that were settled last, the latest first; `undefined` while the first look is under way. */
export function useReceipts(most: number): Receipt[] | undefined {
  const replica = useReplica();
  return useLiveQuery(() => newestReceipts(replica.outbox, most), [replica, most]);
}
