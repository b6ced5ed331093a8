import { and, eq } from 'drizzle-orm';
import { expect, test } from 'vitest';
import { clientAssignments, entityAssignments } from '#server/database/tables/users.ts';
import { settled } from '#tests/support/feed.ts';
import { aFlow } from '#tests/support/flow.ts';
import { listed } from '#tests/support/stored.ts';
import { aClient, anAccount, anEntity, anOffice, restrict, someTransactions, transactionRow } from '#tests/support/world.ts';

const { server, browsers } = aFlow();
const db = () => server.database.db;

/** What a laptop holds of the places once it calls itself synced for the first time, where others change something while it reads the transactions. */
async function heldWhenSynced(email: string, change: () => Promise<unknown>) {
  const browser = await browsers.signIn(email, '', 'feed');
  const { wire } = browser;
  let nudge = (): void => undefined;
  wire.answerOnce('GET', '/sync/v1/events', () => {
    const words = new TextEncoder().encode('event: nudge\ndata:\n\n');
    const stream = new ReadableStream<Uint8Array>({ start: (told) => void (nudge = () => told.enqueue(words)) });
    return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  });
  wire.answerOnce('GET', '/transactions', async () => {
    await change();
    await settled(db());
    nudge();
    return null;
  });
  const worker = browser.start();
  const page = await browser.aPage();
  // nothing more comes from the moment on at which it says so
  void worker.engine.watchStatus('cut', ({ phase }) => phase === 'idle' && wire.cut());
  await worker.engine.open(browser.session);
  await worker.until(({ phase }) => phase === 'idle');
  const count = async (noun: 'clients' | 'entities' | 'accounts') => (await listed(page.rows, noun)).length;
  return { clients: await count('clients'), entities: await count('entities'), accounts: await count('accounts') };
}

test('[SY77] a client that somebody is given while a round reads is here before that calls itself synced', async () => {
  const { accountant, organization, exchange } = await anOffice(db());
  await someTransactions(db(), [transactionRow(exchange)]);
  const client = await aClient(db(), { organization_id: organization.id });
  const entity = await anEntity(db(), { client_id: client.id });
  await someTransactions(db(), [transactionRow(await anAccount(db(), { entity_id: entity.id }))]);
  const give = () => db().insert(clientAssignments).values({ user_id: accountant.id, client_id: client.id });
  expect(await heldWhenSynced(accountant.email, give)).toMatchObject({ clients: 2, entities: 2, accounts: 3 });
});

test('[SY77] what a right that is lost while a round reads does not cover is still here once that calls itself synced', async () => {
  const { accountant, exchange } = await anOffice(db());
  await someTransactions(db(), [transactionRow(exchange)]);
  const held = await heldWhenSynced(accountant.email, () => restrict(db(), accountant.id, 'account_read'));
  expect(held).toEqual({ clients: 1, entities: 1, accounts: 0 });
});

test('[SY77] accounts of an entity that somebody lost are gone once the copy calls itself synced, be it that the feed tells nothing of entities', async () => {
  const { accountant, client, entity } = await anOffice(db());
  const [user_id, other] = [accountant.id, await anEntity(db(), { client_id: client.id })];
  const secret = await anAccount(db(), { entity_id: other.id });
  await db().delete(clientAssignments).where(eq(clientAssignments.user_id, user_id));
  await db()
    .insert(entityAssignments)
    .values([entity, other].map(({ id }) => ({ user_id, entity_id: id })));
  await restrict(db(), user_id, 'transaction_read');
  const browser = await browsers.signIn(accountant.email, '', 'feed');
  const worker = await browser.startSynced();
  const page = await browser.aPage();
  const isHeld = async () => (await listed(page.rows, 'accounts')).some(({ id }) => id === secret.id);
  expect(await isHeld()).toBe(true);
  await db()
    .delete(entityAssignments)
    .where(and(eq(entityAssignments.user_id, user_id), eq(entityAssignments.entity_id, other.id)));
  await worker.sync();
  expect(await isHeld()).toBe(false);
});
