import { type RefObject, useEffect, useRef } from 'react';

/** An input that shows `value`, but never takes a half-typed day out of the person's hands: while it has the focus it is theirs. */
export function useDayInput(value: string): RefObject<HTMLInputElement | null> {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const { current } = input;
    if (current && current.value !== value && document.activeElement !== current) current.value = value;
  }, [value]);
  return input;
}
