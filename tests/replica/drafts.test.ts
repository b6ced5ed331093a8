import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import { applyList, standingOf } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import {
  draftKey,
  draftsOf,
  dropAllDrafts,
  dropDraft,
  dropDraftOf,
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
import type { Draft, OutboxRow } from '#replica/outbox-tables.ts';
import { purgeScope } from '#replica/purge.ts';
import { noteRefusal } from '#replica/refusals.ts';
import { StaleWriterError } from '#replica/sending.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { noteUnread } from '#replica/unread-rows.ts';
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

/** A copy that has read its lists of places, with these in them. */
async function readPlaces(replica: Replica, { clients, entities }: { clients: string[]; entities: string[] }): Promise<void> {
  const lists = [
    { noun: 'clients', rows: clients.map((id) => ({ id })) },
    { noun: 'entities', rows: entities.map((id) => ({ id, client_id: 'c1' })) },
  ] as const;
  for (const { noun, rows } of lists) {
    const askedAt = await standingOf(replica, 'user', noun);
    await applyList(replica, { noun, scope: 'user', rows, absence: 'gone', askedAt, now: 100 });
  }
}

const allPlaces = { clients: ['c1', 'c2'], entities: ['e1', 'e2'] };

/** What is left once the lists were read and that is looked through. */
async function leftOf(replica: Replica, places: { clients: string[]; entities: string[] }): Promise<string[]> {
  await readPlaces(replica, places);
  await dropUnseenDrafts(replica);
  return formsIn(replica);
}

/** A copy that follows a feed, as a page of it leaves it: scopes were lost, be it that rights changed. */
async function afterLoss(replica: Replica, lost: readonly string[], { hasNewRights }: { hasNewRights: boolean }): Promise<void> {
  const scopes = ['client:c1', 'entity:e1', 'entity:e2', 'client:c2'].map((key) => ({ key, parent: 'user' }));
  const before: FeedState = { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes };
  const kept = scopes.filter(({ key }) => !lost.includes(key));
  const after = { ...before, cursor: '6.0', perm_version: hasNewRights ? 7 : 6, scopes: kept };
  await applyFeedPage(replica, { before, after, gained: [], lost, changes: {}, now: 50 }, noColumns);
  await dropUnseenDrafts(replica);
}

test('[DR2] what was typed about a client or an entity goes with it where its list, read since, has it no more; an entity stays by itself', async () => {
  expect(await leftOf(await withDrafts(), allPlaces)).toHaveLength(someDrafts().length);
  expect(await leftOf(await withDrafts(), { ...allPlaces, entities: ['e2'] })).toEqual([
    'client:c1',
    'client:c2',
    'entity:e2',
    'entity:new',
    'ticket:new',
  ]);
  // an entity may still be seen though nothing else of its client may
  expect(await leftOf(await withDrafts(), { clients: ['c2'], entities: ['e2'] })).toEqual(['client:c2', 'entity:e2', 'ticket:new']);
});

test('[DR30] what was typed about a row that is there and cannot be read by this build stays, as does what an edit of a newer one may make', async () => {
  const replica = await withDrafts();
  await noteUnread(replica, 'this', [{ scope: 'user', noun: 'clients' }]);
  expect(await leftOf(replica, { clients: ['c2'], entities: ['e1', 'e2'] })).toHaveLength(someDrafts().length);
  const other = await withDrafts();
  await enqueue(other.outbox, {
    id: 'm1',
    name: 'updateClient',
    input: { id: 'c1', client_name: 'Larch' },
    title: 'Larch',
    now: 1,
    clientId: 'c1',
    entityId: null,
    seen: null,
  });
  const [edit] = await listed(other.outbox, 'mutations');
  await planted(other.outbox, 'mutations', [{ ...edit, v: 1000 } as OutboxRow]);
  expect(await leftOf(other, { ...allPlaces, clients: ['c2'] })).toHaveLength(someDrafts().length);
});

test('[DR2] what the feed says is gone goes at once; where rights changed the lists say first what may still be seen', async () => {
  const replica = await withDrafts();
  await readPlaces(replica, allPlaces);
  await afterLoss(replica, ['entity:e1'], { hasNewRights: false });
  expect(await formsIn(replica)).toEqual(['client:c1', 'client:c2', 'entity:e2', 'entity:new', 'ticket:new']);
  await afterLoss(replica, ['client:c1', 'entity:e2'], { hasNewRights: true });
  expect(await formsIn(replica)).toEqual(['client:c1', 'client:c2', 'entity:e2', 'entity:new', 'ticket:new']);
  expect(await leftOf(replica, { clients: ['c2'], entities: [] })).toEqual(['client:c2', 'ticket:new']);
});

test('[DR27] where rights took what lies in a client or an entity out of sight, what was typed about them stays while they are seen', async () => {
  const replica = await withDrafts();
  await readPlaces(replica, allPlaces);
  await afterLoss(replica, ['client:c1', 'client:c2', 'entity:e1', 'entity:e2'], { hasNewRights: true });
  expect(await formsIn(replica)).toHaveLength(someDrafts().length);
  expect(await leftOf(replica, allPlaces)).toHaveLength(someDrafts().length);
});

test('[DR27] nor does what was typed about an entity go with a client that a server which tells nothing shows no more', async () => {
  const replica = await withDrafts();
  expect(await leftOf(replica, { clients: ['c2'], entities: ['e1', 'e2'] })).toEqual(['client:c2', 'entity:e1', 'entity:e2', 'ticket:new']);
  await purgeScope(replica, 'client:c1', []);
  await dropUnseenDrafts(replica);
  expect(await leftOf(replica, { clients: ['c2'], entities: ['e1'] })).toEqual(['client:c2', 'entity:e1', 'ticket:new']);
});

test('[DR28] what was typed about places goes with the right to their list; of a list that was cut or not read nothing is known', async () => {
  const replica = await withDrafts();
  await dropUnseenDrafts(replica);
  const askedAt = await standingOf(replica, 'user', 'clients');
  await applyList(replica, { noun: 'clients', scope: 'user', rows: [{ id: 'c1' }], absence: 'nothing', askedAt, now: 100 });
  await dropUnseenDrafts(replica);
  expect(await formsIn(replica)).toHaveLength(someDrafts().length);
  await readPlaces(replica, allPlaces);
  await noteRefusal(replica, { askedAt: await standingOf(replica, 'user', 'clients'), now: 200, drops: 'clients' });
  await dropUnseenDrafts(replica);
  expect(await formsIn(replica)).toEqual(['entity:e1', 'entity:e2', 'ticket:new']);
});

test('[DR24] a worker whose term is over takes away nothing that was typed: what it heard may hold no more', async () => {
  const replica = await withDrafts();
  await readPlaces(replica, { clients: [], entities: [] });
  await startRowsTerm(replica.rows, 2);
  const late = { ...replica, rows: fenced(replica.rows, () => 1) };
  await expect(dropUnseenDrafts(late)).rejects.toThrow(StaleWriterError);
  expect(await formsIn(replica)).toHaveLength(someDrafts().length);
});

test('[DR3] where the lists are read what may not be seen goes; what was made here and waits stays, though no server knows of it', async () => {
  const replica = await withDrafts();
  await planted(replica.outbox, 'drafts', [
    aDraft('client:c9', { client_id: 'c9' }),
    aDraft('entity:e9', { client_id: 'c9', entity_id: 'e9' }),
  ]);
  const made = { now: 1, clientId: 'c9', seen: null };
  const client = { id: 'c9', organization_id: 'o', client_name: 'Nine' };
  await enqueue(replica.outbox, { ...made, id: uuidv7(), name: 'createClient', input: client, title: 'Create', entityId: null });
  const entity = { id: 'e9', client_id: 'c9', ...entityFields };
  await enqueue(replica.outbox, { ...made, id: uuidv7(), name: 'createEntity', input: entity, title: 'Create', entityId: 'e9' });
  expect(await leftOf(replica, { clients: ['c1'], entities: ['e2'] })).toEqual([
    'client:c1',
    'client:c9',
    'entity:e2',
    'entity:e9',
    'entity:new',
    'ticket:new',
  ]);
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

test('[DR5] where lists are read a draft of another build that says nothing of what it is about stays', async () => {
  const replica = await aReplica();
  const { client_id: _client, entity_id: _entity, ...other } = aDraft('client:new');
  await planted(replica.outbox, 'drafts', [other as Draft]);
  expect(await leftOf(replica, { clients: [], entities: [] })).toEqual(['client:new']);
});

test('[OB58] what a page left with its tab to be dropped goes where it was given another id since, unless more was kept', async () => {
  const { outbox } = await aReplica();
  await planted(outbox, 'marks', [{ k: 'given:was', value: 'is' }]);
  const kept = [
    aDraft('client:is', { form_key: draftKey('client:is', 'one') }),
    aDraft('client:is', { form_key: draftKey('client:is', 'two'), kept_at: 9 }),
  ];
  for (const draft of kept) await keepDraft(outbox, draft);
  for (const name of ['one', 'two', 'of nothing']) await dropDraftOf(outbox, draftKey('client:was', name), 5);
  expect(await draftsOf(outbox, 'client:is')).toEqual(kept.slice(1));
  // a form that was open asks by the id it knows
  expect(await draftsOf(outbox, 'client:was')).toEqual(kept.slice(1));
});
