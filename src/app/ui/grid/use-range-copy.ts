import { useRef, useState } from 'react';
import { countWords } from '#domain/count-words.ts';
import { boundsOf } from './cell-range.ts';
import { copyText } from './copy-text.ts';
import type { GridCell, GridColumn } from './grid-column.ts';
import { ChangedMeanwhileError, type GridSource, pickRows, readRows } from './grid-source.ts';
import type { GridState } from './grid-state.ts';
import { isSelected } from './row-selection.ts';

/** Most rows one copy takes; a file holds more. */
const mostCopied = 100_000;

export type Say = (tone: 'info' | 'success' | 'warning', text: string) => void;

interface CopyParts<Row> {
  source: GridSource<Row>;
  state: GridState<Row>;
  /** The shown columns, in their order. */
  columns: readonly GridColumn<Row>[];
  /** What the cells say; a key may be faster than what is read for that. */
  texts: () => Promise<(row: Row, key: string) => GridCell>;
  /** On a narrow screen there are no cells to copy, only rows. */
  areCards: boolean;
  say: Say;
}

/** What is to be copied: some rows, or a stretch of the list. */
interface CopyPlan<Row> {
  columns: readonly GridColumn<Row>[];
  isWhole: boolean;
  count: number;
  rows: (read: (first: number, count: number) => Promise<Row[]>) => Promise<readonly Row[]>;
}

/** None of what was to be copied is in the list any more. */
class NothingLeftError extends Error {}

function counted(count: number, word: string): string {
  return countWords(count, word);
}

/** The cells drawn over, else the selected rows, else the cell one is on. */
function planOf<Row>({ source, state, columns, areCards }: CopyParts<Row>): CopyPlan<Row> {
  const { range, selection, active } = state.snapshot();
  const total = source.count() ?? 0;
  if (range === null && selection.kind === 'some') {
    const { rows } = selection;
    return { columns, isWhole: true, count: rows.size, rows: () => pickRows(source, new Set(rows.keys())) };
  }
  if (range === null && selection.kind === 'all') {
    const kept = async (read: (first: number, count: number) => Promise<Row[]>): Promise<Row[]> =>
      (await read(0, Infinity)).filter((row) => isSelected(selection, source.keyOf(row)));
    return { columns, isWhole: true, count: total, rows: kept };
  }
  const bounds = boundsOf(range ?? { from: active, to: active });
  const count = Math.min(bounds.bottom, total - 1) - bounds.top + 1;
  return {
    columns: areCards ? columns : columns.slice(bounds.first, bounds.last + 1),
    isWhole: areCards,
    count,
    rows: (read) => read(bounds.top, count),
  };
}

/** Hands text to the clipboard that may still be on its way: the permission is that of the key that was pressed. */
async function toClipboard(text: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === 'undefined') {
    await navigator.clipboard.writeText(await text);
    return;
  }
  const blob = text.then((ready) => new Blob([ready], { type: 'text/plain' }));
  // a copy that was cancelled is told of below
  blob.catch(() => undefined);
  await navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]);
}

/** Copies cells or rows as a spreadsheet takes them. `progress` says how far a long copy is; it can be cancelled. */
export function useRangeCopy<Row>(parts: CopyParts<Row>) {
  const { source, texts, say } = parts;
  const [progress, setProgress] = useState<{ done: number; count: number } | null>(null);
  const running = useRef<AbortController | null>(null);

  const read = async (first: number, count: number, signal: AbortSignal): Promise<Row[]> => {
    const shown = Math.min(count, source.count() ?? 0);
    const held = shown <= 500 ? Array.from({ length: shown }, (_, at) => source.rowNow(first + at)) : [undefined];
    if (held.every((row) => row !== undefined)) return held;
    return readRows(source, first, count, { signal, onProgress: (done) => setProgress({ done, count: Math.max(done, shown) }) });
  };

  const copyPlan = async (plan: CopyPlan<Row>): Promise<void> => {
    if (plan.count <= 0 || running.current) return;
    if (plan.count > mostCopied) {
      say('warning', `A copy takes ${counted(mostCopied, 'row')} at most. Export a file for more, or narrow the filter.`);
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    try {
      let rows: readonly Row[] = [];
      const reading = plan.rows((first, count) => read(first, count, controller.signal));
      const text = Promise.all([reading, texts()]).then(([found, textOf]) => {
        controller.signal.throwIfAborted();
        if (found.length === 0) throw new NothingLeftError();
        rows = found;
        return copyText(found, plan.columns, textOf, plan.isWhole);
      });
      // why there is no text says more than that there was none to copy
      const copied = toClipboard(text);
      copied.catch(() => undefined);
      await text;
      await copied;
      const cells = rows.length * plan.columns.length;
      say('success', `${plan.isWhole ? counted(rows.length, 'row') : counted(cells, 'cell')} copied`);
    } catch (error) {
      if (controller.signal.aborted) say('info', 'Copying was cancelled. The clipboard is as it was.');
      else if (error instanceof NothingLeftError) say('info', 'What was selected is in this list no longer. Nothing was copied.');
      else if (error instanceof ChangedMeanwhileError) say('warning', 'The list changed while it was copied. Try again once it is synced.');
      else say('warning', 'The browser did not allow copying');
    } finally {
      running.current = null;
      setProgress(null);
    }
  };

  return {
    progress,
    copy: () => void copyPlan(planOf(parts)),
    copyRow: (row: Row) => void copyPlan({ columns: parts.columns, isWhole: true, count: 1, rows: async () => [row] }),
    copyCell: (row: Row, column: GridColumn<Row>) =>
      void copyPlan({ columns: [column], isWhole: false, count: 1, rows: async () => [row] }),
    /** @returns whether there was something to cancel. */
    cancel: () => {
      running.current?.abort();
      return running.current !== null;
    },
  };
}
