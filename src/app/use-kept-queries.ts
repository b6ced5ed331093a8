import { type PersistedClient, persistQueryClient } from '@tanstack/query-persist-client-core';
import { useEffect } from 'react';
import { keptFor, readKept, removeKept, writeKept } from '#replica/kept.ts';
import { useServices } from './services.tsx';
import { useReplica } from './use-replica.ts';

const name = 'reference_queries';
const maxAgeMs = 24 * 3_600_000;

/** First part of the key of queries whose answers say nothing of any client and are kept for offline use. */
export const referenceKey = 'reference';

/** Keeps the answers of reference queries in the user's replica, so that they are there without a network. Nothing else is kept. */
export function useKeptQueries(): void {
  const { queries } = useServices();
  const replica = useReplica();
  useEffect(() => {
    const [stop] = persistQueryClient({
      queryClient: queries,
      maxAge: maxAgeMs,
      buster: keptFor(replica),
      persister: {
        persistClient: (client) => writeKept(replica, name, client),
        restoreClient: async () => (await readKept(replica, name)) as PersistedClient | undefined,
        removeClient: () => removeKept(replica, name),
      },
      dehydrateOptions: { shouldDehydrateQuery: ({ queryKey, state }) => queryKey[0] === referenceKey && state.status === 'success' },
    });
    return stop;
  }, [queries, replica]);
}
