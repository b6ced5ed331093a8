import { type MutationInput, type MutationName, mutationNamed } from '#contract/mutations.ts';
import { withBallast } from './ballast.ts';
import { baseOfNew, giveWay, standingFor, takenBehind } from './coalescing.ts';
import { keepFile, type NewFile } from './edit-files.ts';
import { isWholeEdit } from './lanes.ts';
import { type OutboxRow, type OutboxStore, type OutboxTables, outboxFormat } from './outbox-tables.ts';
import { baseOn, type SeenRow } from './rebase.ts';
import { standingBehind } from './settling.ts';
import type { StoreWriting } from './store.ts';

type Writing = StoreWriting<OutboxTables>;

/** Most edits that may wait at once. */
const capacity = 10_000;

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
  /** Another row the edit rests on, as the person saw it; left out where an edit of theirs that waits is to change that one. */
  restsOn?: SeenRow & { id: string };
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

/** Writes an edit behind those that wait. */
export async function addEdit<N extends MutationName>(tx: Writing, mutation: NewMutation<N>): Promise<void> {
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
    ...(mutation.restsOn ? { rests_on: { ...baseOn(mutation.name, mutation.restsOn), id: mutation.restsOn.id } } : {}),
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
