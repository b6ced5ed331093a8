import type { GuardedRow } from '#contract/endpoint.ts';
import type { ChangedRow } from '#contract/mutations.ts';
import type { OutboxTables } from './outbox-tables.ts';
import type { SeenRow } from './rebase.ts';
import type { StoreReading, StoreWriting } from './store.ts';

// What accepted edits made of rows, as the server told: a list shows it a moment later, and the next key may be quicker.

/** One change of a row, by which it came to its version from the one before. */
export interface OwnChange extends ChangedRow {
  /** Which database its version is of. */
  generation: string;
}

/** The mark of the changes that were told last, the latest last. */
const markName = 'own_changes';
/** So many are known: no screen is behind by more of them. */
const mostKept = 120;

async function changesIn(tx: StoreReading<OutboxTables>): Promise<OwnChange[]> {
  const kept = (await tx.get('marks', markName))?.value;
  return typeof kept === 'string' ? (JSON.parse(kept) as OwnChange[]) : [];
}

/** Notes what an edit changed that was just accepted. */
export async function noteOwnChanges(tx: StoreWriting<OutboxTables>, changes: readonly OwnChange[]): Promise<void> {
  if (changes.length === 0) return;
  const known = [...(await changesIn(tx)), ...changes];
  await tx.put('marks', { k: markName, value: JSON.stringify(known.slice(-mostKept)) });
}

/**
 * A row as its person knows it: a screen that is behind by nothing but their own accepted edits showed it otherwise. What anybody else made
 * of it is no part of that, be it between two of theirs.
 * @param seen as the screen showed it.
 */
export async function asKnown<Row extends SeenRow>(tx: StoreReading<OutboxTables>, { noun, id }: GuardedRow, seen: Row): Promise<Row> {
  const own = (await changesIn(tx)).filter((change) => change.noun === noun && change.id === id && change.generation === seen._generation);
  const nextOf = ({ version }: Row): OwnChange | undefined => own.find((change) => change.version === version + 1);
  let known = seen;
  for (let next = nextOf(known); next; next = nextOf(known)) known = changedBy(known, next);
  return known;
}

/** What lay over it waits still and lies over it again, or is no more. */
function changedBy<Row extends SeenRow>(row: Row, { version, fields }: OwnChange): Row {
  return { ...row, ...fields, version, pending: null };
}
