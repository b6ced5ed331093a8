import type { ReactNode } from 'react';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import type { SortedTable } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';

interface SortedListProps<Row, Field extends string> extends SortedTable<Row, Field> {
  label: string;
  /** In the order they are shown in. */
  rows: readonly Row[];
  /** A row of the table, and the card that takes its place on a narrow screen, each with its key. */
  line: (row: Row) => ReactNode;
  card: (row: Row) => ReactNode;
}

/** A list of the system as a table one sorts by its heads; on a narrow screen as cards below a choice of the same columns. */
export function SortedList<Row, Field extends string>({ label, rows, line, card, ...order }: SortedListProps<Row, Field>) {
  const isNarrow = useIsNarrow();
  if (isNarrow)
    return (
      <>
        <CardsOrder {...order} className="" />
        <ul aria-label={label} className="text-grid">
          {rows.map(card)}
        </ul>
      </>
    );
  return (
    <>
      <OrderSaid columns={order.columns} sort={order.sort} />
      <table aria-label={label} className="w-full table-fixed text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...order} className="px-3 pb-1.5 font-medium" />
          </tr>
        </thead>
        <tbody>{rows.map(line)}</tbody>
      </table>
    </>
  );
}
