import { isTimeZone, type TimeZone } from '#domain/dates.ts';
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
}

export interface PreferenceStore {
  snapshot: () => Preferences;
  subscribe: (onChange: () => void) => () => void;
  set: (change: Partial<Preferences>) => void;
  /** The zone of who has chosen none; null for UTC. */
  setUsualZone: (zone: TimeZone | null) => void;
}

const keys = {
  theme: 'theme',
  zone: 'time_zone',
  isMenuCollapsed: 'menu_collapsed',
  isDrawerOpen: 'menu_drawer_open',
  density: 'row_density',
} as const;

function read(local: Storage, usualZone: TimeZone): Preferences {
  const zone = local.getItem(keys.zone) ?? '';
  return {
    theme: local.getItem(keys.theme) === 'dark' ? 'dark' : 'light',
    zone: isTimeZone(zone) ? zone : usualZone,
    isMenuCollapsed: local.getItem(keys.isMenuCollapsed) === 'true',
    isDrawerOpen: local.getItem(keys.isDrawerOpen) === 'true',
    density: local.getItem(keys.density) === 'comfortable' ? 'comfortable' : 'compact',
  };
}

/** Opens the preferences and keeps the theme as a class on the page's body. */
export function openPreferences(
  local: Storage,
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
  onStorage(() => show(read(local, usualZone)));
  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    set: (change) => {
      const next = { ...current, ...change };
      // what was not chosen stays open: the usual may change
      for (const name of Object.keys(change) as (keyof Preferences)[]) local.setItem(keys[name], String(next[name]));
      show(next);
    },
    setUsualZone: (zone) => {
      usualZone = zone ?? 'UTC';
      const next = read(local, usualZone);
      if (next.zone !== current.zone) show(next);
    },
  };
}
