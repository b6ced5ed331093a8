import type { GuardedRow } from '#contract/endpoint.ts';
import { type ChangedRow, mutationNamed } from '#contract/mutations.ts';
import { picked, rowOfEdit } from './edited-fields.ts';
import { isSameValue } from './merge.ts';
import { rowsOf } from './other-rows.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { SeenRow } from './rebase.ts';
import type { StoreReading, StoreWriting } from './store.ts';

// How accepted edits left rows, as the server told: a list shows it a moment later, and the next key may be quicker.

/** A row as an accepted edit left it: in the version after the one before it, or in that one where it changed nothing of it. */
export interface OwnChange extends ChangedRow {
  /** The version before it. */
  from: number;
  /** Which database these versions are of. */
  generation: string;
}

/** The same with the edit, by id. */
interface KeptChange extends OwnChange {
  by: string;
}

/** The mark of the changes that were told last, the latest last. */
const markName = 'own_changes';
/** So many are known: no screen is behind by more of them. */
const mostKept = 120;

async function changesIn(tx: StoreReading<OutboxTables>): Promise<KeptChange[]> {
  const kept = (await tx.get('marks', markName))?.value;
  if (typeof kept !== 'string') return [];
  try {
    const changes = JSON.parse(kept) as unknown;
    return Array.isArray(changes) ? (changes as (KeptChange | null)[]).filter((each) => each !== null) : [];
  } catch {
    // without it a person is asked once more
    return [];
  }
}

function isOf({ noun, id }: GuardedRow, row: GuardedRow): boolean {
  return noun === row.noun && id === row.id;
}

/**
 * Notes how an edit left its rows that was just accepted.
 * @param changes null where nobody told: how its rows are by now is not known then.
 */
export async function noteOwnChanges(tx: StoreWriting<OutboxTables>, edit: OutboxRow, changes: readonly OwnChange[] | null): Promise<void> {
  const about = rowOfEdit(edit);
  if (!about || !mutationNamed(edit.name).merge.together) return;
  const known = await changesIn(tx);
  // one that was met was never sent: its own row another hand left, and the other one nobody touched
  const touched = edit.is_met ? [about.id] : rowsOf(edit, about.noun);
  const kept = changes
    ? [...known, ...changes.map((change): KeptChange => ({ ...change, by: edit.id }))]
    : known.filter(({ noun, id }) => noun !== about.noun || !touched.includes(id));
  if (kept.length !== known.length) await tx.put('marks', { k: markName, value: JSON.stringify(kept.slice(-mostKept)) });
}

/**
 * The server's database is another one, or may be: what was done in the former is undone.
 * @param generation which it is, null where that is not known.
 */
export async function forgetOwnChanges(tx: StoreWriting<OutboxTables>, generation: string | null): Promise<void> {
  const own = (await changesIn(tx)).filter((change) => change.generation === generation);
  await tx.put('marks', { k: markName, value: JSON.stringify(own) });
}

/** A row as its person knows it, and the accepted edits, by id, that are in it. */
interface KnownRow<Row> {
  row: Row;
  within: ReadonlySet<string>;
}

/**
 * A row as its person knows it: a screen that is behind by nothing but their own accepted edits showed it otherwise. What anybody else made
 * of it is no part of that, be it between two of theirs.
 * @param seen as the screen showed it.
 */
export async function asKnown<Row extends SeenRow>(tx: StoreReading<OutboxTables>, of: GuardedRow, seen: Row): Promise<KnownRow<Row>> {
  const own = (await changesIn(tx)).filter((change) => isOf(change, of) && change.generation === seen._generation);
  let { version } = seen;
  for (let next = nextOf(own, version); next; next = nextOf(own, version)) ({ version } = next);
  const left = own.findLast((change) => change.version === version);
  // of a row that nobody laid anything over the screen knows as much
  const isBehind = version !== seen.version || seen.pending != null;
  // what lay over it waits still and lies over it again, or is no more
  const row = left && isBehind ? { ...seen, ...left.fields, version, pending: null } : seen;
  return { row, within: new Set(left ? own.flatMap((change) => (change.version <= version ? change.by : [])) : []) };
}

/** Whether nothing but their own accepted edits made of a row, as an edit found it, what it is by now. */
export async function isOwnNews(tx: StoreReading<OutboxTables>, of: GuardedRow, was: EditBase | undefined, is: EditBase): Promise<boolean> {
  if (!was?.fields || was.version === null || was.generation == null || was.generation !== is.generation) return false;
  const { row } = await asKnown(tx, of, { ...was.fields, version: was.version, _generation: was.generation });
  return row.version !== was.version && row.version === is.version && isSameValue(picked(row, Object.keys(was.fields)), is.fields);
}

function nextOf(own: readonly OwnChange[], version: number): OwnChange | undefined {
  return own.findLast((change) => change.from === version && change.version > version);
}
