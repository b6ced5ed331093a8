import { type EditedNoun, mutationNamed } from '#contract/mutations.ts';
import { leftAlone, picked, rowOfEdit } from './edited-fields.ts';
import type { OfDatabase } from './held-rows.ts';
import type { Fields } from './merge.ts';
import { isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { OutboxRow } from './outbox-tables.ts';
import { type MadeNoun, type NounRow, reduceRow, type Shown } from './reducers.ts';

/** A row with an edit laid over it: what its person left as they found it stays as it is by now. */
function layOver<Noun extends EditedNoun>(noun: Noun, row: Shown<Noun>, edit: OutboxRow): Shown<Noun> {
  const laid = reduceRow(noun, row, edit);
  const about = rowOfEdit(edit);
  if (!row || !laid || about?.noun !== noun || about.id !== row.id) return laid;
  return { ...laid, ...picked(row as unknown as Fields, leftAlone(edit)) };
}

function foldAll<Noun extends EditedNoun>(noun: Noun, base: Shown<Noun>, edits: readonly OutboxRow[]): Shown<Noun> {
  return edits.reduce((row, edit) => layOver(noun, row, edit), base);
}

/** A row as the screen shows it: what the server last said, with the edits that wait laid over it. */
export function foldRow<Noun extends EditedNoun>(noun: Noun, base: Shown<Noun>, edits: readonly OutboxRow[]): Shown<Noun> {
  return foldAll(
    noun,
    base,
    edits.filter((edit) => isShown(edit.state) && !isOfNewerBuild(edit)),
  );
}

/** A row with the mark of the edits laid over it; null where it is as the server has it. */
export type MarkedRow<Noun extends EditedNoun> = NounRow[Noun] & OfDatabase & { pending: PendingMark | null };

/**
 * The rows of a noun as the screen shows them: changed, made and removed by the edits that wait, in no order.
 * What the server refused to make has no row to go back to, so it stays in sight, with its mark.
 */
export function foldRows<Noun extends MadeNoun>(
  noun: Noun,
  base: readonly (NounRow[Noun] & OfDatabase)[],
  edits: readonly OutboxRow[],
): MarkedRow<Noun>[] {
  const waiting = editsByRow(noun, edits);
  const held = new Map(base.map((row) => [row.id, row]));
  return [...new Set([...held.keys(), ...waiting.keys()])].flatMap((id): MarkedRow<Noun>[] => {
    const own = waiting.get(id) ?? [];
    const row = held.get(id) as Shown<Noun>;
    const shown = foldRow(noun, row, own) ?? (row === undefined ? foldAll(noun, row, own) : undefined);
    return shown === undefined ? [] : [{ ...shown, pending: markOf(own) } as MarkedRow<Noun>];
  });
}

/** The rows of a noun that waiting edits touch, each with its edits in order. */
export function editsByRow(noun: EditedNoun, edits: readonly OutboxRow[]): Map<string, OutboxRow[]> {
  const byRow = new Map<string, OutboxRow[]>();
  // an edit of a newer build, which this one does not know, waits untouched
  for (const edit of edits.filter((edit) => !isOfNewerBuild(edit))) {
    for (const touched of mutationNamed(edit.name)
      .touches(edit.input)
      .filter((part) => part.noun === noun)) {
      for (const id of touched.ids) byRow.set(id, [...(byRow.get(id) ?? []), edit]);
    }
  }
  return byRow;
}

/** How a pending row is marked on the screen. */
export interface PendingMark {
  state: OutboxRow['state'];
  since: number;
  detail: string | null;
  /** None of them lies over it, as after the server refused them: the row is as the copy has it. */
  is_bare?: true;
}

export function markOf(edits: readonly OutboxRow[]): PendingMark | null {
  const last = edits.at(-1);
  if (!last) return null;
  const isBare = !edits.some(({ state }) => isShown(state));
  return { state: last.state, since: last.created_at, detail: last.error?.detail ?? null, ...(isBare ? { is_bare: true } : {}) };
}
