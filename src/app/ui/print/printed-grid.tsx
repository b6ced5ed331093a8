import type { GridProps } from '#app/ui/grid/grid-props.ts';
import { shownColumns } from '#app/ui/grid/column-layout.ts';
import { PrintTable } from './print-table.tsx';
import { leftOutText, type RowsAtHand } from './rows-at-hand.ts';

type PrintedGridProps<Row extends object, Field extends string> = Pick<
  GridProps<Row, Field>,
  'label' | 'columns' | 'layout' | 'source' | 'mark' | 'printHint'
> & { atHand: RowsAtHand<Row> };

/** A grid on paper, with what of it is at hand; what is not is said. */
export function PrintedGrid<Row extends object, Field extends string>(props: PrintedGridProps<Row, Field>) {
  const { label, columns, layout, source, mark, printHint = '', atHand } = props;
  const leftOut = leftOutText(atHand, printHint);
  const shown = shownColumns(layout).flatMap(({ key }) => columns.filter((column) => column.key === key));
  return (
    <>
      {leftOut === null ? null : <p className="hidden border-y border-line-strong py-1 font-semibold print:block">{leftOut}</p>}
      {atHand.count === 0 ? <p className="hidden print:block">There are no rows.</p> : null}
      {atHand.rows.length === 0 ? null : <PrintTable label={label} columns={shown} rows={atHand.rows} keyOf={source.keyOf} mark={mark} />}
    </>
  );
}
