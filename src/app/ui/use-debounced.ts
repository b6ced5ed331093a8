import { useCallback, useEffect, useRef, useState } from 'react';

/** @source specification section 9 */
export const searchDelayMs = 166;

/**
 * How long a text has yet to rest, in milliseconds. It rests since its last letter was typed, not since the page came to hear of that.
 * @param typedAt when the browser took the letter, as `Event.timeStamp` has it.
 * @param now by the same clock. A moment still to come is none: then the rest begins now.
 */
export function restLeft(typedAt: number, now: number): number {
  // a timer drops parts of a millisecond: it would come too soon by them
  return Math.max(0, Math.min(searchDelayMs, Math.ceil(typedAt + searchDelayMs - now)));
}

/** Text being typed, handed on once it rests. A change of `value` from elsewhere takes the place of what is typed. */
export function useDebouncedText(value: string, onRest: (text: string) => void): [string, (text: string, typedAt?: number) => void] {
  const [text, setText] = useState(value);
  const handedOn = useRef(value);
  const rest = useRef(onRest);
  const letterAt = useRef(0);
  useEffect(() => {
    rest.current = onRest;
  });
  useEffect(() => {
    if (value === handedOn.current) return;
    handedOn.current = value;
    setText(value);
  }, [value]);
  useEffect(() => {
    if (text === handedOn.current) return undefined;
    const timer = setTimeout(
      () => {
        handedOn.current = text;
        rest.current(text);
      },
      restLeft(letterAt.current, performance.now()),
    );
    return () => clearTimeout(timer);
  }, [text]);
  const type = useCallback((typed: string, typedAt = performance.now()): void => {
    letterAt.current = typedAt;
    setText(typed);
  }, []);
  return [text, type];
}
