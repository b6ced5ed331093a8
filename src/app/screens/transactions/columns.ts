import type { Security } from '#contract/securities.ts';
import { assetColour } from '#domain/asset-colours.ts';
import type { TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { type CellText, headOf, type TransactionColumnKey, transactionColumns } from '#domain/transaction-cells.ts';
import type { SortField } from '#domain/transaction-filter.ts';
import type { GridRow } from '#workers/start.ts';
import { keptKeys, type LocalKey } from '#app/kept-keys.ts';
import type { ColumnUsual } from '#app/ui/grid/column-layout.ts';
import type { GridCell, GridColumn } from '#app/ui/grid/grid-column.ts';
import type { Names } from './use-names.ts';

/** Pixels. */
const widths: Record<TransactionColumnKey, number> = {
  date: 142,
  account: 188,
  entity: 188,
  type: 124,
  security: 92,
  quantity: 268,
  price: 124,
  usd: 136,
  match: 124,
  custodian: 148,
  fee: 204,
  flags: 150,
  hash: 170,
  from: 170,
  to: 170,
  description: 260,
};

/** Which list the columns are chosen for: one entity's, several entities', or one account's. */
export type ColumnContext = 'entity' | 'entities' | 'account';

/** Under what each is remembered. */
export const columnKeys: Readonly<Record<ColumnContext, LocalKey>> = {
  entity: keptKeys.entityTransactionColumns.key,
  entities: keptKeys.entitiesTransactionColumns.key,
  account: keptKeys.accountTransactionColumns.key,
};

/** Columns that say the same in every row of a list. */
const plain: Readonly<Record<ColumnContext, readonly TransactionColumnKey[]>> = {
  entity: ['entity'],
  entities: [],
  account: ['entity', 'account', 'custodian'],
};

function usualOf(context: ColumnContext): readonly ColumnUsual[] {
  return transactionColumns.map(({ key }, index) => ({
    key,
    width: widths[key],
    isPinned: index === 0,
    isHidden: plain[context].includes(key),
  }));
}

/** What the columns of each list are before anybody changes them: those that differ from row to row, the first one pinned. */
export const usualColumns: Readonly<Record<ColumnContext, readonly ColumnUsual[]>> = {
  entity: usualOf('entity'),
  entities: usualOf('entities'),
  account: usualOf('account'),
};

const money = 3;

/** The colour of a digital asset, as the themes have it; none for money. */
export function dotOf(security: Pick<Security, 'ticker' | 'security_type_id'> | undefined): string | undefined {
  return security === undefined || security.security_type_id === money ? undefined : `var(--${assetColour(security.ticker)})`;
}

/** The security whose ticker a column shows. */
const shownSecurity: Partial<Record<string, (row: GridRow) => string | null>> = {
  security: (row) => row.security_id,
  quantity: (row) => row.security_id,
  fee: (row) => (row.fee_quantity === null ? null : row.fee_security_id),
};

function withDot(cell: CellText, id: string | null, names: Names): GridCell {
  const dot = id === null ? undefined : dotOf(names.security.get(id));
  return dot === undefined ? cell : { ...cell, dot };
}

const looks: Partial<Record<string, string>> = {
  date: 'figures',
  hash: 'font-mono text-[12px]',
  from: 'font-mono text-[12px]',
  to: 'font-mono text-[12px]',
};

/** Every column of the transactions list as the grid draws it. */
export function gridColumns(names: Names, zone: TimeZone, numbers: NumberStyle): readonly GridColumn<GridRow, SortField>[] {
  return transactionColumns.map((column) => ({
    key: column.key,
    label: headOf(column, zone),
    width: widths[column.key],
    sort: column.sort,
    isNumber: column.isNumber,
    hasUnit: 'hasUnit' in column && column.hasUnit,
    hasDot: column.key in shownSecurity,
    look: looks[column.key] ?? '',
    cell: (row: GridRow) => withDot(column.cell(row, names, zone, numbers), shownSecurity[column.key]?.(row) ?? null, names),
  }));
}
