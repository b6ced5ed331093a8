import { Dexie } from 'dexie';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { SavedView } from '#contract/saved-views.ts';
import { putFeedState } from '#replica/feed-state.ts';
import { applyList, standingOf } from '#replica/apply.ts';
import { settleAnswers } from '#replica/settled-answers.ts';
import type { Standing } from '#replica/pulls.ts';
import type { MutationState } from '#replica/mutation-states.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { startTerm } from '#replica/sending.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { foldRows } from '#replica/overlay.ts';
import { discardRefused, idForName, savedViewsOf } from '#replica/saved-views.ts';
import { claimHeads, idleTurn, settleAttempt } from '#tests/support/outbox.ts';
import { listed } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

async function aReplica(userId = uuidv7()): Promise<Replica> {
  const replica = await openReplica(browserStores, userId, 0);
  opened.push(replica);
  return replica;
}

const base = (id: string, name: string, version = 1): SavedView => ({
  id,
  name,
  list: 'transactions',
  search: 'q=old',
  version,
  updated_at: '2026-09-14T12:00:00.000Z',
});
const edit = (name: 'saveView' | 'deleteView', input: object, state: MutationState = 'queued'): OutboxRow =>
  ({ name, input: { list: 'transactions', search: 'q=new', ...input }, state, created_at: 0, error: undefined }) as unknown as OutboxRow;
const shown = (rows: SavedView[], edits: OutboxRow[]) =>
  foldRows('saved_views', rows, edits).map(({ id, name, search, pending }) => [id, name, search, pending?.state ?? null]);

const save = (replica: Replica, id: string, name: string, now = 1) =>
  enqueue(replica.outbox, {
    id: uuidv7(),
    name: 'saveView',
    input: { id, name, list: 'transactions', search: '' },
    title: `Save view: ${name}`,
    now,
    clientId: null,
    entityId: null,
  });
const remove = (replica: Replica, id: string) =>
  enqueue(replica.outbox, {
    id: uuidv7(),
    name: 'deleteView',
    input: { id },
    title: 'Delete view',
    now: 1,
    clientId: null,
    entityId: null,
  });
const titles = async (replica: Replica) => (await pendingMutations(replica.outbox)).map(({ title, state }) => [title, state]);
const standing = (replica: Replica): Promise<Standing> => standingOf(replica, 'user', 'saved_views');
const list = (replica: Replica, rows: SavedView[], askedAt: Standing) =>
  applyList(replica, { noun: 'saved_views', scope: 'user', rows, absence: 'gone', askedAt, now: 5 });
const names = async (replica: Replica) => (await savedViewsOf(replica, 'transactions')).map(({ name }) => name);

describe('edits that make and remove rows', () => {
  test('[SV10] a save makes the row or changes it, a deletion takes it away, and what is untouched stays as it is', () => {
    const rows = [base('a', 'A'), base('b', 'B'), base('c', 'C')];
    const edits = [edit('saveView', { id: 'b', name: 'B2' }), edit('deleteView', { id: 'c' }), edit('saveView', { id: 'n', name: 'New' })];
    expect(shown(rows, edits)).toEqual([
      ['a', 'A', 'q=old', null],
      ['b', 'B2', 'q=new', 'queued'],
      ['n', 'New', 'q=new', 'queued'],
    ]);
    // saved again after its deletion, and a deletion of what never was
    expect(shown([rows[2]!], [edit('deleteView', { id: 'c' }), edit('saveView', { id: 'c', name: 'C' })])).toEqual([
      ['c', 'C', 'q=new', 'queued'],
    ]);
    expect(shown([], [edit('saveView', { id: 'n', name: 'New' }), edit('deleteView', { id: 'n' })])).toEqual([]);
    expect(shown([], [edit('deleteView', { id: 'n' })])).toEqual([]);
  });

  test.each<MutationState>(['refused', 'paused_permission'])(
    '[SV11] what is %s shows what the server holds; a row that was never made stays in sight, marked',
    (state) => {
      expect(shown([base('a', 'A')], [edit('saveView', { id: 'a', name: 'Taken' }, state)])).toEqual([['a', 'A', 'q=old', state]]);
      expect(shown([base('a', 'A')], [edit('deleteView', { id: 'a' }, state)])).toEqual([['a', 'A', 'q=old', state]]);
      expect(shown([], [edit('saveView', { id: 'n', name: 'Taken' }, state)])).toEqual([['n', 'Taken', 'q=new', state]]);
    },
  );

  test('[SV12] an edit that says everything takes the place of those of its row that were not sent, and of no others', async () => {
    const replica = await aReplica();
    const [id, other] = [uuidv7(), uuidv7()];
    await save(replica, id, 'A');
    await save(replica, other, 'Other');
    await save(replica, id, 'B', 7);
    expect(await titles(replica)).toEqual([
      ['Save view: Other', 'queued'],
      ['Save view: B', 'queued'],
    ]);
    expect(await listed(replica.outbox, 'receipts')).toMatchObject([
      { title: 'Save view: A', outcome: 'replaced', settled_at: 7, name: 'saveView' },
    ]);
    // one that may have reached the server keeps its place, and the later one follows it
    const epoch = await startTerm(replica.outbox);
    const heads = await claimHeads(replica.outbox, epoch, 10, 4);
    await save(replica, id, 'C');
    for (const head of heads) await settleAttempt(replica.outbox, epoch, head.seq, { event: 'no_answer' });
    await save(replica, id, 'D');
    expect(await titles(replica)).toEqual([
      ['Save view: Other', 'uncertain'],
      ['Save view: B', 'uncertain'],
      ['Save view: D', 'queued'],
    ]);
    await remove(replica, id);
    expect((await titles(replica)).at(-1)).toEqual(['Delete view', 'queued']);
    expect(await names(replica)).toEqual(['Other']);
  });

  test('[SV12] a refused edit gives way to the next one of its row, and can be let go', async () => {
    const replica = await aReplica();
    const [id, other] = [uuidv7(), uuidv7()];
    await save(replica, id, 'Taken');
    await save(replica, other, 'Taken, too');
    const epoch = await startTerm(replica.outbox);
    for (const head of await claimHeads(replica.outbox, epoch, 10, 4))
      await settleAttempt(replica.outbox, epoch, head.seq, { event: 'refuse' });
    await save(replica, id, 'Free');
    expect(await titles(replica)).toEqual([
      ['Save view: Taken, too', 'refused'],
      ['Save view: Free', 'queued'],
    ]);
    await discardRefused(replica, other, 20);
    await discardRefused(replica, id, 20);
    expect(await titles(replica)).toEqual([['Save view: Free', 'queued']]);
  });

  test('[SV12] an edit refused while a later one of its row waited gives way to it, and stops nothing', async () => {
    const replica = await aReplica();
    const [id, other] = [uuidv7(), uuidv7()];
    await save(replica, id, 'Taken');
    await save(replica, other, 'Taken, too');
    const epoch = await startTerm(replica.outbox);
    const heads = await claimHeads(replica.outbox, epoch, 10, 4);
    await save(replica, id, 'Free');
    for (const head of heads) await settleAttempt(replica.outbox, epoch, head.seq, { event: 'refuse' });
    await idleTurn(replica.outbox, epoch, 11);
    expect(await titles(replica)).toEqual([
      ['Save view: Taken, too', 'refused'],
      ['Save view: Free', 'queued'],
    ]);
    expect((await claimHeads(replica.outbox, epoch, 12, 4)).map(({ title }) => title)).toEqual(['Save view: Free']);
  });

  test('[SV13] a name whose view is being deleted is saved under that view, so that the server meets both in order', async () => {
    const replica = await aReplica();
    const [id, fresh] = [uuidv7(), uuidv7()];
    await list(replica, [base(id, 'Month end')], await standing(replica));
    const idFor = (name: string) => idForName(replica, { list: 'transactions', name }, fresh);
    expect(await idFor('Month end')).toBe(fresh);
    await remove(replica, id);
    expect(await idFor(' MONTH  end')).toBe(id);
    expect(await idFor('Another')).toBe(fresh);
  });
});

describe('settling beside a pull', () => {
  test('[SV14] a list asked for before an edit was settled takes nothing away and brings nothing back', async () => {
    const replica = await aReplica();
    const [gone, made] = [uuidv7(), uuidv7()];
    await list(replica, [base(gone, 'Gone')], await standing(replica));
    const before = await standing(replica);
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, removed: gone, version: null, now: 5 }]);
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, scope: 'user', row: base(made, 'Made'), isTold: false }]);
    await list(replica, [base(gone, 'Gone')], before);
    expect(await names(replica)).toEqual(['Made']);
    // it is asked for again, and then believed
    expect((await standing(replica)).pull.last_complete_at).toBe(null);
    await list(replica, [base(gone, 'Back')], await standing(replica));
    expect(await names(replica)).toEqual(['Back']);
    expect((await standing(replica)).pull.last_complete_at).toBe(5);
  });

  test('[SV24] where a feed tells, only what it may not have told is looked for in the list again', async () => {
    const replica = await aReplica();
    const [gone, made] = [uuidv7(), uuidv7()];
    await list(replica, [base(gone, 'Gone')], await standing(replica));
    const feed = { server_gen: 'one', cursor: '1.0', perm_version: 1, scopes: [] };
    await replica.rows.write(['meta'], (tx) => putFeedState(tx, feed));
    const isDue = async () => (await standing(replica)).pull.last_complete_at === null;
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, scope: 'user', row: base(made, 'Made'), isTold: false }]);
    expect([await names(replica), await isDue()]).toEqual([['Gone', 'Made'], false]);
    // an effect of before: the row may have been made anew, and the feed have told it
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: false, removed: gone, version: 0, now: 5 }]);
    expect([await names(replica), await isDue()]).toEqual([['Gone', 'Made'], true]);
    // which it was not where the version is the one that was removed
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: false, removed: gone, version: 1, now: 5 }]);
    expect(await names(replica)).toEqual(['Made']);
    await list(replica, [base(gone, 'Gone'), base(made, 'Made')], await standing(replica));
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, removed: gone, version: null, now: 5 }]);
    expect([await names(replica), await isDue()]).toEqual([['Made'], false]);
  });

  test('[SV25] a list asked for before a row was deleted does not bring it back, though the copy lacked it when that was settled', async () => {
    for (const feed of [null, { server_gen: 'one', cursor: '1.0', perm_version: 1, scopes: [] }]) {
      const replica = await aReplica();
      const [gone, other] = [uuidv7(), uuidv7()];
      await list(replica, [base(other, 'Other')], await standing(replica));
      if (feed) await replica.rows.write(['meta'], (tx) => putFeedState(tx, feed));
      const before = await standing(replica);
      await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, removed: gone, version: 2, now: 5 }]);
      await list(replica, [base(gone, 'Gone', 2), base(other, 'Other')], before);
      expect(await names(replica)).toEqual(['Other']);
      // made anew it is there again
      await list(replica, [base(gone, 'Anew', feed ? 4 : 1), base(other, 'Other')], await standing(replica));
      expect(await names(replica)).toEqual(['Anew', 'Other']);
    }
  });

  test('[SV26] what several edits left is written in their order: what one made and a later one removed is gone, and of a row the newest stays', async () => {
    const replica = await aReplica();
    const [brief, kept] = [uuidv7(), uuidv7()];
    const noun = 'saved_views' as const;
    await settleAnswers(replica, [
      { noun, isFresh: true, scope: 'user', row: base(brief, 'Brief'), isTold: false },
      { noun, isFresh: true, scope: 'user', row: base(kept, 'Newest', 3), isTold: false },
      { noun, isFresh: true, scope: 'user', row: base(kept, 'Older', 2), isTold: false },
      { noun, isFresh: true, removed: brief, version: 1, now: 5 },
    ]);
    expect(await names(replica)).toEqual(['Newest']);
  });

  test('[SV27] a deletion that is settled after the feed told of a later one forgets nothing of that: a list asked for before brings nothing back', async () => {
    const replica = await aReplica();
    const gone = uuidv7();
    await list(replica, [], await standing(replica));
    await replica.rows.write(['meta'], (tx) => putFeedState(tx, { server_gen: 'one', cursor: '1.0', perm_version: 1, scopes: [] }));
    const before = await standing(replica);
    await replica.rows.write(['gone'], (tx) => tx.put('gone', { noun: 'saved_views', id: gone, version: 4, at: 5 }));
    // the person deleted what they had seen long before
    await settleAnswers(replica, [{ noun: 'saved_views', isFresh: true, removed: gone, version: 0, now: 5 }]);
    await list(replica, [base(gone, 'Gone', 3)], before);
    expect(await names(replica)).toEqual([]);
  });

  test('[SV14] a row made anew under its id is taken though its versions begin again', async () => {
    const replica = await aReplica();
    const id = uuidv7();
    await list(replica, [base(id, 'Old', 9)], await standing(replica));
    await list(replica, [base(id, 'New', 1)], await standing(replica));
    expect(await names(replica)).toEqual(['New']);
  });
});

test('[SV15] a replica of the version before opens with its rows and gains the views; its outbox is as it was', async () => {
  const userId = uuidv7();
  const former = new Dexie(`tieout-replica-${userId}-e1`);
  former.version(1).stores({
    organizations: '&id, _scope',
    clients: '&id, _scope, organization_id, client_name',
    entities: '&id, _scope, client_id, entity_name',
    accounts: '&id, _scope, client_id, entity_id, custodian_id',
    custodians: '&id, _scope, custodian_name',
    securities: '&id, _scope, ticker',
    transaction_matches: '&id, _scope, entity_id, out_trx_id, in_trx_id, [entity_id+state]',
    segments: '&[noun+set+partition+tier], [noun+set]',
    cold: '&[noun+set+no]',
    manifests: '&[noun+set]',
    pulls: '&[scope+noun], noun',
    meta: '&k',
  });
  await former.open();
  await former.table('clients').put({ id: 'c', _scope: 'user', client_name: 'Kept' });
  await former.table('cold').put({ noun: 'transactions', set: 'c', no: 0, rows: '[]' });
  former.close();
  const replica = await aReplica(userId);
  expect(await listed(replica.rows, 'clients')).toMatchObject([{ client_name: 'Kept' }]);
  expect(await listed(replica.rows, 'cold')).toHaveLength(1);
  await save(replica, uuidv7(), 'Mine');
  closeReplica(opened.pop()!);
  const again = await aReplica(userId);
  expect(await names(again)).toEqual(['Mine']);
  expect(await titles(again)).toEqual([['Save view: Mine', 'queued']]);
});
