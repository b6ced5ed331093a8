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

/** An amount ends where the others do: its unit has room of its own. */
function CellText({ cell, hasUnit }: { cell: GridCell; hasUnit: boolean }) {
  if (!hasUnit) return cell.shown;
  return (
    <>
      {cell.shown}
      <span className="inline-block w-[7ch] pl-1 text-left text-muted">{cell.unit}</span>
    </>
  );
}

/** A list on paper: every row it is given, its heads again on each page. */
export function PrintTable<Row>({ label, columns, rows, keyOf, mark }: PrintTableProps<Row>) {
  const shown = columns.filter(({ isWay }) => isWay !== true);
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
            {shown.map(({ key, cell, isNumber, hasUnit = false, look = '' }, at) => (
              <td key={key} className={`${look} ${isNumber ? 'figures text-right whitespace-nowrap' : ''}`}>
                <CellText cell={cell(row)} hasUnit={hasUnit} />
                {at === 0 ? mark?.(row) : null}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
