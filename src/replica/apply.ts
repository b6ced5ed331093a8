import type { Replica } from './open.ts';
import { newPull, type PullRow } from './pulls.ts';
import type { RowNoun, RowTables } from './row-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** What applying needs to know of a server row. */
interface ServerRow {
  id: string;
  version?: number;
}

type ScopedRow = ServerRow & { _scope: string };
type Writing = StoreWriting<RowTables>;

/** A noun's rows as far as writing them goes: whatever else is in them is the server's. */
function asRows<N extends RowNoun>(rows: readonly ScopedRow[]): RowTables[N]['row'][] {
  return rows as unknown as RowTables[N]['row'][];
}

/** The key of a scope: `user`, `client:<id>` or `entity:<id>`. */
export function scopeKey(per: 'user' | 'client' | 'entity', id: string): string {
  return per === 'user' ? 'user' : `${per}:${id}`;
}

/** How many edits were settled in a scope so far, to be told to {@link applyList} with a list that is asked for now. */
export async function settledEdits(replica: Replica, scope: string, noun: RowNoun): Promise<number> {
  return (await standingOf(replica, scope, noun)).settled ?? 0;
}

/** What a scope's list answered. */
interface AnsweredList {
  noun: RowNoun;
  scope: string;
  rows: readonly ServerRow[];
  /** One answer holds the whole set, so what it lacks is gone. A list read in pages may have missed a row. */
  isWhole: boolean;
  /** Edits that were settled in the scope when it was asked for. */
  settledBefore: number;
  now: number;
}

/**
 * Writes what a scope's list answered, and that it was read, in one transaction. A whole list becomes what is held; one that
 * was asked for before an edit was settled knows nothing of that edit, and is asked for again.
 */
export async function applyList(
  { rows }: Replica,
  { noun, scope, rows: listed, isWhole, settledBefore, now }: AnsweredList,
): Promise<void> {
  await rows.write([noun, 'pulls'], async (tx) => {
    const pull = await pullOf(tx, scope, noun);
    const isOutOfDate = (pull.settled ?? 0) !== settledBefore;
    if (isWhole && !isOutOfDate) {
      const kept = new Set(listed.map((row) => row.id));
      const gone = (await tx.keys(noun, { index: '_scope', is: scope })).filter((id) => !kept.has(id));
      await tx.removeMany(noun, gone);
      // whatever their versions: a row made anew under its id begins again
      await tx.putMany(noun, asRows(listed.map((row) => ({ ...row, _scope: scope }))));
    }
    if (!isWhole) await putNewer(tx, noun, scope, listed);
    const last_complete_at = isOutOfDate ? null : now;
    await tx.put('pulls', { ...pull, phase: 'steady', rows: listed.length, last_complete_at, is_denied: false });
  });
}

/** Writes the row an accepted edit left, where it is newer than what is held; the list around it is read again. */
export async function settleRow({ rows }: Replica, noun: RowNoun, scope: string, row: ServerRow): Promise<void> {
  await rows.write([noun, 'pulls'], async (tx) => {
    await putNewer(tx, noun, scope, [row]);
    await countSettled(tx, scope, noun);
  });
}

/** Removes the row an accepted edit removed; the list around it is read again. */
export async function settleRemoval({ rows }: Replica, noun: RowNoun, id: string): Promise<void> {
  await rows.write([noun, 'pulls'], async (tx) => {
    const held = await tx.get(noun, id);
    if (!held) return;
    await tx.remove(noun, id);
    await countSettled(tx, held._scope, noun);
  });
}

async function pullOf(tx: StoreReading<RowTables>, scope: string, noun: string): Promise<PullRow> {
  return (await tx.get('pulls', [scope, noun])) ?? newPull(scope, noun);
}

async function countSettled(tx: Writing, scope: string, noun: RowNoun): Promise<void> {
  const pull = await pullOf(tx, scope, noun);
  await tx.put('pulls', { ...pull, last_complete_at: null, settled: (pull.settled ?? 0) + 1 });
}

/** An answer asked for before a newer row came must not take that row's place. */
async function putNewer(tx: Writing, noun: RowNoun, scope: string, fresh: readonly ServerRow[]): Promise<void> {
  const held: (ServerRow | undefined)[] = await tx.getMany(
    noun,
    fresh.map((row) => row.id),
  );
  const newer = fresh.filter((row, index) => (held[index]?.version ?? -1) <= (row.version ?? 0));
  await tx.putMany(noun, asRows(newer.map((row) => ({ ...row, _scope: scope }))));
}

/** Every pull's standing, to plan the next. */
export function allPulls({ rows }: Replica): Promise<PullRow[]> {
  return rows.read(['pulls'], (tx) => tx.list('pulls'));
}

/** Where the pull of a noun for a scope stands; a new one where it has not begun. */
export function standingOf({ rows }: Replica, scope: string, noun: string): Promise<PullRow> {
  return rows.read(['pulls'], (tx) => pullOf(tx, scope, noun));
}

/** Marks a scope the server refuses, so that it is not asked for again and again. */
export async function denyPull({ rows }: Replica, scope: string, noun: string): Promise<void> {
  await rows.write(['pulls'], async (tx) => tx.put('pulls', { ...(await pullOf(tx, scope, noun)), is_denied: true }));
}

/** Makes everything due, or what concerns one scope and noun. */
export async function makeDue({ rows }: Replica, only?: { scope: string; noun: string }): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const pulls = await tx.list('pulls', only ? { is: [only.scope, only.noun] } : {});
    await tx.putMany(
      'pulls',
      pulls.map((pull) => ({ ...pull, last_complete_at: null })),
    );
  });
}

/** A renewed session may see more: refused scopes are asked for again. */
export async function forgetDenials({ rows }: Replica): Promise<void> {
  await rows.write(['pulls'], async (tx) => {
    const denied = (await tx.list('pulls')).filter((pull) => pull.is_denied);
    await tx.putMany(
      'pulls',
      denied.map((pull) => ({ ...pull, is_denied: false })),
    );
  });
}
