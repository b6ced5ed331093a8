import { type RefObject, useEffect, useRef } from 'react';

function focusRow(body: HTMLDivElement | null, index: number): void {
  body?.querySelector<HTMLElement>(`[data-index="${index}"]`)?.focus({ preventScroll: true });
}

/** Moves the focus along with the active row while the focus is in the grid, or when it was asked to come. */
export function useRowFocus(body: RefObject<HTMLDivElement | null>, active: number, scrollTo: (index: number) => void): () => void {
  const isAsked = useRef(false);
  const last = useRef(active);
  const scroll = useRef(scrollTo);
  useEffect(() => {
    scroll.current = scrollTo;
  });
  useEffect(() => {
    if (last.current === active) return;
    last.current = active;
    scroll.current(active);
    const isInside = body.current?.contains(document.activeElement) === true;
    if (isInside || isAsked.current) focusRow(body.current, active);
    isAsked.current = false;
  }, [active, body]);
  return () => {
    isAsked.current = true;
    scroll.current(active);
    focusRow(body.current, active);
  };
}
