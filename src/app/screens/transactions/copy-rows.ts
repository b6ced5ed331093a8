import type { TimeZone } from '#domain/dates.ts';
import type { GridRow } from '#workers/start.ts';
import { tsvOf } from '#app/spreadsheet.ts';
import { columns } from './columns.ts';
import type { Names } from './use-names.ts';

/** Rows as a spreadsheet takes them: plain decimals with every digit, a unit column after each amount, the zone in the heading. */
export function rowsAsTsv(rows: readonly GridRow[], names: Names, zone: TimeZone): string {
  const heading = columns.flatMap(({ key, label }) =>
    hasUnit(key) ? [label, `${label} unit`] : [key === 'date' ? `${label} (${zone})` : label],
  );
  const lines = rows.map((row) =>
    columns.flatMap((column) => {
      const cell = column.cell(row, names, zone);
      const value = { text: cell.plain ?? cell.full ?? cell.shown, isNumber: column.isNumber && cell.plain !== undefined };
      if (column.key === 'date' || column.key === 'security') value.text = cell.shown;
      return hasUnit(column.key) ? [value, { text: cell.unit ?? '', isNumber: false }] : [value];
    }),
  );
  return tsvOf([heading.map((text) => ({ text, isNumber: false })), ...lines]);
}

function hasUnit(key: string): boolean {
  return key === 'quantity' || key === 'fee';
}
