import { useEffect } from 'react';
import type { GridFrame } from './grid-frame.ts';
import type { GridSource } from './grid-source.ts';
import type { GridViewport } from './grid-viewport.ts';

/** Makes the texts of the rows that a list will likely begin with, as many as one sees: shown, they are then only written. */
export function useExpectedRows<Row>(
  { expect }: Pick<GridSource<Row>, 'expect'>,
  { pinned, free, textOf }: GridFrame<Row>,
  { pageRows }: Pick<GridViewport, 'pageRows'>,
): void {
  useEffect(
    () =>
      expect?.((rows) => {
        // one more at either end, since the outermost ones may be seen in part
        for (const row of rows.slice(0, pageRows() + 2)) {
          for (const { key } of [...pinned, ...free]) textOf(row, key);
        }
      }),
    [expect, pinned, free, textOf, pageRows],
  );
}
