import { type RefObject, useEffect, useState } from 'react';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editMark } from './use-edit-focus.ts';

interface AskedParts {
  /** By its id; absent where the address asks for none. */
  asked: string | undefined;
  /** Undefined while they are read. */
  edits: readonly OutboxRow[] | undefined;
  box: RefObject<HTMLElement | null>;
  /** The list is here to be looked at. */
  isDrawn: boolean;
}

/**
 * Brings the keyboard to the edit the address asks for, or to the list's title where it is gone.
 * @returns whether it was gone when it was asked for; one that settles later was seen.
 */
export function useAskedEdit({ asked, edits, box, isDrawn }: AskedParts): boolean {
  const [looked, setLooked] = useState<{ for: string | undefined; isGone: boolean }>({ for: undefined, isGone: false });
  if (edits && looked.for !== asked) setLooked({ for: asked, isGone: asked !== undefined && !edits.some(({ id }) => id === asked) });
  useEffect(() => {
    if (!isDrawn || asked === undefined) return;
    const row = box.current?.querySelector<HTMLElement>(`[${editMark}="${CSS.escape(asked)}"]`);
    (row ?? box.current?.querySelector<HTMLElement>('h2'))?.focus();
  }, [box, asked, isDrawn]);
  return looked.isGone && looked.for === asked;
}
