import type { GuardedRow } from '#contract/endpoint.ts';
import { type MutationName, mutationNamed } from '#contract/mutations.ts';
import { type Fields, isSameValue, type Merge, mergeRows, type Sides } from './merge.ts';
import type { OutboxRow } from './outbox-tables.ts';
import { isMadeNoun, type NounRow, reduceRow } from './reducers.ts';

/** The row an edit is about, by noun and id; null for one whose call compares no versions. */
export function rowOfEdit({ name, input }: Pick<OutboxRow, 'name' | 'input'>): GuardedRow | null {
  const { about } = mutationNamed(name);
  return about && { noun: about.noun, id: String((input as Fields)[about.id]) };
}

/** Those fields of a row that an edit of a name is compared by. */
export function fieldsOf(name: MutationName, row: Fields): Fields {
  const { merges, asks } = mutationNamed(name).merge;
  return Object.fromEntries([...merges, ...asks].map((field) => [field, row[field] ?? null]));
}

/** Some of a row's fields, by name. */
export function picked(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.map((name) => [name, fields[name]]));
}

/** A row with one edit laid over it; of nouns of which edits make no rows there is none where there was none. */
function leftOf(noun: GuardedRow['noun'], row: object | undefined, edit: OutboxRow): object | undefined {
  if (isMadeNoun(noun)) return reduceRow(noun, row as NounRow[typeof noun] | undefined, edit);
  if (noun !== 'transactions') throw new Error(`No edit is about ${noun}`);
  return row && reduceRow(noun, row as NounRow['transactions'], edit);
}

/** The row as an edit leaves it, given the one it was made on; null is no row. */
export function mineOf(edit: OutboxRow, base: Fields | null): Fields | null {
  const about = rowOfEdit(edit);
  if (!about) return base;
  const left = leftOf(about.noun, base ? { ...base, id: about.id } : undefined, edit);
  return left ? fieldsOf(edit.name, left as Fields) : null;
}

/** Whether an edit changes what is there, and neither makes a row where there is none nor takes one away. */
export function isChangeAlone(edit: OutboxRow): boolean {
  return mutationNamed(edit.name).removes === undefined && mineOf(edit, null) === null;
}

/**
 * An edit of a row, and what somebody else made of that: as it was, as we leave it, and as they left it. Of what changes a row where there was
 * none, as earlier builds kept it, it is not known what it found: it leaves theirs as it says.
 */
export function sidesOf(edit: OutboxRow, base: Fields | null, theirs: Fields | null): Sides {
  const isLost = base === null && isChangeAlone(edit);
  const mine = isLost ? (mineOf(edit, theirs) ?? fieldsOf(edit.name, edit.input as Fields)) : mineOf(edit, base);
  return { base, mine, theirs };
}

/** How an edit and somebody else's change of its row come together. What its person said though one before it said so, too, is theirs to decide. */
export function mergeOf({ name, says = [] }: Pick<OutboxRow, 'name' | 'says'>, sides: Sides): Merge {
  const merge = mergeRows(sides, mutationNamed(name).merge);
  const { base, mine, theirs } = sides;
  const isOpen = (field: string): boolean => isSameValue(base?.[field], mine?.[field]) && !isSameValue(mine?.[field], theirs?.[field]);
  const open = base && mine && theirs ? says.filter(isOpen) : [];
  if (open.length === 0) return merge;
  return { kind: 'conflict', fields: [...new Set([...(merge.kind === 'conflict' ? merge.fields : []), ...open])] };
}

/** Those of some fields that an edit leaves as it found them: its form says them again, its person does not. */
export function leftAsFound(edit: OutboxRow, names: readonly string[]): string[] {
  const found = edit.base?.fields;
  const mine = found && names.length > 0 ? mineOf(edit, found) : null;
  return found && mine ? names.filter((name) => isSameValue(found[name], mine[name]) && !edit.says?.includes(name)) : [];
}

/** The same of all that can be brought together. What others make of them, before it or behind it, is not its to change. */
export function leftAlone(edit: OutboxRow): string[] {
  return leftAsFound(edit, mutationNamed(edit.name).merge.merges);
}

/** The fields that an edit says something else of than it found. */
export function fieldsChangedBy(edit: OutboxRow): string[] {
  const alone = leftAlone(edit);
  return mutationNamed(edit.name).merge.merges.filter((name) => !alone.includes(name));
}

/** An edit of which the person said some fields: it says them, be it that edits before it are to leave them so. */
export function saying<Edit extends Omit<OutboxRow, 'seq'>>(edit: Edit, fields: readonly string[]): Edit {
  const { base } = edit;
  // what is so at the server needs no saying
  if (!base?.fields || base.version !== null) return edit;
  const [found, mine] = [base.fields, mineOf({ ...edit, seq: 0 }, base.fields)];
  const { merges } = mutationNamed(edit.name).merge;
  const met = merges.filter((name) => fields.includes(name) && mine && isSameValue(found[name], mine[name]));
  return met.length === 0 ? edit : { ...edit, says: [...new Set([...(edit.says ?? []), ...met])] };
}

/** What the first of some edits to change a field found there, one after the other as they are; nothing of what they are to make. */
export function firstFound(edits: readonly OutboxRow[]): Fields {
  if (!edits[0]?.base?.fields) return {};
  const found = edits.flatMap((edit) => fieldsChangedBy(edit).map((name) => [name, edit.base?.fields?.[name] ?? null] as const));
  return Object.fromEntries(found.toReversed());
}

/** The row as an edit leaves it, given one that others may have changed since it was made; null is no row. */
function leftBy(edit: OutboxRow, row: Fields | null): Fields | null {
  const left = mineOf(edit, row);
  return left && row ? { ...left, ...picked(row, leftAlone(edit)) } : left;
}

/** The same of edits that are laid over it one after the other. */
export function leftByAll(edits: readonly OutboxRow[], row: Fields | null): Fields | null {
  return edits.reduce((left, edit) => leftBy(edit, left), row);
}
