import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import { allAccountsOf } from '#replica/nouns.ts';
import { shownClientsOf, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { useUser } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';
import { commandsFor } from './commands.ts';
import type { Entries, Indexer, KnownRows } from './indexer.ts';

/** Everything one can go to or do, out of the copy on this device, kept live while somebody looks. */
export function useEntries(indexer: Indexer): Entries {
  const replica = useReplica();
  const user = useUser();
  const rows = useLiveQuery(
    async (): Promise<KnownRows> => {
      const [organizations, clients, entities, accounts] = await Promise.all([
        shownOrganizationsOf(replica),
        shownClientsOf(replica),
        shownEntitiesOf(replica),
        allAccountsOf(replica),
      ]);
      return { organizations, clients, entities, accounts };
    },
    [replica],
    indexer.rows(),
  );
  const organizations = rows?.organizations.length ?? 0;
  const commands = useMemo(() => commandsFor(user, organizations), [user, organizations]);
  return indexer.entriesOf(rows, commands);
}
