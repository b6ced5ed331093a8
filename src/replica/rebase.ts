import { type MutationName, mutationNamed } from '#contract/mutations.ts';
import { fieldsOf, firstFound, leftByAll, mergeOf, mineOf, rowOfEdit, sidesOf } from './edited-fields.ts';
import { isFormEdit } from './lanes.ts';
import { type OfDatabase, ofDatabase } from './held-rows.ts';
import { type Fields, isSameValue, type Merge } from './merge.ts';
import { foundIn } from './other-rows.ts';
import type { EditBase, OutboxRow } from './outbox-tables.ts';
import type { PendingMark } from './overlay.ts';

/** A row as the server tells it. */
export type ServerRow = Readonly<Record<string, unknown>> & { id: string; version: number };

/** A row as the screen showed it to the person, with the mark of the edits that were laid over it. */
export type SeenRow = Fields & OfDatabase & { version: number; pending?: PendingMark | null };

/** Whether the screen showed a row with words of edits over it, which may have been accepted since: then it is not as in its version. */
export function isLaidOver({ pending }: SeenRow): boolean {
  return pending != null && pending.is_bare !== true;
}

/** What of a row an edit is made on; `null` is no row, and so is one that only waiting edits made. */
export function baseOn(name: MutationName, row: SeenRow | null): EditBase {
  if (row === null || row.version === 0) return { version: 0, fields: null };
  const { version, _generation: generation } = row;
  return { version, ...(generation === undefined ? {} : { generation }), fields: fieldsOf(name, row) };
}

/**
 * Those of some fields that edits of a row, one after the other, leave as the first of them found them, as the person saw the row: what
 * somebody else changed may have been brought together with them since, or not have been there yet. Who saw no row saw none of them.
 */
function seenThrough(row: Fields | null, edits: readonly OutboxRow[], id: string | undefined): Fields {
  const [first] = edits;
  const found = first && id !== undefined ? foundIn(first, id) : null;
  const between = edits.reduce((rows, edit) => [...rows, leftByAll([edit], rows.at(-1) ?? null)], [found]);
  const left = between.at(-1);
  // a screen that is late shows one of them, and not yet the one that leaves it so again
  const isOwn = (name: string): boolean => between.some((fields) => fields && isSameValue(fields[name], row?.[name] ?? null));
  const names = found && left ? Object.keys(found).filter((name) => isSameValue(found[name], left[name]) && !isOwn(name)) : [];
  return Object.fromEntries(names.map((name) => [name, row?.[name] ?? null]));
}

/**
 * The same where earlier edits of the row are not accepted yet: what version they leave is not known, what they say is. The screen may
 * have shown the latest of them too late.
 */
export function baseBehind({ name, input }: Pick<OutboxRow, 'name' | 'input'>, row: SeenRow | null, ahead: readonly OutboxRow[]): EditBase {
  const fields = leftByAll(ahead, row && fieldsOf(name, row));
  // a form that was opened before one of them deleted the row says what it does of that
  const isOfGone = row !== null && row.version !== 0 && fields === null && isFormEdit(name);
  if (isOfGone) return { version: null, fields: fieldsOf(name, row) };
  return { version: null, fields: fields && { ...fields, ...seenThrough(row, ahead, rowOfEdit({ name, input })?.id) } };
}

/** Whether an edit takes the row away that it was made on. */
function removesRow(edit: OutboxRow | undefined): boolean {
  const found = edit?.base?.fields;
  return edit !== undefined && found != null && mineOf(edit, found) === null;
}

/**
 * The same for an edit that takes the place of some: what the first of them was made on, as the person saw it. That one may have been
 * brought together with what somebody else changed since, which the person had not seen when they changed the same with the next.
 */
export function baseBeneath(row: SeenRow | null, taken: readonly OutboxRow[]): EditBase | undefined {
  const base = taken[0]?.base;
  // who takes a deletion back saw the row when they deleted it
  const isUndone = row === null && removesRow(taken.at(-1));
  const saw: Fields | null = isUndone ? (taken.at(-1)?.base?.fields ?? null) : row;
  const kept = isUndone ? taken.filter((edit) => !removesRow(edit)) : taken;
  const seen = { ...firstFound(kept), ...seenThrough(saw, kept, kept[0] && rowOfEdit(kept[0])?.id) };
  const isSeen = Object.entries(seen).every(([name, value]) => isSameValue(base?.fields?.[name], value));
  return base && !isSeen ? { ...base, version: null, fields: { ...base.fields, ...seen } } : base;
}

/** An edit's input with the fields it says something about as they were decided. */
export function inputWith(input: unknown, fields: Fields): unknown {
  const said = Object.keys(input as object).filter((name) => name in fields);
  return { ...(input as object), ...Object.fromEntries(said.map((name) => [name, fields[name]])) };
}

/** What becomes of an edit whose row was looked at again. `rebase`: sent on the row as it is now, saying `input`. */
export type Rebase =
  | { kind: 'unchanged' }
  | { kind: 'met' }
  | { kind: 'rebase'; base: EditBase; input: unknown }
  | { kind: 'conflict'; theirs: EditBase; fields: string[] };

/** Fields of theirs that an edit, as it would be sent, changes though its person left them alone: what it says is no field of the row. */
function saidBeyond(edit: OutboxRow, theirs: Fields | null, merge: Merge): string[] {
  if (!theirs || !edit.base?.fields || merge.kind === 'conflict') return [];
  const wanted = merge.kind === 'merged' ? merge.fields : theirs;
  const left = mineOf({ ...edit, input: inputWith(edit.input, wanted) }, theirs);
  return left ? Object.keys(wanted).filter((name) => !isSameValue(left[name], wanted[name])) : [];
}

/** Whether somebody else may have paired a row anew since an edit was made on it: its fields would not say so, only its version. */
export function isPairedAnew(
  { name }: Pick<OutboxRow, 'name'>,
  { fields, version, generation: of }: EditBase,
  current: Pick<ServerRow, 'version'> | null,
  generation: string | null,
): boolean {
  const isPaired = fields !== null && mutationNamed(name).merge.isPaired?.(fields) === true;
  // versions of another database, or where edits of their own lie over it, say nothing
  const isComparable = version !== null && generation !== null && of === generation;
  return isPaired && isComparable && current !== null && current.version !== version;
}

/**
 * Compares the row an edit was made on with the row as it is now.
 * @param current null where there is none.
 * @param generation of which database it is, null where nobody says.
 */
export function rebase(edit: OutboxRow, base: EditBase, current: ServerRow | null, generation: string | null): Rebase {
  // its person knows that it is gone
  if (current === null && base.version === 0 && base.fields !== null) return { kind: 'unchanged' };
  const mutation = mutationNamed(edit.name);
  const theirs = baseOn(edit.name, current && ofDatabase(current, generation));
  const merge = mergeOf(edit, sidesOf(edit, base.fields, theirs.fields));
  if (merge.kind === 'unchanged' && isPairedAnew(edit, base, current, generation))
    return { kind: 'conflict', theirs, fields: [...(mutation.merge.together ?? [])] };
  if (merge.kind === 'unchanged') return merge;
  const beyond = saidBeyond(edit, theirs.fields, merge);
  if (beyond.length > 0) return { kind: 'conflict', theirs, fields: beyond };
  if (merge.kind === 'met') return merge;
  if (current && mutation.isMet?.(edit.input, current)) return { kind: 'met' };
  if (merge.kind === 'conflict') return { kind: 'conflict', theirs, fields: merge.fields };
  return { kind: 'rebase', base: theirs, input: inputWith(edit.input, merge.fields) };
}

/** Whether a row is as an edit leaves it: it may be that the edit arrived. */
export function isAsLeft(edit: OutboxRow, base: EditBase, current: ServerRow | null): boolean {
  return isSameValue(mineOf(edit, base.fields), baseOn(edit.name, current).fields);
}
