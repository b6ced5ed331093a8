import { expect, test } from 'vitest';
import { newPull, type PullRow } from '#replica/pulls.ts';
import { type PlanState, planPulls } from '#workers/plan.ts';

const now = Date.UTC(2026, 5, 1);

/** A list that was just read to its end. */
const read = (scope: string, noun: string): PullRow => ({ ...newPull(scope, noun), phase: 'steady', last_complete_at: now });

/** The scopes of which a plan would let go, of a copy that follows no feed and has its lists. */
function lostIn(known: Partial<PlanState>): string[] {
  const lists = ['clients', 'entities'].map((noun) => read('user', noun));
  const state: PlanState = {
    now,
    isFollowed: false,
    visible: [],
    clients: [{ id: 'one' }],
    entities: [{ id: 'oak', client_id: 'one' }],
    leftOut: new Set(),
    held: new Map(),
    ...known,
    pulls: [...lists, ...(known.pulls ?? [])],
  };
  return planPulls(state).flatMap((job) => (job.kind === 'lost' ? [job.scope] : []));
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
