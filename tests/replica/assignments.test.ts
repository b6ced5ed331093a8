import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { conflictOf } from '#replica/conflicts.ts';
import { discard } from '#replica/decisions.ts';
import { makersOfAssigned } from '#replica/places.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { anOutbox, foundOn, generation, refused } from '#tests/support/sent-edits.ts';

const [id, client] = [uuidv7(), uuidv7()];
const user = { id, name: 'A', is_enabled: true, memberships: [], client_ids: [], entity_ids: [], version: 3 };
/** The same once somebody else assigned the client. */
const theirs = { ...user, client_ids: [client], version: 4 };
const none = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };

describe('assignments, which say what is to change and not what is to be', () => {
  test('[CF49] take nothing away that somebody else assigned and nobody saw', async () => {
    const { outbox, add, shown, meet, first } = await anOutbox();
    await add('assignUser', { id, ...none, assign_clients: [client] }, await shown('users', user));
    // of the client one entity alone
    const change = { ...none, unassign_clients: [client], assign_entities: [uuidv7()] };
    await meet(refused, async () => add('assignUser', { id, ...change }, await shown('users', user)));
    await discard(outbox, (await first()).seq, 20);
    expect(foundOn(await first(), theirs)).toMatchObject({ kind: 'conflict', fields: ['client_ids'] });
  });

  test('[CF49] are not called done where the server has it otherwise', async () => {
    const { outbox, add, shown, first } = await anOutbox();
    await add('assignUser', { id, ...none, assign_clients: [client] }, await shown('users', user));
    await add('assignUser', { id, ...none, unassign_clients: [client] }, await shown('users', user));
    await discard(outbox, (await first()).seq, 20);
    expect(foundOn(await first(), theirs)).toMatchObject({ kind: 'conflict', fields: ['client_ids'] });
  });

  test('[CF51] are shown in a conflict as they are where the edit is kept: with what somebody else assigned', async () => {
    const { add, shown, meet, first } = await anOutbox();
    const other = uuidv7();
    await add('assignUser', { id, ...none, assign_clients: [other] }, await shown('users', user));
    const { version, id: _id, ...fields } = theirs;
    await meet({ event: 'conflict', changes: { theirs: { version, generation, fields } } });
    const mine = [client, other].sort();
    expect(conflictOf(await first())?.fields).toEqual([{ name: 'client_ids', base: [], mine, theirs: [client], isOpen: true }]);
  });

  test('[OB52] are sent after the edits that are to make what they assign, and after no others', async () => {
    const { replica, add, edits } = await anOutbox();
    const [made, entity, organization_id] = [uuidv7(), uuidv7(), uuidv7()];
    await add('createClient', { id: made, organization_id, client_name: 'Birch' }, null);
    await add('createEntity', { id: entity, client_id: client, ...entityFields }, null);
    await add('createClient', { id: uuidv7(), organization_id, client_name: 'Elm' }, null);
    await add('updateClient', { id: client, client_name: 'Beta' }, { id: client, client_name: 'Acme', version: 3 });
    const change = { ...none, assign_clients: [client, made], assign_entities: [entity] };
    const [toMakeClient, toMakeEntity] = await edits();
    expect(await makersOfAssigned(replica, change)).toEqual([toMakeClient?.id, toMakeEntity?.id]);
  });
});
