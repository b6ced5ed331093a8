import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { UpdateEntityInput } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { conflictOf, keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';
import { foldRow, foldRows } from '#replica/overlay.ts';
import { baseOn, rebase, type SeenRow, type ServerRow } from '#replica/rebase.ts';
import type { NounRow } from '#replica/reducers.ts';
import { ackedMutations, type Outcome, retire, startTerm } from '#replica/sending.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { claimHeads, idleTurn, sayOtherwise, settleAttempt } from '#tests/support/outbox.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

type Form = Omit<UpdateEntityInput, 'id'>;
const [id, client_id] = [uuidv7(), uuidv7()];
const form: Form = {
  ...entityFields,
  entity_name: 'Fund I',
  entity_type_id: null,
  city: 'Bern',
  zip_code: '3000',
  allocation_method_id: null,
};
const held = { ...form, id, client_id, version: 3, _generation: 'g' };
const theirs = { ...held, city: 'Genf', zip_code: '1200', version: 4 };
const made = { title: 'Edit', now: 1, clientId: null, entityId: null };
const foundGone: Outcome = { event: 'conflict', changes: { theirs: { version: 0, fields: null } }, hasNotArrived: true };
const refused: Outcome = { event: 'refuse', error: new ApiError({ code: 'invalid', detail: 'Not so' }) };
const asRow = (row: object): ServerRow => row as unknown as ServerRow;
const isOf = ({ id: _id, client_id: _client, ...rest }: object & Record<string, unknown>): Fields => rest;

async function anOutbox() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  const { outbox } = replica;
  const epoch = await startTerm(outbox);
  const edits = () => pendingMutations(outbox);
  const first = async () => (await edits())[0]!;
  const shown = async (row: object) => {
    const [one] = foldRows('entities', [row as NounRow['entities']], await edits());
    return one as unknown as SeenRow & Form;
  };
  /** Says one thing in a form that begins with a row, and says all of it again. */
  const save = (seen: SeenRow & Form, changes: Partial<Form>, name: 'updateEntity' | 'createEntity' = 'updateEntity') => {
    const all = Object.fromEntries(Object.keys(form).map((field) => [field, (seen as Fields)[field]])) as unknown as Form;
    const said = { ...all, ...changes, id, ...(name === 'createEntity' ? { client_id } : {}) };
    const row = name === 'createEntity' ? null : seen;
    return enqueue(outbox, { ...made, id: uuidv7(), name, input: said, title: name, seen: row });
  };
  /** The same in a form that begins with the row as it is shown over that of the copy. */
  const say = async (copy: object, changes: Partial<Form>) => save(await shown(copy), changes);
  const claim = async () => (await claimHeads(outbox, epoch, 10, 1))[0]!;
  const settle = async (outcome: Outcome) => settleAttempt(outbox, epoch, (await first()).seq, outcome, 10);
  /** The first edit meets what somebody else made of its row: brought together with that, or for the person to decide. */
  const meet = async (row: object, meanwhile = async () => {}) => {
    const edit = await claim();
    await meanwhile();
    const result = rebase(edit, edit.base!, asRow(row), 'g');
    if (result.kind === 'conflict') await settle({ event: 'conflict', changes: { theirs: result.theirs }, hasNotArrived: true });
    else if (result.kind === 'rebase')
      await settle({ event: 'rebase', changes: { base: result.base, input: result.input }, hasNotArrived: true });
  };
  const turn = () => idleTurn(outbox, epoch, 11);
  return { outbox, edits, first, shown, save, say, claim, settle, meet, turn };
}

/** What an edit writes over a row: as it is where the row is in the version it is sent on, else brought together with it. */
function written(edit: OutboxRow, row: Fields & { version: number }): Fields | string {
  if (edit.base?.version === row.version) return isOf(edit.input as Fields);
  const result = rebase(edit, edit.base!, asRow(row), 'g');
  if (result.kind === 'unchanged') return isOf(edit.input as Fields);
  return result.kind === 'rebase' ? isOf(result.input as Fields) : result.kind;
}

describe('what the person left alone in a form', () => {
  test('[OB47] stays as somebody else made it where they kept what an edit before it says of another field', async () => {
    const { outbox, say, meet, first, shown, edits } = await anOutbox();
    await say(held, { city: 'Basel' });
    await meet(theirs);
    await say(held, { entity_name: 'Fund II' });
    await keepMine(outbox, await first());
    expect(await shown(theirs)).toMatchObject({ entity_name: 'Fund II', city: 'Basel', zip_code: '1200' });
    await say(theirs, { country: 'CH' });
    const [edit, ...rest] = await edits();
    expect(rest).toEqual([]);
    expect(written(edit!, theirs)).toMatchObject({ entity_name: 'Fund II', city: 'Basel', zip_code: '1200', country: 'CH' });
  });

  test('[OB47] stays as somebody else made it where an edit before it was brought together with that and has to wait', async () => {
    const { say, claim, settle, meet, shown, edits } = await anOutbox();
    const moved = { ...held, zip_code: '1200', version: 4 };
    await say(held, { city: 'Basel' });
    await meet(moved, () => say(held, { entity_name: 'Fund II' }));
    await claim();
    await settle({ event: 'try_later', nextAttemptAt: 60_000 });
    expect(await shown(moved)).toMatchObject({ entity_name: 'Fund II', city: 'Basel', zip_code: '1200' });
    await say(held, { country: 'CH' });
    const [edit, ...rest] = await edits();
    expect(rest).toEqual([]);
    expect(written(edit!, moved)).toMatchObject({ entity_name: 'Fund II', city: 'Basel', zip_code: '1200', country: 'CH' });
  });

  test('[OB47] is told on the screen as it is by now; what they said is told as they said it', async () => {
    const { say, shown, edits } = await anOutbox();
    await say(held, { city: 'Basel' });
    expect(foldRow('entities', theirs as unknown as NounRow['entities'], await edits())).toMatchObject({ city: 'Basel', zip_code: '1200' });
    expect(await shown({ ...held, entity_name: 'Fund IX' })).toMatchObject({ entity_name: 'Fund IX', city: 'Basel' });
  });
});

describe('an edit that goes on after it was refused', () => {
  test('[OB48] is none that those made meanwhile take back, nor does what takes the place of both', async () => {
    const { outbox, say, claim, settle, first, shown, edits } = await anOutbox();
    await say(held, { entity_name: 'Fund II' });
    await claim();
    await settle(refused);
    await say(held, { city: 'Basel' });
    await retry(outbox, (await first()).seq);
    expect(await shown(held)).toMatchObject({ entity_name: 'Fund II', city: 'Basel' });
    const [, behind] = await edits();
    const left = { ...held, entity_name: 'Fund II', version: 4 };
    expect(written(behind!, left)).toMatchObject({ entity_name: 'Fund II', city: 'Basel' });
    await say(held, { country: 'CH' });
    const [edit, ...rest] = await edits();
    expect(rest).toEqual([]);
    expect(written(edit!, held)).toMatchObject({ entity_name: 'Fund II', city: 'Basel', country: 'CH' });
  });

  test.each(['tried again', 'said otherwise'] as const)(
    '[OB48] is no conflict of its person with themselves where it is %s',
    async (how) => {
      const { outbox, say, claim, settle, first, edits } = await anOutbox();
      await say(held, { entity_name: 'Fund II', city: 'Basel' });
      await claim();
      await settle(refused);
      await say(held, { entity_name: 'Fund III' });
      await say(held, { country: 'CH' });
      const edit = await first();
      await (how === 'tried again' ? retry(outbox, edit.seq) : sayOtherwise(outbox, edit, { entity_name: 'Fund IV' }));
      const name = how === 'tried again' ? 'Fund II' : 'Fund IV';
      const [, behind] = await edits();
      expect(written(behind!, { ...held, entity_name: name, city: 'Basel', version: 4 })).toMatchObject({
        entity_name: 'Fund III',
        city: 'Basel',
        country: 'CH',
      });
    },
  );

  test('[OB48] is no conflict of its person with themselves where they changed a field of it meanwhile, and say that field of it otherwise', async () => {
    const { outbox, say, claim, settle, first, edits } = await anOutbox();
    await say(held, { entity_name: 'Fund II', city: 'Basel' });
    await claim();
    await say(held, { city: 'Zug' });
    await settle(refused);
    await sayOtherwise(outbox, await first(), { city: 'Bern' });
    const [, behind] = await edits();
    expect(written(behind!, { ...held, entity_name: 'Fund II', version: 4 })).toMatchObject({ entity_name: 'Fund II', city: 'Zug' });
  });

  test('[OB48] that is to make a row gives those behind it its other words', async () => {
    const { outbox, save, say, claim, settle, first, edits } = await anOutbox();
    await save(held as SeenRow & Form, {}, 'createEntity');
    await claim();
    await settle(refused);
    await say({ ...held, version: 0 }, { city: 'Basel' });
    await sayOtherwise(outbox, await first(), { entity_name: 'Fund II', city: 'Zug' });
    const [, behind] = await edits();
    expect(written(behind!, { ...held, entity_name: 'Fund II', city: 'Zug', version: 1 })).toMatchObject({
      entity_name: 'Fund II',
      city: 'Basel',
    });
  });
});

describe('a change of what is not made, for that was let go of', () => {
  test('[OB49] waits for the person; where it was made all the same, that is changed', async () => {
    const { outbox, save, say, claim, settle, first } = await anOutbox();
    await save(held as SeenRow & Form, {}, 'createEntity');
    await say({ ...held, version: 0 }, { city: 'Basel' });
    await claim();
    await settle({ event: 'no_answer', mayHaveArrived: true });
    await discard(outbox, (await first()).seq, 20);
    const change = await first();
    expect(change).toMatchObject({ name: 'updateEntity', state: 'paused_dependency', error: { detail: 'createEntity' } });
    await retry(outbox, change.seq);
    expect(written(await first(), { ...held, version: 1 })).toMatchObject({ city: 'Basel' });
    // there is nothing to change, and it is not said that somebody did so already
    expect(rebase(await first(), (await first()).base!, null, 'g')).toMatchObject({ kind: 'conflict', theirs: { fields: null } });
  });

  test('[OB49] goes on where somebody else made it, and the person took that', async () => {
    const { outbox, save, say, claim, settle, first } = await anOutbox();
    await save(held as SeenRow & Form, {}, 'createEntity');
    await say({ ...held, version: 0 }, { country: 'CH' });
    await claim();
    await settle({ event: 'conflict', changes: { theirs: baseOn('createEntity', theirs as unknown as SeenRow) } });
    await takeTheirs(outbox, await first(), 20);
    expect(await first()).toMatchObject({ state: 'queued' });
    expect(written(await first(), theirs)).toMatchObject({ city: 'Genf', zip_code: '1200', country: 'CH' });
  });
});

describe('a change of a row that somebody deleted', () => {
  test('[CF48] that its person keeps is sent, and is not called done where there is no row; one that is there anew is compared with it', async () => {
    const { outbox, say, claim, settle, first } = await anOutbox();
    await say(held, { city: 'Basel' });
    const edit = await claim();
    const gone = rebase(edit, edit.base!, null, 'g');
    expect(gone).toMatchObject({ kind: 'conflict', theirs: { version: 0, fields: null } });
    await settle(foundGone);
    expect(conflictOf(await first())).toMatchObject({ theirs: null, isChangeAlone: true });
    await keepMine(outbox, await first());
    const kept = await first();
    expect(rebase(kept, kept.base!, null, 'g')).toEqual({ kind: 'unchanged' });
    expect(rebase(kept, kept.base!, asRow({ ...theirs, zip_code: '3000' }), 'g')).toMatchObject({ kind: 'conflict', fields: ['city'] });
    expect(rebase(kept, kept.base!, asRow({ ...held, city: 'Basel', version: 9 }), 'g')).toEqual({ kind: 'met' });
  });

  test('[CF48] that its person keeps says nothing of what they left alone, once the row comes back', async () => {
    const { outbox, say, claim, settle, first } = await anOutbox();
    await say(held, { city: 'Basel' });
    await claim();
    await settle(foundGone);
    await keepMine(outbox, await first());
    expect(written(await first(), { ...theirs, city: 'Bern' })).toMatchObject({ city: 'Basel', zip_code: '1200' });
  });

  test('[CF48] of which nobody knows what it found, as earlier builds kept it, says all that it says, and is not called done without a row', async () => {
    const { say, first } = await anOutbox();
    await say(held, { city: 'Basel' });
    const base = { version: 0, fields: null };
    const edit = { ...(await first()), base };
    expect(rebase(edit, base, null, 'g')).toEqual({ kind: 'unchanged' });
    expect(rebase(edit, base, asRow({ ...theirs, city: 'Basel' }), 'g')).toMatchObject({ kind: 'conflict', fields: ['zip_code'] });
  });
});

describe('a form that shows the words of an edit', () => {
  test('[OB50] says nothing of them once that was refused, or let go of', async () => {
    const { outbox, say, save, claim, settle, shown, first } = await anOutbox();
    await say(held, { city: 'Basel' });
    const seen = await shown(held);
    await claim();
    await settle(refused);
    await save(seen, { country: 'CH' });
    expect(await shown(held)).toMatchObject({ city: 'Bern', country: 'CH' });
    await discard(outbox, (await first()).seq, 20);
    expect(written(await first(), held)).toMatchObject({ city: 'Bern', country: 'CH' });
  });

  test('[OB50] says nothing of them where that was let go of before it was saved', async () => {
    const { outbox, say, save, claim, settle, shown, first } = await anOutbox();
    await say(held, { city: 'Basel' });
    const seen = await shown(held);
    await claim();
    await settle(refused);
    await discard(outbox, (await first()).seq, 20);
    await save(seen, { country: 'CH' });
    expect(written(await first(), held)).toMatchObject({ city: 'Bern', country: 'CH' });
  });
});

test('[OB44] what takes the place of two says nothing over what its person had not seen when they said it, be it that the first was brought together with that', async () => {
  const { say, claim, settle, meet, edits } = await anOutbox();
  const moved = { ...held, city: 'Genf', version: 4 };
  await say(held, { entity_name: 'Fund II' });
  await meet(moved, () => say(held, { city: 'Basel' }));
  await claim();
  await settle({ event: 'try_later', nextAttemptAt: 60_000 });
  await say(held, { zip_code: '4000' });
  const [edit, ...rest] = await edits();
  expect(rest).toEqual([]);
  expect(written(edit!, moved)).toBe('conflict');
  expect(rebase(edit!, edit!.base!, asRow(moved), 'g')).toMatchObject({ fields: ['city'] });
});

describe('a form opened before its row was to be deleted', () => {
  test('[OB50] says of it what it says, and what it is told of it is that it is gone', async () => {
    const { outbox, shown, save, edits } = await anOutbox();
    const seen = await shown(held);
    await enqueue(outbox, { ...made, id: uuidv7(), name: 'deleteEntity', input: { id }, seen });
    await save(seen, { city: 'Basel' });
    const [, behind] = await edits();
    expect(rebase(behind!, behind!.base!, null, 'g')).toMatchObject({ kind: 'conflict', theirs: { fields: null } });
  });

  test('[OB50] writes nothing else over what somebody made of it, once it is not to be deleted', async () => {
    const { outbox, shown, save, first } = await anOutbox();
    const seen = await shown(held);
    await enqueue(outbox, { ...made, id: uuidv7(), name: 'deleteEntity', input: { id }, seen: await shown(theirs) });
    await save(seen, { entity_name: 'Fund II' });
    await discard(outbox, (await first()).seq, 20);
    expect(written(await first(), theirs)).toMatchObject({ entity_name: 'Fund II', city: 'Genf', zip_code: '1200' });
  });
});

test('[OB44] a view whose making was refused is, saved again, one that is to be made', async () => {
  const { outbox, claim, settle, first, edits } = await anOutbox();
  const view = { id, name: 'Taken', list: 'transactions' as const, search: 'q=was' };
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: view, seen: null });
  await claim();
  await settle(refused);
  const [shown] = foldRows('saved_views', [], await edits());
  expect(shown).toMatchObject({ version: 0, pending: { state: 'refused' } });
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: { ...view, name: 'Free' }, seen: shown as unknown as SeenRow });
  expect(await edits()).toMatchObject([{ state: 'queued', base: { version: 0, fields: null } }]);
  expect(rebase(await first(), (await first()).base!, null, 'g')).toEqual({ kind: 'unchanged' });
});

describe.each([
  ['took', takeTheirs],
  ['kept by letting go of their own', (outbox: OutboxStore, { seq }: OutboxRow, now: number) => discard(outbox, seq, now)],
])('a view that somebody else made meanwhile, and the person %s, with another edit of it behind theirs', (_, leaveTheirs) => {
  const view = { id, name: 'Mine', list: 'transactions' as const, search: 'q=mine' };
  const others = { ...view, name: 'Theirs', search: 'q=theirs', version: 2, _generation: 'g' };

  /** The edit that is behind once the person took theirs. */
  async function behindTheirs(changes: Partial<typeof view>): Promise<OutboxRow> {
    const { outbox, claim, settle, first, edits } = await anOutbox();
    await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: view, seen: null });
    await claim();
    // what may have arrived does not give way to the next
    await settle({ event: 'no_answer', mayHaveArrived: true });
    await claim();
    await settle({ event: 'conflict', changes: { theirs: baseOn('saveView', others) } });
    const [shown] = foldRows('saved_views', [others as unknown as NounRow['saved_views']], await edits());
    const seen = shown as unknown as SeenRow;
    await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: { ...view, ...changes }, seen });
    await leaveTheirs(outbox, await first(), 20);
    return first();
  }

  test('[OB65] is not made again unasked once it is deleted', async () => {
    const edit = await behindTheirs({ search: 'q=mine too' });
    expect(rebase(edit, edit.base!, null, 'g')).toMatchObject({ kind: 'conflict', theirs: { version: 0, fields: null } });
  });

  test('[OB65] stays as others make it since, but for what that one changes, which is asked', async () => {
    const edit = await behindTheirs({ search: 'q=mine too' });
    const since = { ...others, name: 'Theirs since', version: 3 };
    expect(rebase(edit, edit.base!, since, 'g')).toMatchObject({ kind: 'conflict', fields: ['search'] });
  });
});

test('[OB44] what a view was called by an edit that gave way to the next is said by that one', async () => {
  const { outbox, claim, settle, first, turn } = await anOutbox();
  const view = { id, name: 'Was', list: 'transactions' as const, search: 'q=was' };
  const seen = { ...view, version: 3, _generation: 'g' };
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: { ...view, name: 'Mine' }, seen });
  await claim();
  await enqueue(outbox, {
    ...made,
    id: uuidv7(),
    name: 'saveView',
    input: { ...view, name: 'Mine', search: 'q=mine' },
    seen: { ...seen, name: 'Mine' },
  });
  await settle(refused);
  await turn();
  expect(written(await first(), seen)).toMatchObject({ name: 'Mine', search: 'q=mine' });
});

test('[OB44] a form opened before any of them, saved behind one that asks the person, has no words of that for its own', async () => {
  const { outbox, say, save, meet, first, shown, edits } = await anOutbox();
  const opened = await shown(held);
  await say(held, { city: 'Basel' });
  await meet(theirs);
  await say(held, { country: 'CH' });
  await save(opened, { zip_code: '4000' });
  expect(await shown(held)).toMatchObject({ city: 'Basel', zip_code: '4000', country: 'CH' });
  await takeTheirs(outbox, await first(), 20);
  const [edit, ...rest] = await edits();
  expect(rest).toEqual([]);
  expect(written(edit!, { ...theirs, zip_code: '3000' })).toMatchObject({ city: 'Genf', zip_code: '4000', country: 'CH' });
});

test('[OB44] a form opened before the last of them says what that says, though the row is gone that the first changes, and the person keeps it', async () => {
  const { outbox, say, save, claim, settle, first, shown } = await anOutbox();
  await say(held, { entity_name: 'Fund II' });
  await claim();
  await settle(foundGone);
  const opened = await shown(held);
  await say(held, { zip_code: '4000' });
  await keepMine(outbox, await first());
  await save(opened, { country: 'CH' });
  expect(await shown(held)).toMatchObject({ entity_name: 'Fund II', zip_code: '4000', country: 'CH' });
});

test('[OB44] a form opened before an edit of a row that is gone, which its person kept, says what that says', async () => {
  const { outbox, say, save, claim, settle, first, shown, edits } = await anOutbox();
  const opened = await shown(held);
  await say(held, { city: 'Basel' });
  await claim();
  await settle(foundGone);
  await keepMine(outbox, await first());
  await save(opened, { country: 'CH' });
  expect(await edits()).toMatchObject([{ input: { city: 'Basel', zip_code: '3000', country: 'CH' } }]);
});

test('[OB44] a form opened before the last of them says what that says, though nobody knows what the first was made on', async () => {
  const { outbox, save, edits } = await anOutbox();
  const input = { ...entityFields, ...form, id, client_id };
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'createEntity', input });
  const [opened] = foldRows('entities', [], await edits());
  await save(opened as unknown as SeenRow & Form, { city: 'Basel' });
  await save(opened as unknown as SeenRow & Form, { country: 'CH' });
  expect((await edits()).at(-1)).toMatchObject({ input: { city: 'Basel', country: 'CH' } });
});

test('[OB44] a form opened before an edit of which nobody knows what it was made on leaves what that says', async () => {
  const { outbox, edits } = await anOutbox();
  const view = { id: uuidv7(), name: 'Month end', list: 'transactions' as const, search: 'type=1' };
  const save = (input: typeof view, seen?: SeenRow) =>
    enqueue(outbox, {
      id: uuidv7(),
      name: 'saveView',
      input,
      title: 'View',
      now: 1,
      clientId: null,
      entityId: null,
      ...(seen ? { seen } : {}),
    });
  await save({ ...view, search: 'type=2' });
  await save({ ...view, name: 'Quarter end' }, { ...view, version: 2 });
  expect(await edits()).toMatchObject([{ input: { name: 'Quarter end', search: 'type=2' } }]);
});

test('[OB44] what was let go of since its row is gone is not said by the one behind it, which left it alone', async () => {
  const { outbox, say, claim, settle, first, edits } = await anOutbox();
  await say(held, { city: 'Basel' });
  await claim();
  await settle(foundGone);
  await say(held, { country: 'CH' });
  await takeTheirs(outbox, await first(), 20);
  expect(await edits()).toMatchObject([{ input: { city: 'Bern', country: 'CH' } }]);
});

describe('what an edit says that one before it came to say, too', () => {
  test('[OB53] it says still once that one is let go of that went on meanwhile', async () => {
    const { outbox, say, claim, settle, first, shown } = await anOutbox();
    await say(held, { city: 'Basel' });
    await claim();
    await settle(refused);
    await say(held, { city: 'Basel' });
    await retry(outbox, (await first()).seq);
    await discard(outbox, (await first()).seq, 20);
    expect(await shown(held)).toMatchObject({ city: 'Basel' });
    expect(written(await first(), held)).toMatchObject({ city: 'Basel' });
  });

  test('[OB53] it says still once that one says something else', async () => {
    const outbox = await anOutbox();
    const { say, claim, settle, edits, shown } = outbox;
    await say(held, { city: 'Zug' });
    await claim();
    await say(held, { city: 'Basel' });
    await settle(refused);
    await sayOtherwise(outbox.outbox, await outbox.first(), { city: 'Basel' });
    await sayOtherwise(outbox.outbox, await outbox.first(), { city: 'Chur' });
    expect(await shown(held)).toMatchObject({ city: 'Basel' });
    const [, behind] = await edits();
    expect(written(behind!, { ...held, city: 'Chur', version: 4 })).toMatchObject({ city: 'Basel' });
  });

  test('[OB53] it says still where it was said so in its own form, or in one that was opened before, and that one says something else', async () => {
    for (const way of ['its own form', 'opened before'] as const) {
      const outbox = await anOutbox();
      const { say, save, claim, settle, edits, shown } = outbox;
      const before = await shown(held);
      await say(held, { city: 'Basel' });
      await claim();
      if (way === 'opened before') await save(before, { city: 'Basel' });
      else await say(held, { city: 'Zug' });
      const [, behind] = await edits();
      if (way === 'its own form') await sayOtherwise(outbox.outbox, behind!, { city: 'Basel' });
      await settle(refused);
      await sayOtherwise(outbox.outbox, await outbox.first(), { city: 'Chur' });
      expect(await shown(held)).toMatchObject({ city: 'Basel' });
    }
  });

  test('[OB53] it is for its person where the row is another by the time it is sent, and not called done', async () => {
    const { say, save, claim, edits, shown } = await anOutbox();
    const before = await shown(held);
    await say(held, { city: 'Basel' });
    await claim();
    await save(before, { city: 'Basel' });
    const [, behind] = await edits();
    const row = { ...held, version: 4 };
    expect(['Chur', 'Basel'].map((city) => rebase(behind!, behind!.base!, asRow({ ...row, city }), 'g').kind)).toEqual([
      'conflict',
      'unchanged',
    ]);
  });

  test('[OB53] what is said behind one that is under way says again what that one says, and not of its own', async () => {
    const outbox = await anOutbox();
    const { say, claim, settle, first, edits, shown } = outbox;
    await say(held, { city: 'Basel' });
    await claim();
    await sayOtherwise(outbox.outbox, await outbox.first(), { country: 'CH' });
    expect((await edits()).map(({ input }) => input)).toMatchObject([{ city: 'Basel' }, { city: 'Basel', country: 'CH' }]);
    await settle(refused);
    await discard(outbox.outbox, (await first()).seq, 20);
    expect(await shown(held)).toMatchObject({ city: 'Bern', country: 'CH' });
    expect(written(await first(), held)).toMatchObject({ city: 'Bern', country: 'CH' });
  });

  test('[OB53] it says still where it was said back to what the one under way says', async () => {
    const outbox = await anOutbox();
    const { say, claim, settle, shown } = outbox;
    await say(held, { city: 'Basel' });
    await claim();
    await say(held, { city: 'Zug' });
    await say(held, { city: 'Basel' });
    await settle(refused);
    await sayOtherwise(outbox.outbox, await outbox.first(), { city: 'Chur' });
    expect(await shown(held)).toMatchObject({ city: 'Basel' });
  });

  test('[OB53] it says still where another field was changed, and changed back', async () => {
    const { outbox, say, save, claim, settle, first, shown } = await anOutbox();
    const before = await shown(held);
    await say(held, { city: 'Basel' });
    await claim();
    await save(before, { city: 'Basel' });
    await say(held, { country: 'CH' });
    await say(held, { country: held.country });
    await settle(refused);
    await discard(outbox, (await first()).seq, 20);
    expect(await shown(held)).toMatchObject({ city: 'Basel' });
  });

  test('[OB53] what takes the place of one that is in conflict about it by then says it, too, and asks', async () => {
    const { outbox, claim, settle, first, turn } = await anOutbox();
    const view = { id, name: 'Was', list: 'transactions' as const, search: 'q=was' };
    const seen = { ...view, version: 3, _generation: 'g' };
    const put = (input: typeof view, of: SeenRow) => enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input, seen: of });
    await put({ ...view, name: 'Mine' }, seen);
    await claim();
    // in a form that was opened before
    await put({ ...view, name: 'Mine' }, seen);
    await settle({ event: 'accepted', answer: { ...view, name: 'Mine', version: 4 } });
    await retire(outbox, 1, await ackedMutations(outbox), 11);
    const edit = await claim();
    await put(
      { ...view, name: 'Mine', search: 'q=mine' },
      { ...seen, name: 'Mine', pending: { state: 'sending', since: 1, detail: null } },
    );
    const row = asRow({ ...view, name: 'Theirs', version: 5 });
    const met = rebase(edit, edit.base!, row, 'g');
    if (met.kind !== 'conflict') throw new Error(`It is ${met.kind}`);
    await settle({ event: 'conflict', changes: { theirs: met.theirs }, hasNotArrived: true });
    await turn();
    expect(written(await first(), row)).toBe('conflict');
  });

  test('[OB53] what takes its place says it, too', async () => {
    const outbox = await anOutbox();
    const { say, claim, settle, first, shown } = outbox;
    await say(held, { city: 'Zug' });
    await claim();
    await say(held, { city: 'Basel' });
    await settle(refused);
    await sayOtherwise(outbox.outbox, await outbox.first(), { city: 'Basel' });
    await claim();
    await say(held, { country: 'CH' });
    await settle(refused);
    await discard(outbox.outbox, (await first()).seq, 20);
    expect(await shown(held)).toMatchObject({ city: 'Basel', country: 'CH' });
    expect(written(await first(), held)).toMatchObject({ city: 'Basel', country: 'CH' });
  });
});

test('[OB41] what somebody else made, and the person took, is not written over what others make of it since', async () => {
  const { outbox, say, meet, first } = await anOutbox();
  await say(held, { city: 'Basel' });
  await meet(theirs);
  await say(theirs, { entity_name: 'Fund II' });
  await takeTheirs(outbox, await first(), 20);
  const since = { ...held, city: 'Luzern', zip_code: '6000', version: 5 };
  for (const row of [theirs, since, { ...held, version: 6 }]) {
    const { city, zip_code } = row;
    expect(written(await first(), row)).toMatchObject({ entity_name: 'Fund II', city, zip_code });
  }
});

test.each(['in its place', 'behind it'])(
  '[CF36] a form that says an edit otherwise has not shown what that was brought together with since: %s',
  async (place) => {
    const { outbox, say, meet, claim, first, edits } = await anOutbox();
    const moved = { ...held, zip_code: '1200', version: 4 };
    await say(held, { entity_name: 'Fund II' });
    const shown = await first();
    await meet(moved);
    if (place === 'behind it') await claim();
    expect(await sayOtherwise(outbox, shown, { zip_code: '4000' })).toBe(true);
    const row = place === 'behind it' ? { ...moved, entity_name: 'Fund II', version: 5 } : moved;
    expect(written((await edits()).at(-1)!, row)).toBe('conflict');
  },
);
