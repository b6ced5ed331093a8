import { useLiveQuery } from 'dexie-react-hooks';
import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Security } from '#contract/securities.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { TransactionNames } from '#domain/transaction-cells.ts';
import { useReplica } from '#app/use-replica.ts';

/** The rows a transaction points to, by id and in their usual order. */
export interface Names extends TransactionNames {
  accounts: readonly Account[];
  custodians: readonly Custodian[];
  securities: readonly Security[];
  account: ReadonlyMap<string, Account>;
  custodian: ReadonlyMap<string, Custodian>;
}

const none: Names = {
  accounts: [],
  custodians: [],
  securities: [],
  entity: new Map(),
  account: new Map(),
  custodian: new Map(),
  security: new Map(),
};

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** The names the rows of an entity need, kept live. */
export function useNames(entityId: string | undefined): Names {
  const replica = useReplica();
  const found = useLiveQuery(async () => {
    if (entityId === undefined) return none;
    const [entities, accounts, custodians, securities] = await Promise.all([
      entitiesOf(replica),
      accountsOf(replica, { entity_id: entityId }),
      custodiansOf(replica),
      securitiesOf(replica),
    ]);
    return {
      accounts,
      custodians,
      securities,
      entity: byId(entities),
      account: byId(accounts),
      custodian: byId(custodians),
      security: byId(securities),
    };
  }, [replica, entityId]);
  return found ?? none;
}
