import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { assignUser, listUsers, updateUser } from '#contract/users.ts';
import { keepMine } from '#replica/conflicts.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { shownClientsOf, shownEntitiesOf } from '#replica/places.ts';
import { shownUsersOf } from '#replica/users.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { aFlow, settleTo } from '#tests/support/flow.ts';
import { testNow } from '#tests/support/server.ts';
import { aClient, anEntity, anOffice, aUser } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const nothing = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

/** The laptop of an administrator; `call` is somebody else's hand. */
async function aLaptop(speaks: Speaks) {
  const { db } = server.database;
  const office = await anOffice(db);
  const { organization } = office;
  const other = await aClient(db, { organization_id: organization.id });
  const administrator = await aUser(db, { role: 'administrator', organizationIds: [organization.id] });
  const browser = await browsers.signIn(administrator.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const { id } = office.accountant;
  const shown = async () => (await shownUsersOf(page)).find((user) => user.id === id);
  return {
    ...office,
    ...browser,
    ...device,
    other,
    page,
    id,
    shown,
    stored: async () => (await browser.call(listUsers, {})).find((user) => user.id === id),
    add: async <N extends MutationName>(name: N, input: MutationInput<N>) =>
      enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: null, entityId: null, seen: await shown() }),
    settle: (states: string[]) => settleTo(states, { outbox: page.outbox, sync: () => device.sync() }),
  };
}

describe.each([
  ['that compares versions', 'feed' as const],
  ['that is read first', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[US24] a role, an assignment and a disabling made without a network show at once and reach the server in order', async () => {
    const { wire, add, id, organization, other, shown, stored, settle } = await aLaptop(speaks);
    wire.cut();
    await add('setUserRole', { id, organization_id: organization.id, role_id: 'auditor' });
    await add('assignUser', { id, ...nothing, assign_clients: [other.id] });
    await add('updateUser', { id, name: 'Renamed', is_enabled: false });
    const wanted = { memberships: [{ organization_id: organization.id, role_id: 'auditor' }], name: 'Renamed', is_enabled: false };
    expect(await shown()).toMatchObject({ ...wanted, pending: { state: 'queued' } });
    expect((await shown())?.client_ids).toContain(other.id);
    wire.mend();
    await settle([]);
    expect(await stored()).toMatchObject(wanted);
    expect((await stored())?.client_ids).toContain(other.id);
    await expect.poll(async () => (await shown())?.pending).toBeNull();
  });

  test('[US26] assignments that two changed are for the person to decide; what somebody took care of already is met', async () => {
    const { wire, add, id, client, other, stored, call, settle, page } = await aLaptop(speaks);
    wire.cut();
    await add('assignUser', { id, ...nothing, assign_clients: [other.id] });
    await call(assignUser, { id, ...nothing, unassign_clients: [client.id] });
    wire.mend();
    await settle(['conflict']);
    const [edit] = await pendingMutations(page.outbox);
    await keepMine(page.outbox, edit!, []);
    await settle([]);
    // mine says what is to change and nothing of the rest
    expect((await stored())?.client_ids).toEqual([other.id]);

    wire.cut();
    await add('updateUser', { id, name: 'Test User', is_enabled: false });
    await call(updateUser, { id, name: 'Test User', is_enabled: false });
    wire.mend();
    await settle([]);
    expect(await stored()).toMatchObject({ is_enabled: false });
  });

  test('[US25] what is taken away from somebody goes from their device with its rows, and comes back when it is assigned again', async () => {
    const { call, id, client, entity, other, accountant } = await aLaptop(speaks);
    const another = await anEntity(server.database.db, { client_id: other.id });
    await anEntity(server.database.db, { client_id: other.id });
    const browser = await browsers.signIn(accountant.email, '', speaks);
    const device = await browser.startSynced();
    const page = await browser.aPage();
    const clients = async () => {
      await device.sync();
      return (await shownClientsOf(page)).map((one) => one.id);
    };
    const entities = async () => (await shownEntitiesOf(page)).map((one) => one.id);
    expect(await clients()).toEqual([client.id]);
    await call(assignUser, { id, ...nothing, unassign_clients: [client.id], assign_entities: [another.id] });
    // without a feed lists are read again when they are old
    const later = async () => {
      if (speaks === 'specification') server.clock.advance(11 * 60_000);
      return clients();
    };
    await expect.poll(later, { timeout: 20_000 }).toEqual([other.id]);
    expect(await entities()).toEqual([another.id]);
    await call(assignUser, { id, ...nothing, assign_clients: [client.id], unassign_entities: [another.id] });
    await expect.poll(later, { timeout: 20_000 }).toEqual([client.id]);
    expect(await entities()).toEqual([entity.id]);
  });
});
