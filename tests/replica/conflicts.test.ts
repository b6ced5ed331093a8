import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { choosableFields, conflictOf, keepMine, takeTheirs } from '#replica/conflicts.ts';
import { browserStores } from '#replica/dexie-store.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { discard } from '#replica/decisions.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { forgetVersions, startTerm } from '#replica/sending.ts';
import { rebase, type SeenRow, type ServerRow } from '#replica/rebase.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { claimHeads, idleTurn, settleAttempt } from '#tests/support/outbox.ts';
import { listed } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

const id = uuidv7();
const view = (changes: object = {}): SeenRow & ServerRow => ({
  id,
  name: 'Was',
  list: 'transactions',
  search: 'q=was',
  version: 3,
  ...changes,
});
const fields = (changes: object = {}): Fields => ({ name: 'Was', list: 'transactions', search: 'q=was', ...changes });

/** An outbox with one view's edits. */
async function anOutbox() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  const { outbox } = replica;
  const epoch = await startTerm(outbox);
  const made = { title: 'Edit', now: 1, clientId: null, entityId: null };
  const save = (changes: object, seen?: SeenRow | null, at = id) =>
    enqueue(outbox, {
      ...made,
      id: uuidv7(),
      name: 'saveView',
      input: { id: at, name: 'Was', list: 'transactions', search: 'q=was', ...changes },
      ...(seen === undefined ? {} : { seen }),
    });
  const remove = (seen: SeenRow | null) => enqueue(outbox, { ...made, id: uuidv7(), name: 'deleteView', input: { id }, seen });
  const edits = () => pendingMutations(outbox);
  const [claim, only] = [() => claimHeads(outbox, epoch, 10, 4), async (at = 0) => (await edits())[at]!];
  /** Sends the first edit, and finds its row as somebody else left it. */
  const meet = async (current: ServerRow | null) => {
    const [edit] = await claim();
    const found = rebase(edit!, edit!.base!, current, null);
    if (found.kind === 'conflict') await settleAttempt(outbox, epoch, edit!.seq, { event: 'conflict', changes: { theirs: found.theirs } });
    return found.kind;
  };
  return { replica, outbox, epoch, save, remove, edits, claim, only, meet };
}

describe('what an edit was made on', () => {
  test('[CF11] is the row as the person saw it; none is version 0, and what an edit not accepted yet leaves has none', async () => {
    const { save, remove, edits, claim } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await claim();
    await remove(view({ name: 'Mine' }));
    await save({}, null, uuidv7());
    // one that an edit made, which was settled since
    await save({}, view({ version: 0 }), uuidv7());
    await save({}, undefined, uuidv7());
    expect((await edits()).map(({ base }) => base)).toEqual([
      { version: 3, fields: fields() },
      { version: null, fields: fields({ name: 'Mine' }) },
      { version: 0, fields: null },
      { version: null, fields: fields() },
      undefined,
    ]);
  });

  test('[CF11] is what edits ahead of it make, where the person saw no row yet', async () => {
    const { save, claim, only } = await anOutbox();
    await save({ name: 'Made' }, null);
    await claim();
    await save({ name: 'Changed' }, null);
    expect((await only(1)).base).toEqual({ version: null, fields: fields({ name: 'Made' }) });
  });

  test('[CF11] is none where the row seen is one the server refused to make', async () => {
    const { outbox, save, edits, claim, epoch } = await anOutbox();
    await save({ name: 'Taken' }, null);
    const [first] = await claim();
    await settleAttempt(outbox, epoch, first!.seq, { event: 'refuse' });
    await save({ name: 'Free' }, view({ name: 'Taken', version: 0 }));
    expect((await edits()).map(({ input, base }) => [(input as Fields).name, base])).toEqual([['Free', { version: 0, fields: null }]]);
  });

  test('[CF11] is none still once another database stands at the server: nobody deleted the row', async () => {
    const { outbox, save, only, claim, epoch } = await anOutbox();
    await save({ name: 'Taken' }, null);
    const [first] = await claim();
    await settleAttempt(outbox, epoch, first!.seq, { event: 'refuse' });
    await forgetVersions(outbox, null);
    await save({ name: 'Free' }, view({ name: 'Taken', version: 0 }));
    const edit = await only();
    expect(rebase(edit, edit.base!, null, null)).toEqual({ kind: 'unchanged' });
  });

  test('[CF41] is not none where the edit that makes the row waits for the person since: what that one leaves by then is no conflict', async () => {
    const { outbox, claim, epoch, edits } = await anOutbox();
    const organization_id = uuidv7();
    const made = { title: 'Edit', now: 1, clientId: null, entityId: null };
    await enqueue(outbox, {
      ...made,
      id: uuidv7(),
      name: 'createClient',
      input: { id, organization_id, client_name: 'Taken' },
      seen: null,
    });
    const [first] = await claim();
    await settleAttempt(outbox, epoch, first!.seq, { event: 'refuse' });
    // the form was opened before
    const seen = { id, organization_id, client_name: 'Taken', version: 0 };
    await enqueue(outbox, { ...made, id: uuidv7(), name: 'updateClient', input: { id, client_name: 'Free' }, seen });
    expect((await edits()).map(({ base }) => base)).toMatchObject([
      { version: 0, fields: null },
      { version: null, fields: { client_name: 'Taken' } },
    ]);
  });

  test('[CF12] passes to the edit that takes its place, and to the next one where it is let go of', async () => {
    const { outbox, save, remove, edits, claim, epoch } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await save({ name: 'Mine', search: 'q=mine' }, view({ name: 'Mine', version: 4 }));
    expect((await edits()).map(({ base }) => base)).toEqual([{ version: 3, fields: fields() }]);
    const [first] = await claim();
    await remove(view({ name: 'Mine', search: 'q=mine' }));
    await settleAttempt(outbox, epoch, first!.seq, { event: 'no_answer' });
    await discard(outbox, first!.seq, 20);
    expect((await edits()).map(({ name, base }) => [name, base])).toEqual([['deleteView', { version: 3, fields: fields() }]]);
  });

  test('[CF12] of edits stuck behind each other the last one is made on what the first was made on', async () => {
    const { outbox, save, edits, claim, epoch } = await anOutbox();
    await save({ name: 'One' }, view());
    const [first] = await claim();
    await save({ name: 'Two' }, view({ name: 'One' }));
    await settleAttempt(outbox, epoch, first!.seq, { event: 'refuse' });
    await save({ name: 'Three' }, view({ name: 'Two' }));
    expect((await edits()).map(({ input, base }) => [(input as Fields).name, base])).toEqual([['Three', { version: 3, fields: fields() }]]);
  });

  test('[CF12] a refused edit passes nothing on: the person saw the row without it', async () => {
    const { outbox, save, edits, claim, epoch } = await anOutbox();
    await save({ name: 'Taken' }, view());
    const [first] = await claim();
    await settleAttempt(outbox, epoch, first!.seq, { event: 'refuse' });
    await save({ name: 'Free' }, view({ search: 'q=newer', version: 5 }));
    expect((await edits()).map(({ base }) => base)).toEqual([{ version: 5, fields: fields({ search: 'q=newer' }) }]);
  });

  test.each([
    ['in its place', false, { name: 'Was', search: 'q=was' }],
    ['behind it', true, { name: 'Was', search: 'q=mine' }],
  ])(
    '[CF36] shows nothing of what was brought together with the edit before it while the form was open: %s',
    async (_, isOnItsWay, beneath) => {
      const { outbox, epoch, save, edits, claim, only } = await anOutbox();
      await save({ search: 'q=mine' }, view());
      const [first] = await claim();
      const [theirs, input] = [fields({ name: 'Theirs' }), { ...(first!.input as object), name: 'Theirs' }];
      await settleAttempt(outbox, epoch, first!.seq, { event: 'rebase', changes: { base: { version: 4, fields: theirs }, input } });
      if (isOnItsWay) await claim();
      await save({ name: 'Mine', search: 'q=mine' }, view({ search: 'q=mine' }));
      const last = await only(isOnItsWay ? 1 : 0);
      expect((await edits()).at(-1)).toEqual(last);
      expect(last.base).toEqual({ version: null, fields: fields(beneath) });
      // what was not seen is not written over
      const current = view({ name: 'Theirs', search: beneath.search, version: 5 });
      expect(rebase(last, last.base!, current, null)).toMatchObject({ kind: 'conflict', fields: ['name'] });
    },
  );

  test.each([
    ['in its place', false, 'q=was'],
    ['behind it', true, 'q=mine'],
  ])('[CF47] shows nothing at all to a form that was opened before there was a row: %s', async (_, isOnItsWay, search) => {
    const { outbox, epoch, save, claim, only } = await anOutbox();
    await save({ search: 'q=mine' }, view());
    const [first] = await claim();
    const [theirs, input] = [fields({ name: 'Theirs' }), { ...(first!.input as object), name: 'Theirs' }];
    await settleAttempt(outbox, epoch, first!.seq, { event: 'rebase', changes: { base: { version: 4, fields: theirs }, input } });
    if (isOnItsWay) await claim();
    await save({ name: 'Mine', search: 'q=other' }, null);
    const last = await only(isOnItsWay ? 1 : 0);
    expect(last.base).toEqual({ version: null, fields: { name: null, list: null, search } });
    const current = view({ name: 'Theirs', search, version: 5 });
    expect(rebase(last, last.base!, current, null)).toMatchObject({ kind: 'conflict', fields: ['name'] });
  });

  test('[CF47] a form that was opened before there was a row, and is saved again, is no conflict with what it made', async () => {
    const { save, claim, only } = await anOutbox();
    await save({ name: 'One' }, null);
    await save({ name: 'Two' }, null);
    expect((await only()).base).toEqual({ version: 0, fields: null });
    await claim();
    await save({ name: 'Three' }, null);
    const last = await only(1);
    expect(last.base).toEqual({ version: null, fields: fields({ name: 'Two' }) });
    expect(rebase(last, last.base!, view({ name: 'Two' }), null)).toEqual({ kind: 'unchanged' });
  });

  test('[CF12] what takes the place of one before an edit that stays is made on what that one leaves', async () => {
    const { outbox, save, edits, claim, epoch } = await anOutbox();
    await save({ name: 'One' }, view());
    const [first] = await claim();
    await save({ name: 'Two' }, view({ name: 'One' }));
    await settleAttempt(outbox, epoch, first!.seq, { event: 'try_later', hasNotArrived: true });
    const two = (await edits())[1]!;
    // one that others follow stays
    const input = { id: uuidv7(), name: 'Other', list: 'transactions' as const, search: '' };
    const follower = { title: 'Edit', now: 1, clientId: null, entityId: null, deps: [two.id], seen: null };
    await enqueue(outbox, { ...follower, id: uuidv7(), name: 'saveView', input });
    const before = { version: 3, fields: fields() };
    for (const [name, on] of [
      ['Three', 'Two'],
      ['Four', 'Three'],
    ] as const) {
      await save({ name }, view({ name: on }));
      expect((await edits()).filter(({ lane }) => lane === two.lane).map(({ base }) => base)).toEqual([
        before,
        { version: null, fields: fields({ name: 'Two' }) },
      ]);
    }
  });
});

describe('a conflict', () => {
  test('[CF13] shows mine with its mark, needs the person, and holds back its lane and no other', async () => {
    const { replica, save, remove, edits, claim, meet } = await anOutbox();
    const other = uuidv7();
    await save({ name: 'Mine' }, view());
    const [held] = [await meet(view({ name: 'Theirs', version: 4 }))];
    expect(held).toBe('conflict');
    await save({ name: 'Other' }, null, other);
    expect((await savedViewsOf(replica, 'transactions')).map(({ name, pending }) => [name, pending?.state])).toEqual([
      ['Mine', 'conflict'],
      ['Other', 'queued'],
    ]);
    expect((await claim()).map(({ lane }) => lane)).toEqual([`view:${other}`]);
    // a later edit of the row takes its place, and meets the same
    await remove(view({ name: 'Mine' }));
    expect((await edits()).map(({ name, base }) => [name, base?.version])).toEqual([
      ['saveView', 0],
      ['deleteView', 3],
    ]);
  });

  test('[CF13] about a row that somebody else made meanwhile stays one under the next edit: theirs may be deleted by then', async () => {
    const { save, edits, claim, meet } = await anOutbox();
    await save({ name: 'Mine' }, null);
    expect(await meet(view({ name: 'Theirs', version: 1 }))).toBe('conflict');
    await save({ name: 'Mine, too' }, view({ name: 'Mine', version: 1 }));
    expect(
      (await edits()).map(({ input, state, base, theirs }) => [(input as Fields).name, state, base?.version, theirs?.version]),
    ).toEqual([['Mine, too', 'conflict', 0, 1]]);
    expect(await claim()).toEqual([]);
  });

  test('[CF13] that came to be behind a later edit of the row leaves it to that one', async () => {
    const { outbox, save, edits, claim, epoch } = await anOutbox();
    await save({ name: 'Mine' }, view());
    const [first] = await claim();
    await save({ name: 'Mine, too' }, view({ name: 'Mine' }));
    await settleAttempt(outbox, epoch, first!.seq, {
      event: 'conflict',
      changes: { theirs: { version: 4, fields: fields({ name: 'Theirs' }) } },
    });
    await idleTurn(outbox, epoch, 20);
    expect((await edits()).map(({ state, base }) => [state, base])).toEqual([['queued', { version: 3, fields: fields() }]]);
    expect(rebase((await edits())[0]!, { version: 3, fields: fields() }, view({ name: 'Theirs', version: 4 }), null)).toMatchObject({
      kind: 'conflict',
    });
  });

  test('[CF14] says field by field what it is about: what is open, and what else either changed', async () => {
    const { save, only, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await meet(view({ name: 'Theirs', search: 'q=theirs', version: 4 }));
    expect(conflictOf(await only())?.fields).toEqual([
      { name: 'name', base: 'Was', mine: 'Mine', theirs: 'Theirs', isOpen: true },
      { name: 'search', base: 'q=was', mine: 'q=was', theirs: 'q=theirs', isOpen: false },
    ]);
    expect(choosableFields(await only()).map(({ name }) => name)).toEqual(['name']);
  });

  test('[CF15] kept, an edit is sent on the row as they left it, with what only they changed', async () => {
    const { outbox, save, only, edits, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await meet(view({ name: 'Theirs', search: 'q=theirs', version: 4 }));
    await keepMine(outbox, await only());
    await keepMine(outbox, await only());
    expect(await edits()).toMatchObject([
      {
        state: 'queued',
        input: { id, name: 'Mine', search: 'q=theirs' },
        base: { version: 4, fields: fields({ name: 'Theirs', search: 'q=theirs' }) },
      },
    ]);
    expect(await only()).not.toHaveProperty('theirs');
    expect(rebase(await only(), (await only()).base!, view({ name: 'Theirs', search: 'q=theirs', version: 4 }), null)).toEqual({
      kind: 'unchanged',
    });
    // they change it again: it is asked about again
    expect(await meet(view({ name: 'Theirs again', search: 'q=theirs', version: 5 }))).toBe('conflict');
  });

  test('[CF15] chosen field by field, each is as it was chosen', async () => {
    const { outbox, save, only, meet } = await anOutbox();
    await save({ name: 'Mine', search: 'q=mine' }, view());
    await meet(view({ name: 'Theirs', search: 'q=theirs', version: 4 }));
    expect(choosableFields(await only()).map(({ name }) => name)).toEqual(['name', 'search']);
    await keepMine(outbox, await only(), ['search']);
    expect(await only()).toMatchObject({ state: 'queued', input: { name: 'Mine', search: 'q=theirs' }, base: { version: 4 } });
  });

  test('[CF46] what they changed after the person was shown the conflict is not decided about unseen', async () => {
    const { outbox, save, only, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await meet(view({ name: 'Theirs', version: 4 }));
    const shown = await only();
    expect(await keepMine(outbox, shown)).toBe(true);
    await meet(view({ name: 'Theirs again', version: 5 }));
    const again = await only();
    expect([await keepMine(outbox, shown, []), await takeTheirs(outbox, shown, 20), await only()]).toEqual([false, false, again]);
    expect(await keepMine(outbox, again)).toBe(true);
  });

  test('[CF15] theirs taken, the edit is let go of and the receipt says so', async () => {
    const { outbox, save, only, edits, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    await takeTheirs(outbox, await only(), 20);
    expect(await edits()).toHaveLength(1);
    await meet(view({ name: 'Theirs', version: 4 }));
    await takeTheirs(outbox, await only(), 20);
    expect([await edits(), await listed(outbox, 'receipts')]).toMatchObject([[], [{ outcome: 'theirs', title: 'Edit', settled_at: 20 }]]);
  });

  test('[CF16] a row deleted meanwhile can be made again, and one to be deleted that was changed is not deleted unseen', async () => {
    const { outbox, save, remove, only, edits, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    expect(await meet(null)).toBe('conflict');
    expect([conflictOf(await only())?.theirs, choosableFields(await only())]).toEqual([null, []]);
    await keepMine(outbox, await only());
    expect(await only()).toMatchObject({ state: 'queued', base: { version: 0, fields: null }, input: { name: 'Mine' } });
    await discard(outbox, (await only()).seq, 20);

    await remove(view());
    expect(await meet(view({ search: 'q=theirs', version: 4 }))).toBe('conflict');
    expect(conflictOf(await only())).toMatchObject({ mine: null, fields: [{ name: 'search', theirs: 'q=theirs', isOpen: true }] });
    await keepMine(outbox, await only());
    expect(await edits()).toMatchObject([{ state: 'queued', name: 'deleteView', input: { id }, base: { version: 4 } }]);
    expect(rebase(await only(), (await only()).base!, null, null).kind).toBe('met');
  });

  test('[CF17] kept though an attempt may have arrived, it is another change to the server', async () => {
    const { outbox, epoch, save, only, claim, meet } = await anOutbox();
    await save({ name: 'Mine' }, view());
    const [edit] = await claim();
    await settleAttempt(outbox, epoch, edit!.seq, { event: 'no_answer', mayHaveArrived: true });
    await meet(view({ name: 'Theirs', version: 4 }));
    await keepMine(outbox, await only());
    expect(await only()).toMatchObject({ again: 1, may_have_arrived: false, state: 'queued' });
  });
});

describe('a decision about a match', () => {
  const trx = (changes: object = {}): SeenRow & ServerRow => ({
    id: 't1',
    match_state: 'PENDING',
    quantity: '1.5',
    security_id: 's1',
    trx_type_id: 2,
    trx_date: '2026-09-14T12:00:00.000Z',
    description: null,
    version: 1,
    ...changes,
  });
  const marked = async (is_transfer: boolean) => {
    const { outbox, only } = await anOutbox();
    const input = { trx_id: 't1', counterpart_id: null, is_transfer };
    await enqueue(outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input,
      title: 'Mark',
      now: 1,
      clientId: null,
      entityId: null,
      seen: trx(),
    });
    const edit = await only();
    return (changes: object) => rebase(edit, edit.base!, trx({ version: 2, ...changes }), null);
  };

  test('[CF18] never merges: whatever somebody else changed of what it rests on is for the person', async () => {
    const on = await marked(true);
    for (const changes of [
      { match_state: 'REJECTED' },
      // which other row theirs is with, the row does not say
      { match_state: 'APPROVED' },
      { match_state: null },
      { quantity: '2' },
      { security_id: null },
      { trx_type_id: 1 },
      { trx_date: '2026-09-15T12:00:00.000Z' },
    ])
      expect(on(changes)).toMatchObject({ kind: 'conflict', fields: Object.keys(changes) });
    expect(on({ description: 'changed' })).toEqual({ kind: 'unchanged' });
    expect((await marked(false))({ match_state: 'REJECTED' })).toEqual({ kind: 'met' });
  });
});
