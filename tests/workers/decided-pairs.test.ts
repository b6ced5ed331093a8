import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { ApiError, movedText } from '#contract/errors.ts';
import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { ackedMutations, type Outcome, retire, startTerm } from '#replica/sending.ts';
import { attempt } from '#workers/attempt.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';
import { proposed, refuseMoved, shownRow } from '#tests/support/pairs.ts';
import { generation, type SomeRow } from '#tests/support/sent-edits.ts';

const legs = ['a', 'b', 'c'] as const;
type Leg = (typeof legs)[number];
interface Mark {
  trx_id: Leg;
  counterpart_id: Leg | null;
  is_transfer: boolean;
}

/** What becomes of an attempt that the server would take. */
const fates = ['taken', 'later', 'refused', 'forbidden', 'lost', 'unheard'] as const;
type Fate = (typeof fates)[number];
const failure = { later: 'unavailable', refused: 'invalid', forbidden: 'permission_denied', unheard: 'network' } as const;

const pairs: readonly [Leg, Leg | null][] = [
  ['a', 'b'],
  ['b', 'a'],
  ['a', 'c'],
  ['c', 'b'],
  ['a', null],
];
const ofPerson = [
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('mark' as const), pair: fc.constantFrom(...pairs), is: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('begin' as const), fate: fc.constantFrom('taken', ...fates) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('end' as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('retire' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sync' as const) }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('decide' as const), isKept: fc.boolean(), at: fc.nat(3) }) },
];
const ofOthers = [
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('others' as const), leg: fc.constantFrom(...legs) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('pairs' as const), leg: fc.constantFrom(...legs) }) },
];
const step = fc.oneof(...ofPerson, ...ofOthers);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const legsOf = ({ input }: OutboxRow): Leg[] => {
  const { trx_id, counterpart_id } = input as Mark;
  return counterpart_id === null ? [trx_id] : [trx_id, counterpart_id];
};

/** Three rows at a server that compares the versions of those a decision is about, a person who decides from any of them, and others. */
async function aScene() {
  const { outbox, ...replica } = await openReplica(browserStores, uuidv7(), 0);
  const epoch = await startTerm(outbox);
  const server = { a: proposed('a'), b: proposed('b'), c: proposed('c') };
  let [copy, now, count, last, isAlone] = [{ ...server }, 1, 0, 0, true];
  let underWay: { head: OutboxRow; outcome: Outcome } | null = null;
  const answers = new Map<string, object>();
  /** What others made of each row that who decided had before them: quantities, and with what it is paired, which no field says. */
  const seen = new Map<string, Record<Leg, Set<unknown>>>();
  const upon = new Set<string>();
  const partners: Record<Leg, Map<number, string>> = { a: new Map(), b: new Map(), c: new Map() };
  const partnerOf = (leg: Leg, version: number): string =>
    [...partners[leg]].filter(([at]) => at <= version).at(-1)?.[1] ?? 'of the person';
  const seenIn = (leg: Leg, version: number, quantity: unknown): unknown[] => [quantity, partnerOf(leg, version)];
  const wrongs: string[] = [];

  const edits = () => pendingMutations(outbox);
  const change = (leg: Leg, to: object): void => {
    server[leg] = { ...server[leg], ...to, version: server[leg].version + 1 };
  };
  const shown = async (leg: Leg): Promise<SomeRow> => shownRow(copy[leg], await edits());

  async function mark([trx_id, counterpart_id]: readonly [Leg, Leg | null], is_transfer: boolean): Promise<void> {
    const input: Mark = { trx_id, counterpart_id, is_transfer };
    const [id, of] = [uuidv7(), { title: `${trx_id} ${counterpart_id} ${is_transfer}`, now, clientId: null, entityId: null }];
    const rests = counterpart_id === null ? {} : { restsOn: await shown(counterpart_id) };
    await enqueue(outbox, { id, name: 'markTransfer', input, ...of, seen: await shown(trx_id), ...rests });
    const sees = (leg: Leg): Set<unknown> => new Set(['of the person', ...seenIn(leg, copy[leg].version, copy[leg]['quantity'])]);
    seen.set(id, { a: sees('a'), b: sees('b'), c: sees('c') });
  }

  const asked = (fate: Fate, edit: OutboxRow): ApiCall =>
    (async (_endpoint: Endpoint, input: Mark, { idempotencyKey = '', ifVersion, restsOnVersion }: CallOptions) => {
      const known = answers.get(idempotencyKey);
      if (known) return known;
      const rests_on = input.counterpart_id && server[input.counterpart_id];
      refuseMoved({ current: server[input.trx_id], rests_on }, { ifVersion, restsOnVersion });
      if (fate !== 'taken' && fate !== 'lost') throw new ApiError({ code: failure[fate], detail: fate, isSaid: fate !== 'unheard' });
      for (const leg of legsOf(edit)) {
        const had = seen.get(edit.id)?.[leg];
        const [quantity, partner] = seenIn(leg, server[leg].version, server[leg]['quantity']);
        if (!had?.has(quantity) || !(upon.has(`${edit.id} ${leg}`) || had.has(partner)))
          wrongs.push(`${edit.title} is written over what others made of ${leg}`);
        change(leg, { match_state: input.is_transfer ? 'APPROVED' : 'REJECTED' });
        partners[leg].set(server[leg].version, 'of the person');
      }
      answers.set(idempotencyKey, { id: 'match' });
      last = Math.max(last, edit.seq);
      if (fate === 'lost') throw new ApiError({ code: 'network', detail: fate });
      return { id: 'match' };
    }) as ApiCall;

  async function begin(fate: Fate): Promise<void> {
    if (underWay) return;
    now += 120_000;
    const [head] = await claimHeads(outbox, epoch, now, 1);
    if (!head) return;
    // right upon a decision of its own person that is not accepted yet nobody can say with what the row was paired
    for (const leg of legsOf(head))
      if ((leg === legsOf(head)[0] ? head.base : head.rests_on)?.version === null) upon.add(`${head.id} ${leg}`);
    const ports = { call: asked(fate, head), now: () => now, random: () => 0, build: 'b', keepsKeys: true, generation };
    const outcome = await attempt(ports, head);
    underWay = { head, outcome };
    const isTold = outcome.event === 'refuse' && outcome.error?.detail === movedText;
    // one that was set aside is told of what its person decided later, and that came before it
    const isOwn = isAlone && head.seq >= last && (outcome.event === 'conflict' || isTold);
    if (isOwn) wrongs.push(`${head.title} is a conflict with nobody`);
    // that one row is so already says nothing of the other, on which others may rest
    if (outcome.changes?.is_met) isAlone = false;
    const [, other] = legsOf(head);
    const told = isTold && other ? seenIn(other, server[other].version, server[other]['quantity']) : [];
    for (const made of told) if (other) seen.get(head.id)?.[other].add(made);
  }

  async function end(): Promise<void> {
    if (!underWay) return;
    const { head, outcome } = underWay;
    underWay = null;
    await settleAttempt(outbox, epoch, head.seq, outcome, now);
  }

  async function retireAll(): Promise<void> {
    const acked = await ackedMutations(outbox);
    for (const leg of acked.flatMap(legsOf)) copy = { ...copy, [leg]: server[leg] };
    await retire(outbox, epoch, acked, now);
  }

  async function decide(isKept: boolean, at: number): Promise<void> {
    const waiting = await edits();
    const edit = waiting[at];
    if (!edit) return;
    const [own] = legsOf(edit);
    // one that goes on behind what was decided since, from whichever row, may be asked about once though nobody else was there
    if (isKept && needsPerson(edit.state) && waiting.length > at + 1) isAlone = false;
    // what may have arrived and is let go of is another's to the edits behind it
    if (!isKept && (edit.may_have_arrived || edit.again !== undefined || edit.state === 'uncertain')) isAlone = false;
    // whoever decides about a conflict sees what others made of the row, whichever of their edits of it comes next
    const { fields, version } = edit.theirs ?? { fields: null, version: null };
    const shows = edit.state === 'conflict' && own ? seenIn(own, version ?? 0, fields?.['quantity']) : [];
    for (const of of seen.values()) for (const made of shows) if (own) of[own].add(made);
    if (edit.state === 'conflict') await (isKept ? keepMine(outbox, edit) : takeTheirs(outbox, edit, now));
    else await (isKept ? retry(outbox, edit.seq) : discard(outbox, edit.seq, now));
  }

  async function take(each: Step): Promise<void> {
    if (each.kind === 'mark') await mark(each.pair, each.is);
    else if (each.kind === 'begin') await begin(each.fate);
    else if (each.kind === 'end') await end();
    else if (each.kind === 'retire') await retireAll();
    else if (each.kind === 'sync') copy = { ...server };
    else if (each.kind === 'decide') await decide(each.isKept, each.at);
    else {
      [isAlone, count] = [false, count + 1];
      change(each.leg, each.kind === 'pairs' ? { match_state: 'APPROVED' } : { quantity: `theirs ${count}` });
      if (each.kind === 'pairs') partners[each.leg].set(server[each.leg].version, `with ${count}`);
    }
  }

  /** Sends all, and keeps what the person decided wherever they are asked. */
  async function finish(): Promise<void> {
    await end();
    await retireAll();
    for (let turn = 0; turn < 60 && (await edits()).length > 0; turn += 1) {
      for (const at of (await edits()).keys()) await decide(true, at);
      await begin('taken');
      await end();
      await retireAll();
    }
  }
  return { take, finish, edits, wrongs, close: () => closeReplica({ outbox, ...replica }) };
}

test.each([
  ['others change the rows, too', step],
  ['nobody else does', fc.oneof(...ofPerson)],
] as const)(
  '[CF50] whatever becomes of decisions about pairs, none is written over what its person had not seen, nor is in conflict with nobody: %s',
  async (_, some) => {
    await fc.assert(
      fc.asyncProperty(fc.array(some, { minLength: 3, maxLength: 16 }), async (steps) => {
        const scene = await aScene();
        for (const each of steps) await scene.take(each);
        await scene.finish();
        const found = [scene.wrongs, await scene.edits()];
        scene.close();
        expect(found).toEqual([[], []]);
      }),
      { numRuns: 200 },
    );
  },
);
