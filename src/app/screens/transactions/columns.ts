import { displayAddress } from '#domain/addresses.ts';
import { formatPrice, formatUsd, plainDecimal } from '#domain/amounts.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import type { SortField } from '#domain/transaction-filter.ts';
import { typeName } from '#domain/transaction-types.ts';
import type { GridRow } from '#workers/start.ts';
import { flagWords, matchWord, alignedQuantity, signedQuantity, signedUsd } from './transaction-words.ts';
import type { Names } from './use-names.ts';

/** What a cell shows, and what it gives when copied. */
export interface CellText {
  shown: string;
  /** Quieter text after it: the ticker of an amount. */
  unit?: string;
  /** Everything there is to know of it, where `shown` is shortened. */
  full?: string;
  /** For a copy; `shown` where absent. */
  plain?: string;
}

export interface Column {
  key: string;
  label: string;
  /** Pixels. */
  width: number;
  sort: SortField | null;
  isNumber: boolean;
  isMono?: boolean;
  cell: (row: GridRow, names: Names, zone: TimeZone) => CellText;
}

const dash: CellText = { shown: '', plain: '' };

function address(text: string | null): CellText {
  if (!text) return dash;
  const shown = displayAddress(text);
  return { shown, full: shown, plain: shown };
}

function amount(quantity: string, securityId: string | null, names: Names): CellText {
  const security = securityId === null ? undefined : names.security.get(securityId);
  const unit = security?.ticker ?? '';
  const plain = plainDecimal(quantity);
  return { shown: alignedQuantity(quantity, security), unit, full: `${plain} ${unit}`.trim(), plain };
}

/** The columns of the transactions grid, the first one pinned. */
export const columns: readonly Column[] = [
  {
    key: 'date',
    label: 'Date',
    width: 172,
    sort: 'trx_date',
    isNumber: false,
    cell: (row, _names, zone) => ({ shown: formatDate(Date.parse(row.trx_date), zone), full: `${row.trx_date} (UTC)` }),
  },
  {
    key: 'account',
    label: 'Account',
    width: 188,
    sort: 'account',
    isNumber: false,
    cell: (row, names) => ({ shown: names.account.get(row.account_id)?.account_name ?? row.account_id }),
  },
  { key: 'type', label: 'Type', width: 112, sort: 'type', isNumber: false, cell: (row) => ({ shown: typeName(row.trx_type_id) }) },
  {
    key: 'security',
    label: 'Security',
    width: 76,
    sort: 'security',
    isNumber: false,
    cell: (row, names) => {
      const security = row.security_id === null ? undefined : names.security.get(row.security_id);
      return {
        shown: security?.ticker ?? (row.security_id === null ? '' : 'Unknown'),
        full: security?.security_name ?? row.security_id ?? 'No security',
      };
    },
  },
  {
    key: 'quantity',
    label: 'Quantity',
    width: 264,
    sort: 'quantity',
    isNumber: true,
    cell: (row, names) => amount(signedQuantity(row), row.security_id, names),
  },
  {
    key: 'price',
    label: 'Price',
    width: 112,
    sort: 'price',
    isNumber: true,
    cell: (row) =>
      row.price === null ? dash : { shown: formatPrice(row.price), full: plainDecimal(row.price), plain: plainDecimal(row.price) },
  },
  {
    key: 'usd',
    label: 'USD value',
    width: 116,
    sort: 'usd_value',
    isNumber: true,
    cell: (row) => {
      const usd = signedUsd(row);
      return usd === null
        ? { shown: row.unpriced_trx ? 'Unpriced' : '', plain: '' }
        : { shown: formatUsd(usd), full: plainDecimal(usd), plain: plainDecimal(usd) };
    },
  },
  {
    key: 'match',
    label: 'Match',
    width: 112,
    sort: 'match_state',
    isNumber: false,
    cell: (row) => ({ shown: matchWord(row.match_state) }),
  },
  {
    key: 'custodian',
    label: 'Custodian',
    width: 132,
    sort: 'custodian',
    isNumber: false,
    cell: (row, names) => ({ shown: names.custodian.get(row.custodian_id)?.custodian_name ?? row.custodian_id }),
  },
  {
    key: 'fee',
    label: 'Fee',
    width: 190,
    sort: 'fee_quantity',
    isNumber: true,
    cell: (row, names) => (row.fee_quantity === null ? dash : amount(row.fee_quantity, row.fee_security_id, names)),
  },
  { key: 'flags', label: 'Flags', width: 150, sort: 'flags', isNumber: false, cell: (row) => ({ shown: flagWords(row).join(', ') }) },
  {
    key: 'hash',
    label: 'Tx hash',
    width: 170,
    sort: 'tx_hash',
    isNumber: false,
    isMono: true,
    cell: (row) => (row.tx_hash ? { shown: row.tx_hash, full: row.tx_hash } : dash),
  },
  { key: 'from', label: 'From', width: 170, sort: 'from_address', isNumber: false, isMono: true, cell: (row) => address(row.from_address) },
  { key: 'to', label: 'To', width: 170, sort: 'to_address', isNumber: false, isMono: true, cell: (row) => address(row.to_address) },
  {
    key: 'description',
    label: 'Description',
    width: 260,
    sort: 'description',
    isNumber: false,
    cell: (row) => (row.description ? { shown: row.description, full: row.description } : dash),
  },
];

export const gridTemplate = columns
  .map((column, index) => (index === columns.length - 1 ? `minmax(${column.width}px, 1fr)` : `${column.width}px`))
  .join(' ');
export const gridWidth = columns.reduce((sum, column) => sum + column.width, 0);
