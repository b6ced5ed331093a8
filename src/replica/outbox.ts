import { detailText, type ApiError } from '#contract/errors.ts';
import { type MutationInput, type MutationName, mutationNamed, mutations } from '#contract/mutations.ts';
import { isOnItsWay, type MutationEvent, type MutationState, needsPerson, nextMutationState } from './mutation-states.ts';
import type { OutboxRow, OutboxStore, OutboxTables, Receipt } from './outbox-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** Most edits that may wait at once. */
const capacity = 10_000;
/** Settled edits kept to look up. */
const receiptsKept = 1_000;

type Reading = StoreReading<OutboxTables>;
type Writing = StoreWriting<OutboxTables>;

/** What the screen knows about an edit when it is made. */
export interface NewMutation<N extends MutationName> {
  id: string;
  name: N;
  input: MutationInput<N>;
  title: string;
  now: number;
  clientId: string | null;
  entityId: string | null;
}

/**
 * Puts an edit into the outbox. When the promise resolves it is on disk and will reach the server, whatever happens next.
 * @throws when it could not be written; then nothing was kept and the form must keep its content.
 */
export async function enqueue<N extends MutationName>(outbox: OutboxStore, mutation: NewMutation<N>): Promise<void> {
  const lane = mutationNamed(mutation.name).lane(mutation.input);
  await outbox.write(['mutations', 'receipts'], async (tx) => {
    if (isWholeEdit(mutation.name)) await giveWay(tx, lane, mutation.now);
    if ((await tx.count('mutations')) >= capacity)
      throw new Error(`${capacity} edits already wait. Connect to the network and let them go first.`);
    await tx.add('mutations', {
      id: mutation.id,
      v: 1,
      name: mutation.name,
      input: mutation.input,
      lane,
      state: 'queued',
      attempts: 0,
      next_attempt_at: 0,
      created_at: mutation.now,
      title: mutation.title,
      client_id: mutation.clientId,
      entity_id: mutation.entityId,
    });
  });
}

/** Whether an edit says all there is to say of its row; what an edit of a newer build says is not known here. */
function isWholeEdit(name: MutationName): boolean {
  return Object.hasOwn(mutations, name) && mutationNamed(name).isWhole === true;
}

/** States in which an edit has had no effect at the server, unless an earlier attempt of it may have arrived. */
const unsent: ReadonlySet<MutationState> = new Set(['queued', 'refused', 'parked', 'paused_auth', 'paused_permission']);

/** Takes out the edits of a lane whose place the next one takes, each leaving a receipt. */
async function giveWay(tx: Writing, lane: string, now: number): Promise<void> {
  // rows of one key of an index come by their primary key, and that is the order of making
  const before = await tx.list('mutations', { index: 'lane', is: lane });
  for (const edit of before) if (unsent.has(edit.state) && edit.may_have_arrived !== true) await settle(tx, edit, 'replaced', now);
}

/** Every edit that is not settled, oldest first. */
export function pendingMutations(outbox: OutboxStore): Promise<OutboxRow[]> {
  return outbox.read(['mutations'], (tx) => tx.list('mutations'));
}

/** The edits that were settled last, the latest first. */
export function newestReceipts(outbox: OutboxStore, most: number): Promise<Receipt[]> {
  return outbox.read(['receipts'], (tx) => tx.list('receipts', { isBackwards: true, limit: most }));
}

/** The edit that was settled last. */
export async function newestReceipt(outbox: OutboxStore): Promise<Receipt | undefined> {
  const [newest] = await newestReceipts(outbox, 1);
  return newest;
}

/** For each edit that waits behind another one of its lane, by its number: the one right before it. @param edits in the order of making. */
export function editsAhead(edits: readonly OutboxRow[]): Map<number, OutboxRow> {
  const last = new Map<string, OutboxRow>();
  const ahead = new Map<number, OutboxRow>();
  for (const edit of edits) {
    const before = last.get(edit.lane);
    if (before) ahead.set(edit.seq, before);
    last.set(edit.lane, edit);
  }
  return ahead;
}

export class StaleWriterError extends Error {
  constructor() {
    super('Another worker has taken over');
    this.name = 'StaleWriterError';
  }
}

/** Starts a new writer's term and returns its number; every writer before it is stale from now on. */
export function startTerm(outbox: OutboxStore): Promise<number> {
  return outbox.write(['term'], async (tx) => {
    const epoch = ((await tx.get('term', 'writer'))?.epoch ?? 0) + 1;
    await tx.put('term', { k: 'writer', epoch });
    return epoch;
  });
}

async function change(tx: Writing, states: readonly MutationState[], to: Partial<OutboxRow>): Promise<void> {
  for (const state of states) {
    const edits = await tx.list('mutations', { index: 'state', is: state });
    await tx.putMany(
      'mutations',
      edits.map((edit) => ({ ...edit, ...to })),
    );
  }
}

function isDue({ next_attempt_at }: OutboxRow, now: number): boolean {
  return next_attempt_at <= now || next_attempt_at - now > longestWaitMs;
}

async function requireTerm(tx: Reading, epoch: number): Promise<void> {
  const current = await tx.get('term', 'writer');
  if (current?.epoch !== epoch) throw new StaleWriterError();
}

/** Edits that say they are on their way while nothing is: whether they arrived is unknown. */
export function recoverSending(outbox: OutboxStore, epoch: number): Promise<void> {
  return outbox.write(['mutations', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    await change(tx, ['sending'], { state: 'uncertain', may_have_arrived: true, next_attempt_at: 0 });
  });
}

/** Longest wait a server or the backoff may ask for; a later moment was written by a clock since put right. */
const longestWaitMs = 24 * 3_600_000;

const claimable: readonly MutationState[] = ['queued', 'uncertain'];

/**
 * Takes the first edit of each lane that may be sent now, at most `most`, and marks them as being sent.
 * A lane whose first edit waits for time, a session or a person holds back the edits behind it, and no other lane.
 */
export function claimHeads(outbox: OutboxStore, epoch: number, now: number, most: number): Promise<OutboxRow[]> {
  return outbox.write(['mutations', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    const heads = new Map<string, OutboxRow>();
    for (const mutation of await tx.list('mutations')) {
      if (!heads.has(mutation.lane)) heads.set(mutation.lane, mutation);
    }
    const ready = [...heads.values()].filter((head) => claimable.includes(head.state) && isDue(head, now)).slice(0, most);
    const claimed = ready.map((head) => ({ ...head, state: 'sending' as const, attempts: head.attempts + 1 }));
    await tx.putMany('mutations', claimed);
    return claimed;
  });
}

/** What an attempt came to. */
export interface Outcome {
  event: MutationEvent;
  answer?: unknown;
  error?: ApiError;
  nextAttemptAt?: number;
  /** The attempt may have reached the server, whatever came of it. */
  mayHaveArrived?: boolean;
}

/** Writes what an attempt came to. An event that cannot happen in the row's state is a bug and throws. */
export function settleAttempt(outbox: OutboxStore, epoch: number, seq: number, outcome: Outcome): Promise<void> {
  return outbox.write(['mutations', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    const mutation = await tx.get('mutations', seq);
    // discarded by the person while it was on its way
    if (!mutation) return;
    const may_have_arrived = mutation.may_have_arrived === true || outcome.mayHaveArrived === true;
    // one of which nobody knows whether it arrived stays so, whatever a later attempt met
    const event = outcome.event === 'try_later' && may_have_arrived ? 'no_answer' : outcome.event;
    const state = nextMutationState[mutation.state][event];
    if (state === null) throw new Error(`An edit that is ${mutation.state} cannot meet ${event}`);
    await tx.put('mutations', {
      ...mutation,
      state,
      may_have_arrived,
      next_attempt_at: outcome.nextAttemptAt ?? 0,
      ...(outcome.answer === undefined ? {} : { answer: outcome.answer }),
      ...(outcome.error ? { error: { code: outcome.error.code, detail: detailText(outcome.error.detail) } } : {}),
    });
  });
}

/** Edits that wait for the person give way where a later edit of their row says everything anew. */
export function dropOutdone(outbox: OutboxStore, epoch: number, now: number): Promise<void> {
  return outbox.write(['mutations', 'receipts', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    const edits = await tx.list('mutations');
    for (const stuck of edits.filter(({ state }) => needsPerson(state))) {
      const isOutdone = edits.some(({ lane, seq, name }) => lane === stuck.lane && seq > stuck.seq && isWholeEdit(name));
      if (isOutdone) await settle(tx, stuck, 'replaced', now);
    }
  });
}

/** Accepted edits whose effect the replica is still to be given. */
export function ackedMutations(outbox: OutboxStore): Promise<OutboxRow[]> {
  return outbox.read(['mutations'], (tx) => tx.list('mutations', { index: 'state', is: 'acked' }));
}

/** Takes an accepted edit out, leaving a receipt. Call it once the replica holds what the server made of it. */
export function retire(outbox: OutboxStore, epoch: number, mutation: OutboxRow, now: number): Promise<void> {
  return outbox.write(['mutations', 'receipts', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    await settle(tx, mutation, 'accepted', now);
  });
}

/**
 * The person's decision to let an edit go. Not while it is on its way or just accepted. One whose answer was lost may have
 * reached the server; the receipt says so, and the next pull shows what is true.
 */
export function discard(outbox: OutboxStore, seq: number, now: number): Promise<'discarded' | 'on_its_way'> {
  return outbox.write(['mutations', 'receipts'], (tx) => letGo(tx, seq, now));
}

/** The same for several edits at once; those that are on their way stay. @returns how many stayed. */
export function discardMany(outbox: OutboxStore, seqs: readonly number[], now: number): Promise<number> {
  return outbox.write(['mutations', 'receipts'], async (tx) => {
    let stayed = 0;
    for (const seq of seqs) if ((await letGo(tx, seq, now)) === 'on_its_way') stayed += 1;
    return stayed;
  });
}

/** Whether an edit that is not settled may have had its effect at the server already. */
export function mayHaveArrived({ state, may_have_arrived }: OutboxRow): boolean {
  return may_have_arrived === true || state === 'uncertain';
}

async function letGo(tx: Writing, seq: number, now: number): Promise<'discarded' | 'on_its_way'> {
  const mutation = await tx.get('mutations', seq);
  if (!mutation) return 'discarded';
  if (isOnItsWay(mutation.state)) return 'on_its_way';
  const lost = mayHaveArrived(mutation) ? { error: { code: 'network' as const, detail: 'It may have reached the server' } } : {};
  await settle(tx, { ...mutation, ...lost }, 'discarded', now);
  return 'discarded';
}

async function settle(tx: Writing, mutation: OutboxRow, outcome: Receipt['outcome'], now: number): Promise<void> {
  await tx.remove('mutations', mutation.seq);
  await tx.add('receipts', {
    id: mutation.id,
    name: mutation.name,
    title: mutation.title,
    outcome,
    created_at: mutation.created_at,
    settled_at: now,
    detail: mutation.error?.detail ?? null,
  });
  const surplus = (await tx.count('receipts')) - receiptsKept;
  if (surplus > 0) await tx.removeMany('receipts', await tx.keys('receipts', { limit: surplus }));
}

/** The person's decision to try an edit again that waits for them. */
export function retry(outbox: OutboxStore, seq: number): Promise<void> {
  return outbox.write(['mutations'], async (tx) => {
    const mutation = await tx.get('mutations', seq);
    if (mutation && nextMutationState[mutation.state].retry === 'queued') {
      await tx.put('mutations', { ...mutation, state: 'queued', next_attempt_at: 0, attempts: 0 });
    }
  });
}

/** Lets everything that waited for a session go on. */
export async function resumeSignedIn(outbox: OutboxStore): Promise<void> {
  await outbox.write(['mutations'], (tx) => change(tx, ['paused_auth'], { state: 'queued', next_attempt_at: 0 }));
}

/** Lets everything that waits for time be tried now: the network is back. */
export async function resumeNow(outbox: OutboxStore): Promise<void> {
  await outbox.write(['mutations'], (tx) => change(tx, ['queued', 'uncertain'], { next_attempt_at: 0 }));
}
