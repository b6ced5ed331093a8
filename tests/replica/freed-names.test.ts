import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { Outcome } from '#replica/sending.ts';
import { ApiError } from '#contract/errors.ts';
import { enqueue } from '#replica/outbox.ts';
import { discard } from '#replica/decisions.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { sayOtherwise } from '#tests/support/outbox.ts';
import { anOutbox, refused, type SomeRow } from '#tests/support/sent-edits.ts';

const accepted: Outcome = { event: 'accepted', answer: { id: 'it' } };
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
    return all.map(({ deps = [] }) => deps.map((id) => all.findIndex((edit) => edit.id === id)).filter((at) => at >= 0));
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

  test('and after no other: of another noun or client, with another name, or that was refused', async () => {
    const { outbox, add, birch, elm, rename, make, waits, meet } = await aClient();
    await rename(birch, 'Birch, closed');
    await meet(refused);
    await make('Birch');
    await rename(elm, 'Elm, too');
    await add('createOrganization', { id: uuidv7(), name: 'Elm' }, null);
    await make('Oak');
    const input = { id: uuidv7(), client_id: uuidv7(), ...entityFields, entity_name: 'Elm' };
    await enqueue(outbox, {
      id: uuidv7(),
      name: 'createEntity',
      input,
      title: 'Elm',
      now: 1,
      clientId: input.client_id,
      entityId: null,
      seen: null,
    });
    expect((await waits()).flat()).toEqual([]);
  });

  test('and waits for the person where one of these is let go of: the name is not free', async () => {
    const { outbox, birch, rename, make, edits, first } = await aClient();
    await rename(birch, 'Birch, closed');
    await make('Birch');
    await discard(outbox, (await first()).seq, 20);
    expect(await edits()).toMatchObject([{ name: 'createEntity', state: 'paused_dependency' }]);
  });
});
