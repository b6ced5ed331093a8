import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { type AnsweredList, applyList, applyListPage, copyStanding, standingOf, sweptIds } from '#replica/apply.ts';
import { settleAnswers, type SettledAnswer } from '#replica/settled-answers.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { applyFeedPage, type ClientSets } from '#replica/feed-page.ts';
import { dropRows, type FeedState, forgetFeed, startFeed } from '#replica/feed-state.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { newPull, skipStart, type Sweep } from '#replica/pulls.ts';
import { purgeScope } from '#replica/purge.ts';
import { dropRefusedColumns, noteRefusal } from '#replica/refusals.ts';
import type { RowNoun } from '#replica/row-tables.ts';
import { type Sight, watchSight } from '#replica/watch.ts';
import { listed, planted } from '#tests/support/stored.ts';

const noColumns: ClientSets = {
  names: [],
  transactions: () => Promise.reject(new Error('There are no transactions here')),
  without: (_clients, work) => work(),
};

/** A copy that follows the feed of one client. */
async function aFollower() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const scope = 'client:1';
  const before: FeedState = { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes: [{ key: scope, parent: 'user' }] };
  await startFeed(replica, before, { seen: [scope], unseen: [] });
  return { replica, scope, before };
}

test('[FC13] a list asked for before the person might see something else is read again', async () => {
  const { replica, scope, before } = await aFollower();
  const read = async (askedAt: Awaited<ReturnType<typeof standingOf>>): Promise<(number | null)[]> => {
    await applyList(replica, { noun: 'accounts', scope, rows: [], absence: 'gone', askedAt, now: 100 });
    return (await copyStanding(replica)).pulls.map(({ last_complete_at }) => last_complete_at);
  };
  const asked = await standingOf(replica, scope, 'accounts');
  const after = { ...before, cursor: '6.0', perm_version: 7 };
  await applyFeedPage(replica, { before, after, gained: [], lost: [], changes: {}, now: 50 }, noColumns);
  expect(await read(asked)).toEqual([null]);
  expect(await read(await standingOf(replica, scope, 'accounts'))).toEqual([100]);
  closeReplica(replica);
});

test('[FC16] a list asked for while the copy was of another database is not written', async () => {
  const { replica, scope, before } = await aFollower();
  const row = { id: uuidv7(), client_id: '1', version: 1 };
  const read = async (askedAt: Awaited<ReturnType<typeof standingOf>>): Promise<unknown[]> => {
    await applyList(replica, { noun: 'entities', scope, rows: [row], absence: 'gone', askedAt, now: 100 });
    return [(await listed(replica.rows, 'entities')).length, (await copyStanding(replica)).pulls.length];
  };
  const askedAt = await standingOf(replica, scope, 'entities');
  await dropRows(replica);
  await startFeed(replica, { ...before, server_gen: 'two' }, { seen: [scope], unseen: [] });
  // and it is still due
  expect(await read(askedAt)).toEqual([0, 0]);
  expect(await read(await standingOf(replica, scope, 'entities'))).toEqual([1, 1]);
  closeReplica(replica);
});

test('[FC15] a list asked for before its scope was lost brings none of its rows back, nor does an edit that was settled', async () => {
  const { replica, scope, before } = await aFollower();
  const row = { id: uuidv7(), client_id: '1', version: 1 };
  const askedAt = await standingOf(replica, scope, 'entities');
  const read = (): Promise<number> =>
    applyList(replica, { noun: 'entities', scope, rows: [row], absence: 'gone', askedAt, now: 100 }).then(held);
  const held = async (): Promise<number> => (await listed(replica.rows, 'entities')).length;
  expect(await read()).toBe(1);
  const after = { ...before, cursor: '6.0', scopes: [] };
  await applyFeedPage(replica, { before, after, gained: [], lost: [scope], changes: {}, now: 50 }, noColumns);
  expect(await held()).toBe(0);
  expect(await read()).toBe(0);
  await settleAnswers(replica, [{ noun: 'entities', isFresh: true, scope, row, isTold: false }]);
  expect(await held()).toBe(0);
  closeReplica(replica);
});

test('[FC15] no list of the person brings back a client or an entity that was lost while it was on its way; it is asked for again', async () => {
  const { replica, before } = await aFollower();
  const at = { ...before, scopes: [...before.scopes, { key: 'client:2', parent: 'user' }, { key: 'entity:e', parent: 'client:2' }] };
  const lists = { clients: { id: '2' }, entities: { id: 'e', client_id: '2' }, archived_assets: { id: 'a', client_id: '2' } } as const;
  const asked = Object.entries(lists).map(async ([noun, row]) => {
    const askedAt = await standingOf(replica, 'user', noun);
    return { noun, scope: 'user', rows: [{ ...row, version: 1 }], absence: 'gone', askedAt, now: 100 } as const;
  });
  const answered = (await Promise.all(asked)) as AnsweredList[];
  const isDue = async ({ noun }: AnsweredList) => (await standingOf(replica, 'user', noun)).pull.last_complete_at === null;
  const after = { ...before, cursor: '6.0' };
  await applyFeedPage(replica, { before: at, after, gained: [], lost: ['client:2', 'entity:e'], changes: {}, now: 50 }, noColumns);
  for (const list of answered) {
    expect([list.noun, await applyList(replica, list), await isDue(list)]).toEqual([list.noun, false, true]);
    expect([list.noun, await listed(replica.rows, list.noun)]).toEqual([list.noun, []]);
  }
  closeReplica(replica);
});

/** Rows as lists bring them, of nouns that are kept a row per record. */
function put(replica: Replica, noun: RowNoun, _scope: string, ...rows: object[]): Promise<void> {
  return replica.rows.write([noun], (tx) => tx.putMany(noun, rows.map((row) => ({ ...row, version: 1, _scope })) as never));
}

/** What is told of entities in lists of their clients. */
const saidOfEntities = ['accounts', 'entity_worklists', 'value_histories'] as const;

async function putSaid(replica: Replica, scope: string, ...entities: string[]): Promise<void> {
  for (const noun of saidOfEntities) await put(replica, noun, scope, ...entities.map((id) => ({ id, entity_id: id })));
}

async function idsOf(replica: Replica, nouns: readonly RowNoun[]): Promise<string[][]> {
  return Promise.all(nouns.map(async (noun) => (await listed(replica.rows, noun)).map(({ id }) => id)));
}

test('[FC27] where a feed is begun the clients and entities that may not be seen any more go with it, not with the next reading of their lists', async () => {
  const { replica, before } = await aFollower();
  await put(replica, 'clients', 'user', { id: '1' }, { id: '2' }, { id: 'left out' });
  await put(
    replica,
    'entities',
    'user',
    { id: 'e', client_id: '1' },
    { id: 'f', client_id: '2' },
    { id: 'g', client_id: 'left out' },
    { id: 'h', client_id: '1' },
  );
  await put(replica, 'archived_assets', 'user', { id: 'a', client_id: '1' }, { id: 'b', client_id: '2' });
  // of the last one the list of entities has nothing any more
  await putSaid(replica, 'client:1', 'e', 'h', 'unlisted');
  // what is left out on the device is not followed, and may be seen all the same
  const seen = ['client:1', 'entity:e', 'client:left out', 'entity:g'];
  expect(await heardOf(replica, () => startFeed(replica, before, { seen, unseen: [] }))).toBe(1);
  expect(await idsOf(replica, ['clients', 'entities', 'archived_assets'])).toEqual([['1', 'left out'], ['e', 'g'], ['a']]);
  expect(await idsOf(replica, saidOfEntities)).toEqual([['e'], ['e'], ['e']]);
  closeReplica(replica);
});

test('[SY94] where a feed is begun no row stays that says its entity lies in a client that may not be seen any more, though that client was in no list so far, and the entity may be seen in another one by now: its list brings it back', async () => {
  const { replica, before } = await aFollower();
  await put(replica, 'entities', 'user', { id: 'e', client_id: '1' }, { id: 'moved', client_id: 'lost' });
  await put(replica, 'transaction_matches', 'entity:moved', { id: 'match', entity_id: 'moved' });
  const state = { ...before, scopes: [...before.scopes, { key: 'entity:moved', parent: 'client:1' }] };
  const seen = ['client:1', 'entity:e', 'entity:moved'];
  expect(await heardOf(replica, () => startFeed(replica, state, { seen, unseen: [] }))).toBe(1);
  // what lies in the entity may be seen as before
  expect(await idsOf(replica, ['entities', 'transaction_matches'])).toEqual([['e'], ['match']]);
  const askedAt = await standingOf(replica, 'user', 'entities');
  const rows = [
    { id: 'e', client_id: '1', version: 1 },
    { id: 'moved', client_id: '1', version: 2 },
  ];
  await applyList(replica, { noun: 'entities', scope: 'user', rows, absence: 'gone', askedAt, now: 60 });
  expect((await listed(replica.rows, 'entities')).map(({ id, client_id }) => [id, client_id])).toEqual([
    ['e', '1'],
    ['moved', '1'],
  ]);
  closeReplica(replica);
});

test.each([
  ['may not be seen any more', ['entity:e'], {}],
  ['is deleted, though nobody follows it', [], { entities: [{ scope: 'user', id: 'e', op: 'del', version: 2 }] }],
] as const)('[FC30] with an entity that %s goes what the lists of its client say of it', async (_, lost, changes) => {
  const { replica, before } = await aFollower();
  const at = { ...before, scopes: [...before.scopes, ...lost.map((key) => ({ key, parent: 'client:1' }))] };
  await putSaid(replica, 'client:1', 'e', 'h');
  const after = { ...before, cursor: '6.0' };
  await applyFeedPage(replica, { before: at, after, gained: [], lost, changes, now: 50 }, noColumns);
  expect(await idsOf(replica, saidOfEntities)).toEqual([['h'], ['h'], ['h']]);
  closeReplica(replica);
});

test('[FC30] an entity whose own row alone may not be seen any more keeps what its client and it say of it', async () => {
  const { replica, before } = await aFollower();
  const at = { ...before, scopes: [...before.scopes, { key: 'entity:e', parent: 'client:1' }] };
  await putSaid(replica, 'client:1', 'e');
  await put(replica, 'transaction_matches', 'entity:e', { id: 'm' });
  const changes = { entities: [{ scope: 'user', id: 'e', op: 'out', version: 2 } as const] };
  await applyFeedPage(replica, { before: at, after: { ...at, cursor: '6.0' }, gained: [], lost: [], changes, now: 50 }, noColumns);
  expect(await idsOf(replica, [...saidOfEntities, 'transaction_matches'])).toEqual([['e'], ['e'], ['e'], ['m']]);
  closeReplica(replica);
});

test.each([
  ['may not be seen any more', { lost: 'entity:e' }, ['1', '2']],
  ['stays where another one may not be seen any more', { lost: 'entity:f' }, ['2']],
  ['is told of by the feed, too', { told: 'e' }, ['1']],
])(
  '[FC31] where an entity that its list has in another client, before the feed tells, %s, nothing is left of it, or called read, that went',
  async (_, { lost, told }: { lost?: string; told?: string }, goes) => {
    const { replica, before } = await aFollower();
    const scopes = [
      { key: 'client:2', parent: 'user' },
      { key: 'entity:e', parent: 'client:1' },
      { key: 'entity:f', parent: 'client:2' },
    ];
    await put(replica, 'entities', 'user', { id: 'e', client_id: '2' }, { id: 'f', client_id: '2' });
    await replica.rows.write(['pulls'], (tx) => tx.put('pulls', { ...newPull('entity:e', 'transactions'), phase: 'steady' }));
    const at = { ...before, scopes: [...before.scopes, ...scopes] };
    const after = { ...at, cursor: '6.0', scopes: at.scopes.filter(({ key }) => key !== lost) };
    const row = { id: 'e', client_id: '2', version: 2 };
    const changes = told === undefined ? {} : { entities: [{ scope: 'user', id: told, op: 'put', version: 2, row } as const] };
    const closed: string[] = [];
    const sets: ClientSets = {
      ...noColumns,
      without: (clients, work) => {
        closed.push(...clients);
        return work();
      },
    };
    const page = { before: at, after, gained: [], lost: lost === undefined ? [] : [lost], changes, now: 50 };
    await applyFeedPage(replica, page, sets);
    expect(closed.toSorted()).toEqual(goes);
    expect((await listed(replica.rows, 'pulls')).filter(({ phase }) => phase === 'steady')).toEqual([]);
    closeReplica(replica);
  },
);

test('[FC24] an edit that is settled brings back nothing of a client that was lost; what it made in one that is there comes', async () => {
  const { replica } = await aFollower();
  const held = async () => Promise.all((['clients', 'entities', 'archived_assets'] as const).map((noun) => listed(replica.rows, noun)));
  const left = (noun: SettledAnswer['noun'], row: { id: string; client_id?: string; version: number }, isTold: boolean) =>
    settleAnswers(replica, [{ noun, isFresh: true, scope: 'user', row, isTold }]);
  await left('clients', { id: 'lost', version: 2 }, true);
  await left('entities', { id: 'e', client_id: '1', version: 2 }, true);
  await left('entities', { id: 'made', client_id: 'lost', version: 1 }, false);
  await left('archived_assets', { id: 'a', client_id: 'lost', version: 1 }, false);
  expect(await held()).toEqual([[], [], []]);
  // nobody follows it yet, for it is new; and what is changed next is here
  await left('clients', { id: 'new', version: 1 }, false);
  await left('clients', { id: 'new', version: 2 }, true);
  await left('entities', { id: 'first', client_id: 'new', version: 1 }, false);
  await left('entities', { id: 'next', client_id: '1', version: 1 }, false);
  await left('archived_assets', { id: 'b', client_id: '1', version: 1 }, false);
  const versions = (await held()).map((rows) => rows.map(({ id, version }) => `${id} ${version}`));
  expect(versions).toEqual([['new 2'], ['first 1', 'next 1'], ['b 1']]);
  closeReplica(replica);
});

test('[FC28] an edit that is settled brings back nothing of a list to which the right is gone; of one that was refused otherwise it comes', async () => {
  const { replica, scope } = await aFollower();
  const settled = async (id: string): Promise<string[]> => {
    await settleAnswers(replica, [{ noun: 'accounts', isFresh: false, scope, row: { id, version: 1 }, isTold: false }]);
    return (await listed(replica.rows, 'accounts')).map((row) => row.id);
  };
  const refused = async (drops: 'accounts' | null): Promise<void> =>
    noteRefusal(replica, { askedAt: await standingOf(replica, scope, 'accounts'), now: 60, drops });
  // by somebody on the way
  await refused(null);
  expect(await settled('a')).toEqual(['a']);
  await refused('accounts');
  expect(await settled('b')).toEqual([]);
  await refused(null);
  expect(await settled('b')).toEqual([]);
  const askedAt = await standingOf(replica, scope, 'accounts');
  await applyList(replica, { noun: 'accounts', scope, rows: [], absence: 'gone', askedAt, now: 100 });
  expect(await settled('c')).toEqual(['c']);
  closeReplica(replica);
});

test('[SY43] a list that takes several pages is begun anew once what was read of it went with the right', async () => {
  const { replica, scope } = await aFollower();
  const begun_in = { resets: 0, generation: null, settled: 0 };
  const sweep = { begun_at: 40, begun_in, at: 0, cursor: { ...skipStart, skip: 90 }, absence: 'gone' } as const;
  await planted(replica.rows, 'pulls', [{ ...newPull(scope, 'accounts'), sweep }]);
  const isBegun = async () => (await standingOf(replica, scope, 'accounts')).pull.sweep !== undefined;
  const refused = async (drops: 'accounts' | null): Promise<void> =>
    noteRefusal(replica, { askedAt: await standingOf(replica, scope, 'accounts'), now: 60, drops });
  await refused(null);
  expect(await isBegun()).toBe(true);
  await refused('accounts');
  expect(await isBegun()).toBe(false);
  closeReplica(replica);
});

/** How often a page heard that something went for it may no longer be seen, and what it was told of that. */
async function heardOf(replica: Replica, work: () => Promise<unknown>): Promise<number> {
  const heard: Sight[] = [];
  const stop = watchSight(replica, (sight) => void heard.push(sight));
  await expect.poll(() => heard.length).not.toBe(0);
  await work();
  // whatever is told is told in order: after this, nothing of the work is still to come
  await replica.rows.write(['organizations'], (tx) => tx.put('organizations', { id: 'last', _scope: 'user' } as never));
  await expect.poll(() => heard.at(-1)?.organizations.has('last')).toBe(true);
  await replica.rows.write(['organizations'], (tx) => tx.remove('organizations', 'last'));
  stop();
  return (heard.at(-1)?.purges ?? 0) - (heard[0]?.purges ?? 0);
}

test('[SY37] whatever lets go of what may no longer be seen says so to every page, and says nothing of what is only new', async () => {
  const { replica, scope, before } = await aFollower();
  const page = { before, gained: [], lost: [], changes: {}, now: 50 };
  const after = { ...before, cursor: '6.0' };
  const ofAccounts = { askedAt: await standingOf(replica, scope, 'accounts'), now: 60 };
  const gained = [{ key: 'client:2', parent: 'user' }];
  expect(await heardOf(replica, () => applyFeedPage(replica, { ...page, after, gained }, noColumns))).toBe(0);
  expect(await heardOf(replica, () => noteRefusal(replica, { ...ofAccounts, drops: null }))).toBe(0);
  expect(await heardOf(replica, () => startFeed(replica, after, { seen: [scope], unseen: [] }))).toBe(0);
  expect(await heardOf(replica, () => startFeed(replica, after, { seen: [scope], unseen: ['2'] }))).toBe(1);
  const asked = { askedAt: await standingOf(replica, scope, 'accounts'), now: 60 };
  expect(await heardOf(replica, () => noteRefusal(replica, { ...asked, drops: 'accounts' }))).toBe(1);
  expect(await heardOf(replica, () => dropRefusedColumns(replica, ['1'], asked))).toBe(1);
  expect(await heardOf(replica, () => applyFeedPage(replica, { ...page, after, lost: [scope] }, noColumns))).toBe(1);
  expect(await heardOf(replica, () => purgeScope(replica, 'entity:1', []))).toBe(1);
  expect(await heardOf(replica, () => dropRows(replica))).toBe(1);
  closeReplica(replica);
});

test('[FC32] a row that went stays gone for answers asked for before, though the clock was put right meanwhile; a day later that is forgotten', async () => {
  const { replica, scope, before } = await aFollower();
  const dayMs = 86_400_000;
  const goesAt = (now: number, id: string) => {
    const changes = { accounts: [{ scope, id, op: 'del' as const, version: 3 }] };
    return applyFeedPage(replica, { before, after: before, gained: [], lost: [], changes, now }, noColumns);
  };
  const row = { id: 'one', client_id: '1', entity_id: '2', version: 3 };
  const askedAt = await standingOf(replica, scope, 'accounts');
  await goesAt(1_000, 'one');
  // it was days behind
  await goesAt(9 * dayMs, 'two');
  await goesAt(9 * dayMs + 1, 'three');
  const list = { noun: 'accounts', scope, rows: [row], absence: 'missed', askedAt, now: 9 * dayMs } as const;
  await applyList(replica, list);
  const held = () => replica.rows.read(['accounts'], (tx) => tx.keys('accounts'));
  expect(await held()).toEqual([]);
  await goesAt(10 * dayMs, 'four');
  const gone = await replica.rows.read(['gone'], (tx) => tx.list('gone'));
  expect(gone.map(({ id }) => id).toSorted()).toEqual(['four', 'three', 'two']);
  closeReplica(replica);
});

/** A list of several pages that is begun while a feed is followed, and a row that the feed tells of then. */
async function aListUnderWay() {
  const { replica, scope, before } = await aFollower();
  const list = { noun: 'accounts' as const, scope };
  const askedAt = await standingOf(replica, scope, list.noun);
  const { resets, generation, answers } = askedAt;
  const sweep: Sweep = { begun_at: 7, begun_in: { resets, generation, settled: 0, answers }, at: 0, cursor: skipStart, absence: 'missed' };
  const put = { scope, id: 'a', op: 'put' as const, version: 2, row: { id: 'a', client_id: '1', version: 2 } };
  const page = { before, after: { ...before, cursor: '6.0' }, gained: [], lost: [], changes: { accounts: [put] }, now: 50 };
  const rows = ['a', 'b'].map((id) => ({ id, client_id: '1', version: 1 }));
  return {
    replica,
    ...list,
    rows,
    answered: { ...list, askedAt, sweep, rows },
    sweep,
    tell: () => applyFeedPage(replica, page, noColumns),
  };
}

test('[SY75] a row that the feed told of was in the pages of its list that were read before', async () => {
  const { replica, noun, scope, sweep, answered, tell } = await aListUnderWay();
  await applyListPage(replica, answered);
  await tell();
  expect([...(await sweptIds(replica, noun, scope, sweep))].sort()).toEqual(['a', 'b']);
  closeReplica(replica);
});

test('[SY75] a row that the feed tells of again, as it is held, is there, whatever lists lack it', async () => {
  const { replica, noun, scope, answered, tell } = await aListUnderWay();
  await tell();
  for (let no = 0; no < 3; no += 1) {
    const askedAt = await standingOf(replica, scope, noun);
    const { resets, generation, answers } = askedAt;
    const sweep = { ...answered.sweep, begun_in: { resets, generation, settled: 0, answers } };
    await tell();
    await applyListPage(replica, { ...answered, rows: [], askedAt, sweep, end: { ids: new Set(), isMiscounted: false } });
  }
  expect(await listed(replica.rows, noun)).toMatchObject([{ id: 'a', version: 2 }]);
  closeReplica(replica);
});

test('[SY75] a page that was asked for before the feed told of its list, which is followed no more, is asked for again', async () => {
  const { replica, noun, rows, answered, tell } = await aListUnderWay();
  await tell();
  await forgetFeed(replica);
  const end = { ids: new Set(rows.map(({ id }) => id)), isMiscounted: false };
  expect(await applyListPage(replica, { ...answered, end })).toBe('again');
  expect(await listed(replica.rows, noun)).toMatchObject([{ id: 'a', version: 2 }]);
  const askedAt = await standingOf(replica, answered.scope, noun);
  expect(await applyListPage(replica, { ...answered, askedAt, end })).toBe('over');
  expect((await copyStanding(replica)).pulls).toMatchObject([{ last_complete_at: null }]);
  closeReplica(replica);
});
