import { useLiveQuery } from 'dexie-react-hooks';
import type { Account } from '#contract/accounts.ts';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { Organization } from '#contract/organizations.ts';
import { accountsOf, clientsOf, custodiansOf, entityOf, organizationsOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';

export interface EntityView {
  entity: Entity;
  client: Client | undefined;
  organization: Organization | undefined;
  accounts: { account: Account; custodianName: string }[];
}

/** An entity with all its page shows; null where it is not here, `undefined` while opening. */
export function useEntity(entityId: string): EntityView | null | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const entity = await entityOf(replica, entityId);
    if (!entity) return null;
    const [clients, organizations, accounts, custodians] = await Promise.all([
      clientsOf(replica),
      organizationsOf(replica),
      accountsOf(replica, { entity_id: entityId }),
      custodiansOf(replica),
    ]);
    const names = new Map(custodians.map((custodian) => [custodian.id, custodian.custodian_name]));
    return {
      entity,
      client: clients.find((client) => client.id === entity.client_id),
      organization: organizations.find((organization) => organization.id === entity.organization_id),
      accounts: accounts.map((account) => ({ account, custodianName: names.get(account.custodian_id) ?? '' })),
    };
  }, [replica, entityId]);
}
