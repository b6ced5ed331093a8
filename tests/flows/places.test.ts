import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { listClients } from '#contract/clients.ts';
import { deleteEntity, type EntityFields, entityFieldsSchema, listEntities, updateEntity } from '#contract/entities.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { keepMine } from '#replica/conflicts.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { makersOf, shownClientsOf, shownEntitiesOf } from '#replica/places.ts';
import { entityFields as fields } from '#tests/support/entity-fields.ts';
import { aFlow, settleTo } from '#tests/support/flow.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { anOffice } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

/** A laptop of somebody who works in an office; `call` is somebody else's hand. */
async function aLaptop(speaks: Speaks) {
  const office = await anOffice(server.database.db);
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const shown = async () => (await shownEntitiesOf(page)).find(({ id }) => id === office.entity.id);
  const add = async <N extends MutationName>(name: N, input: MutationInput<N>, more: { deps?: string[]; isNew?: true } = {}) => {
    const seen = more.isNew ? null : ((await shown()) ?? null);
    const { deps = [] } = more;
    await enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: null, entityId: null, seen, deps });
  };
  const stored = async () => (await browser.call(listEntities, {})).find(({ id }) => id === office.entity.id);
  const said = async (): Promise<EntityFields> => entityFieldsSchema.parse(await stored());
  return {
    ...office,
    ...browser,
    ...device,
    page,
    add,
    stored,
    shown,
    mine: async (change: Partial<EntityFields>) => add('updateEntity', { id: office.entity.id, ...(await said()), ...change }),
    theirs: async (change: Partial<EntityFields>) => browser.call(updateEntity, { id: office.entity.id, ...(await said()), ...change }),
    settle: (states: string[]) => settleTo(states, { outbox: page.outbox, sync: () => device.sync() }),
  };
}

/** A server that asks to come again at once. */
const busy = (): Response =>
  new Response('{"detail":"Busy"}', { status: 503, headers: { 'content-type': 'application/json', 'retry-after': '0' } });

describe.each([
  ['that compares versions', 'feed' as const],
  ['that is read first', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[PL16] a client and an entity in it, made without a network, show at once and reach the server one after the other', async () => {
    const { wire, add, page, organization, settle, call } = await aLaptop(speaks);
    const [client, entity] = [uuidv7(), uuidv7()];
    wire.cut();
    await add('createClient', { id: client, organization_id: organization.id, client_name: 'Birch' }, { isNew: true });
    const deps = await makersOf(page, 'clients', client);
    await add('createEntity', { id: entity, client_id: client, ...fields }, { deps, isNew: true });
    await add('updateEntity', { id: entity, ...fields, city: 'Basel' }, { isNew: true });
    expect(await shownClientsOf(page)).toContainEqual(expect.objectContaining({ id: client, client_name: 'Birch', version: 0 }));
    expect(await shownEntitiesOf(page, client)).toMatchObject([{ id: entity, city: 'Basel', pending: { state: 'queued' } }]);
    wire.mend();
    await settle([]);
    expect((await call(listClients, {})).map(({ id }) => id)).toContain(client);
    expect(await call(listEntities, { client_id: client })).toMatchObject([{ id: entity, city: 'Basel', version: 2 }]);
    await expect.poll(async () => (await shownEntitiesOf(page, client)).map(({ pending }) => pending)).toEqual([null]);
  });

  test('[OB54] a name that one entity lets go of without a network another one takes, and nobody is asked', async () => {
    const { wire, add, mine, stored, settle, call, client, entity } = await aLaptop(speaks);
    const { entity_name } = (await stored())!;
    wire.cut();
    await mine({ entity_name: 'Closed' });
    const id = uuidv7();
    await add('createEntity', { id, client_id: client.id, ...fields, entity_name }, { isNew: true });
    wire.answerOnce('PUT', `/entities/${entity.id}`, () => busy());
    wire.mend();
    await settle([]);
    const named = (await call(listEntities, { client_id: client.id })).map((each) => [each.id, each.entity_name]);
    expect(new Map(named as [string, string][])).toEqual(
      new Map([
        [entity.id, 'Closed'],
        [id, entity_name],
      ]),
    );
  });

  test('[PL17] of an entity that two changed, fields of one side merge, and those of both are for the person to decide', async () => {
    const { wire, mine, theirs, settle, stored, page } = await aLaptop(speaks);
    wire.cut();
    await mine({ city: 'Basel' });
    await theirs({ country: 'CH' });
    wire.mend();
    await settle([]);
    expect(await stored()).toMatchObject({ city: 'Basel', country: 'CH' });

    wire.cut();
    await mine({ city: 'Bern' });
    await theirs({ city: 'Genève' });
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toMatchObject({ city: 'Genève' });
    const [edit] = await pendingMutations(page.outbox);
    await keepMine(page.outbox, edit!, []);
    await settle([]);
    expect(await stored()).toMatchObject({ city: 'Bern', country: 'CH' });
  });

  test('[PL18] an entity is not deleted unseen that somebody changed, nor changed that somebody deleted', async () => {
    const { wire, add, entity, theirs, settle, stored, page } = await aLaptop(speaks);
    wire.cut();
    await add('deleteEntity', { id: entity.id });
    await theirs({ city: 'Genève' });
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toMatchObject({ city: 'Genève' });
    const [edit] = await pendingMutations(page.outbox);
    await keepMine(page.outbox, edit!, []);
    await settle([]);
    expect(await stored()).toBeUndefined();
    await expect.poll(async () => (await shownEntitiesOf(page)).map(({ id }) => id)).not.toContain(entity.id);

    const other = await aLaptop(speaks);
    other.wire.cut();
    await other.mine({ city: 'Basel' });
    await other.call(deleteEntity, { id: other.entity.id });
    other.wire.mend();
    await other.settle(['conflict']);
    // kept there is nothing to keep it in: nobody is told that it was done
    await keepMine(other.page.outbox, (await pendingMutations(other.page.outbox))[0]!);
    await other.settle(['refused']);
    expect((await pendingMutations(other.page.outbox))[0]?.error?.detail).toMatch(/not found|changed/i);
  });
});
