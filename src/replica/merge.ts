import type { MergeRule } from '#contract/mutations.ts';

/** The fields of a row that an edit of it is compared by. */
export type Fields = Readonly<Record<string, unknown>>;

/** A row as it was, as our edit leaves it, and as somebody else left it; null is no row. */
export interface Sides {
  base: Fields | null;
  mine: Fields | null;
  theirs: Fields | null;
}

/**
 * What becomes of the two changes of one row. `unchanged`: they changed nothing. `met`: the row says already all that we changed.
 * `merged`: the row as both want it. `conflict`: the fields the person decides, all of them where a side has no row.
 */
export type Merge = { kind: 'unchanged' } | { kind: 'met' } | { kind: 'merged'; fields: Fields } | { kind: 'conflict'; fields: string[] };

/** Whether two values of a field are the same: what JSON says of them. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}

function differing(one: Fields, other: Fields, names: readonly string[]): string[] {
  return names.filter((name) => !isSameValue(one[name], other[name]));
}

/** Brings our change and somebody else's of one row together, field by field. Nothing of either is lost without the person. */
export function mergeRows({ base, mine, theirs }: Sides, { merges, asks }: MergeRule): Merge {
  const names = [...merges, ...asks];
  if (mine === null && theirs === null) return { kind: 'met' };
  if (base === null && theirs === null) return { kind: 'unchanged' };
  const changedByThem = base && theirs ? differing(base, theirs, names) : names;
  if (base && theirs && changedByThem.length === 0) return { kind: 'unchanged' };
  // a row that one side removed, or that both made
  if (mine === null || theirs === null) return { kind: 'conflict', fields: changedByThem };
  const changedByUs = differing(base ?? {}, mine, names);
  const open = differing(mine, theirs, names);
  if (asks.every((name) => !changedByThem.includes(name)) && changedByUs.every((name) => !open.includes(name))) return { kind: 'met' };
  const undecided = names.filter(
    (name) => changedByThem.includes(name) && (asks.includes(name) || (changedByUs.includes(name) && open.includes(name))),
  );
  if (undecided.length > 0) return { kind: 'conflict', fields: undecided };
  const taken = Object.fromEntries(changedByThem.map((name) => [name, theirs[name]]));
  return { kind: 'merged', fields: { ...mine, ...taken } };
}
