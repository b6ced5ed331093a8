import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { accountsOf, entitiesOf } from '#replica/nouns.ts';
import { chooseBudget } from '#replica/budget.ts';
import { deleteRows } from '#replica/open.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { entities } from '#server/database/tables/places.ts';
import { clientAssignments } from '#server/database/tables/users.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid, type Speaks } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { listed } from '#tests/support/stored.ts';
import { aClient, anAccount, anEntity, anOffice, aPendingMatch, aTransaction } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

/** An accountant with two clients, each with rows and a match, all in one browser. */
async function aCopyOfTwoClients(speaks?: Speaks) {
  const { db } = server.database;
  const office = await anOffice(db);
  const other = await aClient(db, { organization_id: office.organization.id });
  const otherEntity = await anEntity(db, { client_id: other.id });
  const otherAccount = await anAccount(db, { entity_id: otherEntity.id });
  await db.insert(clientAssignments).values({ user_id: office.accountant.id, client_id: other.id });
  const pair = await aPendingMatch(db, office.exchange, office.wallet, { trx_date: new Date(testNow - 3_600_000) });
  await aTransaction(db, otherAccount, { trx_date: new Date(testNow - 3_600_000) });
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const worker = await browser.startSynced();
  const page = await browser.aPage();
  const count = async (clientId: string, engine = worker.engine) => (await aGrid(engine, clientId)).latest()?.count;
  const phaseOf = (clientId: string) => worker.status()?.entities.find(({ client_id }) => client_id === clientId)?.phase;
  return { ...office, ...browser, ...worker, other, otherAccount, pair, page, count, phaseOf };
}

test('[KD1] of a client that is left out nothing but its names and accounts is on the device, and nothing is asked for, until it is kept again', async () => {
  const { client, entity, other, exchange, page, engine, sync, wire, count, phaseOf } = await aCopyOfTwoClients();
  expect([await count(client.id), await count(other.id)]).toEqual([2, 1]);
  await engine.keepClient(client.id, false);
  await expect.poll(() => phaseOf(client.id)).toBe('left_out');
  expect([await count(client.id), await count(other.id)]).toEqual([0, 1]);
  expect([
    await listed(page.rows, 'transaction_matches'),
    (await listed(page.rows, 'segments')).filter(({ set }) => set === client.id),
  ]).toEqual([[], []]);
  expect([(await entitiesOf(page, client.id)).length, (await accountsOf(page, { client_id: client.id })).length]).toEqual([1, 2]);
  wire.requests.splice(0);
  await aTransaction(server.database.db, exchange);
  await sync();
  expect(wire.requests.filter((request) => request.includes(entity.id))).toEqual([]);
  expect(await count(client.id)).toBe(0);

  await engine.keepClient(client.id, true);
  await expect.poll(() => phaseOf(client.id)).toBe('steady');
  await sync();
  expect([await count(client.id), (await listed(page.rows, 'transaction_matches')).length]).toEqual([3, 1]);
});

test('[KD2] a client that is left out goes once its edits are sent, and what they brought is not kept either', async () => {
  const { client, entity, pair, page, engine, sync, wire, count, phaseOf, status } = await aCopyOfTwoClients();
  wire.cut();
  await enqueue(page.outbox, {
    id: uuidv7(),
    name: 'markTransfer',
    input: { trx_id: pair.out.id!, counterpart_id: pair.into.id!, is_transfer: true },
    title: 'Mark transfer',
    now: testNow,
    clientId: client.id,
    entityId: entity.id,
  });
  await engine.keepClient(client.id, false);
  await sync();
  expect(status()?.entities.find(({ client_id }) => client_id === client.id)).toMatchObject({ phase: 'steady', is_leaving: true });
  expect(await count(client.id)).toBe(2);
  wire.mend();
  await sync();
  await expect.poll(async () => (await pendingMutations(page.outbox)).length).toBe(0);
  await sync();
  await expect.poll(() => phaseOf(client.id)).toBe('left_out');
  expect([await count(client.id), await listed(page.rows, 'transaction_matches')]).toEqual([0, []]);
});

describe.each<Speaks>(['feed', 'specification'])('at a server that speaks %s', (speaks) => {
  test('[KD13] an entity that goes to a client that is left out is left out with it, and kept again once it goes elsewhere', async () => {
    const { db } = server.database;
    const { client, entity, other, page, engine, sync, wire, count, phaseOf } = await aCopyOfTwoClients(speaks);
    const moveTo = async (client_id: string) => {
      await db.update(entities).set({ client_id }).where(eq(entities.id, entity.id));
      // without a feed the list that tells of it is read when its time comes
      await sync();
      await sync();
    };
    await engine.keepClient(other.id, false);
    await expect.poll(() => phaseOf(other.id)).toBe('left_out');
    await moveTo(other.id);
    const held = async (table: 'transaction_matches' | 'cold') => (await listed(page.rows, table)).length;
    expect([await count(client.id), await count(other.id), await held('transaction_matches'), await held('cold')]).toEqual([0, 0, 0, 0]);
    wire.requests.splice(0);
    await sync();
    expect(wire.requests.filter((request) => request.includes(entity.id))).toEqual([]);

    await moveTo(client.id);
    expect([await count(client.id), await held('transaction_matches')]).toEqual([2, 1]);
  });
});

test('[KD14] with a client that is left out goes what an entity of it left where it was before, though nothing can be asked', async () => {
  const { client, entity, other, page, engine, sync, wire, phaseOf } = await aCopyOfTwoClients();
  wire.cut();
  // its list was read before the cut
  const [held] = (await listed(page.rows, 'entities')).filter(({ id }) => id === entity.id);
  await page.rows.write(['entities'], (tx) => tx.put('entities', { ...held!, client_id: other.id }));
  await engine.keepClient(other.id, false);
  await sync();
  await expect.poll(() => phaseOf(other.id)).toBe('left_out');
  expect((await listed(page.rows, 'cold')).filter(({ set }) => set === client.id)).toEqual([]);
});

test('[KD3] the choice outlives the copy: one that is made anew leaves the same clients out', async () => {
  const { client, entity, other, engine, session, start, wire, count, phaseOf } = await aCopyOfTwoClients();
  await engine.keepClient(client.id, false);
  await expect.poll(() => phaseOf(client.id)).toBe('left_out');
  await engine.close(session.userId);
  await browsers.close();
  await deleteRows(browserStores, session.userId);
  wire.requests.splice(0);
  const later = start();
  await later.engine.open(session);
  await later.sync();
  expect([await count(client.id, later.engine), await count(other.id, later.engine)]).toEqual([0, 1]);
  expect(wire.requests.filter((request) => request.includes(entity.id))).toEqual([]);
});

test('[KD7] what belongs to the device is opened once for a look and not at all by a round; how much is used is asked once a round', async () => {
  const { db } = server.database;
  const office = await anOffice(db);
  await aTransaction(db, office.exchange, { trx_date: new Date(testNow - 3_600_000) });
  const browser = await browsers.signIn(office.accountant.email);
  const opened: string[] = [];
  let asked = 0;
  const use = { usedBytes: 1e9, quotaBytes: 100e9 };
  const { engine, sync, status } = browser.start({
    onOpen: (name) => opened.push(name),
    usage: () => {
      asked += 1;
      return use;
    },
  });
  await engine.open(browser.session);
  await sync();
  const inRound = async (work: () => Promise<unknown>): Promise<[number, number]> => {
    opened.splice(0);
    asked = 0;
    await work();
    return [opened.filter((name) => name === 'tieout-device').length, asked];
  };
  expect(await inRound(sync)).toEqual([0, 1]);
  expect((await inRound(() => engine.look([office.client.id])))[0]).toBe(1);
  await engine.look([]);
  await chooseBudget(browserStores, 5e8);
  await expect.poll(() => status()?.problem).toContain('took more than the 500 MB they may');
  await engine.look([office.client.id]);
  await chooseBudget(browserStores, 2e9);
});

test('[KD8] where a first pull meets the budget, how much is used is asked once, and the client goes', async () => {
  const { db } = server.database;
  const office = await anOffice(db);
  await aTransaction(db, office.exchange, { trx_date: new Date(testNow - 3_600_000) });
  const browser = await browsers.signIn(office.accountant.email);
  const opened: string[] = [];
  let asked = 0;
  const { engine, sync, status } = browser.start({
    onOpen: (name) => opened.push(name),
    usage: () => {
      asked += 1;
      return { usedBytes: 70e9, quotaBytes: 100e9 };
    },
  });
  await engine.open(browser.session);
  await sync();
  expect(status()?.problem).toContain('took more than');
  expect(asked).toBe(1);
});

test('[KD10] what room was given back the browser tells late: also after a reload nobody else goes for it meanwhile', async () => {
  const { engine, count, accountant, client, other, session, start } = await aCopyOfTwoClients();
  await engine.close(accountant.id);
  const usage = () => ({ usedBytes: 61e9, quotaBytes: 100e9 });
  const before = start({ usage });
  await before.engine.look([client.id]);
  await before.engine.open(session);
  await before.sync();
  expect(before.status()?.problem).toContain('took more than');
  await before.engine.close(accountant.id);
  const after = start({ usage });
  await after.engine.open(session);
  await after.sync();
  expect([await count(client.id, after.engine), await count(other.id, after.engine)]).toEqual([2, 0]);
  server.clock.advance(61_000);
  await after.sync();
  expect(await count(client.id, after.engine)).toBe(0);
});

test('[KD9] what would not fit once it is here is not begun, nor is what somebody looks at left out for it', async () => {
  const { db } = server.database;
  const office = await anOffice(db);
  const clients = [office.client];
  const entities = [office.entity];
  while (clients.length < 6) {
    const client = await aClient(db, { organization_id: office.organization.id });
    const entity = await anEntity(db, { client_id: client.id });
    await aTransaction(db, await anAccount(db, { entity_id: entity.id }), { trx_date: new Date(testNow - 3_600_000) });
    await db.insert(clientAssignments).values({ user_id: office.accountant.id, client_id: client.id });
    clients.push(client);
    entities.push(entity);
  }
  const browser = await browsers.signIn(office.accountant.email, '', 'feed');
  const room = { usedBytes: 1e9, quotaBytes: 100e9 };
  const { wire } = browser;
  const { engine, sync, status } = browser.start({ usage: () => room });
  // more than the 2 GB that all may take, of each of the last two
  const sizes = entities.map(({ id }, index) => ({ entity_id: id, transactions: index < 4 ? 1 : 5e6 }));
  wire.answerOnce('GET', '/sync/v1/sizes', () => Response.json(sizes));
  await engine.look(clients.slice(0, 4).map(({ id }) => id));
  await engine.open(browser.session);
  await sync();
  const phases = () => clients.map(({ id }) => status()?.entities.find(({ client_id }) => client_id === id)?.phase);
  expect(phases()).toEqual(['steady', 'steady', 'steady', 'steady', 'left_out', 'left_out']);
  const asked = (index: number) => wire.requests.filter((request) => request.includes(`entity_id=${entities[index]?.id}`));
  expect([asked(3).length > 0, asked(4), asked(5)]).toEqual([true, [], []]);
  expect(status()?.problem).toMatch(
    /^The clients on this device would take more than the 2 GB they may\. .+ went, which were not looked at/,
  );
});
