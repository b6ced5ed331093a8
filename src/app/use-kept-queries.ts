import { type PersistedClient, persistQueryClient } from '@tanstack/query-persist-client-core';
import { useEffect } from 'react';
import { keptFor, readKept, removeKept, writeKept } from '#replica/kept.ts';
import { forgetWithSight } from './forget-answers.ts';
import { referenceKey } from './query-keys.ts';
import { useServices } from './services.tsx';
import { useReplica } from './use-replica.ts';

const name = 'reference_queries';
const maxAgeMs = 24 * 3_600_000;

/**
 * Keeps the answers of reference queries in the user's replica, so that they are there without a network. Nothing else is kept; and no
 * answer, kept or in memory, for longer than what it is about may be seen.
 */
export function useKeptQueries(): void {
  const { queries } = useServices();
  const replica = useReplica();
  useEffect(() => {
    const [stop, restored] = persistQueryClient({
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
    let isHere = true;
    let stopForgetting = (): void => undefined;
    void restored.then(() => {
      if (isHere) stopForgetting = forgetWithSight(queries, replica);
    });
    return () => {
      isHere = false;
      stopForgetting();
      stop();
    };
  }, [queries, replica]);
}
