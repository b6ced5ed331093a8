import { useLiveQuery } from 'dexie-react-hooks';
import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Entity } from '#contract/entities.ts';
import type { Security } from '#contract/securities.ts';
import { archivedByAll } from '#replica/archived-assets.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { TransactionNames } from '#domain/transaction-cells.ts';
import { useReplica } from '#app/use-replica.ts';
import type { Scope } from './scope.ts';

/** The rows a transaction points to, by id and in their usual order. */
export interface Names extends TransactionNames {
  accounts: readonly Account[];
  custodians: readonly Custodian[];
  securities: readonly Security[];
  entity: ReadonlyMap<string, Entity>;
  account: ReadonlyMap<string, Account>;
  custodian: ReadonlyMap<string, Custodian>;
  /** Securities the clients of the place keep aside, every one of them. */
  archived: ReadonlySet<string>;
}

const none: Names = {
  accounts: [],
  custodians: [],
  securities: [],
  entity: new Map(),
  account: new Map(),
  custodian: new Map(),
  security: new Map(),
  archived: new Set(),
};

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

/** The names the rows of a place need, kept live. */
export function useNames({ clientIds, entities: [first], spansEntities }: Scope): Names {
  const replica = useReplica();
  const wanted = spansEntities || !first ? clientIds.map((id) => ({ client_id: id })) : [{ entity_id: first.id }];
  const found = useLiveQuery(async () => {
    const [entities, accounts, custodians, securities, archived] = await Promise.all([
      entitiesOf(replica),
      Promise.all(wanted.map((of) => accountsOf(replica, of))),
      custodiansOf(replica),
      securitiesOf(replica),
      archivedByAll(replica, clientIds),
    ]);
    const all = accounts.flat();
    return {
      accounts: all,
      custodians,
      securities,
      entity: byId(entities),
      account: byId(all),
      custodian: byId(custodians),
      security: byId(securities),
      archived,
    };
  }, [replica, JSON.stringify(wanted), JSON.stringify(clientIds)]);
  return found ?? none;
}
