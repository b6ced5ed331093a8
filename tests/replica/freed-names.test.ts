import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '#replica/sending.ts';
import type { ApiCall } from '#api-client/call.ts';
import { ApiError } from '#contract/errors.ts';
import { discard } from '#replica/decisions.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { outboxFormat } from '#replica/outbox-tables.ts';
import { planted } from '#tests/support/stored.ts';
import { sayOtherwise } from '#tests/support/outbox.ts';
import { anOutbox, refused, type SomeRow } from '#tests/support/sent-edits.ts';

const accepted: Outcome = { event: 'accepted', answer: { id: 'it' } };
/** A server that takes everything. */
const taking = (async () => ({ id: 'it' })) as unknown as ApiCall;
const lost: Outcome = { event: 'no_answer', mayHaveArrived: true, error: new ApiError({ code: 'network', detail: 'Lost' }) };

/** Two entities of a client, and a person who edits them. */
async function aClient() {
  const { add, edits, ...outbox } = await anOutbox();
  const row = (entity_name: string) => ({ ...entityFields, entity_name, id: uuidv7(), client_id: uuidv7(), version: 1 }) satisfies SomeRow;
  const [birch, elm] = [row('Birch'), row('Elm')];
  const copies = new Map([birch, elm].map((copy) => [copy.id, copy]));
  const shown = async (id: string): Promise<SomeRow> => outbox.shown('entities', copies.get(id)!);
  const rename = async ({ id }: { id: string }, entity_name: string) =>
    add('updateEntity', { id, ...entityFields, entity_name }, await shown(id));
  const remove = async ({ id }: { id: string }) => add('deleteEntity', { id }, await shown(id));
  const make = (entity_name: string) => add('createEntity', { id: uuidv7(), client_id: uuidv7(), ...entityFields, entity_name }, null);
  /** Which edits each one goes after, by their places. */
  const waits = async () => {
    const all = await edits();
    return all.map(({ after = [] }) => after.map((id) => all.findIndex((edit) => edit.id === id)).filter((at) => at >= 0));
  };
  return { ...outbox, add, edits, birch, elm, rename, remove, make, waits };
}

describe('[OB54] an edit that takes a name goes after those that let go of it', () => {
  test('be they a rename or a deletion, however the name is written', async () => {
    const { birch, elm, rename, remove, make, waits } = await aClient();
    await rename(birch, 'Birch, closed');
    await remove(elm);
    await make(' birch');
    await make('Elm');
    expect(await waits()).toEqual([[], [], [0], [1]]);
  });

  test('also where rows change their names', async () => {
    const { birch, elm, rename, waits } = await aClient();
    await rename(birch, 'Between');
    await rename(elm, 'Birch');
    await rename(birch, 'Elm');
    expect(await waits()).toEqual([[], [0], [1]]);
  });

  test('also where it is said otherwise, in its place or behind', async () => {
    const { outbox, birch, elm, rename, make, waits, edits, meet } = await aClient();
    await rename(birch, 'Birch, closed');
    await make('Oak');
    await rename(elm, 'Elm, closed');
    const ofOak = async () => (await edits()).find(({ name }) => name === 'createEntity')!;
    await sayOtherwise(outbox, await ofOak(), { entity_name: 'Birch' });
    // what was made after it is no matter in its place
    await sayOtherwise(outbox, await ofOak(), { city: 'Elm' });
    expect(await waits()).toEqual([[], [0], []]);
    await sayOtherwise(outbox, await ofOak(), { entity_name: 'Fir' });
    expect(await waits()).toEqual([[], [], []]);
    await meet(accepted);
    await meet(lost);
    await sayOtherwise(outbox, await ofOak(), { entity_name: 'Elm' });
    expect(await waits()).toEqual([[], [], [1]]);
  });

  test('and after no other: of another noun, with another name, or that was refused; nor does one that leaves its row its name', async () => {
    const { add, birch, elm, rename, make, waits, meet } = await aClient();
    await rename(birch, 'Birch, closed');
    await meet(refused);
    await make('Birch');
    await rename(elm, 'Elm, too');
    await add('createOrganization', { id: uuidv7(), name: 'Elm' }, null);
    await make('Oak');
    await add('updateEntity', { ...entityFields, id: uuidv7(), entity_name: 'Elm', city: 'Bern' }, { ...elm, id: uuidv7() });
    expect((await waits()).flat()).toEqual([]);
  });

  test('as long as those go on by themselves: it waits for nobody’s decision, and keeps nothing from being said anew', async () => {
    const { birch, elm, rename, remove, make, meet, edits, sendAll } = await aClient();
    await rename(birch, 'Birch, closed');
    await make('Birch');
    await rename(elm, 'Elm, closed');
    await make('Elm');
    await meet(refused);
    // the rename of the other one is still to be waited for
    const waiting = async () => (await edits()).filter(({ state }) => state === 'queued').map(({ name }) => name);
    await remove(birch);
    expect(await waiting()).toEqual(['createEntity', 'updateEntity', 'createEntity', 'deleteEntity']);
    expect(await sendAll(taking)).toEqual(['accepted', 'accepted', 'accepted', 'accepted']);
    expect(await edits()).toEqual([]);
  });

  test('and is not held where one of these is let go of', async () => {
    const { outbox, birch, rename, make, edits, first } = await aClient();
    await rename(birch, 'Birch, closed');
    await make('Birch');
    await discard(outbox, (await first()).seq, 20);
    expect(await edits()).toMatchObject([{ name: 'createEntity', state: 'queued' }]);
  });

  test('and waits for none that stands behind one for the person to decide', async () => {
    const { elm, rename, make, waits, meet, edits, sendAll } = await aClient();
    await rename(elm, 'Elm, too');
    await meet({ ...refused, event: 'permission_denied' });
    await rename(elm, 'Elm, gone');
    await make('Elm');
    expect(await waits()).toEqual([[], [], [1]]);
    expect(await sendAll(taking)).toEqual(['accepted']);
    expect((await edits()).map(({ name }) => name)).toEqual(['updateEntity', 'updateEntity']);
  });

  test('and for none of a newer build, nor behind one', async () => {
    const { outbox, birch, rename, make, edits, sendAll } = await aClient();
    await rename(birch, 'Birch, too');
    await planted(outbox, 'mutations', [{ ...(await edits())[0]!, v: outboxFormat + 1 }]);
    await rename(birch, 'Elsewhere');
    await make('Birch');
    await make('Birch, too');
    expect(await sendAll(taking)).toEqual(['accepted', 'accepted']);
  });

  test('and leaves nothing of a row that was never made and is to be gone', async () => {
    const { add, make, edits } = await aClient();
    const made = { ...entityFields, id: uuidv7(), client_id: uuidv7(), entity_name: 'Ash', version: 0 };
    const { id, client_id } = made;
    await add('createEntity', { ...entityFields, id, client_id, entity_name: 'Ash' }, null);
    await add('updateEntity', { ...entityFields, id, entity_name: 'Fir' }, made);
    await make('Ash');
    await add('deleteEntity', { id }, { ...made, entity_name: 'Fir' });
    expect((await edits()).map(({ name }) => name)).toEqual(['createEntity']);
  });
});
