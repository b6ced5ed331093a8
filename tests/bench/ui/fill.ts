import { columnNouns } from '../../../src/replica/column-nouns.ts';
import { ColumnSet } from '../../../src/replica/column-set.ts';
import { browserStores } from '../../../src/replica/dexie-store.ts';
import { accountsOf, securitiesOf } from '../../../src/replica/nouns.ts';
import { closeReplica, openReplica } from '../../../src/replica/open.ts';
import { Ledger } from '../workload/ledger.ts';

/** Whose copy to fill, and with how many rows. */
export interface Filling {
  userId: string;
  clientId: string;
  entityId: string;
  rows: number;
  seed: number;
}

const breathe = (): Promise<void> => new Promise((resolve) => void setTimeout(resolve));

/**
 * Puts a ledger of any size under one entity of this origin's copy, as pages of a pull would arrive: the rows are the bench's, their
 * accounts and securities the entity's own.
 * @returns how many rows the client's set then has.
 */
async function fill({ userId, clientId, entityId, rows, seed }: Filling): Promise<number> {
  const replica = await openReplica(browserStores, userId, Date.now());
  const accounts = await accountsOf(replica, { entity_id: entityId });
  const securities = await securitiesOf(replica);
  const set = await ColumnSet.open({ replica, noun: columnNouns.transactions, set: clientId, breathe });
  const ledger = new Ledger(seed, rows);
  const accountOf = numbered(accounts);
  const securityOf = numbered(securities);
  for (let page = 0; page < ledger.pages; page++) {
    await set.apply(
      ledger.page(page).map((row) => {
        const account = accountOf(row.account_id);
        const security_id = row.security_id === null ? null : securityOf(row.security_id).id;
        return { ...row, entity_id: entityId, account_id: account.id, custodian_id: account.custodian_id, security_id };
      }),
    );
  }
  const { selection } = await set.select(() => ({}));
  closeReplica(replica);
  return selection.count;
}

/** Gives each of the ledger's ids one of the entity's things, the first ones most rows. */
function numbered<Thing>(things: readonly Thing[]): (id: string) => Thing {
  const given = new Map<string, Thing>();
  return (id) => {
    const known = given.get(id) ?? (things[given.size % things.length] as Thing);
    given.set(id, known);
    return known;
  };
}

Object.assign(globalThis, { tieoutFill: fill });
