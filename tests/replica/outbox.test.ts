import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { type MutationEvent, type MutationState, nextMutationState } from '#replica/mutation-states.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import {
  claimHeads,
  discard,
  discardMany,
  editsAhead,
  enqueue,
  newestReceipts,
  pendingMutations,
  recoverSending,
  settleAttempt,
  StaleWriterError,
  startTerm,
} from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { foldRow } from '#replica/overlay.ts';
import { listed } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

async function aReplica(): Promise<Replica> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  return replica;
}

const mark = (replica: Replica, trx_id: string, is_transfer = true) =>
  enqueue(replica.outbox, {
    id: uuidv7(),
    name: 'markTransfer',
    input: { trx_id, counterpart_id: null, is_transfer },
    title: 'Mark',
    now: 1,
    clientId: null,
    entityId: null,
  });

describe('the outbox on disk', () => {
  test('[OB9] a writer whose term is over can claim and settle nothing', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const old = await startTerm(replica.outbox);
    const [edit] = await claimHeads(replica.outbox, old, 1, 4);
    const current = await startTerm(replica.outbox);
    await expect(claimHeads(replica.outbox, old, 1, 4)).rejects.toBeInstanceOf(StaleWriterError);
    await expect(settleAttempt(replica.outbox, old, edit!.seq, { event: 'accepted' })).rejects.toBeInstanceOf(StaleWriterError);
    await recoverSending(replica.outbox, current);
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

  test('[OB17] what a killed worker was sending may have arrived, whatever a later attempt meets', async () => {
    const replica = await aReplica();
    await mark(replica, 'a');
    const epoch = await startTerm(replica.outbox);
    await claimHeads(replica.outbox, epoch, 1, 4);
    const next = await startTerm(replica.outbox);
    await recoverSending(replica.outbox, next);
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
