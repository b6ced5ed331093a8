import type { ReactNode } from 'react';
import type { GridCell, GridColumn } from '#app/ui/grid/grid-column.ts';

interface PrintTableProps<Row> {
  /** What is listed. */
  label: string;
  /** The shown columns, in their order. */
  columns: readonly GridColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** A sign at the end of a row's first cell. */
  mark?: ((row: Row) => ReactNode) | undefined;
}

/** Whether an amount of a column ends in a parenthesis: then the others leave as much room, so that all end at the same digit. */
function closes<Row>({ isNumber, cell }: GridColumn<Row>, rows: readonly Row[]): boolean {
  return isNumber === true && rows.some((row) => cell(row).shown.endsWith(')'));
}

interface CellProps {
  column: Pick<GridColumn<never>, 'isNumber' | 'hasUnit' | 'look'> & { hasClosing: boolean };
  cell: GridCell;
  sign: ReactNode;
}

/** An amount ends where the others do: its unit has room of its own. */
function Cell({ column: { isNumber, hasUnit, look = '', hasClosing }, cell: { shown, unit }, sign }: CellProps) {
  return (
    <td className={`${look} ${isNumber ? 'figures text-right' : ''}`}>
      {hasClosing && shown !== '' && !shown.endsWith(')') ? <span className="closing">{shown}</span> : shown}
      {hasUnit && shown !== '' ? <span className="inline-block w-[7ch] pl-1 text-left text-muted">{unit}</span> : null}
      {sign}
    </td>
  );
}

/** A list on paper: every row it is given, its heads again on each page. */
export function PrintTable<Row>({ label, columns, rows, keyOf, mark }: PrintTableProps<Row>) {
  const shown = columns.filter(({ isWay }) => isWay !== true).map((column) => ({ ...column, hasClosing: closes(column, rows) }));
  return (
    <table aria-label={label} className="printed-list hidden w-full print:table">
      <thead>
        <tr>
          {shown.map(({ key, label: head, isNumber, hasUnit }) => (
            <th key={key} scope="col" className={isNumber ? `text-right ${hasUnit ? 'has-unit' : ''}` : 'text-left'}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {shown.map((column, at) => (
              <Cell key={column.key} column={column} cell={column.cell(row)} sign={at === 0 ? mark?.(row) : null} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
