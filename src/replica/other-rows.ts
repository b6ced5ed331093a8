import type { GuardedRow } from '#contract/endpoint.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { mineOf, picked, rowOfEdit } from './edited-fields.ts';
import { type Fields, isSameValue } from './merge.ts';
import { isShown } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

// Edits that decide about two rows at once: of one row they are in its lane, and the other they rest on.

/** What an edit leaves in both of its rows. */
export function leftTogether(edit: OutboxRow, base: EditBase): Fields {
  const left = mineOf(edit, base.fields) ?? {};
  return picked(left, mutationNamed(edit.name).merge.together ?? []);
}

/** The rows of an edit that are of the same noun as the one it is about. */
export function rowsOf(edit: Pick<OutboxRow, 'name' | 'input'>, noun: GuardedRow['noun']): readonly string[] {
  const parts = mutationNamed(edit.name).touches(edit.input);
  return parts.flatMap((part) => (part.noun === noun ? part.ids : []));
}

/** Those of some edits that the screen lays over a row, whichever lane they are in. */
export function editsOver(edits: readonly OutboxRow[], { noun, id }: GuardedRow): OutboxRow[] {
  return edits.filter((edit) => !isOfNewerBuild(edit) && isShown(edit.state) && rowsOf(edit, noun).includes(id));
}

/** Edits of other lanes, by id, that the screen lays over a row of a new edit: it was decided on top of them, and goes after them. */
export function editsBeneath({ name, input, lane }: Pick<OutboxRow, 'name' | 'input' | 'lane'>, edits: readonly OutboxRow[]): string[] {
  const about = rowOfEdit({ name, input });
  if (!about || !mutationNamed(name).merge.together) return [];
  const over = rowsOf({ name, input }, about.noun).flatMap((id) => editsOver(edits, { noun: about.noun, id }));
  return over.flatMap((edit) => (edit.lane === lane ? [] : edit.id));
}

function isAbout(edit: OutboxRow, id: string): boolean {
  return rowOfEdit(edit)?.id === id;
}

/** What an edit found of one of its rows. */
export function partOf(edit: OutboxRow, id: string): EditBase | undefined {
  if (isAbout(edit, id)) return edit.base;
  return edit.rests_on?.id === id ? edit.rests_on : undefined;
}

/** An edit that found one of its rows otherwise. */
export function withPart(edit: OutboxRow, id: string, part: Partial<EditBase>): OutboxRow {
  const { base, rests_on: other } = edit;
  if (isAbout(edit, id)) return base ? { ...edit, base: { ...base, ...part } } : edit;
  return other?.id === id ? { ...edit, rests_on: { ...other, ...part } } : edit;
}

/** One of an edit's rows as its person found it; null where that is not known. */
export function foundIn(edit: OutboxRow, id: string): Fields | null {
  return partOf(edit, id)?.fields ?? null;
}

/** The same as its person saw it themselves, be it that they were told of it since: who decided after it was not. */
export function sawIn(edit: OutboxRow, id: string): Fields | null {
  return (edit.rests_on?.id === id && !isAbout(edit, id) ? edit.rests_on.saw : undefined) ?? foundIn(edit, id);
}

/** Whether what an edit found in one of its rows is what the ones before it were to leave there. */
export function isCovered(edit: OutboxRow, id: string): boolean {
  return partOf(edit, id)?.version === null;
}

/** What the next edit of a row found there, once what lay over it is another: nothing, or what its person had not seen before. */
export function retold(next: OutboxRow, id: string, was: Fields, is: Fields): OutboxRow | null {
  const found = foundIn(next, id);
  const names = Object.keys(was).filter((name) => found && name in found && isSameValue(found[name], was[name]));
  const told = Object.fromEntries(names.map((name) => [name, is[name]]));
  return names.length > 0 ? withPart(next, id, { version: null, fields: { ...found, ...told } }) : null;
}

/** An edit that found one of its rows as it was in a version: where it did, that one is known again. */
export function inVersionOf(edit: OutboxRow, id: string, known: EditBase | undefined): OutboxRow {
  if (!known?.fields || known.version === null || !isSameValue(foundIn(edit, id), known.fields)) return edit;
  const { version, generation } = known;
  return withPart(edit, id, { version, ...(generation === undefined ? {} : { generation }) });
}

/**
 * An edit as it would have found its rows without those before it that are out of sight by now: who decided after it has not seen what
 * these were to leave.
 */
export async function onWhatIsSeen(tx: StoreReading<OutboxTables>, edit: OutboxRow): Promise<OutboxRow> {
  const about = rowOfEdit(edit);
  if (!about || !mutationNamed(edit.name).merge.together) return edit;
  const before = (await tx.list('mutations')).filter((each) => each.seq < edit.seq && !isOfNewerBuild(each)).toReversed();
  let seen = edit;
  for (const id of rowsOf(edit, about.noun)) {
    const over = before.filter((each) => rowsOf(each, about.noun).includes(id));
    // what one that is in sight leaves was seen, whatever is beneath
    const at = over.findIndex(({ state }) => isShown(state));
    for (const hidden of at < 0 ? over : over.slice(0, at)) {
      const { base } = hidden;
      const found = sawIn(hidden, id);
      if (base && found && isCovered(seen, id)) seen = retold(seen, id, leftTogether(hidden, base), found) ?? seen;
    }
  }
  return seen;
}

/**
 * An edit that decides about two rows is let go of, or goes on after it was out of sight: who decided next about one of them, from whichever
 * row, has that one as it was without it, or with it, and follows it then. In its own lane that is handed on by the lane.
 * @param instead its own row as somebody else left it, where that holds.
 */
export async function tellOtherRows(
  tx: StoreWriting<OutboxTables>,
  edit: OutboxRow,
  { isGone, instead = null }: { isGone: boolean; instead?: EditBase | null },
): Promise<void> {
  const about = rowOfEdit(edit);
  const { together } = mutationNamed(edit.name).merge;
  if (!about || !together || !edit.base) return;
  const left = leftTogether(edit, edit.base);
  const later = (await tx.list('mutations')).filter((each) => each.seq > edit.seq && !isOfNewerBuild(each));
  for (const id of rowsOf(edit, about.noun)) {
    const theirs = id === about.id ? instead : null;
    const saw = theirs ? theirs.fields : sawIn(edit, id);
    const at = later.findIndex((each) => rowsOf(each, about.noun).includes(id));
    const next = later[at];
    if (!saw || !next || (id === about.id && next.lane === edit.lane)) continue;
    const hand = (was: Fields, is: Fields): OutboxRow | null => retold(next, id, picked(was, together), is);
    // who decided next saw it as this one's person did, or as they were told of it
    const again = isGone && isCovered(next, id) ? hand(left, saw) : null;
    const told = isGone
      ? again && inVersionOf(again, id, theirs ?? partOf(edit, id))
      : (hand(saw, left) ?? hand(foundIn(edit, id) ?? saw, left));
    if (!told) continue;
    // who decided next may have decided about both
    later[at] = isGone || told.lane === edit.lane ? told : { ...told, deps: [...new Set([...(told.deps ?? []), edit.id])] };
    await tx.put('mutations', later[at]);
  }
}

/**
 * Whether one of another lane decided about the row of an edit right after it: what comes next in its own lane was made on what that one left.
 */
export async function isDecidedBetween(tx: StoreReading<OutboxTables>, edit: OutboxRow): Promise<boolean> {
  if (isOfNewerBuild(edit) || !mutationNamed(edit.name).merge.together) return false;
  const about = rowOfEdit(edit);
  const next = about && editsOver(await tx.list('mutations'), about).find(({ seq }) => seq > edit.seq);
  return next != null && next.lane !== edit.lane;
}
