import { type ColumnLayout, type ColumnUsual, layoutText, readLayout, usualLayout } from './column-layout.ts';
import { createListeners } from '#app/listeners.ts';

/** Where layouts are kept: by some keys. */
export interface LayoutStorage<Key extends string> {
  getItem: (key: Key) => string | null;
  setItem: (key: Key, value: string) => void;
  removeItem: (key: Key) => void;
}

/** The layout of one kind of list as this browser remembers it. */
export interface LayoutStore {
  snapshot: () => ColumnLayout;
  subscribe: (onChange: () => void) => () => void;
  /** Null puts every column back to what it usually is. */
  set: (layout: ColumnLayout | null) => void;
  /** A key of the storage was changed by another tab; null is all of them. */
  hear: (key: string | null) => void;
}

/** @param key under which the layout is kept. */
export function createLayoutStore<Key extends string>(local: LayoutStorage<Key>, key: Key, usual: readonly ColumnUsual[]): LayoutStore {
  const listeners = createListeners();
  const plain = usualLayout(usual);
  let current = readLayout(local.getItem(key), usual);
  const show = (layout: ColumnLayout): void => {
    current = layout;
    listeners.tell();
  };
  return {
    snapshot: () => current,
    subscribe: listeners.subscribe,
    set: (layout) => {
      const isUsual = layout === null || layoutText(layout) === layoutText(plain);
      try {
        if (isUsual) local.removeItem(key);
        else local.setItem(key, layoutText(layout));
      } catch {
        // a browser that is full keeps nothing; this tab goes on with it all the same
      }
      show(isUsual ? plain : layout);
    },
    hear: (changed) => {
      if (changed === null || changed === key) show(readLayout(local.getItem(key), usual));
    },
  };
}
