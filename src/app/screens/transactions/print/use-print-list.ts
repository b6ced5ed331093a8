import { useEffect, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { useKey } from '#app/ui/use-key.ts';
import { ChangedMeanwhileError } from '#app/ui/grid/grid-source.ts';
import { onPrint } from '#app/ui/print/on-print.ts';
import { countOf, type QuerySource } from '#app/screens/transactions/query-source.ts';
import { listKeys } from '#app/screens/transactions/transaction-keys.ts';
import { type PrintSheet, type PrintWords, readSheet, TooManyRowsError } from './print-list.ts';

/** How far the rows are read that will be printed. */
export interface PrintProgress {
  done: number;
  all: number;
}

interface PrintParts {
  source: QuerySource;
  readWords: () => Promise<PrintWords>;
  /** Changes with whatever a sheet says beside the rows. */
  look: string;
  /** Saves the list as a file instead. */
  onExport: () => void;
}

/**
 * Prints the whole list, from the menu and by the keys of the browser's own print, which knows only rows in view.
 * `sheet` is what is printed, null where there is none; `progress` says how far it is read.
 */
export function usePrintList({ source, readWords, look, onExport }: PrintParts) {
  const { notices } = useServices();
  const [sheet, setSheet] = useState<PrintSheet | null>(null);
  const [progress, setProgress] = useState<PrintProgress | null>(null);
  const running = useRef<AbortController | null>(null);
  const sheetOf = useRef('');
  const stateNow = (): string => JSON.stringify([source.list(), source.revision(), look]);

  const read = async (count: number, { signal }: AbortController): Promise<void> => {
    const onProgress = (done: number): void => setProgress({ done, all: Math.max(done, count) });
    onProgress(0);
    const made = await readSheet(source, count, readWords, { signal, onProgress });
    sheetOf.current = stateNow();
    flushSync(() => {
      setProgress(null);
      setSheet(made);
    });
    window.print();
  };
  const tell = (error: unknown, isCancelled: boolean): void => {
    if (isCancelled) notices.notice('info', 'Printing was cancelled.');
    else if (error instanceof TooManyRowsError) notices.notice('warning', error.message, { label: 'Export CSV', run: onExport });
    else if (error instanceof ChangedMeanwhileError)
      notices.notice('warning', 'The list changed while it was read to be printed. Try again once it is synced.');
    else notices.notice('error', `The list could not be printed: ${textOfError(error)}`);
  };
  const print = (): void => {
    const count = countOf(source.answer());
    if (running.current) return;
    // there is nothing to read, or not yet: the paper says so
    if (!count) {
      window.print();
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    read(count, controller)
      .catch((error: unknown) => tell(error, controller.signal.aborted))
      .finally(() => {
        running.current = null;
        setProgress(null);
      });
  };
  const cancel = (): void => running.current?.abort();
  useKey(listKeys.print, print, { whileTyping: true });
  useEffect(() => () => running.current?.abort(), []);
  useEffect(() =>
    onPrint({
      // a sheet that a browser never said was printed is not to be printed as what the list has become
      before: () => {
        if (sheetOf.current !== stateNow()) flushSync(() => setSheet(null));
      },
      after: () => setSheet(null),
    }),
  );
  return { sheet, progress, print, cancel };
}
