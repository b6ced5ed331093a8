import type { Account } from '#contract/accounts.ts';
import { placeEntries, type PlaceRows } from './place-entries.ts';
import { type Entry, type EntryIndex, indexOf } from './search.ts';

/** What the copy on this device has to go to. */
export interface KnownRows extends PlaceRows {
  accounts: readonly Account[];
}

export interface Entries {
  index: EntryIndex;
  /** Screens and actions, in the order of the menu. */
  commands: readonly Entry[];
  account: (id: string) => Account | undefined;
  /** Whether the copy on this device was read. */
  isRead: boolean;
}

export interface Indexer {
  /** The rows that were read last. */
  rows: () => KnownRows | undefined;
  entriesOf: (rows: KnownRows | undefined, commands: readonly Entry[]) => Entries;
}

function areSame(one: readonly Entry[], other: readonly Entry[]): boolean {
  return (
    one.length === other.length &&
    one.every((entry, at) => {
      const same = other[at];
      return same?.key === entry.key && same.name === entry.name && same.place === entry.place && same.isInactive === entry.isInactive;
    })
  );
}

/** Keeps the index from one search to the next, and makes it anew only where something changed that one can find. */
export function createIndexer(): Indexer {
  let read: KnownRows | undefined;
  let indexed: readonly Entry[] = [];
  let index = indexOf(indexed);
  let last: Entries | undefined;
  return {
    rows: () => read,
    entriesOf: (rows, commands) => {
      if (last && rows === read && last.commands === commands) return last;
      read = rows;
      const entries = [...commands, ...(rows ? placeEntries(rows) : [])];
      if (!areSame(entries, indexed)) {
        indexed = entries;
        index = indexOf(entries);
      }
      last = { index, commands, account: (id) => rows?.accounts.find((account) => account.id === id), isRead: rows !== undefined };
      return last;
    },
  };
}
