import { SortMenu } from '#app/ui/sort-menu.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { shownSort, type SortedTable } from './table-column.ts';

interface CardsOrderProps<Row, Field extends string> extends SortedTable<Row, Field> {
  /** How far it stands from the edges. */
  className?: string;
}

/** The columns of a plain table as a choice, above the cards that take its place on a narrow screen. */
export function CardsOrder<Row, Field extends string>({
  columns,
  onSort,
  className = 'page-inset',
  ...table
}: CardsOrderProps<Row, Field>) {
  const sort = shownSort({ columns, sort: table.sort });
  return (
    <div className={`pb-2 ${className}`}>
      <SortMenu columns={columns} sort={sort} onSort={onSort} />
      <OrderSaid columns={columns} sort={sort} />
    </div>
  );
}
