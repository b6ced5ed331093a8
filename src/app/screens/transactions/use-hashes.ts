import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useEffectEvent, useMemo } from 'react';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';
import { keptKeyOf, readKeptHashes } from './kept-hashes.ts';
import { hashesIn, type TransactionSearch } from './transaction-search.ts';

const unknownHashes =
  'The pasted hashes of this address are not kept on this device, or not any more, so the list shows rows without that filter. Paste them here again.';

/**
 * The pasted hashes an address stands for; `undefined` while they are being read.
 * A kept list this device does not have is said and `onUnknown` takes it out of the address.
 */
export function useHashes(search: TransactionSearch, onUnknown: () => void): readonly string[] | undefined {
  const { notices } = useServices();
  const replica = useReplica();
  const key = keptKeyOf(search);
  const kept = useLiveQuery(async () => ({ key, hashes: key === undefined ? [] : await readKeptHashes(replica, key) }), [replica, key]);
  const own = useMemo(() => hashesIn({ hashes: search.hashes }), [search.hashes]);
  const isUnknown = key !== undefined && kept?.key === key && kept.hashes === null;
  const say = useEffectEvent(() => {
    notices.notice('warning', unknownHashes);
    onUnknown();
  });
  useEffect(() => {
    if (isUnknown) say();
  }, [isUnknown, key]);
  if (key === undefined) return own;
  return kept?.key === key ? (kept.hashes ?? []) : undefined;
}
