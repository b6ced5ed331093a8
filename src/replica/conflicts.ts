import { mutationNamed } from '#contract/mutations.ts';
import { type Fields, isSameValue, mergeRows } from './merge.ts';
import { nextMutationState } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import type { EditBase, OutboxRow, OutboxStore } from './outbox-tables.ts';
import { inputWith, mineOf } from './rebase.ts';
import { holdFollowers, settle } from './settling.ts';

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
  /** Those that are not the same on all sides. */
  fields: ComparedField[];
}

/** What there is to decide about an edit; null where nothing is. */
export function conflictOf(edit: OutboxRow): Conflict | null {
  const { state, base, theirs } = edit;
  if (state !== 'conflict' || !base || !theirs || isOfNewerBuild(edit)) return null;
  const rule = mutationNamed(edit.name).merge;
  const sides = { base: base.fields, mine: mineOf(edit, base.fields), theirs: theirs.fields };
  const merge = mergeRows(sides, rule);
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
function isUndecided(edit: OutboxRow | undefined): edit is OutboxRow & { theirs: EditBase } {
  return edit?.theirs !== undefined && !isOfNewerBuild(edit) && nextMutationState[edit.state].decide === 'queued';
}

/**
 * The person's decision that their edit holds: it is sent on the row as somebody else left it. What only they changed stays, and so
 * do, of the fields in conflict, those chosen to be theirs.
 */
export function keepMine(outbox: OutboxStore, seq: number, theirFields: readonly string[] = []): Promise<void> {
  return outbox.write(['mutations'], async (tx) => {
    const edit = await tx.get('mutations', seq);
    if (!isUndecided(edit)) return;
    const { theirs, failing: _former, ...rest } = edit;
    const taken = (conflictOf(edit)?.fields ?? []).filter(({ name, isOpen, base, mine }) =>
      isOpen ? theirFields.includes(name) : isSameValue(base, mine),
    );
    const input =
      theirs.fields === null ? edit.input : inputWith(edit.input, Object.fromEntries(taken.map((field) => [field.name, field.theirs])));
    // an attempt that may have arrived has had its say: this is another
    const again = edit.may_have_arrived ? (edit.again ?? 0) + 1 : edit.again;
    await tx.put('mutations', {
      ...rest,
      input,
      base: theirs,
      state: 'queued',
      attempts: 0,
      next_attempt_at: 0,
      may_have_arrived: false,
      ...(again === undefined ? {} : { again }),
    });
  });
}

/** The person's decision that somebody else's change holds: the edit is let go of, and the receipt says so. */
export function takeTheirs(outbox: OutboxStore, seq: number, now: number): Promise<void> {
  return outbox.write(['mutations', 'receipts', 'blobs'], async (tx) => {
    const edit = await tx.get('mutations', seq);
    if (!isUndecided(edit)) return;
    await settle(tx, edit, 'theirs', now);
    await holdFollowers(tx, [edit]);
  });
}
