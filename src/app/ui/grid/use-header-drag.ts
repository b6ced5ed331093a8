import { type PointerEvent, useState } from 'react';
import { type ColumnLayout, moveColumn, resizeColumn } from './column-layout.ts';
import { columnAt, type ColumnPlaces } from './column-places.ts';
import type { DrawnColumn } from './grid-frame.ts';
import { followPointer } from './pointer-drag.ts';

interface DragParts {
  places: ColumnPlaces;
  layout: ColumnLayout;
  /** Pixels the list is scrolled sideways by. */
  scrollLeft: () => number;
  onLayout: (layout: ColumnLayout, said: string) => void;
  /** What the layout would become while the pointer is still down; null for nothing. */
  onDraft: (layout: ColumnLayout | null) => void;
}

/** Where a dragged column would be dropped. */
export interface ColumnDrop {
  /** The shown column it would stand before, or after. */
  key: string;
  side: 'before' | 'after';
}

/** Dragging heads: to move a column, and by their edge to resize it. */
export function useHeaderDrag<Row>({ places, layout, scrollLeft, onLayout, onDraft }: DragParts) {
  const [drop, setDrop] = useState<ColumnDrop | null>(null);

  const grab = (event: PointerEvent, drawn: DrawnColumn<Row>): void => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    const shown = [...places.pinned, ...places.free];
    const edge = event.currentTarget.closest('[role="grid"]')?.getBoundingClientRect().left ?? 0;
    let target: ColumnDrop | null = null;
    followPointer(event, {
      onMove: ({ x }) => {
        const over = shown[columnAt(places, x - edge, scrollLeft())];
        if (!over) return;
        const isPinned = places.pinned.includes(over);
        const middle = over.left + over.width / 2 - (isPinned ? 0 : scrollLeft());
        target = over.key === drawn.key ? null : { key: over.key, side: x - edge < middle ? 'before' : 'after' };
        setDrop(target);
      },
      onEnd: (isDropped) => {
        setDrop(null);
        if (!isDropped || !target) return;
        const at = shown.findIndex((column) => column.key === target?.key) + (target.side === 'after' ? 1 : 0);
        onLayout(moveColumn(layout, drawn.key, shown[at]?.key ?? null), `${drawn.column.label} moved`);
      },
    });
  };

  const resize = (event: PointerEvent, drawn: DrawnColumn<Row>): void => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.stopPropagation();
    let next = layout;
    followPointer(event, {
      onMove: ({ by }) => {
        next = resizeColumn(layout, drawn.key, drawn.width + by);
        onDraft(next);
      },
      onEnd: (isDropped) => {
        onDraft(null);
        if (isDropped) onLayout(next, '');
      },
    });
  };

  return { drop, grab, resize };
}
