import { type RefObject, useEffect, useRef } from 'react';
import { isFocusLost } from '#app/ui/focus.ts';
import { viewMark } from './view-focus.ts';

/** Where the view one was at is gone, the focus goes to the one in its place, so that the keyboard is not lost. */
export function useKeptFocus(box: RefObject<HTMLElement | null>, ids: readonly string[], active: string | null): void {
  const before = useRef(ids);
  useEffect(() => {
    const at = active === null ? -1 : before.current.indexOf(active);
    const isGone = at >= 0 && active !== null && !ids.includes(active);
    before.current = ids;
    if (!isGone || !isFocusLost()) return;
    const buttons = box.current?.querySelectorAll<HTMLElement>(`[${viewMark}]`);
    buttons?.[Math.min(at, buttons.length - 1)]?.focus();
  }, [box, ids, active]);
}
