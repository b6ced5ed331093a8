import { useEffect } from 'react';
import type { GridRow } from '#workers/start.ts';
import type { WindowCache } from './window-cache.ts';

/** Rows asked for beyond the visible ones, on either side, so that steady scrolling meets no skeleton. */
const margin = 60;

/** Keeps the cache on what is visible. */
export function useVisibleRows(cache: WindowCache<GridRow>, range: { startIndex: number; endIndex: number } | null, count: number): void {
  const first = Math.max(0, (range?.startIndex ?? 0) - margin);
  const last = Math.max(0, Math.min(count - 1, (range?.endIndex ?? 0) + margin));
  useEffect(() => {
    cache.want(first, last);
  }, [cache, first, last]);
}
