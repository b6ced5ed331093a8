import type { ColumnRow } from './column-nouns.ts';
import { scopeKey } from './scopes.ts';
import type { SetChange } from './set-writes.ts';

/** What a change comes to on what is held. */
export interface SetNews<R> {
  /** Rows that are new, or newer than what is held or went. */
  rows: R[];
  /** Ids of held rows that go. */
  removed: string[];
  /** How many rows came to each scope by it, less those that went. */
  came: Map<string, number>;
}

/** What is known of the rows of a change. */
export interface Known<R> {
  /** Rows the set holds, of those the change is about. */
  held: ReadonlyMap<string, R>;
  /** Versions in which rows went, by their ids. */
  gone: ReadonlyMap<string, number>;
}

function isNewer<R extends ColumnRow>(row: R, { held, gone }: Known<R>): boolean {
  if ((gone.get(row.id) ?? -Infinity) >= (row.version ?? Infinity)) return false;
  const before = held.get(row.id);
  if (!before) return true;
  // servers that number their versions say which is newer; of others the latest answer counts
  const isNumbered = Number.isInteger(row.version) && Number.isInteger(before.version);
  return isNumbered ? (row.version ?? 0) > (before.version ?? 0) : JSON.stringify(row) !== JSON.stringify(before);
}

/** What of a change is news: a page may bring what is held already, and a removal be older than the row. */
export function newsOf<R extends ColumnRow>(change: SetChange<R>, known: Known<R>): SetNews<R> {
  const { held } = known;
  const undone = (change.undone ?? []).flatMap((each) => (held.get(each.row.id)?.version === each.held ? [each.row] : []));
  // of a row that comes twice in an answer the later counts
  const rows = [...new Map([...undone, ...change.rows.filter((row) => isNewer(row, known))].map((row) => [row.id, row])).values()];
  const removed = change.removed.filter(({ id, version }) => held.has(id) && (held.get(id)?.version ?? 0) <= version).map(({ id }) => id);
  const came = new Map<string, number>();
  const count = (row: R | undefined, by: 1 | -1): void => {
    if (row?.entity_id === undefined) return;
    const scope = scopeKey('entity', row.entity_id);
    came.set(scope, (came.get(scope) ?? 0) + by);
  };
  for (const row of rows) {
    count(row, 1);
    count(held.get(row.id), -1);
  }
  for (const id of removed) count(held.get(id), -1);
  return { rows, removed, came };
}
