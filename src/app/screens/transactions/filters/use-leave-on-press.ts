import { type RefObject, useEffect } from 'react';

/**
 * Takes the focus out of a box as soon as anything outside of it is pressed, so that what is typed in it applies first.
 * Where the press itself moves no focus (a button that opens a menu), the box would be gone before its inputs were left.
 */
export function useLeaveOnPress(box: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const onPress = (event: PointerEvent): void => {
      const { activeElement } = document;
      const isOutside = event.target instanceof Node && !box.current?.contains(event.target);
      if (isOutside && activeElement instanceof HTMLElement && box.current?.contains(activeElement)) activeElement.blur();
    };
    document.addEventListener('pointerdown', onPress, true);
    return () => document.removeEventListener('pointerdown', onPress, true);
  }, [box]);
}
