import { type ApiError, detailText, fieldTexts, unansweredCodes } from '#contract/errors.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { withReserve } from './ballast.ts';
import { handChangesOn, handOtherBack } from './handed-changes.ts';
import { rowOfEdit } from './edited-fields.ts';
import { followedEdits, isWholeEdit, waitsFor } from './lanes.ts';
import { hasPerhapsArrived, type MutationEvent, type MutationState, needsPerson, nextMutationState } from './mutation-states.ts';
import { followNewId } from './new-ids.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, EditError, OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import { forgetOwnChanges, isOwnNews, noteOwnChanges, type OwnChange } from './own-changes.ts';
import { pausedEdits, resumePaused, resumeWith } from './paused-edits.ts';
import { settle } from './settling.ts';
import type { StoreReading, StoreWriting, TableName } from './store.ts';

type Reading = StoreReading<OutboxTables>;
type Writing = StoreWriting<OutboxTables>;

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

async function requireTerm(tx: Reading, epoch: number): Promise<void> {
  const current = await tx.get('term', 'writer');
  if (current?.epoch !== epoch) throw new StaleWriterError();
}

/** What is sent makes room: on a full disk it has what is kept for that. */
function writeSending<R>(outbox: OutboxStore, tables: readonly TableName<OutboxTables>[], work: (tx: Writing) => Promise<R>): Promise<R> {
  return withReserve(outbox, () => outbox.write(tables, work));
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

/**
 * Before anything is sent: of edits that say they are on their way while nothing is, it is unknown whether they arrived; and those
 * that the server would not take of another build go on with this one.
 */
export function beginSending(outbox: OutboxStore, epoch: number, build: string): Promise<void> {
  return writeSending(outbox, ['mutations', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    await change(tx, ['sending'], { state: 'uncertain', may_have_arrived: true, next_attempt_at: 0 });
    const paused = await pausedEdits(tx);
    await resumePaused(
      tx,
      paused.filter((edit) => edit.paused_build !== build),
    );
  });
}

/** Longest wait a server or the backoff may ask for. */
const longestWaitMs = 24 * 3_600_000;

function isDue({ next_attempt_at, tried_at = -Infinity }: OutboxRow, now: number): boolean {
  // what lies further away, or was tried later than now, was written by a clock since put right
  return next_attempt_at <= now || next_attempt_at - now > longestWaitMs || tried_at > now;
}

const claimable: readonly MutationState[] = ['queued', 'uncertain'];

/** Faults of the server, or attempts without an answer, that an edit meets before it is set aside for the person. */
const poisonAfter = 8;
/** And for how long it met faults where no other edit was taken meanwhile, in milliseconds: then it may be no fault of this one. */
const poisonAfterMs = 3_600_000;

/** What an attempt came to. */
export interface Outcome {
  /** `fault`: the server failed at it. */
  event: MutationEvent | 'fault';
  answer?: unknown;
  /** How it left its rows, as the server told with its answer; absent where that did not. */
  ownChanges?: readonly OwnChange[];
  error?: ApiError;
  nextAttemptAt?: number;
  /** The attempt may have reached the server, whatever came of it. */
  mayHaveArrived?: boolean;
  /** The server told that no attempt had its effect, nor will have. */
  hasNotArrived?: boolean;
  /** What of the row differs now: what is sent next and on what, or what the person decides about. */
  changes?: Partial<Pick<OutboxRow, 'input' | 'base' | 'rests_on' | 'theirs' | 'paused_build' | 'is_met' | 'resent' | 'is_unkeyed'>>;
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
  return writeSending(outbox, ['mutations', 'receipts', 'blobs', 'drafts', 'marks', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    const edits = await tx.list('mutations');
    const isChanged = (await dropOutdone(tx, edits, now)) || attempted.length > 0;
    for (const each of attempted) await settleAttempt(tx, each, now);
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
  const waited = waitsFor(edits);
  const isFree = (head: OutboxRow): boolean => waited(head).length === 0;
  const ready = [...heads.values()]
    .filter((head) => claimable.includes(head.state) && !isOfNewerBuild(head) && isDue(head, now) && isFree(head))
    .slice(0, most);
  const claimed = ready.map((head) => ({ ...head, state: 'sending' as const, attempts: head.attempts + 1 }));
  await tx.putMany('mutations', claimed);
  return claimed;
}

/** Whether the server took an edit after a moment. */
async function hasTakenSince(tx: Reading, since: number, now: number): Promise<boolean> {
  return (await tx.list('receipts')).some(({ outcome, settled_at: at }) => outcome === 'accepted' && at > since && at <= now);
}

/** Whether an edit at which the server failed so often is rather what it fails at: it took another one meanwhile, or fails for very long. */
async function isPoison(tx: Reading, { times, since }: Required<OutboxRow>['failing'], now: number): Promise<boolean> {
  if (times < poisonAfter) return false;
  return now - since >= poisonAfterMs || (await hasTakenSince(tx, since, now));
}

/**
 * Whether an attempt in vain may be the fault of its edit. One without an answer says so only where the server took another one since the
 * attempt before: something on the way may take offence at this one, and at no other; without a network none is answered.
 */
async function mayBeItsOwn(tx: Reading, { tried_at }: OutboxRow, { event, error }: Outcome, now: number): Promise<boolean> {
  if (event === 'fault') return true;
  return error !== undefined && unansweredCodes.has(error.code) && tried_at !== undefined && hasTakenSince(tx, tried_at, now);
}

/** An error as it is kept with its edit. */
function errorOf({ code, detail }: ApiError): EditError {
  const fields = fieldTexts(detail);
  return { code, detail: detailText(detail), ...(Object.keys(fields).length > 0 ? { fields } : {}) };
}

/** An attempt that met nothing but what another edit of theirs, sent at the same time, made of a row meanwhile: it goes on, on that. */
async function unlessOwnNews(tx: Reading, edit: OutboxRow, outcome: Outcome): Promise<Outcome> {
  const about = rowOfEdit(edit);
  const { theirs, rests_on: told } = outcome.changes ?? {};
  if (!about || !mutationNamed(edit.name).merge.together) return outcome;
  const { error: _none, nextAttemptAt: _soon, ...rest } = outcome;
  if (outcome.event === 'conflict' && theirs && (await isOwnNews(tx, about, edit.base, theirs)))
    return { ...rest, event: 'rebase', changes: { base: theirs } };
  const other = told && { noun: about.noun, id: told.id };
  if (outcome.event === 'refuse' && other && (await isOwnNews(tx, other, edit.rests_on, told)))
    return { ...rest, event: 'rebase', changes: { rests_on: told } };
  return outcome;
}

/** Writes what an attempt came to. An event that cannot happen in the row's state is a bug and throws. */
async function settleAttempt(tx: Writing, { seq, outcome: told }: Attempted, now: number): Promise<void> {
  const mutation = await tx.get('mutations', seq);
  // discarded by the person while it was on its way
  if (!mutation) return;
  const outcome = await unlessOwnNews(tx, mutation, told);
  const may_have_arrived = outcome.hasNotArrived !== true && (mutation.may_have_arrived === true || outcome.mayHaveArrived === true);
  // one of which nobody knows whether it arrived stays so, whatever a later attempt met
  const { failing: former } = mutation;
  // one that began by a clock since put right begins anew
  const { times, since } = former && former.since <= now ? former : { times: 0, since: now };
  const failing = { times: times + 1, since };
  const isCounted = await mayBeItsOwn(tx, mutation, outcome, now);
  const usual = outcome.event === 'fault' ? 'try_later' : outcome.event;
  const met = isCounted && (await isPoison(tx, failing, now)) ? 'poison' : usual;
  const goesOn = met === 'try_later' || met === 'rebase';
  const event = goesOn && may_have_arrived ? 'no_answer' : met;
  const state = nextMutationState[mutation.state][event];
  if (state === null) throw new Error(`An edit that is ${mutation.state} cannot meet ${event}`);
  const settled: OutboxRow = {
    ...mutation,
    ...outcome.changes,
    state,
    may_have_arrived,
    ...(isCounted ? { failing } : {}),
    next_attempt_at: outcome.nextAttemptAt ?? 0,
    tried_at: now,
    ...(outcome.answer === undefined ? {} : { answer: outcome.answer }),
    ...(outcome.error ? { error: errorOf(outcome.error) } : {}),
  };
  await tx.put('mutations', settled);
  if (state !== 'acked') return;
  await followNewId(tx, settled);
  await noteOwnChanges(tx, settled, outcome.ownChanges ?? null);
  if (outcome.ownChanges) await handChangesOn(tx, settled, outcome.ownChanges);
  else if (settled.is_met) await handOtherBack(tx, settled);
  await resumeWith(tx, settled);
}

/** Whether an edit says everything anew in the place of another one. What may have arrived gives way to nothing: the next was made on the row before it. */
function outdoes(edit: OutboxRow, stuck: OutboxRow): boolean {
  const isBehind = edit.lane === stuck.lane && edit.seq > stuck.seq && !isOfNewerBuild(edit);
  return isBehind && isWholeEdit(edit.name) && !hasPerhapsArrived(stuck);
}

/** Edits that wait for the person where a later edit of their row says everything anew. */
function outdoneEdits(edits: readonly OutboxRow[]): OutboxRow[] {
  const followed = followedEdits(edits);
  return edits
    .filter((edit) => needsPerson(edit.state) && !isOfNewerBuild(edit) && !followed.has(edit.id))
    .filter((stuck) => edits.some((edit) => outdoes(edit, stuck)));
}

/** Those give way. @returns whether any did. */
async function dropOutdone(tx: Writing, edits: readonly OutboxRow[], now: number): Promise<boolean> {
  const outdone = outdoneEdits(edits);
  for (const stuck of outdone) await settle(tx, stuck, 'replaced', now);
  return outdone.length > 0;
}

/**
 * Whether a sending could change anything for some edits, now or once their time comes: most that stay wait for the person. Nobody sends
 * who knows of no session: what waited for one goes on.
 */
export function canGoOn(edits: readonly OutboxRow[], build: string): boolean {
  const waitsForBuild = ({ state, paused_build }: OutboxRow): boolean => state === 'paused_update' && paused_build === build;
  const isForThePerson = ({ state }: OutboxRow): boolean => state !== 'paused_auth' && needsPerson(state);
  return edits.some((edit) => !isForThePerson(edit) && !isOfNewerBuild(edit) && !waitsForBuild(edit)) || outdoneEdits(edits).length > 0;
}

/** Accepted edits whose effect the replica is still to be given; what became of one of a newer build that build knows. */
export async function ackedMutations(outbox: OutboxStore): Promise<OutboxRow[]> {
  const acked = await outbox.read(['mutations'], (tx) => tx.list('mutations', { index: 'state', is: 'acked' }));
  return acked.filter((edit) => !isOfNewerBuild(edit));
}

/** Takes accepted edits out, leaving receipts. Call it once the replica holds what the server made of them. */
export async function retire(outbox: OutboxStore, epoch: number, mutations: readonly OutboxRow[], now: number): Promise<void> {
  if (mutations.length === 0) return;
  await writeSending(outbox, ['mutations', 'receipts', 'blobs', 'term'], async (tx) => {
    await requireTerm(tx, epoch);
    for (const mutation of mutations) await settle(tx, mutation, 'accepted', now);
  });
}

/**
 * The server's database is another one, or may be, as where a copy is begun anew: versions of rows of another say nothing any more, and each
 * such row is looked at before it is written over. A row that the former answered may be none of this one's: the lists bring what is.
 * @param generation which database it is, null where that is not known.
 */
export async function forgetVersions(outbox: OutboxStore, generation: string | null): Promise<void> {
  // that there was no row is said of any database
  const isKnown = (base: EditBase): boolean => base.version === 0 || (generation !== null && base.generation === generation);
  const unknown = <B extends EditBase>(base: B): B => (isKnown(base) ? base : { ...base, version: null });
  const isRowAnswered = ({ name, answer }: OutboxRow): boolean => answer !== undefined && mutationNamed(name).answers !== null;
  await outbox.write(['mutations', 'marks'], async (tx) => {
    await forgetOwnChanges(tx, generation);
    const known = (await tx.list('mutations')).filter((edit) => !isOfNewerBuild(edit));
    await tx.putMany(
      'mutations',
      known
        .filter((edit) => edit.base ?? edit.theirs ?? edit.rests_on ?? isRowAnswered(edit))
        .map((edit) => ({
          ...edit,
          ...(edit.base ? { base: unknown(edit.base) } : {}),
          ...(edit.theirs ? { theirs: unknown(edit.theirs) } : {}),
          ...(edit.rests_on ? { rests_on: unknown(edit.rests_on) } : {}),
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
