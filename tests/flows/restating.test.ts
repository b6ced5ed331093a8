import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { listClients, updateClient } from '#contract/clients.ts';
import { listEntities, updateEntity } from '#contract/entities.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { listUsers } from '#contract/users.ts';
import { getTicketHistory } from '#contract/tickets.ts';
import { titleOf } from '#app/edit-titles.ts';
import { keepMine, keptInput } from '#replica/conflicts.ts';
import type { Fields } from '#replica/merge.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { shownClientsOf, shownEntitiesOf } from '#replica/places.ts';
import type { SeenRow } from '#replica/rebase.ts';
import { restate } from '#replica/restating.ts';
import { shownUsersOf } from '#replica/users.ts';
import { entityFields as fields } from '#tests/support/entity-fields.ts';
import { aFlow, settleTo } from '#tests/support/flow.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { planted } from '#tests/support/stored.ts';
import { aClient, anOffice, aUser } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const nobodys = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

/** The laptop of somebody who administers the accountant's organization; to the one client there comes an `other`. */
async function anAdministratorsLaptop(speaks: Speaks) {
  const laptop = await aLaptop(speaks, 'administrator');
  const { id } = laptop.accountant;
  return {
    ...laptop,
    id,
    shown: async () => (await shownUsersOf(laptop.page)).find((user) => user.id === id),
    stored: async () => (await laptop.call(listUsers, {})).find((user) => user.id === id),
  };
}

/** A laptop on which edits are said otherwise; `call` is somebody else's hand. */
async function aLaptop(speaks: Speaks, role: 'accountant' | 'administrator' = 'accountant') {
  const { db } = server.database;
  const office = await anOffice(db);
  const organizationIds = [office.organization.id];
  const other = await aClient(db, { organization_id: office.organization.id });
  const person = role === 'administrator' ? await aUser(db, { role, organizationIds }) : office.accountant;
  const browser = await browsers.signIn(person.email, '', speaks);
  let device = await browser.startSynced();
  const page = await browser.aPage();
  const edits = () => pendingMutations(page.outbox);
  const add = <N extends MutationName>(name: N, input: MutationInput<N>, seen?: SeenRow | null) =>
    enqueue(page.outbox, {
      id: uuidv7(),
      name,
      input,
      title: name,
      now: testNow,
      clientId: null,
      entityId: null,
      ...(seen === undefined ? {} : { seen }),
    });
  return {
    ...office,
    ...browser,
    other,
    page,
    edits,
    add,
    /** Nothing is sent, nor tried to, until it is `back`. */
    away: () => device.engine.close(browser.session.userId),
    back: async () => {
      device = browser.start();
      await device.engine.open(browser.session);
    },
    /** Says the first edit otherwise, as its form does. */
    say: async (changes: Fields) => {
      const [edit] = await edits();
      const begun = keptInput(edit!) as Fields;
      return restate(page.outbox, edit!.seq, {
        begun,
        ended: { ...begun, ...changes },
        titleOf,
        base: edit!.base,
        theirs: edit!.theirs,
        id: uuidv7(),
        now: testNow,
      });
    },
    clientNames: async () => (await browser.call(listClients, {})).map(({ client_name: name }) => name).sort(),
    requestsOf: (method: string) => browser.wire.requests.filter((request) => request.startsWith(`${method} /clients`)),
    settle: (states: string[]) => settleTo(states, { outbox: page.outbox, sync: () => device.sync() }),
  };
}

describe.each([
  ['that compares versions', 'feed' as const],
  ['that is read first', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[OB21] a client made without a network and said otherwise is made once, as it was said last', async () => {
    const { away, back, add, say, page, organization, client, settle, clientNames, requestsOf } = await aLaptop(speaks);
    const id = uuidv7();
    await away();
    await add('createClient', { id, organization_id: organization.id, client_name: 'Brich' }, null);
    await say({ client_name: 'Birch' });
    expect(await shownClientsOf(page)).toContainEqual(expect.objectContaining({ id, client_name: 'Birch' }));
    await back();
    await settle([]);
    expect(await clientNames()).toEqual(['Birch', client.client_name].sort());
    expect(requestsOf('POST')).toHaveLength(1);
  });

  test('[OB21] a name that was refused is said otherwise and goes on by itself', async () => {
    const { add, say, edits, organization, client, settle, clientNames } = await aLaptop(speaks);
    await add('createClient', { id: uuidv7(), organization_id: organization.id, client_name: client.client_name }, null);
    await settle(['refused']);
    await say({ client_name: 'Free' });
    expect((await edits())[0]).toMatchObject({ state: 'queued', title: 'Create client: Free' });
    await settle([]);
    expect(await clientNames()).toEqual(['Free', client.client_name].sort());
  });

  test('[OB32] what may have arrived is made once and changed after it, without a conflict with itself', async () => {
    const { wire, add, say, edits, page, organization, client, settle, clientNames } = await aLaptop(speaks);
    wire.loseAnswerOf('POST', '/clients', wire.cut);
    await add('createClient', { id: uuidv7(), organization_id: organization.id, client_name: 'Brich' }, null);
    await settle(['uncertain']);
    await say({ client_name: 'Birch' });
    expect((await edits()).map(({ title }) => title)).toEqual(['createClient', 'Update client: Brich to Birch']);
    wire.mend();
    await settle([]);
    expect(await clientNames()).toEqual(['Birch', client.client_name].sort());

    wire.loseAnswerOf('PUT', `/clients/${client.id}`, wire.cut);
    await add(
      'updateClient',
      { id: client.id, client_name: 'Sent' },
      { ...(await shownClientsOf(page)).find(({ id }) => id === client.id)! },
    );
    await settle(['uncertain']);
    await say({ client_name: 'Meant' });
    wire.mend();
    await settle([]);
    expect(await clientNames()).toEqual(['Birch', 'Meant']);
  });

  test.runIf(speaks === 'specification')('[OB38] what was made, and whose answer was lost, is found and not made twice', async () => {
    const { wire, add, organization, client, settle, clientNames } = await aLaptop(speaks);
    wire.loseAnswerOf('POST', '/clients', wire.cut);
    await add('createClient', { id: uuidv7(), organization_id: organization.id, client_name: 'Sent' }, null);
    await settle(['uncertain']);
    wire.mend();
    await settle([]);
    expect(wire.requests.filter((request) => request.startsWith('POST /clients')).length).toBe(1);
    expect(await clientNames()).toEqual(['Sent', client.client_name].sort());
  });

  test.runIf(speaks === 'feed')(
    '[OB33] what may have arrived and waits for the person is sent as another change, and not made twice where it did arrive',
    async () => {
      const { wire, add, say, edits, page, organization, client, settle, clientNames } = await aLaptop(speaks);
      wire.loseAnswerOf('POST', '/clients', wire.cut);
      await add('createClient', { id: uuidv7(), organization_id: organization.id, client_name: 'Sent' }, null);
      await settle(['uncertain']);
      // one fault more, and it is set aside
      await planted(page.outbox, 'mutations', [{ ...(await edits())[0]!, failing: { times: 7, since: 0 } }]);
      const fault = () =>
        new Response('{"detail":"Internal server error"}', { status: 500, headers: { 'content-type': 'application/json' } });
      wire.answerOnce('POST', '/clients', fault);
      wire.mend();
      await settle(['parked']);
      await say({ client_name: 'Meant' });
      await settle(['conflict']);
      expect(await clientNames()).toEqual(['Sent', client.client_name].sort());
      await keepMine(page.outbox, (await edits())[0]!);
      await settle([]);
      expect(await clientNames()).toEqual(['Meant', client.client_name].sort());
    },
  );

  test('[OB34] what was made on an edit that is said otherwise follows it without a conflict', async () => {
    const { away, back, add, say, page, client, settle, call } = await aLaptop(speaks);
    const id = uuidv7();
    const shown = async () => (await shownEntitiesOf(page)).find((one) => one.id === id)!;
    await away();
    await add('createEntity', { id, client_id: client.id, ...fields, entity_name: 'A' }, null);
    await add('updateEntity', { id, ...fields, entity_name: 'B' }, { ...(await shown()) });
    await say({ entity_name: 'C', city: 'Zug' });
    expect(await shown()).toMatchObject({ entity_name: 'B', city: 'Zug' });
    await back();
    await settle([]);
    expect((await call(listEntities, {})).find((one) => one.id === id)).toMatchObject({ entity_name: 'B', city: 'Zug', version: 2 });
  });

  test('[CF39] a conflict said otherwise is mine as edited on top of theirs, with what only they changed', async () => {
    const { wire, add, say, page, entity, settle, call } = await aLaptop(speaks);
    const stored = async () => (await call(listEntities, {})).find(({ id }) => id === entity.id)!;
    const row = (await shownEntitiesOf(page)).find(({ id }) => id === entity.id)!;
    wire.cut();
    await add('updateEntity', { id: entity.id, ...fields, city: 'Bern' }, { ...row });
    await call(updateEntity, { id: entity.id, ...fields, city: 'Chur', country: 'CH' });
    wire.mend();
    await settle(['conflict']);
    await say({ city: 'Zug' });
    await settle([]);
    expect(await stored()).toMatchObject({ city: 'Zug', country: 'CH' });
  });

  test('[CF39] of a client somebody renamed, the name said last holds', async () => {
    const { wire, add, say, edits, client, settle, clientNames, call } = await aLaptop(speaks);
    wire.cut();
    await add('updateClient', { id: client.id, client_name: 'Mine' }, { ...client, version: 1 });
    await call(updateClient, { id: client.id, client_name: 'Theirs' });
    wire.mend();
    await settle(['conflict']);
    await say({ client_name: 'Ours' });
    expect((await edits())[0]?.title).toBe('Update client: Theirs to Ours');
    await settle([]);
    expect(await clientNames()).toEqual(['Ours']);
  });

  test('[OB21] a ticket that waits is submitted as it was said last', async () => {
    const { away, back, add, say, settle, call, accountant } = await aLaptop(speaks);
    await away();
    const ticket = { id: uuidv7(), headline: 'Slwo', description: 'http://localhost/home\n\nIt is', priority: 'low' as const };
    await add('submitTicket', { ...ticket, reporter: accountant.email });
    await say({ headline: 'Slow', description: 'http://localhost/home\n\nIt is slow' });
    await back();
    await settle([]);
    const { issues } = await call(getTicketHistory, { reporter: accountant.email });
    expect(issues.map(({ fields: { summary } }) => summary)).toEqual(['Slow']);
  });

  test('[OB21] a role and assignments that wait reach the server as they were said last', async () => {
    const { away, back, add, say, settle, organization, stored, shown, client, other, id } = await anAdministratorsLaptop(speaks);
    await away();
    await add('setUserRole', { id, organization_id: organization.id, role_id: 'auditor' }, await shown());
    await say({ role_id: 'reporter' });
    await back();
    await settle([]);
    expect(await stored()).toMatchObject({ memberships: [{ organization_id: organization.id, role_id: 'reporter' }] });
    await away();
    await add('assignUser', { id, ...nobodys, assign_clients: [other.id], unassign_clients: [client.id] }, await shown());
    await say({ assign_clients: [], unassign_clients: [client.id] });
    expect((await shown())?.client_ids).toEqual([]);
    await back();
    await settle([]);
    expect((await stored())?.client_ids).toEqual([]);
  });

  test('[OB40] what was assigned and may have arrived is taken back where it is no longer said', async () => {
    const { wire, add, say, settle, edits, stored, shown, client, other, id } = await anAdministratorsLaptop(speaks);
    wire.loseAnswerOf('PUT', `/users/${id}/clients`, wire.cut);
    await add('assignUser', { id, ...nobodys, assign_clients: [other.id], unassign_clients: [client.id] }, await shown());
    await settle(['uncertain']);
    await say({ assign_clients: [] });
    expect((await shown())?.client_ids).toEqual([]);
    expect(await edits()).toHaveLength(2);
    wire.mend();
    await settle([]);
    expect((await stored())?.client_ids).toEqual([]);
  });
});
