import { useLiveQuery } from 'dexie-react-hooks';
import { useMemo } from 'react';
import type { Account } from '#contract/accounts.ts';
import { allAccountsOf } from '#replica/nouns.ts';
import { shownClientsOf, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { useUser } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';
import { commandsFor } from './commands.ts';
import { placeEntries, type PlaceRows } from './place-entries.ts';
import { type Entry, type EntryIndex, indexOf } from './search.ts';

interface KnownRows extends PlaceRows {
  accounts: readonly Account[];
}

const none: KnownRows = { organizations: [], clients: [], entities: [], accounts: [] };

export interface Entries {
  index: EntryIndex;
  /** Screens and actions, in the order of the menu. */
  commands: readonly Entry[];
  account: (id: string) => Account | undefined;
  /** Whether the copy on this device was read. */
  isRead: boolean;
}

/** Everything one can go to or do, out of the copy on this device, kept live once somebody asked for it. */
export function useEntries(isAsked: boolean): Entries {
  const replica = useReplica();
  const user = useUser();
  const rows = useLiveQuery(async (): Promise<KnownRows | undefined> => {
    if (!isAsked) return undefined;
    const [organizations, clients, entities, accounts] = await Promise.all([
      shownOrganizationsOf(replica),
      shownClientsOf(replica),
      shownEntitiesOf(replica),
      allAccountsOf(replica),
    ]);
    return { organizations, clients, entities, accounts };
  }, [replica, isAsked]);
  return useMemo(() => {
    const known = rows ?? none;
    const commands = commandsFor(user, known.organizations.length);
    return {
      index: indexOf([...commands, ...placeEntries(known)]),
      commands,
      account: (id) => known.accounts.find((account) => account.id === id),
      isRead: rows !== undefined,
    };
  }, [user, rows]);
}
