import { type MutationName, mutationNamed } from '#contract/mutations.ts';
import { isShown, type MutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { followedEdits, isFormEdit, isWholeEdit, waitedForEdits } from './lanes.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import { fieldsChangedBy, leftByAll, mineOf } from './edited-fields.ts';
import { type Fields, isSameValue } from './merge.ts';
import { baseBehind, baseBeneath, baseOn, isLaidOver, type SeenRow } from './rebase.ts';
import { settle } from './settling.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** States in which an edit has had no effect at the server, unless an earlier attempt of it may have arrived. */
const unsent: ReadonlySet<MutationState> = new Set([
  'queued',
  'refused',
  'parked',
  'paused_auth',
  'paused_permission',
  'paused_update',
  'paused_dependency',
  'conflict',
]);

/** Whether an edit can still be said otherwise: it has not been sent, or nothing that was sent of it had an effect. */
export function isUnsent(edit: OutboxRow): boolean {
  return unsent.has(edit.state) && edit.may_have_arrived !== true && edit.again === undefined && !isOfNewerBuild(edit);
}

/** Those of an edit's name at the end of its lane that wait to be sent, and say what they were made on. */
function formsBefore(lane: readonly OutboxRow[], name: MutationName): OutboxRow[] {
  const at = lane.findLastIndex((edit) => edit.name !== name || edit.state !== 'queued' || !edit.base || !isUnsent(edit));
  return lane.slice(at + 1);
}

/** The edits of its lane that give way to a new one, where no other edit follows them. */
function outdoneBy(name: MutationName, lane: readonly OutboxRow[]): OutboxRow[] {
  if (isFormEdit(name)) return formsBefore(lane, name);
  if (!isWholeEdit(name)) return [];
  // what a deletion was made on must be known, or it would take away unseen what somebody else wrote
  const isBound = mutationNamed(name).removes !== undefined;
  return lane.filter((edit) => isUnsent(edit) && (edit.base !== undefined || !isBound));
}

/** All edits of a lane, in the order of making. */
export function editsOfLane(tx: StoreReading<OutboxTables>, lane: string): Promise<OutboxRow[]> {
  // rows of one key of an index come by their primary key, and that is the order of making
  return tx.list('mutations', { index: 'lane', is: lane });
}

/** Takes out those edits of a lane whose place the next one takes, each leaving a receipt. @returns those. */
export async function giveWay(
  tx: StoreWriting<OutboxTables>,
  name: MutationName,
  lane: readonly OutboxRow[],
  now: number,
): Promise<OutboxRow[]> {
  const before = outdoneBy(name, lane);
  if (before.length === 0) return [];
  const edits = await tx.list('mutations');
  // of a row that is to be gone nothing is left to let go of a name
  const followed = mutationNamed(name).removes ? followedEdits(edits) : waitedForEdits(edits);
  const replaced: OutboxRow[] = [];
  for (const { id, seq } of before) {
    // as it is now: the one before it may have handed it another base
    const edit = followed.has(id) ? undefined : await tx.get('mutations', seq);
    if (!edit) continue;
    await settle(tx, edit, 'replaced', now);
    replaced.push(edit);
  }
  return replaced;
}

/** Those of some edits that the screen lays over their row. */
export function laidOver(edits: readonly OutboxRow[]): OutboxRow[] {
  return edits.filter((edit) => isShown(edit.state) && !isOfNewerBuild(edit));
}

/** Of the edits that gave way those behind the last one that is laid over the row and stays: only in their place the new one is. */
export function takenBehind(ahead: readonly OutboxRow[], replaced: readonly OutboxRow[]): OutboxRow[] {
  const last = ahead.at(-1);
  return replaced.filter(({ seq }) => !last || seq > last.seq);
}

/** Whether an edit is made where there is no row. */
function isUnmade(base: EditBase | undefined): boolean {
  return base?.version === 0 && base.fields === null;
}

/** What an edit is made on, given those it stands behind, which the screen lays over the row, and those whose place it takes. */
export function baseOfNew(
  { name, input, seen }: Pick<OutboxRow, 'name' | 'input'> & { seen?: SeenRow | null | undefined },
  ahead: readonly OutboxRow[],
  taken: readonly OutboxRow[],
): EditBase | undefined {
  // what the person saw had those laid over it: what they were made on is what nobody has looked beneath since
  const covering = taken.filter(({ state }) => isShown(state));
  if (seen === undefined) return covering[0]?.base;
  if (covering.length > 0) return baseBeneath(seen, covering);
  // what was refused to be made is not there, and is made in the place of that
  const isToBeMade = seen?.version === 0 && isUnmade(taken[0]?.base);
  // of a row that an edit made which was accepted since, or waits for the person, no version is known
  const isCovered = seen?.version === 0 || (seen != null && isLaidOver(seen));
  return ahead.length > 0 || (isCovered && !isToBeMade) ? baseBehind({ name, input }, seen, ahead) : baseOn(name, seen);
}

/**
 * Where an edit stands that takes the place of others. Of a conflict about a row that somebody else made meanwhile the question stays:
 * that there was no row is also true once theirs is deleted, and the server could not tell the one from the other.
 */
export function standingFor(taken: readonly OutboxRow[]): Pick<OutboxRow, 'state' | 'theirs'> {
  const open = taken.findLast(
    ({ state, base, theirs }) => state === 'conflict' && base?.fields === null && theirs && theirs.fields !== null,
  );
  return open?.theirs ? { state: 'conflict', theirs: open.theirs } : { state: 'queued' };
}

/** The row as edits of it leave it; where nobody knows what the first of them found, as those behind it do, or where all say the whole row. */
function leftAtLast(own: readonly OutboxRow[]): Fields | null {
  const at = Math.max(
    0,
    own.findIndex(({ base }) => base),
  );
  return leftByAll(own.slice(at), own[at]?.base?.fields ?? null);
}

/**
 * The fields of a form that its person left as they saw them, as other edits of its row that wait leave these: it may have been opened before
 * some of them were made, in another tab. It says what those say, and is made on that.
 * @param own those whose place it takes, and those that it stands behind, in the order of making.
 */
export function leftBeside(input: object, seen: SeenRow | null | undefined, own: readonly OutboxRow[]): Fields {
  const left = seen ? leftAtLast(own) : null;
  if (!seen || !left) return {};
  // be it that they are back at what they were
  const changed = new Set(own.flatMap(fieldsChangedBy));
  const isTheirs = (field: string, value: unknown): boolean =>
    field in left && isSameValue(value, seen[field] ?? null) && changed.has(field) && !isSameValue(left[field], value);
  return Object.fromEntries(
    Object.entries(input).flatMap(([field, value]) => (isTheirs(field, value) ? [[field, left[field]] as const] : [])),
  );
}

/** Whether an edit leaves the row as the first of those found it whose place it takes, none of which was ever tried: then nothing is to be sent. */
export function isNeedless(
  edit: Omit<OutboxRow, 'seq'>,
  { taken, seen }: { taken: readonly OutboxRow[]; seen: SeenRow | null | undefined },
): boolean {
  const { base, state } = edit;
  const [first] = taken;
  if (state !== 'queued' || !base || !first || edit.says) return false;
  if (!taken.every(({ attempts, tried_at }) => attempts === 0 && tried_at === undefined)) return false;
  // its place among others says nothing of what it leaves
  if (!isSameValue(mineOf({ ...edit, seq: 0 }, base.fields), base.fields)) return false;
  // where the person saw no row there may be one all the same: only what they were to make themselves is not
  return base.fields !== null || (isUnmade(first.base) && mineOf(first, null) !== null && (seen?.version ?? 0) === 0);
}

/** When an edit is tried that takes the place of some: a server that asked to wait is not asked before. */
export function waitingAs(taken: readonly OutboxRow[]): Pick<OutboxRow, 'next_attempt_at' | 'tried_at'> {
  const last = taken.reduce<OutboxRow | null>(
    (latest, edit) => (edit.next_attempt_at > (latest?.next_attempt_at ?? 0) ? edit : latest),
    null,
  );
  if (!last) return { next_attempt_at: 0 };
  return { next_attempt_at: last.next_attempt_at, ...(last.tried_at === undefined ? {} : { tried_at: last.tried_at }) };
}
