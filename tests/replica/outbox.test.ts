import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { ApiError, movedText } from '#contract/errors.ts';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { type MutationEvent, type MutationState, needsPerson, nextMutationState } from '#replica/mutation-states.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { discard, discardMany, retry } from '#replica/decisions.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import {
  beginSending,
  forgetVersions,
  resumeNow,
  resumeSignedIn,
  retire,
  StaleWriterError,
  startTerm,
  takeTurn,
} from '#replica/sending.ts';
import { editsAhead } from '#replica/lanes.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';
import { newestReceipts } from '#replica/receipts.ts';
import { foldRow } from '#replica/overlay.ts';
import { restate } from '#replica/restating.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { claimHeads, idleTurn, settleAttempt } from '#tests/support/outbox.ts';
import { listed, planted } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

async function aReplica(): Promise<Replica> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  return replica;
}

const mark = async (replica: Replica, trx_id: string, is_transfer = true, deps: string[] = []): Promise<string> => {
  const id = uuidv7();
  await enqueue(replica.outbox, {
    id,
    name: 'markTransfer',
    input: { trx_id, counterpart_id: null, is_transfer },
    title: `Mark ${trx_id}`,
    now: 1,
    clientId: null,
    entityId: null,
    deps,
  });
  return id;
};
const saveView = async (replica: Replica, view: string, name: string, deps: string[] = []): Promise<string> => {
  const id = uuidv7();
  const input = { id: view, name, list: 'transactions' as const, search: '' };
  await enqueue(replica.outbox, { id, name: 'saveView', input, title: name, now: 1, clientId: null, entityId: null, deps });
  return id;
};
const standing = async ({ outbox }: Replica) => (await pendingMutations(outbox)).map(({ title, state }) => [title, state]);

describe('the outbox on disk', () => {
  test('[OB9] a writer whose term is over can claim and settle nothing', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const old = await startTerm(replica.outbox);
    const [edit] = await claimHeads(replica.outbox, old, 1, 4);
    const current = await startTerm(replica.outbox);
    await expect(claimHeads(replica.outbox, old, 1, 4)).rejects.toBeInstanceOf(StaleWriterError);
    await expect(settleAttempt(replica.outbox, old, edit!.seq, { event: 'accepted' })).rejects.toBeInstanceOf(StaleWriterError);
    await beginSending(replica.outbox, current, 'build');
    expect((await claimHeads(replica.outbox, current, 1, 4)).map((head) => head.id)).toEqual([edit!.id]);
  });

  test('[OB10] only the first edit of each lane is claimed, and none before its time', async () => {
    const replica = await aReplica();
    for (const id of ['a', 'b', 'a', 'c', 'd', 'e']) await mark(replica, id);
    const epoch = await startTerm(replica.outbox);
    const heads = await claimHeads(replica.outbox, epoch, 1, 4);
    expect(heads.map((head) => head.lane)).toEqual(['trx:a', 'trx:b', 'trx:c', 'trx:d']);
    await settleAttempt(replica.outbox, epoch, heads[0]!.seq, { event: 'try_later', nextAttemptAt: 100 });
    expect((await claimHeads(replica.outbox, epoch, 99, 4)).map((head) => head.lane)).toEqual(['trx:e']);
    expect((await claimHeads(replica.outbox, epoch, 100, 4)).map((head) => head.seq)).toEqual([heads[0]!.seq]);
  });

  test('[OB43] an edit that waits by a clock since put right is tried at once', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const epoch = await startTerm(replica.outbox);
    const hour = 3_600_000;
    const [edit] = await claimHeads(replica.outbox, epoch, 5 * hour, 4);
    const outcome = { event: 'try_later', nextAttemptAt: 6 * hour } as const;
    await takeTurn(replica.outbox, epoch, { attempted: [{ seq: edit!.seq, outcome }], now: 5 * hour, most: 0 });
    expect(await claimHeads(replica.outbox, epoch, 5 * hour + 1, 4)).toEqual([]);
    expect((await claimHeads(replica.outbox, epoch, 5 * hour - 1, 4)).map(({ seq }) => seq)).toEqual([edit!.seq]);
  });

  test('[OB17] what a killed worker was sending may have arrived, whatever a later attempt meets', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const epoch = await startTerm(replica.outbox);
    await claimHeads(replica.outbox, epoch, 1, 4);
    const next = await startTerm(replica.outbox);
    await beginSending(replica.outbox, next, 'build');
    const [edit] = await claimHeads(replica.outbox, next, 1, 4);
    await settleAttempt(replica.outbox, next, edit!.seq, { event: 'try_later', nextAttemptAt: 100 });
    expect(await pendingMutations(replica.outbox)).toMatchObject([{ state: 'uncertain', may_have_arrived: true }]);
  });

  test('[OB11] an edit on its way cannot be discarded; one whose answer was lost can, and the receipt says so', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const epoch = await startTerm(replica.outbox);
    const [edit] = await claimHeads(replica.outbox, epoch, 1, 4);
    expect(await discard(replica.outbox, edit!.seq, 2)).toBe('on_its_way');
    await settleAttempt(replica.outbox, epoch, edit!.seq, { event: 'no_answer' });
    expect(await discard(replica.outbox, edit!.seq, 2)).toBe('discarded');
    expect(await listed(replica.outbox, 'receipts')).toMatchObject([{ outcome: 'discarded', detail: 'It may have reached the server' }]);
    expect(await pendingMutations(replica.outbox)).toEqual([]);
  });

  describe('at which the server fails', () => {
    const minute = 60_000;
    const aFailing = async () => {
      const replica = await aReplica();
      await mark(replica, 'a');
      const epoch = await startTerm(replica.outbox);
      let now = 1;
      /** Fails so often, a minute apart. */
      const fail = async (times: number): Promise<void> => {
        for (let time = 0; time < times; time += 1) {
          now += minute;
          const [edit] = await claimHeads(replica.outbox, epoch, now, 1);
          await settleAttempt(replica.outbox, epoch, edit!.seq, { event: 'fault' }, now);
        }
      };
      const takeAnother = async (): Promise<void> => {
        const id = await mark(replica, 'b');
        const [first, other] = await claimHeads(replica.outbox, epoch, now, 4);
        expect(other?.id).toBe(id);
        await settleAttempt(replica.outbox, epoch, first!.seq, { event: 'try_later' }, now);
        await settleAttempt(replica.outbox, epoch, other!.seq, { event: 'accepted' }, now);
        await retire(replica.outbox, epoch, [other!], now);
      };
      const state = async () => (await pendingMutations(replica.outbox)).map((edit) => edit.state);
      return { replica, fail, takeAnother, state };
    };

    test('[OB37] an edit is not set aside in an outage, in which no other is taken either', async () => {
      const { replica, fail, takeAnother, state } = await aFailing();
      await takeAnother();
      await fail(20);
      expect(await state()).toEqual(['queued']);
      await fail(41);
      expect(await state()).toEqual(['parked']);
      const [edit] = await pendingMutations(replica.outbox);
      await retry(replica.outbox, edit!.seq);
      await fail(7);
      expect(await state()).toEqual(['queued']);
    });

    test('[OB37] an edit is set aside that fails while another one is taken', async () => {
      const { fail, takeAnother, state } = await aFailing();
      await fail(2);
      await takeAnother();
      await fail(5);
      expect(await state()).toEqual(['queued']);
      await fail(1);
      expect(await state()).toEqual(['parked']);
    });
  });

  test('[OB12] every event leads somewhere known or nowhere; an accepted edit is never sent again', () => {
    const states = Object.keys(nextMutationState) as MutationState[];
    for (const state of states) {
      for (const next of Object.values(nextMutationState[state])) expect(next === null || states.includes(next)).toBe(true);
    }
    const events = Object.entries(nextMutationState.acked) as [MutationEvent, MutationState | null][];
    expect(events.filter(([, next]) => next !== null)).toEqual([]);
    expect(states.filter((state) => nextMutationState[state].claim === 'sending')).toEqual(['queued', 'uncertain']);
  });

  test("[OB13] one user cannot open another user's outbox", async () => {
    const [mine, theirs] = [await aReplica(), await aReplica()];
    await mark(mine, 'a');
    expect(await pendingMutations(theirs.outbox)).toEqual([]);
  });
});

describe('an edit the server would not take of this build', () => {
  test('[OB18] waits and goes on by itself with another build, not with the same', async () => {
    const replica = await aReplica();
    const { outbox } = replica;
    await mark(replica, 'a');
    const epoch = await startTerm(outbox);
    const [edit] = await claimHeads(outbox, epoch, 1, 4);
    await settleAttempt(outbox, epoch, edit!.seq, { event: 'outdated', changes: { paused_build: 'one' } });
    await beginSending(outbox, epoch, 'one');
    expect([await standing(replica), await claimHeads(outbox, epoch, 1, 4)]).toEqual([[['Mark a', 'paused_update']], []]);
    await beginSending(outbox, epoch, 'two');
    expect((await claimHeads(outbox, epoch, 1, 4)).map(({ id }) => id)).toEqual([edit!.id]);
  });
});

test('[OB62] a server that gives what was made another id has only the edits that name it written anew', async () => {
  const replica = await aReplica();
  const { outbox } = replica;
  const client = uuidv7();
  const made = { id: client, organization_id: 'o', client_name: 'Mine' };
  const ours = { now: 1, clientId: client, entityId: null };
  await enqueue(outbox, { ...ours, id: uuidv7(), name: 'createClient', input: made, title: 'Mine' });
  const epoch = await startTerm(outbox);
  const [making] = await claimHeads(outbox, epoch, 1, 1);
  await mark(replica, 'a');
  await enqueue(outbox, { ...ours, id: uuidv7(), name: 'updateClient', input: { id: client, client_name: 'Later' }, title: 'Later' });
  const written: object[] = [];
  const write: OutboxStore['write'] = (tables, work) =>
    outbox.write(tables, (tx) => {
      const putMany: typeof tx.putMany = (table, rows) => {
        if (table === 'mutations') written.push(...rows);
        return tx.putMany(table, rows);
      };
      return work({ ...tx, putMany });
    });
  await settleAttempt({ ...outbox, write }, epoch, making!.seq, { event: 'accepted', answer: { ...made, id: 'given' } });
  expect(written).toMatchObject([{ title: 'Mine' }, { title: 'Later', input: { id: 'given' } }]);
});

describe('an edit of a newer build', () => {
  const newer: [string, Partial<Record<keyof OutboxRow, unknown>>][] = [
    ['format', { v: 2 }],
    ['name', { name: 'paintRow' }],
    ['state', { state: 'paused_weather' }],
  ];
  test.each(newer)('[OB19] known by its %s, is left as it is, counted, and never lost', async (_what, changes) => {
    const replica = await aReplica();
    const { outbox } = replica;
    const view = uuidv7();
    await saveView(replica, view, 'Theirs');
    const [made] = await pendingMutations(outbox);
    const foreign = { ...made!, theirs: { version: 2, fields: null }, ...changes } as OutboxRow;
    await planted(outbox, 'mutations', [foreign]);
    await saveView(replica, view, 'Mine');
    await mark(replica, 'b');
    const epoch = await startTerm(outbox);
    await beginSending(outbox, epoch, 'build');
    await resumeNow(outbox);
    await resumeSignedIn(outbox);
    await idleTurn(outbox, epoch, 5);
    await retry(outbox, foreign.seq);
    await restate(outbox, foreign.seq, {
      begun: { name: 'Theirs' },
      ended: { name: 'Other' },
      base: undefined,
      theirs: undefined,
      titleOf: () => 'Other',
      id: uuidv7(),
      now: 5,
    });
    await keepMine(outbox, foreign);
    await takeTheirs(outbox, foreign, 5);
    expect((await claimHeads(outbox, epoch, 1, 4)).map(({ title }) => title)).toEqual(['Mark b']);
    expect((await pendingMutations(outbox)).filter(({ seq }) => seq === foreign.seq)).toEqual([foreign]);
    expect((await savedViewsOf(replica, 'transactions')).map(({ name }) => name)).toEqual(['Mine']);
    // the person may still decide to let it go
    expect(await discard(outbox, foreign.seq, 5)).toBe('discarded');
  });

  test('[OB19] takes the place of none: what it says is not known', async () => {
    const replica = await aReplica();
    const { outbox } = replica;
    await saveView(replica, uuidv7(), 'Taken');
    const epoch = await startTerm(outbox);
    const [mine] = await claimHeads(outbox, epoch, 1, 1);
    await settleAttempt(outbox, epoch, mine!.seq, { event: 'refuse' });
    const newer = {
      ...mine!,
      id: uuidv7(),
      seq: mine!.seq + 1,
      v: 2,
      state: 'queued' as const,
      title: 'Newer',
      input: { unknown: 'here' },
    };
    await planted(outbox, 'mutations', [newer]);
    await idleTurn(outbox, epoch, 2);
    expect(await standing(replica)).toEqual([
      ['Taken', 'refused'],
      ['Newer', 'queued'],
    ]);
  });

  test('[OB19] that is on its way, or waits for it, is not touched when its worker is gone', async () => {
    const replica = await aReplica();
    const { outbox } = replica;
    for (const [at, state] of (['sending', 'paused_update', 'paused_auth', 'refused', 'queued', 'conflict'] as const).entries()) {
      await mark(replica, `t${at}`);
      const made = (await pendingMutations(outbox)).at(-1)!;
      await planted(outbox, 'mutations', [{ ...made, v: 2, state, next_attempt_at: 99, theirs: { version: 2, fields: null } }]);
    }
    const before = await pendingMutations(outbox);
    const epoch = await startTerm(outbox);
    await beginSending(outbox, epoch, 'build');
    await resumeNow(outbox);
    await resumeSignedIn(outbox);
    for (const edit of before) {
      await retry(outbox, edit.seq);
      await keepMine(outbox, edit);
    }
    expect(await pendingMutations(outbox)).toEqual(before);
  });
});

describe('an edit that follows others', () => {
  test('[OB20] is claimed only once they are accepted, whatever their lanes', async () => {
    const replica = await aReplica();
    const { outbox } = replica;
    const [a, b] = [await mark(replica, 'a'), await mark(replica, 'b')];
    await mark(replica, 'c', true, [a, b]);
    const epoch = await startTerm(outbox);
    const heads = await claimHeads(outbox, epoch, 1, 4);
    expect(heads.map(({ title }) => title)).toEqual(['Mark a', 'Mark b']);
    expect(editsAhead(await pendingMutations(outbox)).get(heads[1]!.seq + 1)?.title).toBe('Mark b');
    await settleAttempt(outbox, epoch, heads[0]!.seq, { event: 'accepted' });
    await retire(outbox, epoch, [heads[0]!], 2);
    await settleAttempt(outbox, epoch, heads[1]!.seq, { event: 'refuse' });
    expect(await claimHeads(outbox, epoch, 2, 4)).toEqual([]);
    await retry(outbox, heads[1]!.seq);
    const [again] = await claimHeads(outbox, epoch, 2, 4);
    await settleAttempt(outbox, epoch, again!.seq, { event: 'accepted' });
    expect((await claimHeads(outbox, epoch, 2, 4)).map(({ title }) => title)).toEqual(['Mark c']);
  });

  test.each([
    ['alone', (replica: Replica, seq: number) => discard(replica.outbox, seq, 5)],
    ['among others', (replica: Replica, seq: number) => discardMany(replica.outbox, [seq, 999], 5)],
  ])(
    '[OB20] one of which was let go of, %s, waits for the person and says which; they may have it sent all the same',
    async (_how, letGo) => {
      const replica = await aReplica();
      const { outbox } = replica;
      const a = await mark(replica, 'a');
      await mark(replica, 'b', true, [a]);
      await letGo(replica, (await pendingMutations(outbox))[0]!.seq);
      // also one that is made only now
      await mark(replica, 'c', true, [a]);
      const epoch = await startTerm(outbox);
      expect([await standing(replica), await claimHeads(outbox, epoch, 6, 4)]).toEqual([
        [
          ['Mark b', 'paused_dependency'],
          ['Mark c', 'paused_dependency'],
        ],
        [],
      ]);
      const [held] = await pendingMutations(outbox);
      expect([held!.error?.detail, needsPerson(held!.state)]).toEqual(['Mark a', true]);
      await retry(outbox, held!.seq);
      expect((await claimHeads(outbox, epoch, 6, 4)).map(({ title }) => title)).toEqual(['Mark b']);
    },
  );

  test('[OB20] none that others follow gives way to a later one of its row', async () => {
    const replica = await aReplica();
    const { outbox } = replica;
    const [view, other] = [uuidv7(), uuidv7()];
    const first = await saveView(replica, view, 'First');
    await saveView(replica, other, 'Follows', [first]);
    await saveView(replica, view, 'Second');
    await saveView(replica, view, 'Third');
    expect((await standing(replica)).map(([title]) => title)).toEqual(['First', 'Follows', 'Third']);
    const epoch = await startTerm(outbox);
    const [head] = await claimHeads(outbox, epoch, 1, 4);
    await settleAttempt(outbox, epoch, head!.seq, { event: 'refuse' });
    await idleTurn(outbox, epoch, 2);
    expect((await standing(replica)).map(([title]) => title)).toEqual(['First', 'Follows', 'Third']);
  });
});

test('[CF32] once another database stands at the server, or may, no row that the former answered is written; what else it answered stays', async () => {
  const { outbox } = await aReplica();
  const made = { title: 'Made', now: 1, clientId: null, entityId: null };
  const input = { id: uuidv7(), headline: 'a', description: 'b', priority: 'low', reporter: 'a@example.org' } as const;
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'submitTicket', input });
  const view = { id: uuidv7(), name: 'Mine', list: 'transactions', search: '' } as const;
  await enqueue(outbox, { ...made, id: uuidv7(), name: 'saveView', input: view, seen: null });
  const epoch = await startTerm(outbox);
  const answers = { submitTicket: { key: 'SUP-1' }, saveView: { ...view, version: 1 } };
  for (const { seq, name } of await claimHeads(outbox, epoch, 1, 4))
    await settleAttempt(outbox, epoch, seq, { event: 'accepted', answer: answers[name as keyof typeof answers] });
  const answered = async () => (await pendingMutations(outbox)).map(({ name, state, answer }) => [name, state, answer]);
  const before = await answered();
  await forgetVersions(outbox, null);
  expect(await answered()).toEqual([before[0], ['saveView', 'acked', null]]);
});

test.each([
  ['that the other row was changed', { event: 'refuse', error: new ApiError({ code: 'conflict', detail: movedText }) }, 4],
  ['that a right is missing', { event: 'permission_denied', error: new ApiError({ code: 'permission_denied', detail: 'No' }) }, 3],
] as const)(
  '[CF42] tried again, a decision about a pair rests on the other row as the person knows it, and may be told of it anew: they were told %s',
  async (_, outcome, version) => {
    const { outbox } = await aReplica();
    const seen = { version: 3, match_state: null, quantity: '1', security_id: null, trx_type_id: 1, trx_date: '2026-09-14T00:00:00.000Z' };
    await enqueue(outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: 'a', counterpart_id: 'b', is_transfer: true },
      title: 'Mark a',
      now: 1,
      clientId: null,
      entityId: null,
      seen: { ...seen, id: 'a' },
      restsOn: { ...seen, id: 'b' },
    });
    const epoch = await startTerm(outbox);
    const [head] = await claimHeads(outbox, epoch, 1, 1);
    const rests_on = { ...head!.rests_on!, version };
    const told = version === 3 ? {} : { changes: { rests_on } };
    await settleAttempt(outbox, epoch, head!.seq, { ...outcome, ...told });
    await retry(outbox, head!.seq);
    const [edit] = await pendingMutations(outbox);
    expect([edit?.state, edit?.rests_on]).toEqual(['queued', rests_on]);
  },
);

describe('an edit the server refused', () => {
  test('[OB36] keeps what was said of its fields, the first thing of each', async () => {
    const { outbox } = await aReplica();
    await mark({ outbox } as Replica, 'a');
    const epoch = await startTerm(outbox);
    const [head] = await claimHeads(outbox, epoch, 1, 1);
    const issue = (field: string, msg: string) => ({ loc: ['body', field], msg, type: 'custom' });
    const detail = [issue('trx_id', 'Too long'), issue('trx_id', 'No id'), issue('is_transfer', 'Say which')];
    await settleAttempt(outbox, epoch, head!.seq, { event: 'refuse', error: new ApiError({ code: 'invalid', detail }) });
    expect((await pendingMutations(outbox))[0]?.error).toEqual({
      code: 'invalid',
      detail: 'Too long (body.trx_id)',
      fields: { trx_id: 'Too long', is_transfer: 'Say which' },
    });
  });
});

describe('the outbox as one looks at it', () => {
  test('[OS9] an edit behind another one of its lane names the one right before it', async () => {
    const replica = await aReplica();
    for (const id of ['a', 'b', 'a', 'a']) await mark(replica, id);
    const edits = await pendingMutations(replica.outbox);
    const [first, , third, fourth] = edits.map(({ seq }) => seq);
    expect([...editsAhead(edits)].map(([seq, before]) => [seq, before.seq])).toEqual([
      [third, first],
      [fourth, third],
    ]);
  });

  test('[OS10] several edits are discarded at once; those on their way stay and are counted', async () => {
    const replica = await aReplica();
    for (const id of ['a', 'b', 'c', 'd']) await mark(replica, id);
    const seqs = (await pendingMutations(replica.outbox)).map(({ seq }) => seq);
    await claimHeads(replica.outbox, await startTerm(replica.outbox), 1, 1);
    expect(await discardMany(replica.outbox, [...seqs.slice(0, 3), 999], 2)).toBe(1);
    expect((await pendingMutations(replica.outbox)).map(({ lane, state }) => [lane, state])).toEqual([
      ['trx:a', 'sending'],
      ['trx:d', 'queued'],
    ]);
  });

  test('[OS4] the latest receipts come first, and no more than asked for', async () => {
    const replica = await aReplica();
    for (const id of ['a', 'b', 'c']) await mark(replica, id);
    const edits = await pendingMutations(replica.outbox);
    for (const [index, { seq }] of edits.entries()) await discard(replica.outbox, seq, index + 10);
    expect((await newestReceipts(replica.outbox, 2)).map(({ settled_at }) => settled_at)).toEqual([12, 11]);
  });
});

describe('the overlay', () => {
  const row = { id: 'a', match_state: null } as unknown as Transaction;
  const match = { id: 'm', out_trx_id: 'a', in_trx_id: 'b', state: 'PENDING' } as unknown as TransactionMatch;
  const edit = fc.record({
    trx_id: fc.constantFrom('a', 'b', 'c'),
    counterpart_id: fc.constantFrom('a', 'b', 'c', null),
    is_transfer: fc.boolean(),
    state: fc.constantFrom<MutationState>(
      'queued',
      'sending',
      'uncertain',
      'acked',
      'refused',
      'parked',
      'paused_auth',
      'paused_permission',
      'paused_update',
      'paused_dependency',
      'conflict',
    ),
  });
  const asRow = ({ state, ...input }: { state: MutationState; trx_id: string }): OutboxRow =>
    ({ name: 'markTransfer', input, state }) as unknown as OutboxRow;

  test('[OB14] edits set and never count: applied twice they show what they show once, and refused ones show nothing', () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
        const rows = edits.map(asRow);
        const once = foldRow('transactions', row, rows);
        expect(foldRow('transactions', once, rows)).toEqual(once);
        const shown = foldRow('transaction_matches', match, rows);
        expect(foldRow('transaction_matches', shown, rows)).toEqual(shown);
        const refused = rows.map((one) => ({ ...one, state: 'refused' as const }));
        expect(foldRow('transactions', row, refused)).toBe(row);
      }),
      { numRuns: 500 },
    );
  });
});
