import { afterEach, expect, test } from 'vitest';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { mutationNamed, type MutationName, mutations } from '#contract/mutations.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { startFeed } from '#replica/feed-state.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { EditBase, OutboxRow } from '#replica/outbox-tables.ts';
import { settleEdits } from '#workers/read-back.ts';
import type { Run } from '#workers/run.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { listed, planted } from '#tests/support/stored.ts';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

/** What an edit may be made on without saying in which version that is. */
const bases: readonly (readonly [string, EditBase | undefined])[] = [
  ['nothing, as by older builds', undefined],
  ['a row of which no version is known', { version: null, fields: { client_name: 'Yew', entity_name: 'Yew' } }],
  ['no row', { version: 0, fields: null }],
];

const edits = [
  ['createClient', 'clients', 'comes'],
  ['updateClient', 'clients', 'does not come'],
  ['createEntity', 'entities', 'comes'],
  ['updateEntity', 'entities', 'does not come'],
] as const;

interface How {
  base: EditBase | undefined;
  /** The clients that are left out on the device. */
  leftOut?: readonly string[];
  /** Whose row it is; the one that is followed, if none is named. */
  client?: string;
}

test('[FC24] no other edits leave a client or an entity than those tried here', () => {
  const leaving = (Object.keys(mutations) as MutationName[]).filter((name) => {
    const { answers, removes } = mutationNamed(name);
    return removes === undefined && (answers === 'clients' || answers === 'entities');
  });
  expect(leaving).toEqual(edits.map(([name]) => name));
});

/** Settles an accepted edit in a copy that holds no rows and follows one client. @returns what it holds then. */
async function settledOf(name: MutationName, noun: 'clients' | 'entities', { base, leftOut = [], client = '1' }: How): Promise<string[]> {
  const replica = await openReplica(browserStores, `read back ${performance.now()}`, 0);
  open.push(replica);
  const scopes = [{ key: 'client:1', parent: 'user' }];
  await startFeed(replica, { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes }, { seen: ['client:1'], unseen: [] });
  const run = { replica, leftOut: new Set(leftOut) } as unknown as Run;
  const edit: OutboxRow = {
    seq: 1,
    id: 'edit',
    v: 1,
    name,
    input: { id: 'yew' },
    lane: 'yew',
    state: 'acked',
    attempts: 2,
    next_attempt_at: 0,
    created_at: 0,
    title: 'Yew',
    client_id: null,
    entity_id: null,
    may_have_arrived: true,
    answer: { id: 'yew', client_id: client, version: 3 },
    ...(base ? { base } : {}),
  };
  await settleEdits(run, [edit], { fresh: new Set(), now: 0 });
  return (await listed(replica.rows, noun)).map(({ id }) => id);
}

test.each(edits.flatMap((edit) => bases.map(([of, base]) => [...edit, of, base] as const)))(
  '[FC24] what %s left of %s that nobody follows %s, be it made on %s',
  async (name, noun, comes, _, base) => {
    expect(await settledOf(name, noun, { base })).toEqual(comes === 'comes' ? ['yew'] : []);
  },
);

test('[FC24] of an entity whose client is left out the feed tells nothing: what an edit left of it comes, if that client is there', async () => {
  const base = { version: 2, fields: { entity_name: 'Yew' } };
  expect(await settledOf('updateEntity', 'entities', { base, leftOut: ['1'] })).toEqual(['yew']);
  expect(await settledOf('updateEntity', 'entities', { base, leftOut: ['1'], client: '2' })).toEqual([]);
  expect(await settledOf('updateEntity', 'entities', { base, leftOut: ['1', '2'], client: '2' })).toEqual([]);
});

test('[FC24] a client that is left out is told of all the same: what an edit left of one that nobody follows does not come', async () => {
  expect(await settledOf('updateClient', 'clients', { base: undefined, leftOut: ['1', 'yew'], client: 'yew' })).toEqual([]);
});

const invalid = new ApiError({ code: 'invalid', detail: 'Only one id is taken', isSaid: true });
test.each([
  ['takes one id of several', (id: readonly string[]) => id.slice(-1)],
  [
    'refuses several',
    (id: readonly string[]) => {
      if (id.length > 1) throw invalid;
      return id;
    },
  ],
])('[OB23] both rows of a pair are read back at a server that %s', async (_name, taken) => {
  const replica = await openReplica(browserStores, `read back ${performance.now()}`, 0);
  open.push(replica);
  await planted(replica.rows, 'entities', [{ id: 'e', client_id: 'c', _scope: 'user' } as never]);
  const held = ['one', 'other'].map((id) => aPulledRow({ id, entity_id: 'e', trx_date: '2026-05-01T00:00:00.000Z', version: 2 }));
  const call = async (_: Endpoint, { trx_id }: { trx_id: string[] }) => {
    const ids = taken(trx_id);
    return held.filter(({ id }) => ids.includes(id));
  };
  const sets = someSets(replica, { now: () => 0 });
  const set = await sets.transactions('c');
  await set.apply(held.map((row) => ({ ...row, version: 1 })));
  const run = {
    replica,
    call,
    sets,
    leftOut: new Set(),
    feed: { pageLimit: null },
    queries: { changed: () => undefined },
  } as unknown as Run;
  const input = { trx_id: 'one', counterpart_id: 'other', is_transfer: true };
  const edit = { seq: 1, id: 'edit', v: 1, name: 'markTransfer', input, state: 'acked', answer: null } as unknown as OutboxRow;
  await settleEdits(run, [edit], { fresh: new Set(), now: 0 });
  expect((await set.heldOf(['one', 'other'])).map(({ version }) => version)).toEqual([2, 2]);
});
