import { type Entry, type EntryKind, search, type Section } from './search.ts';
import type { Entries } from './indexer.ts';

/** A part of the list with its heading. */
export interface Finds {
  title: string;
  entries: readonly Entry[];
  more: number;
}

const titles: Readonly<Record<EntryKind, string>> = {
  screen: 'Go to',
  action: 'Do',
  client: 'Clients',
  entity: 'Entities',
  account: 'Accounts',
};

function titled({ kind, entries, more }: Section): Finds {
  return { title: titles[kind], entries, more };
}

/** What a text finds; where nothing is typed, what one went to last and all screens and actions. */
export function findsOf({ index, commands }: Entries, text: string, recents: readonly string[]): Finds[] {
  if (text.trim() !== '') return search(index, text).map(titled);
  const recent = recents.flatMap((key) => index.byKey.get(key) ?? []);
  const others = commands.filter(({ key }) => !recents.includes(key));
  const ofKind = (kind: EntryKind): Finds => ({ title: titles[kind], entries: others.filter((entry) => entry.kind === kind), more: 0 });
  return [{ title: 'Recent', entries: recent, more: 0 }, ofKind('screen'), ofKind('action')].filter(({ entries }) => entries.length > 0);
}

/** The accounts a text finds, all of them where nothing is typed. */
export function accountFindsOf({ index }: Entries, text: string): Finds[] {
  return search(index, text, ['account']).map(titled);
}
