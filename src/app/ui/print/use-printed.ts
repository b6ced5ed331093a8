import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { onPrint } from './on-print.ts';

/** What is on paper alone: made as the page is printed, and drawn before the browser looks at it. Null otherwise. */
export function usePrinted<Made>(make: () => Made): Made | null {
  const [made, setMade] = useState<{ value: Made } | null>(null);
  const newest = useRef(make);
  useLayoutEffect(() => {
    newest.current = make;
  });
  useEffect(
    () =>
      onPrint({
        // the first word counts: by the second one the page may be laid out for paper, and nothing of the list in view
        before: () => flushSync(() => setMade((held) => held ?? { value: newest.current() })),
        after: () => setMade(null),
      }),
    [],
  );
  return made?.value ?? null;
}
