import { type RefObject, useEffect, useRef } from 'react';
import type { GridState } from './use-grid-state.ts';

/** Another filter or order starts at its top with nothing selected. */
export function useFreshFilter(key: string, state: GridState, scroller: RefObject<HTMLDivElement | null>): void {
  const last = useRef(key);
  useEffect(() => {
    if (last.current === key) return;
    last.current = key;
    scroller.current?.scrollTo({ top: 0 });
    state.move(0);
    state.clear();
  }, [key, scroller, state]);
}
