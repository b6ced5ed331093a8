import { useCallback, useMemo, useSyncExternalStore } from 'react';
import type { ColumnLayout, ColumnUsual } from './column-layout.ts';
import { createLayoutStore, type LayoutStorage } from './layout-store.ts';

/**
 * The columns as the person chose them, remembered under a key; other tabs follow.
 * @param usual the same array while nothing of it changes.
 */
export function useColumnLayout<Key extends string>(
  local: LayoutStorage<Key>,
  key: Key,
  usual: readonly ColumnUsual[],
): [layout: ColumnLayout, set: (layout: ColumnLayout | null) => void] {
  const store = useMemo(() => createLayoutStore(local, key, usual), [local, key, usual]);
  const subscribe = useCallback(
    (onChange: () => void) => {
      const onStorage = (event: StorageEvent): void => store.hear(event.key);
      const stop = store.subscribe(onChange);
      window.addEventListener('storage', onStorage);
      return () => {
        stop();
        window.removeEventListener('storage', onStorage);
      };
    },
    [store],
  );
  return [useSyncExternalStore(subscribe, store.snapshot), store.set];
}
