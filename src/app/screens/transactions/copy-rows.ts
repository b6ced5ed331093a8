import type { TimeZone } from '#domain/dates.ts';
import { headOf, plainOf } from '#domain/transaction-cells.ts';
import type { GridRow } from '#workers/start.ts';
import { tsvOf } from '#app/spreadsheet.ts';
import { columns } from './columns.ts';
import type { Names } from './use-names.ts';

/** Rows as a spreadsheet takes them: plain decimals with every digit, a unit column after each amount, the zone in the heading. */
export function rowsAsTsv(rows: readonly GridRow[], names: Names, zone: TimeZone): string {
  const heading = columns.flatMap((column) => {
    const head = headOf(column, zone);
    return column.hasUnit ? [head, `${head} unit`] : [head];
  });
  const lines = rows.map((row) =>
    columns.flatMap((column) => {
      const cell = column.cell(row, names, zone);
      const value = { text: plainOf(cell), isNumber: column.isNumber && cell.plain !== undefined };
      return column.hasUnit ? [value, { text: cell.unit ?? '', isNumber: false }] : [value];
    }),
  );
  return tsvOf([heading.map((text) => ({ text, isNumber: false })), ...lines]);
}
