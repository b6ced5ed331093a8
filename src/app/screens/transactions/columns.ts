import { type TransactionColumn, type TransactionColumnKey, transactionColumns } from '#domain/transaction-cells.ts';

/** Pixels. */
const widths: Record<TransactionColumnKey, number> = {
  date: 172,
  account: 188,
  entity: 188,
  type: 112,
  security: 76,
  quantity: 264,
  price: 112,
  usd: 116,
  match: 112,
  custodian: 132,
  fee: 190,
  flags: 150,
  hash: 170,
  from: 170,
  to: 170,
  description: 260,
};

const mono: ReadonlySet<string> = new Set(['hash', 'from', 'to']);

/** The columns of the transactions grid, the first one pinned. */
export const columns: readonly (TransactionColumn & { width: number; isMono: boolean })[] = transactionColumns
  .filter(({ key }) => key !== 'entity')
  .map((column) => ({ ...column, width: widths[column.key], isMono: mono.has(column.key) }));

export const gridTemplate = columns
  .map((column, index) => (index === columns.length - 1 ? `minmax(${column.width}px, 1fr)` : `${column.width}px`))
  .join(' ');
export const gridWidth = columns.reduce((sum, column) => sum + column.width, 0);
