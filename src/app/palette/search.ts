import { searchKey } from '#domain/name-key.ts';

/** What one can go to or do. In the order in which equally good finds are listed. */
export const entryKinds = ['screen', 'action', 'client', 'entity', 'account'] as const;
export type EntryKind = (typeof entryKinds)[number];

export interface Entry {
  /** Its kind and id: the same whatever it is called. */
  key: string;
  kind: EntryKind;
  id: string;
  name: string;
  /** Where it is: organization / client / entity. */
  place: string;
  /** Other words it is found by. */
  also?: string;
  isInactive?: boolean;
  /** Of an account. */
  entityId?: string;
  /** The keys that do the same. */
  keys?: readonly string[];
}

/** Entries with what is looked at to find one, worked out once. Words stand between blanks. */
export interface EntryIndex {
  entries: readonly Entry[];
  byKey: ReadonlyMap<string, Entry>;
  names: readonly string[];
  wholes: readonly string[];
}

export function indexOf(unordered: readonly Entry[]): EntryIndex {
  // thousands of accounts lie in a few places
  const places = new Map<string, string>();
  const placeOf = (place: string): string => {
    const known = places.get(place) ?? searchKey(place);
    places.set(place, known);
    return known;
  };
  const keyed = unordered.map((entry) => ({ entry, name: searchKey(entry.name) }));
  keyed.sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
  return {
    entries: keyed.map(({ entry }) => entry),
    byKey: new Map(keyed.map(({ entry }) => [entry.key, entry])),
    names: keyed.map(({ name }) => ` ${name}`),
    wholes: keyed.map(({ entry, name }) => ` ${name} ${searchKey(entry.also ?? '')} ${placeOf(entry.place)}`),
  };
}

/** Entries of a kind, the best first. */
export interface Section {
  kind: EntryKind;
  entries: Entry[];
  /** How many more there are than are listed. */
  more: number;
}

/** Most that are listed of a kind; typing narrows to the others. */
export const listedAtMost: Readonly<Record<EntryKind, number>> = { screen: 6, action: 6, client: 8, entity: 10, account: 20 };

/** How many ways there are to be found, the best one first. */
const ranks = 6;

/** What is looked for: all of it, its words, and its words as they begin one. */
interface Wanted {
  start: string;
  words: readonly string[];
  starts: readonly string[];
}

function hasAll(text: string, parts: readonly string[]): boolean {
  for (const part of parts) if (!text.includes(part)) return false;
  return true;
}

/** How well an entry is what one looks for: 0 is best; undefined where it is not. */
function rankOf(name: string, whole: string, { start, words, starts }: Wanted): number | undefined {
  if (!hasAll(whole, words)) return undefined;
  if (name.startsWith(start)) return name.length === start.length ? 0 : 1;
  if (hasAll(name, starts)) return 2;
  if (hasAll(name, words)) return 3;
  return hasAll(whole, starts) ? 4 : 5;
}

interface Finds {
  count: number;
  byRank: number[][];
}

/**
 * What a text finds: the name itself, names that begin so, with words that begin so, with it anywhere, then by the place. The kind with
 * the best find comes first.
 * @param kinds those that are looked for.
 */
export function search({ entries, names, wholes }: EntryIndex, text: string, kinds: readonly EntryKind[] = entryKinds): Section[] {
  const key = searchKey(text);
  const words = key.split(' ');
  const wanted: Wanted = { start: ` ${key}`, words, starts: words.map((word) => ` ${word}`) };
  const finds = new Map<EntryKind, Finds>(
    kinds.map((kind) => [kind, { count: 0, byRank: Array.from({ length: ranks }, (): number[] => []) }]),
  );
  for (let at = 0; at < entries.length; at += 1) {
    const rank = rankOf(names[at] ?? '', wholes[at] ?? '', wanted);
    const entry = entries[at];
    const found = rank === undefined || !entry ? undefined : finds.get(entry.kind);
    if (!found || !entry || rank === undefined) continue;
    found.count += 1;
    const same = found.byRank[rank];
    if (same && same.length < listedAtMost[entry.kind]) same.push(at);
  }
  const best = ({ byRank }: Finds): number => byRank.findIndex((same) => same.length > 0);
  return [...finds]
    .filter(([, { count }]) => count > 0)
    .sort(([, a], [, b]) => best(a) - best(b))
    .map(([kind, { count, byRank }]) => {
      const listed = byRank.flat().slice(0, listedAtMost[kind]);
      return { kind, entries: listed.flatMap((at) => entries[at] ?? []), more: count - listed.length };
    });
}
