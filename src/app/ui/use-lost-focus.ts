import { type FocusEvent, useLayoutEffect, useRef } from 'react';
import { isFocusLost } from './focus.ts';

/**
 * Lets `onLost` choose who gets the focus when the element that has it is taken out of a box, so that the keyboard never falls
 * to the page. The component that calls it draws what may go.
 * @returns what the box does when something in it gets the focus.
 */
export function useLostFocus(onLost: () => void): (event: FocusEvent) => void {
  const last = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!last.current || last.current.isConnected) return;
    last.current = null;
    if (isFocusLost()) onLost();
  });
  return ({ currentTarget, target }) => {
    // what a box opens elsewhere on the page gives the focus back by itself
    if (currentTarget.contains(target)) last.current = target;
  };
}
