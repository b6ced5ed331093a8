import { type MutationName, mutationNamed } from '#contract/mutations.ts';
import { type Fields, isSameValue } from './merge.ts';
import { nextMutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import { isChangeAlone, mergeOf, mineOf, picked, sidesOf } from './edited-fields.ts';
import { inputWith } from './rebase.ts';
import { holdFollowers, settle } from './settling.ts';
import type { StoreReading } from './store.ts';

/** A field of a row on which our edit and somebody else's change are compared. */
export interface ComparedField {
  name: string;
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Both cannot be had, or it is no matter for a machine: the person decides. */
  isOpen: boolean;
}

/** An edit and what somebody else made of its row; a side that is null has no row. */
export interface Conflict {
  base: Fields | null;
  mine: Fields | null;
  theirs: Fields | null;
  /** Where there is no row the edit makes none. */
  isChangeAlone: boolean;
  /** Those that are not the same on all sides. */
  fields: ComparedField[];
}

/** What there is to decide about an edit; null where nothing is. */
export function conflictOf(edit: OutboxRow): Conflict | null {
  const { state, base, theirs } = edit;
  if (state !== 'conflict' || !base || !theirs || isOfNewerBuild(edit)) return null;
  const { merge: rule, saysChanges } = mutationNamed(edit.name);
  const compared = sidesOf(edit, base.fields, theirs.fields);
  const merge = mergeOf(edit, compared);
  // as it is where the edit is kept
  const mine = saysChanges && theirs.fields ? mineOf(edit, theirs.fields) : compared.mine;
  const sides = { ...compared, mine, isChangeAlone: isChangeAlone(edit) };
  const open = merge.kind === 'conflict' ? merge.fields : [];
  const fields = [...rule.merges, ...rule.asks].map((name) => ({
    name,
    base: sides.base?.[name] ?? null,
    mine: sides.mine?.[name] ?? null,
    theirs: sides.theirs?.[name] ?? null,
    isOpen: open.includes(name),
  }));
  if (sides.mine === null) return { ...sides, fields: fields.filter(({ isOpen }) => isOpen) };
  // of a row that is gone, what we changed says which it was
  const told = sides.theirs === null ? fields.filter(({ base: was, mine }) => !isSameValue(was, mine)) : fields.filter(isChanged);
  return { ...sides, fields: told.length > 0 ? told : fields };
}

function isChanged({ base, mine, theirs }: ComparedField): boolean {
  return !isSameValue(mine, base) || !isSameValue(theirs, base);
}

/** Fields for which the person may choose a side: those their edit says something about. */
export function choosableFields(edit: OutboxRow): ComparedField[] {
  const conflict = conflictOf(edit);
  if (!conflict || conflict.mine === null || conflict.theirs === null) return [];
  return conflict.fields.filter(({ name, isOpen }) => isOpen && name in (edit.input as object));
}

/** Whether it is still to be decided: another tab may have done so. */
export function isUndecided(edit: OutboxRow | undefined): edit is OutboxRow & { theirs: EditBase } {
  return edit?.theirs !== undefined && !isOfNewerBuild(edit) && nextMutationState[edit.state].decide === 'queued';
}

/** The edits that make a row, each with the one that changes it: what is there is not made once more. */
const changing: Partial<Record<MutationName, MutationName>> = {
  createOrganization: 'updateOrganization',
  createClient: 'updateClient',
  createEntity: 'updateEntity',
};

/** Whether an edit of a name makes a row, as another one changes it. */
export function isMaking(name: MutationName): boolean {
  return name in changing;
}

/** Whether an edit can say of a row that is there what one of this name says. */
export function isSayable(name: MutationName): boolean {
  const { answers, removes } = mutationNamed(name);
  return isMaking(name) || (answers !== null && removes === undefined);
}

/** What an edit says, of a row that is there: in what place it lies is not changed any more. */
export function asChange(name: MutationName, input: unknown): Pick<OutboxRow, 'name' | 'input'> {
  const change = changing[name];
  if (!change) return { name, input };
  const { merges } = mutationNamed(change).merge;
  const said = Object.entries(input as Fields).filter(([field]) => field === 'id' || merges.includes(field));
  return { name: change, input: Object.fromEntries(said) };
}

/**
 * What an edit says; of one in conflict what it says where it is kept: what only they changed stays, and so do, of the fields in conflict,
 * those chosen to be theirs.
 */
export function keptInput(edit: OutboxRow, theirFields: readonly string[] = []): unknown {
  const conflict = conflictOf(edit);
  if (!conflict || conflict.theirs === null) return edit.input;
  const taken = conflict.fields.filter(({ name, isOpen, base, mine }) => (isOpen ? theirFields.includes(name) : isSameValue(base, mine)));
  return inputWith(edit.input, Object.fromEntries(taken.map((field) => [field.name, field.theirs])));
}

/** An edit to be sent by the person's decision, whatever was said to it. */
export function sentAnew({ error: _former, failing: _failing, resent: _resent, ...edit }: OutboxRow): OutboxRow {
  // an attempt that may have arrived has had its say: this is another
  const again = edit.may_have_arrived ? (edit.again ?? 0) + 1 : edit.again;
  return {
    ...edit,
    state: 'queued',
    attempts: 0,
    next_attempt_at: 0,
    may_have_arrived: false,
    ...(again === undefined ? {} : { again }),
  };
}

/**
 * Another row an edit rests on, as it is where somebody decided about both: what changes together in both the person was told with their
 * conflict about its own row. Of a row that is paired by now that says nothing: it may be with a third one.
 */
function otherAsTold({ name, base, rests_on: other }: OutboxRow, theirs: EditBase): OutboxRow['rests_on'] {
  const { together = [], isPaired } = mutationNamed(name).merge;
  if (!other?.fields || !theirs.fields || isPaired?.(theirs.fields)) return other;
  const told = together.filter((field) => !isSameValue(base?.fields?.[field], theirs.fields?.[field]));
  return told.length === 0
    ? other
    : { ...other, fields: { ...other.fields, ...picked(theirs.fields, told) }, saw: other.saw ?? other.fields };
}

/** The same of one that was in conflict: on the row as somebody else left it. */
export function sentOnTheirs({ theirs, says: _decided, ...edit }: OutboxRow & { theirs: EditBase }, input: unknown): OutboxRow {
  const rests_on = otherAsTold(edit, theirs);
  // a row that is gone may come back: then it matters what of it was changed
  const found = theirs.fields === null && isChangeAlone(edit) ? (edit.base?.fields ?? null) : theirs.fields;
  return {
    ...sentAnew(edit),
    ...(rests_on ? { rests_on } : {}),
    ...(theirs.fields === null ? { input } : asChange(edit.name, input)),
    base: { ...theirs, fields: found },
  };
}

/** An edit as it is by now, if it is still in the conflict that the person was shown: what came since is not decided about unseen. */
async function stillShown(tx: StoreReading<OutboxTables>, shown: OutboxRow): Promise<(OutboxRow & { theirs: EditBase }) | null> {
  const edit = await tx.get('mutations', shown.seq);
  return isUndecided(edit) && isSameValue(edit.theirs, shown.theirs) ? edit : null;
}

/**
 * The person's decision that their edit holds.
 * @param shown the edit with the conflict they saw.
 * @param theirFields those of which theirs is taken.
 * @returns false where the edit is in that conflict no more.
 */
export function keepMine(outbox: OutboxStore, shown: OutboxRow, theirFields: readonly string[] = []): Promise<boolean> {
  return outbox.write(['mutations'], async (tx) => {
    const edit = await stillShown(tx, shown);
    if (edit) await tx.put('mutations', sentOnTheirs(edit, keptInput(edit, theirFields)));
    return edit !== null;
  });
}

/** The person's decision that somebody else's change holds: the edit is let go of, and the receipt says so. Else as {@link keepMine}. */
export function takeTheirs(outbox: OutboxStore, shown: OutboxRow, now: number): Promise<boolean> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const edit = await stillShown(tx, shown);
    if (!edit) return false;
    await settle(tx, edit, 'theirs', now);
    await holdFollowers(tx, [edit]);
    return true;
  });
}
