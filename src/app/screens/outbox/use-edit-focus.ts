import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';

/** What marks the row of an edit, and in it the button that is always there. */
export const editMark = 'data-edit';
export const stopMark = 'data-stop';

interface EditFocus {
  box: RefObject<HTMLDivElement | null>;
  onFocus: (event: FocusEvent) => void;
  /** To be called once a dialog is gone: who opened it may be gone, too. */
  onDialogGone: () => void;
}

/** Keeps the keyboard in the outbox when the edit it was at settles: it goes to the edit in its place, or to the list's title. */
export function useEditFocus(): EditFocus {
  const box = useRef<HTMLDivElement>(null);
  const at = useRef<{ element: Element | null; id: string | null; index: number }>({ element: null, id: null, index: 0 });
  const rows = (): Element[] => [...(box.current?.querySelectorAll(`[${editMark}]`) ?? [])];
  const goBack = (): void => {
    const all = rows();
    const row = all.find((one) => one.getAttribute(editMark) === at.current.id) ?? all[Math.min(at.current.index, all.length - 1)];
    const target = row?.querySelector<HTMLElement>(`[${stopMark}]`) ?? box.current?.querySelector<HTMLElement>('h2');
    target?.focus();
  };
  const onLost = useLostFocus(goBack);
  return {
    box,
    onFocus: (event) => {
      onLost(event);
      if (!event.currentTarget.contains(event.target)) return;
      const row = event.target.closest(`[${editMark}]`);
      const id = row?.getAttribute(editMark) ?? null;
      const before = rows().filter((one) => one.compareDocumentPosition(event.target) === Node.DOCUMENT_POSITION_FOLLOWING);
      at.current = { element: event.target, id, index: row ? rows().indexOf(row) : before.length };
    },
    onDialogGone: () => {
      // the library gives the focus back first
      const opener = at.current.element;
      setTimeout(() => {
        if (opener && !opener.isConnected) goBack();
      }, 0);
    },
  };
}

/** Runs something when the component that calls it is taken away. */
export function useAtEnd(run: () => void): void {
  const latest = useRef(run);
  useEffect(() => {
    latest.current = run;
  });
  useEffect(() => () => latest.current(), []);
}
