import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import type { PermissionKey } from '#contract/permissions.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { discardMany, retry } from '#replica/decisions.ts';
import { heldRows } from '#replica/held-rows.ts';
import { isOnItsWay, needsPerson } from '#replica/mutation-states.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { entities } from '#server/database/tables/places.ts';
import { clientAssignments } from '#server/database/tables/users.ts';
import { aGrid, type Speaks } from '#tests/support/engine.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { aFlow } from '#tests/support/flow.ts';
import { testNow } from '#tests/support/server.ts';
import { listed } from '#tests/support/stored.ts';
import { anEntity, anOffice, aPendingMatch, aSecurity, restrict } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const db = () => server.database.db;

const minuteMs = 60_000;

/** The edits that wait, in the order of making. */
const names = ['updateClient', 'updateEntity', 'deleteEntity', 'createEntity', 'markTransfer', 'archiveAsset'];

/** A laptop without a network, on which every kind of edit of a client, and of what lies in it, waits. */
async function aLaptopWithEdits(speaks: Speaks) {
  const office = await anOffice(db());
  const { client, entity, accountant } = office;
  const sister = await anEntity(db(), { client_id: client.id });
  const pair = await aPendingMatch(db(), office.exchange, office.wallet);
  const security = await aSecurity(db());
  const browser = await browsers.signIn(accountant.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const marked = (await (await aGrid(device.engine, client.id)).rows()).find(({ id }) => id === pair.out.id);
  const [clientNow] = await heldRows(page.rows, 'clients');
  const entitiesNow = await heldRows(page.rows, 'entities');
  const add = <N extends MutationName>(name: N, input: MutationInput<N>, seen: SeenRow | null | undefined, entityId: string | null) =>
    enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: client.id, entityId, seen: seen ?? null });
  const entityNow = (id: string) => entitiesNow.find((each) => each.id === id) as SeenRow | undefined;
  browser.wire.cut();
  await add('updateClient', { id: client.id, client_name: 'Renamed' }, clientNow, null);
  await add('updateEntity', { id: entity.id, ...entityFields, city: 'Berne' }, entityNow(entity.id), entity.id);
  await add('deleteEntity', { id: sister.id }, entityNow(sister.id), sister.id);
  const made = uuidv7();
  await add('createEntity', { id: made, client_id: client.id, ...entityFields, entity_name: 'Made' }, null, made);
  await add(
    'markTransfer',
    { trx_id: pair.out.id!, counterpart_id: pair.into.id!, is_transfer: true },
    marked as SeenRow | undefined,
    entity.id,
  );
  const asset = archivedAssetId(client.id, security.id);
  await add('archiveAsset', { id: asset, client_id: client.id, security_id: security.id, is_spam: false }, null, null);
  const states = async () => Object.fromEntries((await pendingMutations(page.outbox)).map(({ name, state }) => [name, state]));
  const { wire } = browser;
  return {
    ...office,
    ...browser,
    ...device,
    sister,
    page,
    /** How each edit that waits stands, by its name. */
    states,
    later: async () => {
      server.clock.advance(11 * minuteMs);
      await device.sync();
    },
    /** Edits that went to the server so far. */
    sent: () => wire.requests.filter((request) => !request.startsWith('GET ') && !request.includes('/sync/')).length,
    /** How often it was asked what the person may do. */
    rights: () => wire.requests.filter((request) => request.startsWith('GET /users/me')).length,
  };
}

const readAndWrite = (['client', 'entity', 'account', 'transaction', 'transaction_match'] as const).flatMap((noun): PermissionKey[] => [
  `${noun}_read`,
  `${noun}_write`,
]);

/** How a client, or what one may do with it, is taken from somebody. */
const ways: Record<string, (userId: string) => Promise<unknown>> = {
  'the client': (id) => db().delete(clientAssignments).where(eq(clientAssignments.user_id, id)),
  'the right to write': (id) => restrict(db(), id, 'client_write', 'entity_write', 'transaction_match_write'),
  'the right to read and write': (id) => restrict(db(), id, ...readAndWrite),
};

describe.each<Speaks>(['feed', 'specification'])('edits that wait, at a server that speaks %s', (speaks) => {
  test.each(Object.entries(ways))(
    '[SY83] of somebody who loses %s they come to wait for the person, who may discard them',
    async (_, takeAway) => {
      const { accountant, wire, sync, page, states, later, sent } = await aLaptopWithEdits(speaks);
      await takeAway(accountant.id);
      wire.mend();
      await sync();
      expect(Object.keys(await states())).toEqual(names);
      expect((await pendingMutations(page.outbox)).filter(({ state }) => !needsPerson(state) || isOnItsWay(state))).toEqual([]);
      const [then, tries] = [await states(), sent()];
      // nothing brings them to go on, or away, by itself
      await later();
      expect([await states(), sent()]).toEqual([then, tries]);
      const own = await pendingMutations(page.outbox);
      expect(
        await discardMany(
          page.outbox,
          own.map(({ seq }) => seq),
          testNow,
        ),
      ).toBe(0);
      expect(await states()).toEqual({});
    },
  );

  test('[SY83] so they do where the copy has let go of all of the client before any could be sent', async () => {
    const { accountant, wire, sync, page, states, later } = await aLaptopWithEdits(speaks);
    const through = wire.fetch;
    let isEarly = true;
    wire.fetch = (input, init) => {
      const isEdit = (init?.method ?? 'GET') !== 'GET' && !String(input).includes('/sync/');
      const isOfRow = /\/entities\/[^?]|\/select\?|[?&]id=/.test(String(input));
      return isEarly && (isEdit || isOfRow)
        ? Promise.resolve(Response.json({ detail: 'Too early' }, { status: 425 }))
        : through(input, init);
    };
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    wire.mend();
    for (let times = 3; times > 0; times -= 1) await sync();
    expect([await listed(page.rows, 'clients'), await listed(page.rows, 'entities'), await listed(page.rows, 'segments')]).toEqual([
      [],
      [],
      [],
    ]);
    expect(Object.values(await states())).toEqual(names.map(() => 'queued'));
    isEarly = false;
    await later();
    expect(Object.keys(await states())).toEqual(names);
    expect((await pendingMutations(page.outbox)).filter(({ state }) => !needsPerson(state))).toEqual([]);
  });

  test('[SY84] where the client is theirs again before they are sent they are made, as if it had been all the time', async () => {
    const { accountant, client, wire, sync, page, states } = await aLaptopWithEdits(speaks);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    await db().insert(clientAssignments).values({ user_id: accountant.id, client_id: client.id });
    wire.mend();
    await sync();
    await sync();
    expect(await states()).toEqual({});
    expect((await listed(page.outbox, 'receipts')).map(({ outcome }) => outcome)).toEqual(names.map(() => 'accepted'));
  });

  test('[OB59] a deletion is not called done where its row is out of sight with its client; where it is gone alone it is', async () => {
    const { accountant, sister, wire, sync, page, states } = await aLaptopWithEdits(speaks);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    wire.mend();
    await sync();
    const [edit] = (await pendingMutations(page.outbox)).filter(({ name }) => name === 'deleteEntity');
    expect([edit?.state, edit?.error?.detail]).toEqual(['refused', expect.stringContaining('whether it is gone cannot be said')]);
    await db()
      .insert(clientAssignments)
      .values({ user_id: accountant.id, client_id: edit?.client_id ?? '' });
    await db()
      .update(entities)
      .set({ deleted_at: new Date(testNow) })
      .where(eq(entities.id, sister.id));
    await retry(page.outbox, edit?.seq ?? 0);
    await sync();
    expect(await states()).not.toHaveProperty('deleteEntity');
    expect(await listed(page.outbox, 'receipts')).toMatchObject([{ name: 'deleteEntity', outcome: 'accepted', is_met: true }]);
  });

  test('[SY81] once one is refused for want of a right, by the API itself, what the person may do is to be asked anew, once', async () => {
    const { accountant, wire, sync, status, later, rights } = await aLaptopWithEdits(speaks);
    await ways['the right to write']?.(accountant.id);
    const through = wire.fetch;
    wire.fetch = (input, init) =>
      (init?.method ?? 'GET') === 'GET' || String(input).includes('/sync/')
        ? through(input, init)
        : Promise.resolve(new Response('<html>Blocked by your company</html>', { status: 403 }));
    wire.mend();
    await sync();
    expect(status()?.denied_at).toBe(null);
    wire.fetch = through;
    await later();
    const [at, asked] = [status()?.denied_at, rights()];
    expect(at).toBe(server.clock.now());
    await later();
    await later();
    expect([status()?.denied_at, rights()]).toEqual([at, asked]);
  });
});
