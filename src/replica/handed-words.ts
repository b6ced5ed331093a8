import { type Fields, isSameValue } from './merge.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import { inputWith, mineOf } from './rebase.ts';
import type { StoreWriting } from './store.ts';

function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** Whether an edit is made on what the ones ahead of it in its lane leave. */
function isMadeOnThem(edit: OutboxRow): edit is OutboxRow & { base: EditBase } {
  return edit.base?.version === null && !isOfNewerBuild(edit);
}

/**
 * The edits of the lane that were made on what an edit was to leave are made on what is left in its place: what they left alone they leave
 * alone still, and what they changed they change from there.
 * @param instead what is left in its place; null where that is no row, and they stay as they are.
 */
export async function handWordsOn(tx: StoreWriting<OutboxTables>, edit: OutboxRow, instead: Fields | null): Promise<void> {
  if (isOfNewerBuild(edit)) return;
  let [left, leaves] = [mineOf(edit, edit.base?.fields ?? null), instead];
  for (const next of await tx.list('mutations', { index: 'lane', is: edit.lane })) {
    if (next.seq <= edit.seq) continue;
    if (!left || !leaves || !isMadeOnThem(next)) return;
    const { base } = next;
    const [was, is] = [left, leaves];
    const names = Object.keys(is).filter((name) => !isSameValue(was[name], is[name]) && isSameValue(base.fields?.[name], was[name]));
    if (names.length === 0) return;
    const mine = mineOf(next, base.fields);
    const alone = names.filter((name) => isSameValue(mine?.[name], base.fields?.[name]));
    const fields = { ...base.fields, ...picked(is, names) };
    const told = { ...next, base: { ...base, fields }, input: inputWith(next.input, picked(is, alone)) };
    await tx.put('mutations', told);
    [left, leaves] = [mine, mineOf(told, fields)];
  }
}
