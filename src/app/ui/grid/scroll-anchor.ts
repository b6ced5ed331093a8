import type { GridSource } from './grid-source.ts';
import type { GridViewport } from './grid-viewport.ts';
import { anchoredIndex } from './row-anchor.ts';

/** Keeps what one reads where it is while rows come and go above it. */
export interface ScrollAnchor {
  /** The rows changed, and are not drawn yet. */
  onChange: () => void;
  /** Rows are drawn; to be called before they are painted, and once the viewport knows how many there are. */
  onDrawn: (first: number, last: number) => void;
}

/** A list that is at its top stays there, so that what is new is seen. */
export function createScrollAnchor<Row>(
  source: Pick<GridSource<Row>, 'count' | 'row' | 'keyOf'>,
  viewport: Pick<GridViewport, 'visible' | 'position' | 'moveTo' | 'rowHeight'>,
): ScrollAnchor {
  const drawn = new Map<number, string>();
  let goal: number | null = null;
  return {
    onChange: () => {
      const { first } = viewport.visible();
      if (first === 0) return;
      const keyAt = (index: number): string | null => drawn.get(index) ?? null;
      const anchor = { before: keyAt(first - 1), at: keyAt(first), after: keyAt(first + 1) };
      const next = anchoredIndex(source, first, anchor);
      // until it is drawn what one sees is as it was: of several changes the last one counts
      goal = next === null || next === first ? null : viewport.position() + (next - first) * viewport.rowHeight();
    },
    onDrawn: (first, last) => {
      if (goal !== null) viewport.moveTo(goal);
      goal = null;
      drawn.clear();
      for (let index = first; index <= last; index += 1) {
        const row = source.row(index);
        if (row !== undefined) drawn.set(index, source.keyOf(row));
      }
    },
  };
}
