import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { applyList, standingOf } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import {
  draftKey,
  draftsOf,
  dropAllDrafts,
  dropDraft,
  dropSettledDrafts,
  dropUnseenDrafts,
  formOfEdit,
  keepDraft,
  keepMoreOf,
} from '#replica/drafts.ts';
import { applyFeedPage, type ClientSets } from '#replica/feed-page.ts';
import type { FeedState } from '#replica/feed-state.ts';
import { fenced, startRowsTerm } from '#replica/fence.ts';
import { closeReplica, deleteRows, openReplica, type Replica } from '#replica/open.ts';
import { enqueue } from '#replica/outbox.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import { purgeScope } from '#replica/purge.ts';
import { StaleWriterError } from '#replica/sending.ts';
import { listed, planted } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

async function aReplica(userId: string = uuidv7()): Promise<Replica> {
  const replica = await openReplica(browserStores, userId, 0);
  opened.push(replica);
  return replica;
}

const aDraft = (form: string, values: Partial<Draft> = {}): Draft => ({
  form_key: draftKey(form, uuidv7()),
  client_id: null,
  entity_id: null,
  fields: { name: 'Larch' },
  before: { name: '' },
  kept_at: 1,
  ...values,
});

/** One draft about nothing, one of a client, two of its entities, and what a person began to make in it. */
const someDrafts = (): Draft[] => [
  aDraft('ticket:new'),
  aDraft('client:c1', { client_id: 'c1' }),
  aDraft('entity:e1', { client_id: 'c1', entity_id: 'e1' }),
  aDraft('entity:e2', { client_id: 'c1', entity_id: 'e2' }),
  aDraft('entity:new', { client_id: 'c1' }),
  aDraft('client:c2', { client_id: 'c2' }),
];

async function withDrafts(): Promise<Replica> {
  const replica = await aReplica();
  await planted(replica.outbox, 'drafts', someDrafts());
  return replica;
}
const formsIn = async ({ outbox }: Replica): Promise<string[]> =>
  (await listed(outbox, 'drafts')).map(({ form_key: key }) => key.split(' ')[0] ?? '');

const noColumns: ClientSets = {
  names: [],
  transactions: () => Promise.reject(new Error('There are no transactions here')),
  without: (_clients, work) => work(),
};

test('[DR1] what was typed is found by its form, the latest first, after a restart and without the copy, until it is dropped', async () => {
  const userId = uuidv7();
  const first = await aReplica(userId);
  const [early, late, other] = [aDraft('client:c1'), aDraft('client:c1', { kept_at: 2 }), aDraft('client:c12')];
  for (const draft of [early, late, other]) await keepDraft(first.outbox, draft);
  closeReplica(first);
  await deleteRows(browserStores, userId);
  const { outbox } = await aReplica(userId);
  expect(await draftsOf(outbox, 'client:c1')).toEqual([late, early]);
  await dropDraft(outbox, late.form_key);
  expect(await draftsOf(outbox, 'client:c1')).toEqual([early]);
  await dropAllDrafts(outbox);
  expect(await listed(outbox, 'drafts')).toEqual([]);
});

test('[DR2] what was typed about a client or an entity goes with it where the feed says that it may no longer be seen', async () => {
  const scopes = ['client:c1', 'entity:e1', 'entity:e2', 'client:c2'].map((key) => ({ key, parent: 'user' }));
  const before: FeedState = { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes };
  const lose = async (...lost: string[]): Promise<string[]> => {
    const replica = await withDrafts();
    const after = { ...before, cursor: '6.0', scopes: scopes.filter(({ key }) => !lost.includes(key)) };
    await applyFeedPage(replica, { before, after, gained: [], lost, changes: {}, now: 50 }, noColumns);
    return formsIn(replica);
  };
  expect(await lose('entity:e1')).toEqual(['client:c1', 'client:c2', 'entity:e2', 'entity:new', 'ticket:new']);
  expect(await lose('client:c1', 'entity:e1', 'entity:e2')).toEqual(['client:c2', 'ticket:new']);
  // an entity may still be seen though nothing else of its client may
  expect(await lose('client:c1', 'entity:e1')).toEqual(['client:c2', 'entity:e2', 'ticket:new']);
});

test('[DR2] and where a server that tells nothing has it no more; one that came back into its list keeps it', async () => {
  const replica = await withDrafts();
  const askedAt = await standingOf(replica, 'user', 'clients');
  await applyList(replica, { noun: 'clients', scope: 'user', rows: [{ id: 'c2' }], absence: 'gone', askedAt, now: 100 });
  await purgeScope(replica, 'client:c2', []);
  expect(await formsIn(replica)).toContain('client:c2');
  await purgeScope(replica, 'client:c1', []);
  expect(await formsIn(replica)).toEqual(['client:c2', 'ticket:new']);
});

test('[DR24] a worker whose term is over takes away nothing that was typed: what it heard may hold no more', async () => {
  const replica = await withDrafts();
  await startRowsTerm(replica.rows, 2);
  const late = { ...replica, rows: fenced(replica.rows, () => 1) };
  const before: FeedState = { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes: [{ key: 'client:c1', parent: 'user' }] };
  const page = { before, after: { ...before, scopes: [] }, gained: [], lost: ['client:c1'], changes: {}, now: 50 };
  for (const drop of [
    () => applyFeedPage(late, page, noColumns),
    () => purgeScope(late, 'client:c1', []),
    () => dropUnseenDrafts(late, []),
  ])
    await expect(drop()).rejects.toThrow(StaleWriterError);
  expect(await formsIn(replica)).toHaveLength(someDrafts().length);
});

test('[DR3] where a feed is begun what may not be seen goes; what was made here and waits stays, though no server knows of it', async () => {
  const replica = await withDrafts();
  await planted(replica.outbox, 'drafts', [
    aDraft('client:c9', { client_id: 'c9' }),
    aDraft('entity:e9', { client_id: 'c9', entity_id: 'e9' }),
  ]);
  const id = uuidv7();
  const input = { id: 'c9', organization_id: 'o', client_name: 'Nine' };
  await enqueue(replica.outbox, { id, name: 'createClient', input, title: 'Create', now: 1, clientId: 'c9', entityId: null, seen: null });
  await dropUnseenDrafts(replica, ['client:c1', 'entity:e2']);
  expect(await formsIn(replica)).toEqual(['client:c1', 'client:c9', 'entity:e2', 'entity:e9', 'entity:new', 'ticket:new']);
});

test('[DR4] a draft that was taken away stays away, however much more is typed', async () => {
  const { outbox } = await aReplica();
  const draft = aDraft('client:c1');
  await keepDraft(outbox, draft);
  expect(await keepMoreOf(outbox, { ...draft, kept_at: 2 })).toBe(true);
  await dropDraft(outbox, draft.form_key);
  expect(await keepMoreOf(outbox, { ...draft, kept_at: 3 })).toBe(false);
  expect(await listed(outbox, 'drafts')).toEqual([]);
});

test('[DR5] a draft that another build wrote otherwise is left as it is', async () => {
  const { outbox } = await aReplica();
  const odd = { form_key: draftKey('client:c1', uuidv7()), value: 'of the future' } as unknown as Draft;
  const good = aDraft('client:c1');
  await planted(outbox, 'drafts', [odd, { ...good, form_key: draftKey('client:c1', '0'), fields: null } as unknown as Draft, good]);
  expect(await draftsOf(outbox, 'client:c1')).toEqual([good]);
  expect(await listed(outbox, 'drafts')).toHaveLength(3);
});

test('[DR23] what was typed into the form of an edit goes once that edit waits no longer, and nothing else does', async () => {
  const replica = await withDrafts();
  const id = uuidv7();
  const input = { id: uuidv7(), name: 'Mine', list: 'transactions' as const, search: '' };
  await enqueue(replica.outbox, { id, name: 'saveView', input, title: 'Save', now: 1, clientId: null, entityId: null });
  await planted(replica.outbox, 'drafts', [aDraft(formOfEdit(id)), aDraft(formOfEdit(uuidv7()))]);
  await dropSettledDrafts(replica.outbox);
  expect((await formsIn(replica)).sort()).toEqual([...someDrafts().map((draft) => draft.form_key.split(' ')[0]), formOfEdit(id)].sort());
});

test('[DR5] where a feed is begun a draft of another build that says nothing of what it is about stays', async () => {
  const replica = await aReplica();
  const { client_id: _client, entity_id: _entity, ...other } = aDraft('client:new');
  await planted(replica.outbox, 'drafts', [other as Draft]);
  await dropUnseenDrafts(replica, []);
  expect(await formsIn(replica)).toEqual(['client:new']);
});
