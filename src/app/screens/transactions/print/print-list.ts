import { countWords } from '#domain/count-words.ts';
import type { SortField } from '#domain/transaction-filter.ts';
import type { GridRow } from '#workers/start.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { mostPrinted } from '#app/ui/print/rows-at-hand.ts';
import { readRows, type ReadOptions } from '#app/ui/grid/grid-source.ts';
import type { QuerySource } from '#app/screens/transactions/query-source.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';

/** What the cells of a list say, with every name read. */
export interface PrintWords {
  /** The shown columns, in their order. */
  columns: readonly GridColumn<GridRow, SortField>[];
  names: Names;
}

/** A whole list, as it is printed. */
export interface PrintSheet extends PrintWords {
  rows: readonly GridRow[];
}

/** More rows than are printed. */
export class TooManyRowsError extends Error {
  override name = 'TooManyRowsError';

  constructor(count: number) {
    super(
      `${countWords(count, 'row')} are too many to print: at most ${mostPrinted.toLocaleString('en-US')} are. Nothing was printed. Narrow the filter, or export a file.`,
    );
  }
}

/**
 * Reads all rows of a list, in its order and of one moment.
 * @param count how many there were when it was asked for.
 * @throws TooManyRowsError where they are, or have become, too many; what `readRows` throws.
 */
export async function readSheet(
  source: Pick<QuerySource, 'stretch' | 'list'>,
  count: number,
  readWords: () => Promise<PrintWords>,
  options: ReadOptions,
): Promise<PrintSheet> {
  if (count > mostPrinted) throw new TooManyRowsError(count);
  const [rows, words] = await Promise.all([readRows(source, 0, Infinity, options), readWords()]);
  options.signal.throwIfAborted();
  if (rows.length > mostPrinted) throw new TooManyRowsError(rows.length);
  return { rows, ...words };
}
