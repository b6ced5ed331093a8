import { tsvOf } from '#domain/csv.ts';
import { type GridCell, type GridColumn, plainOf } from './grid-column.ts';

type Copied<Row> = Pick<GridColumn<Row>, 'key' | 'label' | 'isNumber' | 'hasUnit'>;

/**
 * Cells as a spreadsheet takes them: plain decimals with every digit, a unit column after each amount.
 * @param hasHeading a line of heads above, as whole rows have it.
 */
export function copyText<Row>(
  rows: readonly Row[],
  columns: readonly Copied<Row>[],
  textOf: (row: Row, key: string) => GridCell,
  hasHeading: boolean,
): string {
  const heading = columns.flatMap(({ label, hasUnit }) => (hasUnit ? [label, `${label} unit`] : [label]));
  const lines = rows.map((row) =>
    columns.flatMap(({ key, isNumber, hasUnit }) => {
      const cell = textOf(row, key);
      const value = { text: plainOf(cell), isNumber: isNumber === true && cell.plain !== undefined };
      return hasUnit ? [value, { text: cell.unit ?? '', isNumber: false }] : [value];
    }),
  );
  return tsvOf([...(hasHeading ? [heading.map((text) => ({ text, isNumber: false }))] : []), ...lines]);
}
