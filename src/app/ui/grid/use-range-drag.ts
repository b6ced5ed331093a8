import { type PointerEvent, type RefObject, useRef } from 'react';
import type { CellPlace } from './cell-range.ts';
import { columnAt, type ColumnPlaces } from './column-places.ts';
import type { GridState } from './grid-state.ts';
import type { GridViewport } from './grid-viewport.ts';
import { followPointer } from './pointer-drag.ts';

interface RangeDragParts<Row> {
  scroller: RefObject<HTMLElement | null>;
  viewport: GridViewport;
  places: ColumnPlaces;
  headHeight: number;
  state: GridState<Row>;
}

/** Most pixels a frame the list scrolls by while the pointer is held beyond its edge. */
const fastest = 96;

/** How far a frame scrolls for a pointer at a place between two edges; 0 between them. */
function pull(at: number, from: number, to: number): number {
  const beyond = at < from ? at - from : at > to ? at - to : 0;
  return Math.max(-fastest, Math.min(fastest, beyond));
}

/** Drawing over cells with the mouse; at the edges the list scrolls along. */
export function useRangeDrag<Row>({ scroller, viewport, places, headHeight, state }: RangeDragParts<Row>) {
  const frame = useRef(0);
  return (event: PointerEvent, start: CellPlace): void => {
    const { current } = scroller;
    if (!current || event.button !== 0 || event.pointerType !== 'mouse') return;
    const box = current.getBoundingClientRect();
    const [right, bottom] = [box.left + current.clientWidth, box.top + current.clientHeight];
    let pointer = { x: event.clientX, y: event.clientY };
    let isBegun = false;
    let drawn = start;
    const draw = (): void => {
      const row = viewport.rowAt(Math.max(0, Math.min(bottom - box.top - headHeight, pointer.y - box.top - headHeight)));
      const x = Math.max(0, Math.min(right - box.left, pointer.x - box.left));
      const next = { row, column: columnAt(places, x, viewport.scrollLeft()) };
      if (!isBegun && next.row === start.row && next.column === start.column) return;
      if (!isBegun) state.drawFrom(start);
      isBegun = true;
      if (next.row !== drawn.row || next.column !== drawn.column) state.drawTo(next);
      drawn = next;
    };
    const scroll = (): void => {
      frame.current = requestAnimationFrame(scroll);
      const down = pull(pointer.y, box.top + headHeight, bottom);
      const across = pull(pointer.x, box.left + places.pinnedWidth, right);
      if (down === 0 && across === 0) return;
      if (isBegun) current.scrollBy({ top: down, left: pointer.x < box.left || pointer.x > right ? across : 0 });
      draw();
    };
    followPointer(event, {
      onMove: ({ x, y }) => {
        pointer = { x, y };
        if (frame.current === 0) frame.current = requestAnimationFrame(scroll);
        draw();
        return isBegun;
      },
      onEnd: () => {
        cancelAnimationFrame(frame.current);
        frame.current = 0;
      },
    });
  };
}
