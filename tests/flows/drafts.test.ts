import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { PermissionKey } from '#contract/permissions.ts';
import { draftKey } from '#replica/drafts.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import { clientAssignments } from '#server/database/tables/users.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { aFlow } from '#tests/support/flow.ts';
import { listed, planted } from '#tests/support/stored.ts';
import { anOffice, aPendingMatch, aTransaction, restrict } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const db = () => server.database.db;

/** Somebody who typed into the forms of a client, of its entity, of an entity to be made in it, and of a ticket. */
async function aTypist(speaks: Speaks) {
  const office = await anOffice(db());
  await aTransaction(db(), office.exchange);
  await aPendingMatch(db(), office.exchange, office.wallet);
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const worker = await browser.startSynced();
  const page = await browser.aPage();
  const draft = (form: string, client_id: string | null, entity_id: string | null = null): Draft => ({
    form_key: draftKey(form, uuidv7()),
    client_id,
    entity_id,
    fields: { name: 'Larch' },
    before: { name: '' },
    kept_at: 1,
  });
  const { client, entity, accountant } = office;
  const own = [draft('client', client.id), draft('entity', client.id, entity.id), draft('entity:new', client.id), draft('ticket', null)];
  await planted(page.outbox, 'drafts', own);
  return {
    ...office,
    ...browser,
    ...worker,
    page,
    mayNot: (...rights: PermissionKey[]) => restrict(db(), accountant.id, ...rights),
    forms: async () => (await listed(page.outbox, 'drafts')).map(({ form_key: key }) => key.split(' ')[0]),
    held: async (table: 'accounts' | 'entities' | 'segments') => (await listed(page.rows, table)).length,
  };
}

const all = ['client', 'entity', 'entity:new', 'ticket'];

describe.each<Speaks>(['feed', 'specification'])('what was typed, at a server that speaks %s', (speaks) => {
  test('[DR27] it stays where the person may no longer see the transactions and accounts of what it is about, but that itself', async () => {
    const { mayNot, sync, forms, held } = await aTypist(speaks);
    await mayNot('transaction_read', 'transaction_match_read', 'account_read');
    await sync();
    expect([await held('accounts'), await held('segments'), await held('entities'), await forms()]).toEqual([0, 0, 1, all]);
  });

  test('[DR28] it goes with the right to the list in which what it is about was seen, and nothing else does', async () => {
    const { mayNot, sync, forms } = await aTypist(speaks);
    await mayNot('entity_read');
    await sync();
    expect(await forms()).toEqual(['client', 'entity:new', 'ticket']);
    await mayNot('entity_read', 'client_read');
    await sync();
    expect(await forms()).toEqual(['ticket']);
  });

  test('[DR2] it goes where the client it is about, or lies in, is not the person’s any more', async () => {
    const { accountant, sync, forms } = await aTypist(speaks);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    // one that tells nothing is believed once three lists in a row lack a row
    for (let times = speaks === 'feed' ? 1 : 3; times > 0; times -= 1) await sync();
    expect(await forms()).toEqual(['ticket']);
  });

  test('[DR29] what was cut short of letting go of it does so with the next start, be it without a network', async () => {
    const { engine, session, page, start, wire, forms, client, entity } = await aTypist(speaks);
    await engine.close(session.userId);
    // the lists were read, and power failed right then
    await page.rows.write(['clients', 'entities'], async (tx) => {
      await tx.remove('clients', client.id);
      await tx.remove('entities', entity.id);
    });
    wire.cut();
    const next = start();
    await next.engine.open(session);
    expect((await next.sync()).phase).toBe('offline');
    expect(await forms()).toEqual(['ticket']);
  });
});
