import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from '#app/ui/focus.ts';
import type { MenuPlace } from './popup-menu.tsx';

/** Pixels kept free to the edges of the window. */
const edge = 8;

/** A box that opens at a place, wholly inside the window, with its first choice focused; a click elsewhere closes it. */
export function usePopup(at: MenuPlace, onClose: () => void): RefObject<HTMLDivElement | null> {
  const box = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });
  useLayoutEffect(() => {
    const { current } = box;
    if (!current) return;
    const { width, height } = current.getBoundingClientRect();
    current.style.left = `${Math.max(edge, Math.min(at.x, window.innerWidth - width - edge))}px`;
    current.style.top = `${Math.max(edge, Math.min(at.y, window.innerHeight - height - edge))}px`;
  }, [at.x, at.y]);
  useEffect(() => {
    const opener = document.activeElement;
    const own = box.current;
    own?.querySelector<HTMLElement>('[role^="menuitem"]:not([aria-disabled="true"])')?.focus({ preventScroll: true });
    const onPointerDown = (event: Event): void => {
      if (event.target instanceof Node && own?.contains(event.target) !== true) close.current();
    };
    const onLeave = (): void => close.current();
    document.addEventListener('pointerdown', onPointerDown, true);
    window.addEventListener('resize', onLeave);
    window.addEventListener('blur', onLeave);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true);
      window.removeEventListener('resize', onLeave);
      window.removeEventListener('blur', onLeave);
      const isInside = own?.contains(document.activeElement) === true;
      if ((isInside || isFocusLost()) && opener instanceof HTMLElement) opener.focus({ preventScroll: true });
    };
  }, []);
  return box;
}
