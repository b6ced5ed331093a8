import { useLiveQuery } from 'dexie-react-hooks';
import type { Account } from '#contract/accounts.ts';
import type { Client } from '#contract/clients.ts';
import type { Organization } from '#contract/organizations.ts';
import { accountsOf, custodiansOf, organizationsOf } from '#replica/nouns.ts';
import { shownClientsOf, type ShownEntity, shownEntitiesOf } from '#replica/places.ts';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

export interface EntityView {
  entity: ShownEntity;
  client: Client | undefined;
  organization: Organization | undefined;
  accounts: { account: Account; custodianName: string }[];
  /** When they were read, in milliseconds. */
  now: number;
}

/** An entity with all its page shows; null where it is not here, `undefined` while opening. */
export function useEntity(entityId: string): EntityView | null | undefined {
  const { clock } = useServices();
  const replica = useReplica();
  return useLiveQuery(async () => {
    const entity = (await shownEntitiesOf(replica)).find(({ id }) => id === entityId);
    if (!entity) return null;
    const [clients, organizations, accounts, custodians] = await Promise.all([
      shownClientsOf(replica),
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
      now: clock(),
    };
  }, [replica, entityId, clock]);
}
