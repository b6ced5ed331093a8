import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { afterPaint } from '#app/ui/after-paint.ts';
import type { SearchChange, TransactionSearch } from './transaction-search.ts';

type Change = (by: SearchChange) => void;

/** Changes what the address says of the list: at once, or once what is on the screen by then is painted. Neither overtakes the other. */
export function useAddressChange(): [change: Change, changeAfterPaint: Change] {
  const navigate = useNavigate();
  const waiting = useRef<SearchChange | null>(null);
  useEffect(
    () => () => {
      waiting.current = null;
    },
    [],
  );
  const change: Change = (by) => {
    const all = { ...waiting.current, ...by };
    waiting.current = null;
    void navigate({ to: '/transactions', search: (old) => ({ ...old, ...all }) as TransactionSearch, replace: true });
  };
  const changeAfterPaint: Change = (by) => {
    waiting.current = { ...waiting.current, ...by };
    afterPaint(() => {
      if (waiting.current) change({});
    });
  };
  return [change, changeAfterPaint];
}
