import { expect, test } from 'vitest';
import { newPull, type PullRow } from '#replica/pulls.ts';
import { type PlanState, planPulls } from '#workers/plan.ts';

const now = Date.UTC(2026, 5, 1);

/** A list that was just read to its end. */
const read = (scope: string, noun: string): PullRow => ({ ...newPull(scope, noun), phase: 'steady', last_complete_at: now });

/** A copy that follows no feed and has its lists, but for what is said of it. */
function aState(known: Partial<PlanState>): PlanState {
  const lists = ['clients', 'entities'].map((noun) => read('user', noun));
  return {
    now,
    hasFeed: known.isFollowed ?? false,
    isFollowed: false,
    visible: [],
    clients: [{ id: 'one' }],
    entities: [{ id: 'oak', client_id: 'one' }],
    leftOut: new Set(),
    held: new Map(),
    left: [],
    isSavingData: false,
    sizeOf: () => null,
    ...known,
    pulls: [...lists, ...(known.pulls ?? [])],
  };
}

/** The scopes of which a plan would let go. */
function lostIn(known: Partial<PlanState>): string[] {
  return planPulls(aState(known)).flatMap((job) => (job.kind === 'lost' ? [job.scope] : []));
}

test('[FC17] what is held of an entity that is in no list any more is looked after, however its rows came', () => {
  expect(lostIn({ pulls: [read('entity:oak', 'transactions')], held: new Map([['entity:oak', 3]]) })).toEqual([]);
  expect(lostIn({ pulls: [newPull('entity:elm', 'transaction_matches')] })).toEqual(['entity:elm']);
  // an edit answered them, and no list was read yet
  expect(lostIn({ held: new Map([['entity:elm', 3]]) })).toEqual(['entity:elm']);
  expect(lostIn({ held: new Map([['entity:elm', 0]]) })).toEqual([]);
  // the server has it still: it is asked again another day
  expect(lostIn({ pulls: [read('entity:elm', 'transactions')], held: new Map([['entity:elm', 3]]) })).toEqual([]);
});

test('[FC17] and is as old as it was once the list has it again', () => {
  const pulls = [{ ...read('entity:elm', 'transactions'), last_complete_at: now - 86_400_000, there_at: now }];
  expect(lostIn({ pulls })).toEqual([]);
  const jobs = planPulls(aState({ pulls, entities: [{ id: 'elm', client_id: 'one' }] }));
  expect(jobs.map(({ kind, key }) => [kind, key])).toContainEqual(['refresh', 'entity:elm transactions']);
});

test('[SY99] what is wanted of an entity is read, however lately it was read', () => {
  const kindsWith = (changes: Partial<PullRow>) =>
    planPulls(aState({ pulls: [{ ...read('entity:oak', 'transactions'), ...changes }] })).flatMap(({ kind }) =>
      kind === 'refresh' ? [kind] : [],
    );
  expect(kindsWith({})).toEqual([]);
  expect(kindsWith({ wanted: [{ from: '2020-01-01', to: '2020-01-02', no: 1 }] })).toEqual(['refresh']);
});

test('[SY38] every entity’s recent months are read before anything older, and of equals the largest entity first', () => {
  const entities = ['ash', 'elm', 'oak', 'yew'].map((id) => ({ id, client_id: 'one' }));
  const pulls = ['ash', 'yew'].map((id): PullRow => ({ ...newPull(`entity:${id}`, 'transactions'), phase: 'older' }));
  const sizes: Record<string, number> = { ash: 10, elm: 20, oak: 30_000, yew: 400 };
  const sizeOf = (id: string): number | null => sizes[id] ?? null;
  const first = (known: Partial<PlanState>): string[] =>
    planPulls(aState({ entities, visible: ['one'], pulls, ...known })).flatMap((job) => (job.kind === 'first' ? [job.entity.id] : []));
  expect(first({ sizeOf })).toEqual(['oak', 'elm', 'yew', 'ash']);
  // a server that does not count them
  expect(first({})).toEqual(['elm', 'oak', 'ash', 'yew']);
});

test('[SY41] where data is to be saved nothing is asked of entities nobody looks at, and nothing older of several', () => {
  const entities = [
    { id: 'oak', client_id: 'one' },
    { id: 'elm', client_id: 'two' },
  ];
  const pulls = [{ ...newPull('entity:oak', 'transactions'), phase: 'older' as const }];
  const asked = (known: Partial<PlanState>): string[] =>
    planPulls(aState({ entities, clients: [{ id: 'one' }, { id: 'two' }], pulls, ...known })).flatMap((job) =>
      job.kind === 'first' ? [job.entity.id] : job.kind === 'stream' && job.stream.per === 'entity' ? [`list of ${job.id}`] : [],
    );
  expect(asked({ visible: ['one'] })).toEqual(['list of oak', 'elm', 'list of elm', 'oak']);
  expect(asked({ visible: ['one'], isSavingData: true })).toEqual(['list of oak', 'oak']);
  expect(asked({ visible: ['one', 'two'], isSavingData: true })).toEqual(['elm', 'list of oak', 'list of elm']);
  expect(asked({ visible: [], isSavingData: true })).toEqual([]);
});

test('[SY45] columns that entities left for another client are looked after first, where a feed is followed, too: it may have begun after that', () => {
  const left = (known: Partial<PlanState>) => planPulls(aState({ left: ['two'], ...known })).filter(({ kind }) => kind === 'left');
  expect(left({})).toMatchObject([{ client: 'two' }]);
  expect(planPulls(aState({ left: ['two'] }))[0]?.kind).toBe('left');
  expect(left({ isFollowed: true })).toHaveLength(1);
});
