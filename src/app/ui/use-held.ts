import { useEffect, useEffectEvent, useRef } from 'react';

/** Does what was asked for at once where it can be done, else as soon as it can, unless it is let go of before. */
export function useHeld(canBeDone: boolean, act: () => void): { hold: () => void; letGo: () => void } {
  const isHeld = useRef(false);
  const settle = useEffectEvent(() => {
    if (!isHeld.current) return;
    isHeld.current = false;
    act();
  });
  useEffect(() => {
    if (canBeDone) settle();
  }, [canBeDone]);
  return {
    hold: () => {
      if (canBeDone) act();
      else isHeld.current = true;
    },
    letGo: () => {
      isHeld.current = false;
    },
  };
}
