import { v7 as uuidv7 } from 'uuid';
import { onTestFinished } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { ApiError } from '#contract/errors.ts';
import type { MutationInput, MutationName } from '#contract/mutations.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { ofDatabase } from '#replica/held-rows.ts';
import type { Fields } from '#replica/merge.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue, type NewMutation, pendingMutations } from '#replica/outbox.ts';
import type { OutboxRow, OutboxStore } from '#replica/outbox-tables.ts';
import { foldRows } from '#replica/overlay.ts';
import { rebase, type SeenRow } from '#replica/rebase.ts';
import type { MadeNoun, NounRow } from '#replica/reducers.ts';
import { ackedMutations, beginSending, type Outcome, retire, startTerm } from '#replica/sending.ts';
import { attempt } from '#workers/attempt.ts';
import { claimHeads, idleTurn, sayOtherwise, settleAttempt } from './outbox.ts';

/** What a test says of a row. */
export type SomeRow = SeenRow & { id: string };

/** The database that all rows here are of. */
export const generation = 'g';

export const refused: Outcome = { event: 'refuse', error: new ApiError({ code: 'invalid', detail: 'Not so', isSaid: true }) };
const lost = new ApiError({ code: 'network', detail: 'Lost' });
const failed = new ApiError({ code: 'internal', detail: 'Failed' });

/** How an edit stands to its row at the server. */
export const foundOn = (edit: OutboxRow, row: SomeRow | null) => rebase(edit, edit.base!, row, generation);

/** Sends the edits of an outbox, each long after the one before it. */
async function aWriter(outbox: OutboxStore) {
  const epoch = await startTerm(outbox);
  let now = 10;
  const claim = async () => (await claimHeads(outbox, epoch, (now += 120_000), 1))[0];
  const settle = (edit: OutboxRow, outcome: Outcome) => settleAttempt(outbox, epoch, edit.seq, outcome, now);
  /** Has the first edit meet that. @param meanwhile is done while it is on its way. */
  const meet = async (outcome: Outcome | ((edit: OutboxRow) => Promise<Outcome>), meanwhile = async () => {}): Promise<Outcome | null> => {
    const edit = await claim();
    if (!edit) return null;
    await meanwhile();
    const met = typeof outcome === 'function' ? await outcome(edit) : outcome;
    await settle(edit, met);
    await retire(outbox, epoch, await ackedMutations(outbox), now);
    return met;
  };
  /** The writer sends the first edit and dies before it notes what came of it; the next one begins. */
  const die = async (work: (edit: OutboxRow) => Promise<unknown>) => {
    const edit = await claim();
    if (edit) await work(edit);
    await beginSending(outbox, epoch, 'test');
  };
  /** Its answer is lost, and then the server fails at it until it is set aside: whether it arrived nobody knows. */
  const setAside = async () => {
    await meet({ event: 'no_answer', mayHaveArrived: true, error: lost });
    await meet({ event: 'poison', mayHaveArrived: true, error: failed });
  };
  const ports = { now: () => now, random: () => 0, build: 'test', keepsKeys: true, generation };
  /** Sends the first edit to a server that compares versions and keeps keys. */
  const send = (call: ApiCall, meanwhile?: () => Promise<void>) => meet((edit) => attempt({ ...ports, call }, edit), meanwhile);
  /** Sends until there is nothing to send. @returns how the edits ended. */
  const sendAll = async (call: ApiCall) => {
    const ends: Outcome['event'][] = [];
    for (let met = await send(call); met && ends.length < 9; met = await send(call)) if (met.event !== 'rebase') ends.push(met.event);
    return ends;
  };
  return { meet, die, setAside, send, sendAll, turn: () => idleTurn(outbox, epoch, now) };
}

/** An outbox whose edits a person makes and a writer sends. */
export async function anOutbox() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  onTestFinished(() => closeReplica(replica));
  const { outbox } = replica;
  const edits = () => pendingMutations(outbox);
  const first = async () => (await edits())[0]!;
  /** A row of the copy as the screen shows it. */
  const shown = async (noun: MadeNoun, copy: SomeRow) => {
    const held = ofDatabase(copy as unknown as NounRow[typeof noun], generation);
    return foldRows(noun, [held], await edits())[0] as unknown as SomeRow;
  };
  const made = { now: 1, clientId: null, entityId: null };
  const add = <N extends MutationName>(
    name: N,
    input: MutationInput<N>,
    seen: SeenRow | null,
    more: Pick<NewMutation<N>, 'restsOn' | 'deps'> = {},
  ) => enqueue(outbox, { ...made, id: uuidv7(), name, input, title: name, seen, ...more });
  const sayFirst = async (changes: Fields) => sayOtherwise(outbox, await first(), changes);
  return { replica, outbox, edits, first, shown, add, sayOtherwise: sayFirst, ...(await aWriter(outbox)) };
}
