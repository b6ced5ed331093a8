import { useLiveQuery } from 'dexie-react-hooks';
import type { AuditPerson } from '#contract/audit.ts';
import type { AuditNames } from '#domain/audit-words.ts';
import { clientsOf, custodiansOf, entitiesOf, organizationsOf, securitiesOf } from '#replica/nouns.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { useReplica } from '#app/use-replica.ts';

/** What ids in the trail stand for, as far as the copy on this device knows. */
export function useAuditNames(people: readonly AuditPerson[]): AuditNames {
  const replica = useReplica();
  const { zone } = usePreferences();
  const names = useLiveQuery(async () => {
    const [organizations, clients, entities, custodians, securities] = await Promise.all([
      organizationsOf(replica),
      clientsOf(replica),
      entitiesOf(replica),
      custodiansOf(replica),
      securitiesOf(replica),
    ]);
    return new Map([
      ...organizations.map(({ id, name }) => [id, name] as const),
      ...clients.map(({ id, client_name }) => [id, client_name] as const),
      ...entities.map(({ id, entity_name }) => [id, entity_name] as const),
      ...custodians.map(({ id, custodian_name }) => [id, custodian_name] as const),
      ...securities.map(({ id, ticker }) => [id, ticker] as const),
    ]);
  }, [replica]);
  const emails = new Map(people.map(({ id, email }) => [id, email]));
  return { zone, nameOf: (id) => names?.get(id) ?? emails.get(id) };
}
