import { useEffect, useRef, useState } from 'react';

/** @source specification section 9 */
export const searchDelayMs = 166;

/** Text being typed, handed on once it rests. A change of `value` from elsewhere takes the place of what is typed. */
export function useDebouncedText(value: string, onRest: (text: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(value);
  const handedOn = useRef(value);
  const rest = useRef(onRest);
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
    const timer = setTimeout(() => {
      handedOn.current = text;
      rest.current(text);
    }, searchDelayMs);
    return () => clearTimeout(timer);
  }, [text]);
  return [text, setText];
}
