import { isTimeZone, type TimeZone } from '#domain/dates.ts';
import { type NumberStyle, numberChoices, usualNumbers } from '#domain/number-style.ts';
import { defaultPriceSource, type PriceSource } from '#domain/price-sources.ts';
import { keptKeys, type LocalKey, type LocalStorage, rowOfKey } from './kept-keys.ts';
import { createListeners } from './listeners.ts';

export type Theme = 'light' | 'dark';
export type Density = 'compact' | 'comfortable';

/** Of a list's rows, in pixels. */
export const rowHeights: Readonly<Record<Density, number>> = { compact: 32, comfortable: 40 };

/** What a person set for this browser; kept in local storage. */
export interface Preferences {
  theme: Theme;
  zone: TimeZone;
  isMenuCollapsed: boolean;
  /** The menu of a narrow screen is out. */
  isDrawerOpen: boolean;
  density: Density;
  /** The same object until it changes. */
  numbers: NumberStyle;
  priceSource: PriceSource;
}

export interface PreferenceStore {
  snapshot: () => Preferences;
  subscribe: (onChange: () => void) => () => void;
  set: (change: Partial<Preferences>) => void;
  /** The zone of who has chosen none; null for UTC. */
  setUsualZone: (zone: TimeZone | null) => void;
}

/** One of some words; the usual one where something else, or nothing, is kept. */
function oneOf<W extends string>(words: Readonly<Record<W, unknown>>, kept: string | null, usual: W): W {
  return kept !== null && Object.hasOwn(words, kept) ? (kept as W) : usual;
}

function read(local: LocalStorage, usualZone: TimeZone): Preferences {
  const kept = (name: keyof typeof keptKeys & keyof typeof written): string | null => local.getItem(keptKeys[name].key);
  const zone = kept('zone') ?? '';
  const id = kept('priceSourceId');
  const name = kept('priceSourceName');
  return {
    theme: kept('theme') === 'dark' ? 'dark' : 'light',
    zone: isTimeZone(zone) ? zone : usualZone,
    isMenuCollapsed: kept('isMenuCollapsed') === 'true',
    isDrawerOpen: kept('isDrawerOpen') === 'true',
    density: oneOf(rowHeights, kept('density'), 'compact'),
    numbers: {
      negatives: oneOf(numberChoices.negatives, kept('negatives'), usualNumbers.negatives),
      grouping: oneOf(numberChoices.grouping, kept('grouping'), usualNumbers.grouping),
      decimals: oneOf(numberChoices.decimals, kept('decimals'), usualNumbers.decimals),
    },
    priceSource: id && name ? { id, name } : defaultPriceSource,
  };
}

/** What is written of the preferences, by its name in the table of keys. */
const written = {
  theme: ({ theme }: Preferences) => theme,
  zone: ({ zone }: Preferences) => zone,
  isMenuCollapsed: ({ isMenuCollapsed }: Preferences) => String(isMenuCollapsed),
  isDrawerOpen: ({ isDrawerOpen }: Preferences) => String(isDrawerOpen),
  density: ({ density }: Preferences) => density,
  negatives: ({ numbers }: Preferences) => numbers.negatives,
  grouping: ({ numbers }: Preferences) => numbers.grouping,
  decimals: ({ numbers }: Preferences) => numbers.decimals,
  priceSourceId: ({ priceSource }: Preferences) => priceSource.id,
  priceSourceName: ({ priceSource }: Preferences) => priceSource.name,
} as const;

function isOwn(key: string): boolean {
  const row = rowOfKey(key);
  return Object.keys(written).some((name) => keptKeys[name as keyof typeof written] === row);
}

/** Writes what differs, so that tabs that change different things do not undo each other's. */
function write(local: LocalStorage, before: Preferences, after: Preferences): void {
  for (const name of Object.keys(written) as (keyof typeof written)[]) {
    const key: LocalKey = keptKeys[name].key;
    const text = written[name](after);
    if (text !== written[name](before)) local.setItem(key, text);
  }
}

/** Opens the preferences and keeps the theme as a class on the page's body. */
export function openPreferences(
  local: LocalStorage,
  body: HTMLElement,
  onStorage: (heard: (key: string | null) => void) => void,
): PreferenceStore {
  const listeners = createListeners();
  let usualZone: TimeZone = 'UTC';
  let current = read(local, usualZone);
  const show = (next: Preferences): void => {
    current = next;
    body.classList.toggle('dark', next.theme === 'dark');
    body.classList.toggle('light', next.theme === 'light');
    listeners.tell();
  };
  show(current);
  onStorage((key) => {
    // null: another tab cleared everything
    if (key === null || isOwn(key)) show(read(local, usualZone));
  });
  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    set: (change) => {
      const next = { ...current, ...change };
      write(local, current, next);
      show(next);
    },
    setUsualZone: (zone) => {
      usualZone = zone ?? 'UTC';
      const next = read(local, usualZone);
      if (next.zone !== current.zone) show(next);
    },
  };
}
