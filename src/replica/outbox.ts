import { type MutationInput, type MutationName, mutationNamed } from '#contract/mutations.ts';
import { withBallast } from './ballast.ts';
import { baseOfNew, editsOfLane, giveWay, isNeedless, laidOver, leftBeside, standingFor, takenBehind, waitingAs } from './coalescing.ts';
import { keepFile, type NewFile } from './edit-files.ts';
import { freeingName } from './freed-names.ts';
import { isFormEdit } from './lanes.ts';
import { type Fields, isSameValue } from './merge.ts';
import { byGivenIds } from './new-ids.ts';
import { type OutboxRow, type OutboxStore, type OutboxTables, outboxFormat } from './outbox-tables.ts';
import { baseOn, isLaidOver, type SeenRow } from './rebase.ts';
import { editsBeneath, editsOver } from './other-rows.ts';
import { leftByAll, rowOfEdit, saying } from './edited-fields.ts';
import { asKnown } from './own-changes.ts';
import { needlessText } from './receipts.ts';
import { leaveReceipt, standingBehind } from './settling.ts';
import type { StoreWriting } from './store.ts';

type Writing = StoreWriting<OutboxTables>;

/** Most edits that may wait at once. */
const capacity = 10_000;

/** What the screen knows about an edit when it is made. */
export interface NewMutation<N extends MutationName> {
  id: string;
  name: N;
  input: MutationInput<N>;
  /** What it is, in words, or how these follow from the row it is made on, null where there is none, and what it says in all: with edits that wait both may be others than the person had before them. */
  title: string | ((was: Fields | null, input: MutationInput<N>) => string);
  now: number;
  clientId: string | null;
  entityId: string | null;
  /** The row as the person saw it, null where there was none. Left out, nobody's change of it is compared with the edit. */
  seen?: SeenRow | null;
  /** Another row the edit rests on, as the person saw it. */
  restsOn?: SeenRow & { id: string };
  /** Edits, by id, that must be accepted before this one is sent, beside those of other rows that decide about its own, too. */
  deps?: readonly string[];
  /** Sent with it. */
  file?: NewFile;
  /** The fields that its person changed, where their form began otherwise than with the row as they saw it. */
  changes?: readonly string[];
  /** Its form showed what the edits of its row that wait say: all of it is meant, be it that the row is to be as it was before them. */
  isInformed?: true;
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
  await withBallast(outbox, fileBytes, () => outbox.write(['mutations', 'receipts', 'blobs', 'marks'], add));
}

/** Writes an edit behind those that wait, or in the place of some. */
export async function addEdit<N extends MutationName>(tx: Writing, formed: NewMutation<N>): Promise<void> {
  const [mutation, within] = await onWhatIsKnown(tx, await byGivenIds(tx, formed));
  const { id, name, now } = mutation;
  const lane = mutationNamed(name).lane(mutation.input);
  const before = await editsOfLane(tx, lane);
  const replaced = await giveWay(tx, name, before, now);
  const isFull = (await tx.count('mutations')) >= capacity;
  if (isFull) throw new Error(`${capacity} edits already wait. Connect to the network and let them go first.`);
  // what gave way may have handed those that stay another base
  const stay = replaced.length === 0 ? before : await editsOfLane(tx, lane);
  const { merge, named } = mutationNamed(name);
  const all = merge.together || named ? await tx.list('mutations') : stay;
  // of edits that decide about two rows each is in the lane of one of them
  const near = merge.together ? all : stay;
  const deps = [...new Set([...(mutation.deps ?? []), ...editsBeneath({ ...mutation, lane }, near)])];
  const ahead = notWithin(editsAbove(mutation, near), within.own);
  const taken = takenBehind(ahead, replaced);
  const beside = mutation.isInformed ? {} : leftBeside(mutation.input, mutation.seen, laidOver(before));
  const input = { ...mutation.input, ...beside };
  const seen = mutation.seen && { ...mutation.seen, ...beside };
  const base = baseOfNew({ name, input, seen }, ahead, taken);
  const after = freeingName({ name, input, lane, ...(base ? { base } : {}) }, all);
  const was = taken.length > 0 ? (base?.fields ?? null) : (seen ?? null);
  const says = [...new Set(taken.flatMap((each) => each.says ?? []))];
  const saves = taken.reduce((sum, edit) => sum + (edit.saves ?? 1), 1);
  const made: Omit<OutboxRow, 'seq'> = {
    id,
    v: outboxFormat,
    name,
    input,
    lane,
    ...((await standingBehind(tx, deps)) ?? standingFor(taken)),
    attempts: 0,
    ...waitingAs(taken),
    created_at: now,
    title: typeof mutation.title === 'string' ? mutation.title : mutation.title(was, input),
    client_id: mutation.clientId,
    entity_id: mutation.entityId,
    ...(base ? { base } : {}),
    ...otherRow(mutation, notWithin(near, within.other)),
    ...(says.length > 0 ? { says } : {}),
    ...(deps.length > 0 ? { deps } : {}),
    ...(after.length > 0 ? { after } : {}),
    ...(isFormEdit(name) && saves > 1 ? { saves } : {}),
  };
  const edit = saying(made, changedFrom(mutation));
  if (isNeedless(edit, { taken, seen })) {
    await leaveReceipt(tx, { ...edit, error: { detail: needlessText } }, 'discarded', now);
    return;
  }
  const file = mutation.file && (await keepFile(tx, id, mutation.file));
  await tx.add('mutations', { ...edit, ...(file ? { file } : {}) });
}

/** Edits that are in a row as its person knows it. */
interface Within {
  own: ReadonlySet<string>;
  other: ReadonlySet<string>;
}

/** A decision about two rows as their person knows these: with a key it is made quicker than the screen shows what became of the last one. */
async function onWhatIsKnown<N extends MutationName>(tx: Writing, mutation: NewMutation<N>): Promise<[NewMutation<N>, Within]> {
  const { name, seen, restsOn } = mutation;
  const about = rowOfEdit(mutation);
  const known = about && mutationNamed(name).merge.together ? about : null;
  const own = known && seen ? await asKnown(tx, known, seen) : null;
  const other = known && restsOn ? await asKnown(tx, { noun: known.noun, id: restsOn.id }, restsOn) : null;
  const rows = { ...(own ? { seen: own.row } : {}), ...(other ? { restsOn: other.row } : {}) };
  return [
    { ...mutation, ...rows },
    { own: own?.within ?? new Set(), other: other?.within ?? new Set() },
  ];
}

/** Those of some edits of which a row does not have yet what they left. */
function notWithin(edits: readonly OutboxRow[], within: ReadonlySet<string>): OutboxRow[] {
  return edits.filter(({ id, state }) => state !== 'acked' || !within.has(id));
}

/** The fields that a person changed in the form of an edit. */
function changedFrom<N extends MutationName>({ input, seen, changes }: NewMutation<N>): readonly string[] {
  if (changes) return changes;
  return seen ? Object.entries(input).flatMap(([name, value]) => (isSameValue(value, seen[name] ?? null) ? [] : [name])) : [];
}

/** Those of some edits that the screen lays over the row of a new one: of its lane, and where edits decide about two rows, of other lanes, too. */
function editsAbove<N extends MutationName>({ name, input }: NewMutation<N>, edits: readonly OutboxRow[]): OutboxRow[] {
  const about = rowOfEdit({ name, input });
  return about && mutationNamed(name).merge.together ? editsOver(edits, about) : laidOver(edits);
}

/** Another row that a new edit rests on. Where edits of the person lie over it nobody knows in what version it will be. */
function otherRow<N extends MutationName>(
  { name, input, restsOn }: NewMutation<N>,
  edits: readonly OutboxRow[],
): Pick<OutboxRow, 'rests_on'> {
  const about = rowOfEdit({ name, input });
  if (!restsOn || !about) return {};
  const base = baseOn(name, restsOn);
  const over = editsOver(edits, { noun: about.noun, id: restsOn.id });
  const isCovered = isLaidOver(restsOn) || over.length > 0;
  // the screen may have shown the latest of them too late
  return { rests_on: { ...base, ...(isCovered ? { version: null, fields: leftByAll(over, base.fields) } : {}), id: restsOn.id } };
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
