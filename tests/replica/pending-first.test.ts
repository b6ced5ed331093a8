import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { archivedAssetsOf } from '#replica/archived-assets.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { matchesOfTransaction, pendingMatchCounts } from '#replica/nouns.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { retire, startTerm } from '#replica/sending.ts';
import { shownClientsOf, shownEntitiesOf, shownOrganizationsOf } from '#replica/places.ts';
import { idForName, savedViewsOf } from '#replica/saved-views.ts';
import { shownUsersOf } from '#replica/users.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const id = uuidv7();
const asset = { id, client_id: 'c', security_id: 's', is_spam: false };

/** A copy in which an edit waits, and is settled as soon as one of the databases was read. */
async function aRaceOf() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  const { rows, outbox } = replica;
  const epoch = await startTerm(outbox);
  await enqueue(outbox, {
    id: uuidv7(),
    name: 'archiveAsset',
    input: asset,
    title: 'A',
    now: 1,
    clientId: 'c',
    entityId: null,
    seen: null,
  });
  const settleNow = async (): Promise<void> => {
    const [edit] = await claimHeads(outbox, epoch, 10, 1);
    await settleAttempt(outbox, epoch, edit!.seq, { event: 'accepted' });
    // the row first, as the engine does it
    await rows.write(['archived_assets'], (tx) => tx.put('archived_assets', { ...asset, version: 1, _scope: 'user' }));
    await retire(outbox, epoch, await pendingMutations(outbox), 2);
  };
  const order: string[] = [];
  let settling: Promise<void> | null = null;
  const first = <T>(name: string, read: () => Promise<T>): Promise<T> => {
    order.push(name);
    if (settling) return settling.then(read);
    const reading = read().finally(() => order.push(`${name} are read`));
    settling = reading.then(settleNow);
    return reading;
  };
  const raced: Replica = {
    ...replica,
    rows: { ...rows, read: (tables, work) => first('rows', () => rows.read(tables, work)) },
    outbox: { ...outbox, read: (tables, work) => first('edits', () => outbox.read(tables, work)) },
  };
  return { raced, order };
}

describe('what waits', () => {
  test('[OB29] is not missed where it is settled between the reading of the two databases', async () => {
    const { raced } = await aRaceOf();
    expect(await archivedAssetsOf(raced)).toMatchObject([asset]);
  });

  test.each([
    ['archived assets', archivedAssetsOf],
    ['organizations', shownOrganizationsOf],
    ['clients', shownClientsOf],
    ['entities', (replica: Replica) => shownEntitiesOf(replica)],
    ['users', shownUsersOf],
    ['saved views', (replica: Replica) => savedViewsOf(replica, 'transactions')],
    ['names of views', (replica: Replica) => idForName(replica, { list: 'transactions', name: 'A' }, id)],
    ['matches of a transaction', (replica: Replica) => matchesOfTransaction(replica, id)],
    ['pending matches', pendingMatchCounts],
  ])('[OB29] is read before the rows: %s', async (_what, read) => {
    const { raced, order } = await aRaceOf();
    await read(raced);
    expect(order.slice(0, 3)).toEqual(['edits', 'edits are read', 'rows']);
  });
});
