import { detailText, type ApiError } from '#contract/errors.ts';
import { type MutationInput, type MutationName, mutationNamed } from '#contract/mutations.ts';
import { withBallast } from './ballast.ts';
import { baseOfNew, giveWay, standingFor, takenBehind } from './coalescing.ts';
import { keepFile, type NewFile } from './edit-files.ts';
import { followedEdits, isWholeEdit } from './lanes.ts';
import { isOnItsWay, isRetriable, type MutationEvent, type MutationState, needsPerson, nextMutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { type EditBase, type OutboxRow, type OutboxStore, type OutboxTables, outboxFormat } from './outbox-tables.ts';
import type { SeenRow } from './rebase.ts';
import { holdFollowers, settle, standingBehind } from './settling.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** Most edits that may wait at once. */
const capacity = 10_000;

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
  /** The row as the person saw it, null where there was none. Left out, nobody's change of it is compared with the edit. */
  seen?: SeenRow | null;
  /** Edits, by id, that must be accepted before this one is sent. */
  deps?: readonly string[];
  /** Sent with it. */
  file?: NewFile;
}

/** One of any name. */
export type AnyNewMutation = { [N in MutationName]: NewMutation<N> }[MutationName];

/**
 * Puts an edit into the outbox. When the promise resolves it is on disk and will reach the server, whatever happens next.
 * @throws when it could not be written; then nothing was kept and the form must keep its content.
 */
export function enqueue<N extends MutationName>(outbox: OutboxStore, mutation: NewMutation<N>): Promise<void> {
  return keepEdits(outbox, [mutation]);
}

/** The same for edits that belong together, in their order: all of them are kept, or none. */
export function enqueueAll(outbox: OutboxStore, mutations: readonly AnyNewMutation[]): Promise<void> {
  return keepEdits(outbox, mutations);
}

async function keepEdits(outbox: OutboxStore, mutations: readonly NewMutation<MutationName>[]): Promise<void> {
  const fileBytes = mutations.reduce((sum, { file }) => sum + (file?.bytes.length ?? 0), 0);
  const add = async (tx: Writing): Promise<void> => {
    for (const mutation of mutations) await addEdit(tx, mutation);
  };
  await withBallast(outbox, fileBytes, () => outbox.write(['mutations', 'receipts', 'blobs'], add));
}

async function addEdit<N extends MutationName>(tx: Writing, mutation: NewMutation<N>): Promise<void> {
  const lane = mutationNamed(mutation.name).lane(mutation.input);
  const replaced = isWholeEdit(mutation.name) ? await giveWay(tx, lane, mutation.now) : [];
  if ((await tx.count('mutations')) >= capacity)
    throw new Error(`${capacity} edits already wait. Connect to the network and let them go first.`);
  const taken = await takenBehind(tx, lane, replaced);
  const base = await baseOfNew(tx, { name: mutation.name, lane, seen: mutation.seen }, taken);
  const file = mutation.file && (await keepFile(tx, mutation.id, mutation.file));
  await tx.add('mutations', {
    id: mutation.id,
    v: outboxFormat,
    name: mutation.name,
    input: mutation.input,
    lane,
    ...((await standingBehind(tx, mutation.deps ?? [])) ?? standingFor(taken)),
    attempts: 0,
    next_attempt_at: 0,
    created_at: mutation.now,
    title: mutation.title,
    client_id: mutation.clientId,
    entity_id: mutation.entityId,
    ...(base ? { base } : {}),
    ...(mutation.deps && mutation.deps.length > 0 ? { deps: mutation.deps } : {}),
    ...(file ? { file } : {}),
  });
}

/** Every edit that is not settled, oldest first. */
export function pendingMutations(outbox: OutboxStore): Promise<OutboxRow[]> {
  return outbox.read(['mutations'], (tx) => tx.list('mutations'));
}

/**
 * Rows, and the edits that wait to be laid over them, as one moment had both. The edits are read first: one that is settled meanwhile is
 * in the rows by then, and the other way round would be in neither. Laid over what somebody else made of its row since, it would hide
 * that: then both are read again.
 */
export async function withPending<T>(outbox: OutboxStore, readRows: () => Promise<T>): Promise<[rows: T, edits: OutboxRow[]]> {
  for (;;) {
    const edits = await pendingMutations(outbox);
    const rows = await readRows();
    const left = edits.length === 0 ? [] : await outbox.read(['mutations'], (tx) => tx.keys('mutations'));
    if (edits.every(({ seq }) => left.includes(seq))) return [rows, edits];
  }
}

export class StaleWriterError extends Error {
  constructor() {
    super('Another worker has taken over');
    this.name = 'StaleWriterError';
  }
}

/**
 * Starts a new writer's term and returns its number; every writer before it is stale from now on.
 * @param after a term it comes after in any case: of a copy whose outbox is a new one.
 */
export function startTerm(outbox: OutboxStore, after = 0): Promise<number> {
  return outbox.write(['term'], async (tx) => {
    const epoch = Math.max((await tx.get('term', 'writer'))?.epoch ?? 0, after) + 1;
    await tx.put('term', { k: 'writer', epoch });
    return epoch;
  });
}

async function change(tx: Writing, states: readonly MutationState[], to: Partial<OutboxRow>): Promise<void> {
  for (const state of states) {
    const edits = (await tx.list('mutations', { index: 'state', is: state })).filter((edit) => !isOfNewerBuild(edit));
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

/**
 * Before anything is sent: of edits that say they are on their way while nothing is, it is unknown whether they arrived; and those
 * that the server would not take of another build go on with this one.
 */
export function beginSending(outbox: OutboxStore, epoch: number, build: string): Promise<void> {
  return outbox.write(['mutations', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    await change(tx, ['sending'], { state: 'uncertain', may_have_arrived: true, next_attempt_at: 0 });
    const paused = await tx.list('mutations', { index: 'state', is: 'paused_update' });
    const others = paused.filter((edit) => !isOfNewerBuild(edit) && edit.paused_build !== build);
    await tx.putMany(
      'mutations',
      others.map((edit) => ({ ...edit, state: nextMutationState[edit.state].updated ?? edit.state, next_attempt_at: 0 })),
    );
  });
}

/** Longest wait a server or the backoff may ask for; a later moment was written by a clock since put right. */
const longestWaitMs = 24 * 3_600_000;

const claimable: readonly MutationState[] = ['queued', 'uncertain'];

/** What an attempt came to. */
export interface Outcome {
  event: MutationEvent;
  answer?: unknown;
  error?: ApiError;
  nextAttemptAt?: number;
  /** The attempt may have reached the server, whatever came of it. */
  mayHaveArrived?: boolean;
  /** The server told that no attempt had its effect, nor will have. */
  hasNotArrived?: boolean;
  /** What of the row differs now: what is sent next and on what, or what the person decides about. */
  changes?: Partial<Pick<OutboxRow, 'input' | 'base' | 'theirs' | 'paused_build' | 'is_met'>>;
}

/** An attempt that is over, of the edit with a number. */
export interface Attempted {
  seq: number;
  outcome: Outcome;
}

/**
 * One step of sending, in one transaction: writes what attempts came to, and takes what may be sent now, at most `most`. What gives
 * way to a later edit once an attempt was in vain does so with the next step.
 * @returns the edits taken, marked as being sent.
 * @throws StaleWriterError where another writer's term has begun.
 */
export function takeTurn(
  outbox: OutboxStore,
  epoch: number,
  { attempted, now, most }: { attempted: readonly Attempted[]; now: number; most: number },
): Promise<OutboxRow[]> {
  return outbox.write(['mutations', 'receipts', 'blobs', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    const edits = await tx.list('mutations');
    const isChanged = (await dropOutdone(tx, edits, now)) || attempted.length > 0;
    for (const each of attempted) await settleAttempt(tx, each);
    return most === 0 ? [] : claimHeads(tx, isChanged ? await tx.list('mutations') : edits, { now, most });
  });
}

/**
 * Takes the first edit of each lane that may be sent now, at most `most`, and marks them as being sent.
 * A lane whose first edit waits for time, a session, a person, another build or edits it follows holds back the edits behind it, and
 * no other lane.
 */
async function claimHeads(tx: Writing, edits: readonly OutboxRow[], { now, most }: { now: number; most: number }): Promise<OutboxRow[]> {
  const heads = new Map<string, OutboxRow>();
  for (const mutation of edits) {
    if (!heads.has(mutation.lane)) heads.set(mutation.lane, mutation);
  }
  const open = new Set(edits.filter(({ state }) => state !== 'acked').map(({ id }) => id));
  const isFree = ({ deps }: OutboxRow): boolean => deps?.every((id) => !open.has(id)) ?? true;
  const ready = [...heads.values()]
    .filter((head) => claimable.includes(head.state) && !isOfNewerBuild(head) && isDue(head, now) && isFree(head))
    .slice(0, most);
  const claimed = ready.map((head) => ({ ...head, state: 'sending' as const, attempts: head.attempts + 1 }));
  await tx.putMany('mutations', claimed);
  return claimed;
}

/** Writes what an attempt came to. An event that cannot happen in the row's state is a bug and throws. */
async function settleAttempt(tx: Writing, { seq, outcome }: Attempted): Promise<void> {
  const mutation = await tx.get('mutations', seq);
  // discarded by the person while it was on its way
  if (!mutation) return;
  const may_have_arrived = outcome.hasNotArrived !== true && (mutation.may_have_arrived === true || outcome.mayHaveArrived === true);
  // one of which nobody knows whether it arrived stays so, whatever a later attempt met
  const goesOn = outcome.event === 'try_later' || outcome.event === 'rebase';
  const event = goesOn && may_have_arrived ? 'no_answer' : outcome.event;
  const state = nextMutationState[mutation.state][event];
  if (state === null) throw new Error(`An edit that is ${mutation.state} cannot meet ${event}`);
  await tx.put('mutations', {
    ...mutation,
    ...outcome.changes,
    state,
    may_have_arrived,
    next_attempt_at: outcome.nextAttemptAt ?? 0,
    ...(outcome.answer === undefined ? {} : { answer: outcome.answer }),
    ...(outcome.error ? { error: { code: outcome.error.code, detail: detailText(outcome.error.detail) } } : {}),
  });
}

/** Edits that wait for the person where a later edit of their row says everything anew. */
function outdoneEdits(edits: readonly OutboxRow[]): OutboxRow[] {
  const followed = followedEdits(edits);
  return edits
    .filter((edit) => needsPerson(edit.state) && !isOfNewerBuild(edit) && !followed.has(edit.id))
    .filter((stuck) => edits.some(({ lane, seq, name }) => lane === stuck.lane && seq > stuck.seq && isWholeEdit(name)));
}

/** Those give way. @returns whether any did. */
async function dropOutdone(tx: Writing, edits: readonly OutboxRow[], now: number): Promise<boolean> {
  const outdone = outdoneEdits(edits);
  for (const stuck of outdone) await settle(tx, stuck, 'replaced', now);
  return outdone.length > 0;
}

/** Whether a sending could change anything for some edits, now or once their time comes: most that stay wait for the person. */
export function canGoOn(edits: readonly OutboxRow[], build: string): boolean {
  const waitsForBuild = ({ state, paused_build }: OutboxRow): boolean => state === 'paused_update' && paused_build === build;
  return edits.some((edit) => !needsPerson(edit.state) && !isOfNewerBuild(edit) && !waitsForBuild(edit)) || outdoneEdits(edits).length > 0;
}

/** Accepted edits whose effect the replica is still to be given. */
export function ackedMutations(outbox: OutboxStore): Promise<OutboxRow[]> {
  return outbox.read(['mutations'], (tx) => tx.list('mutations', { index: 'state', is: 'acked' }));
}

/** Takes accepted edits out, leaving receipts. Call it once the replica holds what the server made of them. */
export async function retire(outbox: OutboxStore, epoch: number, mutations: readonly OutboxRow[], now: number): Promise<void> {
  if (mutations.length === 0) return;
  await outbox.write(['mutations', 'receipts', 'blobs', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    for (const mutation of mutations) await settle(tx, mutation, 'accepted', now);
  });
}

/**
 * The person's decision to let an edit go. Not while it is on its way or just accepted. One whose answer was lost may have
 * reached the server; the receipt says so, and the next pull shows what is true.
 */
export function discard(outbox: OutboxStore, seq: number, now: number): Promise<'discarded' | 'on_its_way'> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const edit = await tx.get('mutations', seq);
    const outcome = await letGo(tx, seq, now);
    if (edit && outcome === 'discarded') await holdFollowers(tx, [edit]);
    return outcome;
  });
}

/** The same for several edits at once; those that are on their way stay. @returns how many stayed. */
export function discardMany(outbox: OutboxStore, seqs: readonly number[], now: number): Promise<number> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const gone: OutboxRow[] = [];
    let stayed = 0;
    for (const seq of seqs) {
      const edit = await tx.get('mutations', seq);
      if ((await letGo(tx, seq, now)) === 'on_its_way') stayed += 1;
      else if (edit) gone.push(edit);
    }
    await holdFollowers(tx, gone);
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

/** The person's decision to try an edit again that waits for them. */
export function retry(outbox: OutboxStore, seq: number): Promise<void> {
  return outbox.write(['mutations'], async (tx) => {
    const mutation = await tx.get('mutations', seq);
    if (mutation && !isOfNewerBuild(mutation) && isRetriable(mutation.state)) {
      await tx.put('mutations', { ...mutation, state: 'queued', next_attempt_at: 0, attempts: 0 });
    }
  });
}

/**
 * The server's database is another one, or may be: versions of rows say nothing any more, and each row is looked at before it is written
 * over.
 * @param isOther it is: a row that the former answered is none of this one's.
 */
export async function forgetVersions(outbox: OutboxStore, isOther: boolean): Promise<void> {
  const unknown = (base: EditBase): EditBase => ({ ...base, version: null });
  const isRowAnswered = ({ name, answer }: OutboxRow): boolean => isOther && answer !== undefined && mutationNamed(name).answers !== null;
  await outbox.write(['mutations'], async (tx) => {
    const known = (await tx.list('mutations')).filter((edit) => !isOfNewerBuild(edit));
    await tx.putMany(
      'mutations',
      known
        .filter((edit) => edit.base ?? edit.theirs ?? isRowAnswered(edit))
        .map((edit) => ({
          ...edit,
          ...(edit.base ? { base: unknown(edit.base) } : {}),
          ...(edit.theirs ? { theirs: unknown(edit.theirs) } : {}),
          ...(isRowAnswered(edit) ? { answer: null } : {}),
        })),
    );
  });
}

/** Lets everything that waited for a session go on. */
export async function resumeSignedIn(outbox: OutboxStore): Promise<void> {
  await outbox.write(['mutations'], (tx) => change(tx, ['paused_auth'], { state: 'queued', next_attempt_at: 0 }));
}

/** Lets what waits for time because no answer came be tried now: the server answers. @returns whether there was any. */
export function resumeUnanswered(outbox: OutboxStore): Promise<boolean> {
  return outbox.write(['mutations'], async (tx) => {
    const waiting = [];
    for (const state of claimable) waiting.push(...(await tx.list('mutations', { index: 'state', is: state })));
    const unanswered = waiting.filter((edit) => edit.error?.code === 'network' && edit.next_attempt_at > 0 && !isOfNewerBuild(edit));
    await tx.putMany(
      'mutations',
      unanswered.map((edit) => ({ ...edit, next_attempt_at: 0 })),
    );
    return unanswered.length > 0;
  });
}

/** Lets everything that waits for time be tried now: the network is back. */
export async function resumeNow(outbox: OutboxStore): Promise<void> {
  await outbox.write(['mutations'], (tx) => change(tx, ['queued', 'uncertain'], { next_attempt_at: 0 }));
}
