import type { GuardedRow } from '#contract/endpoint.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { rowOfEdit } from './edited-fields.ts';
import { isOver } from './other-rows.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { SeenRow } from './rebase.ts';
import type { StoreReading } from './store.ts';

/** So many receipts are looked through: no screen is behind by more of one's own edits. */
const mostBehind = 200;

/** One of a decision's rows as the server had it when it took the decision. */
function foundIn(edit: OutboxRow, id: string): EditBase | undefined {
  return rowOfEdit(edit)?.id === id ? edit.base : edit.rests_on;
}

/** Whether a screen showed one of a decision's rows in no later version than the decision was taken on; false where nobody knows. */
function isBehind(seen: SeenRow, found: EditBase | undefined): boolean {
  if (found?.version == null) return false;
  return (seen._generation ?? null) === (found.generation ?? null) && seen.version <= found.version;
}

/**
 * The decisions of one's own about a row that were accepted, and that the screen did not know yet, oldest first. A list shows its rows a
 * moment after the server took an edit, and the next key may be quicker: who presses it knows what they decided.
 * @param seen the row as the screen showed it.
 */
export async function decisionsSince(tx: StoreReading<OutboxTables>, row: GuardedRow, seen: SeenRow): Promise<OutboxRow[]> {
  const receipts = await tx.list('receipts', { isBackwards: true, limit: mostBehind });
  const decisions = receipts.flatMap(({ decision }): OutboxRow[] => (decision && !isOfNewerBuild(decision) ? [decision] : []));
  const about = decisions.filter((edit) => isOver(edit, row)).toReversed();
  const first = about.findIndex((edit) => isBehind(seen, foundIn(edit, row.id)));
  // what followed one that it did not know it did not know either
  return first < 0 ? [] : about.slice(first);
}
