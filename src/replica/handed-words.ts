import { fieldsChangedBy, leftAlone, leftAsFound, mineOf, picked, saying } from './edited-fields.ts';
import { type Fields, isSameValue } from './merge.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import { inputWith } from './rebase.ts';
import type { StoreWriting } from './store.ts';

/** Whether an edit is made on what the ones ahead of it in its lane leave. */
function isMadeOnThem(edit: OutboxRow): edit is OutboxRow & { base: EditBase } {
  return edit.base?.version === null && !isOfNewerBuild(edit);
}

/** An edit made on a row some of whose fields are others: what it left alone it leaves alone still. */
function madeOn(edit: OutboxRow, base: EditBase, others: Fields): OutboxRow {
  const alone = leftAlone(edit).filter((name) => name in others);
  const input = inputWith(edit.input, picked(others, alone));
  return { ...edit, base: { version: null, fields: { ...base.fields, ...others } }, input };
}

/**
 * Edits of the lane that were made while the screen did not show an edit, for it was refused, are made on what it leaves, too, now that it goes
 * on: they say nothing against it that their person did not.
 */
export async function layBeneath(tx: StoreWriting<OutboxTables>, edit: OutboxRow): Promise<void> {
  let [without, leaves] = [edit.base?.fields ?? null, mineOf(edit, edit.base?.fields ?? null)];
  for (const next of await tx.list('mutations', { index: 'lane', is: edit.lane })) {
    if (next.seq <= edit.seq) continue;
    const { base } = next;
    if (!without || !leaves || !base?.fields || isOfNewerBuild(next)) return;
    const [was, is] = [without, leaves];
    const names = Object.keys(is).filter((name) => !isSameValue(was[name], is[name]));
    const hidden = madeOn(next, base, picked(was, names));
    const told = saying(madeOn(next, base, picked(is, names)), fieldsChangedBy(next));
    await tx.put('mutations', told);
    without = mineOf(hidden, hidden.base?.fields ?? null);
    leaves = mineOf(told, told.base?.fields ?? null);
  }
}

/**
 * The edits of the lane that were made on what an edit was to leave are made on what is left in its place: what they left alone they leave
 * alone still, and what they changed they change from there.
 * @param instead what is left in its place; null where that is no row, and they stay as they are.
 * @param from what they change that from, where it is not the same: as their person found the row.
 */
export async function handWordsOn(
  tx: StoreWriting<OutboxTables>,
  edit: OutboxRow,
  instead: Fields | null,
  from: Fields | null = instead,
): Promise<void> {
  let [left, leaves, found] = [mineOf(edit, edit.base?.fields ?? null), instead, from];
  for (const next of await tx.list('mutations', { index: 'lane', is: edit.lane })) {
    if (next.seq <= edit.seq) continue;
    if (!left || !leaves || !isMadeOnThem(next)) return;
    const { base } = next;
    const [was, is] = [left, leaves];
    const names = Object.keys(is).filter((name) => !isSameValue(was[name], is[name]) && isSameValue(base.fields?.[name], was[name]));
    if (names.length === 0) return;
    const alone = leftAsFound(next, names);
    const fields = { ...base.fields, ...picked(found ?? is, names), ...picked(is, alone) };
    const told = saying({ ...next, base: { ...base, fields }, input: inputWith(next.input, picked(is, alone)) }, fieldsChangedBy(next));
    await tx.put('mutations', told);
    [left, leaves, found] = [mineOf(next, base.fields), mineOf(told, fields), null];
  }
}
