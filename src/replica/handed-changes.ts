import type { GuardedRow } from '#contract/endpoint.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { isUnsent } from './coalescing.ts';
import { rowOfEdit } from './edited-fields.ts';
import { isSameValue } from './merge.ts';
import { isOfNewerBuild } from './newer-builds.ts';
import { foundIn, inVersionOf, isCovered, leftTogether, partOf, retold, rowsOf, sawIn, withPart } from './other-rows.ts';
import type { EditBase, OutboxRow, OutboxTables } from './outbox-tables.ts';
import type { OwnChange } from './own-changes.ts';
import type { StoreWriting } from './store.ts';

// What an accepted decision about two rows left there is handed to the next one that waits: until then what it is made on has no version.

/** Whether nothing of an edit was sent, and its person was told nothing of its rows: what it is made on can still be said. */
function isToldOf(edit: OutboxRow): boolean {
  return isUnsent(edit) && edit.state !== 'conflict';
}

/** The next edit of a row behind one, where that can still be said. */
function nextUnsent(edits: readonly OutboxRow[], { seq }: OutboxRow, { noun, id }: GuardedRow): OutboxRow | null {
  const next = edits.find((each) => each.seq > seq && !isOfNewerBuild(each) && rowsOf(each, noun).includes(id));
  return next && isToldOf(next) ? next : null;
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

/** An edit that is made on a row as it was left. */
function onChange(edit: OutboxRow, { id, version, generation, fields }: OwnChange): OutboxRow {
  return withPart(edit, id, { version, generation, fields: { ...foundIn(edit, id), ...fields } });
}

/** Those of some edits that a change of a row is no news to: the next one behind it, or who decided about a row that lost its pair by it. */
function whoKnows(edits: readonly OutboxRow[], edit: OutboxRow, change: OwnChange): OutboxRow[] {
  const { noun, id, from, generation } = change;
  if (rowsOf(edit, noun).includes(id)) {
    const next = nextUnsent(edits, edit, change);
    const part = next && partOf(next, id);
    return next && part && isFoundBehind(part, edit, change) ? [next] : [];
  }
  return edits.filter((each) => {
    if (each.seq === edit.seq || !isToldOf(each) || !rowsOf(each, noun).includes(id)) return false;
    const part = partOf(each, id);
    return part?.version === from && part.generation === generation;
  });
}

/**
 * An edit that decides about two rows was accepted, and the server told how it left these, and others: who decided about one of them, and
 * waits, did so on that, in a version that is known by now. Where somebody else's hand may be between it is not told.
 */
export async function handChangesOn(tx: StoreWriting<OutboxTables>, edit: OutboxRow, changes: readonly OwnChange[]): Promise<void> {
  if (!mutationNamed(edit.name).merge.together) return;
  const edits = new Map((await tx.list('mutations')).map((each) => [each.seq, each]));
  const told = new Set<number>();
  for (const change of changes) {
    for (const each of whoKnows([...edits.values()], edit, change)) {
      edits.set(each.seq, onChange(each, change));
      told.add(each.seq);
    }
  }
  await tx.putMany(
    'mutations',
    [...edits.values()].filter(({ seq }) => told.has(seq)),
  );
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
  if (told) await tx.put('mutations', inVersionOf(told, other.id, other));
}
