import type { GuardedRow } from '#contract/endpoint.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { rowOfEdit } from './edited-fields.ts';
import { isSameValue } from './merge.ts';
import { hasPerhapsArrived } from './mutation-states.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { foundIn, isCovered, leftTogether, retold, rowsOf, sawIn } from './other-rows.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { OwnChange } from './own-changes.ts';
import type { StoreWriting } from './store.ts';

// What an accepted decision about two rows left there is handed to the next one that waits: until then what it is made on has no version.

/** The next edit of a row behind one, where it waits and nothing of it was sent: what it is made on can still be said. */
function nextUnsent(edits: readonly OutboxRow[], { seq }: OutboxRow, { noun, id }: GuardedRow): OutboxRow | null {
  const next = edits.find((each) => each.seq > seq && !isOfNewerBuild(each) && rowsOf(each, noun).includes(id));
  return next && next.state === 'queued' && !hasPerhapsArrived(next) ? next : null;
}

/** Whether an edit found a row as the one before it says it leaves that, or as it did: of all else both know the same. */
function isFoundBehind(part: EditBase, edit: OutboxRow, { id, fields: left }: OwnChange): boolean {
  const found = foundIn(edit, id);
  const { together = [] } = mutationNamed(edit.name).merge;
  if (part.version !== null || !part.fields || !found || !edit.base) return false;
  const said = leftTogether(edit, edit.base);
  return Object.entries(part.fields).every(([name, value]) =>
    together.includes(name) ? isSameValue(value, said[name]) || isSameValue(value, left[name]) : isSameValue(value, found[name]),
  );
}

/** An edit that is made on a row as the one before it left that; null where it is not, or somebody else's hand may be between. */
function onChange(next: OutboxRow, edit: OutboxRow, change: OwnChange): OutboxRow | null {
  const { noun, id, from, version, generation, fields } = change;
  const isOwn = rowOfEdit(next)?.id === id;
  const part = isOwn ? next.base : next.rests_on;
  if (!part) return null;
  // a row that neither of both is about lost what it had by this change, and by no other
  const isFreed = !rowsOf(edit, noun).includes(id) && part.version === from && part.generation === generation;
  if (!isFreed && !isFoundBehind(part, edit, change)) return null;
  const known = { version, generation, fields: { ...part.fields, ...fields } };
  if (isOwn) return { ...next, base: { ...part, ...known } };
  return next.rests_on ? { ...next, rests_on: { ...next.rests_on, ...known } } : null;
}

/**
 * An edit that decides about two rows was accepted, and the server told how it left its rows: who decided next about one of them, and waits,
 * decided on that, in a version that is known by now.
 */
export async function handChangesOn(tx: StoreWriting<OutboxTables>, edit: OutboxRow, changes: readonly OwnChange[]): Promise<void> {
  if (!mutationNamed(edit.name).merge.together) return;
  for (const change of changes) {
    const next = nextUnsent(await tx.list('mutations'), edit, change);
    const told = next && onChange(next, edit, change);
    if (told) await tx.put('mutations', told);
  }
}

/**
 * An edit that decides about two rows was met: its own row was so by another hand, and nothing was sent. The other row is as its person found
 * it, and so found it who decided next about that, and waits.
 */
export async function handOtherBack(tx: StoreWriting<OutboxTables>, edit: OutboxRow): Promise<void> {
  const about = rowOfEdit(edit);
  const { rests_on: other, base } = edit;
  if (!about || !other || !base || !mutationNamed(edit.name).merge.together) return;
  const next = nextUnsent(await tx.list('mutations'), edit, { noun: about.noun, id: other.id });
  const saw = sawIn(edit, other.id);
  const told = next && saw && isCovered(next, other.id) ? retold(next, other.id, leftTogether(edit, base), saw) : null;
  if (told) await tx.put('mutations', told);
}
