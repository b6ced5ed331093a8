import { useLayoutEffect, useRef } from 'react';

/** Calls `onFresh` when another list is shown, before it is painted; not for the first one. */
export function useFreshList(key: string, onFresh: () => void): void {
  const last = useRef(key);
  useLayoutEffect(() => {
    if (last.current === key) return;
    const isFirst = last.current === '';
    last.current = key;
    if (!isFirst) onFresh();
  });
}
