import { useLiveQuery } from 'dexie-react-hooks';
import { securitiesOf } from '#replica/nouns.ts';
import { shownClientsOf, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useReplica } from '#app/use-replica.ts';
import type { ValueNames } from './compared-words.ts';

/** What the values in a conflict are told by, kept live. */
export function useValueNames(): ValueNames {
  const replica = useReplica();
  const { zone, numbers } = usePreferences();
  const tickers = useLiveQuery(async () => new Map((await securitiesOf(replica)).map(({ id, ticker }) => [id, ticker])), [replica]);
  const places = useLiveQuery(async () => {
    const [organizations, clients, entities] = await Promise.all([
      shownOrganizationsOf(replica),
      shownClientsOf(replica),
      shownEntitiesOf(replica),
    ]);
    return new Map([
      ...organizations.map(({ id, name }) => [id, name] as const),
      ...clients.map(({ id, client_name }) => [id, client_name] as const),
      ...entities.map(({ id, entity_name }) => [id, entity_name] as const),
    ]);
  }, [replica]);
  return { zone, numbers, ticker: (id) => tickers?.get(id), place: (id) => places?.get(id) };
}
