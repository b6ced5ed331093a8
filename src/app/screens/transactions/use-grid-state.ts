import { useState } from 'react';
import type { GridRow } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import type { GridWindow } from './use-grid-query.ts';

/** Most rows one selection holds; the totals of more are what the filter is for. */
const mostSelected = 5_000;

export interface GridState {
  /** The row the keyboard is on. */
  active: number;
  selected: ReadonlyMap<string, GridRow>;
  /** The row whose panel is open. */
  openIndex: number | null;
  move: (to: number) => void;
  toggle: (index: number) => void;
  /** Selects everything between the last selected row and this one. */
  extend: (index: number) => void;
  clear: () => void;
  open: (index: number) => void;
  close: () => void;
}

/** Where one is in the grid, what is selected and whether a row is open. */
export function useGridState(grid: GridWindow): GridState {
  const { notices } = useServices();
  const [active, setActive] = useState(0);
  const [anchor, setAnchor] = useState(0);
  const [selected, setSelected] = useState<ReadonlyMap<string, GridRow>>(new Map());
  const [isOpen, setIsOpen] = useState(false);
  const count = grid.result?.count ?? 0;
  const within = (index: number): number => Math.max(0, Math.min(count - 1, index));

  const extend = async (index: number): Promise<void> => {
    const [first, last] = [Math.min(anchor, within(index)), Math.max(anchor, within(index))];
    if (last - first >= mostSelected) {
      notices.notice(
        'warning',
        `A selection holds ${mostSelected.toLocaleString('en-US')} rows at most. To sum more, narrow the filter: the totals are always those of all filtered rows.`,
      );
      return;
    }
    const rows = await grid.rows(first, last - first + 1);
    setSelected(new Map(rows.map((row) => [row.id, row])));
  };

  return {
    active: within(active),
    selected,
    openIndex: isOpen && count > 0 ? within(active) : null,
    move: (to) => setActive(within(to)),
    toggle: (index) => {
      const row = grid.cache.row(index);
      if (!row) return;
      setAnchor(index);
      setSelected((held) => {
        const next = new Map(held);
        if (!next.delete(row.id)) next.set(row.id, row);
        return next;
      });
    },
    extend: (index) => void extend(index).catch(() => undefined),
    clear: () => setSelected(new Map()),
    open: (index) => {
      setActive(within(index));
      setIsOpen(true);
    },
    close: () => setIsOpen(false),
  };
}
