import { keptKeys, type LocalStorage } from '#app/kept-keys.ts';
import { readField } from './field-text.ts';
import { fieldOf } from './filter-fields.ts';
import type { TransactionSearch } from './transaction-search.ts';

const { key } = keptKeys.assetFilter;
/** Places whose asset filter is remembered; older ones make room. */
const mostPlaces = 50;

function readAll(local: LocalStorage): [string, string][] {
  try {
    const kept: unknown = JSON.parse(local.getItem(key) ?? '[]');
    return Array.isArray(kept)
      ? kept.filter((entry): entry is [string, string] => Array.isArray(entry) && entry.every((part) => typeof part === 'string'))
      : [];
  } catch {
    return [];
  }
}

/** The security filter last used in a place, as an address holds it; nothing where there is none, or it means nothing any more. */
export function rememberedAssets(local: LocalStorage, place: string): string | undefined {
  const text = readAll(local).find(([name]) => name === place)?.[1];
  return text !== undefined && readField(fieldOf('security'), text).isWhole ? text : undefined;
}

/** Remembers a place's security filter; an undefined one is forgotten. */
export function rememberAssets(local: LocalStorage, place: string, text: string | undefined): void {
  const others = readAll(local).filter(([name]) => name !== place);
  const next = text === undefined ? others : [...others, [place, text]];
  local.setItem(key, JSON.stringify(next.slice(-mostPlaces)));
}

/** Whether an address names a place and asks nothing else of it. */
export function asksNothing({ entity: _entity, client: _client, sort: _sort, ...rest }: TransactionSearch): boolean {
  return Object.values(rest).every((value) => value === undefined);
}
