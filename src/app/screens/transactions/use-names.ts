import { useLiveQuery } from 'dexie-react-hooks';
import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Entity } from '#contract/entities.ts';
import type { Security } from '#contract/securities.ts';
import { archivedByAll } from '#replica/archived-assets.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
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
  /** Whether that is what the copy has, and not the nothing before it is read. */
  areRead: boolean;
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
  areRead: false,
};

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}

function accountsIn({ clientIds, entities: [first], spansEntities }: Scope): Parameters<typeof accountsOf>[1][] {
  return spansEntities || !first ? clientIds.map((id) => ({ client_id: id })) : [{ entity_id: first.id }];
}

/** The names the rows of a place need, as the copy has them now. */
export async function readNames(replica: Replica, scope: Scope): Promise<Names> {
  const [entities, accounts, custodians, securities, archived] = await Promise.all([
    entitiesOf(replica),
    Promise.all(accountsIn(scope).map((of) => accountsOf(replica, of))),
    custodiansOf(replica),
    securitiesOf(replica),
    archivedByAll(replica, scope.clientIds),
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
    areRead: true,
  };
}

/** The names the rows of a place need, kept live. */
export function useNames(scope: Scope): Names {
  const replica = useReplica();
  const found = useLiveQuery(
    () => readNames(replica, scope),
    [replica, JSON.stringify(accountsIn(scope)), JSON.stringify(scope.clientIds)],
  );
  return found ?? none;
}
