import type { Account } from '#contract/accounts.ts';
import type { Custodian } from '#contract/custodians.ts';
import type { Entity } from '#contract/entities.ts';
import type { Security } from '#contract/securities.ts';
import type { Transaction } from '#contract/transactions.ts';
import { displayAddress } from './addresses.ts';
import { formatPrice, formatUsd, plainDecimal } from './amounts.ts';
import { formatDate, type TimeZone } from './dates.ts';
import type { SortField } from './transaction-filter.ts';
import { typeName } from './transaction-types.ts';
import { type NumberStyle, usualNumbers } from './number-style.ts';
import { alignedQuantity, flagWords, matchWord, signedQuantity, signedUsd } from './transaction-words.ts';

/** What the ids of a transaction stand for. */
export interface TransactionNames {
  entity: ReadonlyMap<string, Pick<Entity, 'entity_name'>>;
  account: ReadonlyMap<string, Pick<Account, 'account_name'>>;
  custodian: ReadonlyMap<string, Pick<Custodian, 'custodian_name'>>;
  security: ReadonlyMap<string, Security>;
}

/** What a cell shows, and what it gives when copied. */
export interface CellText {
  shown: string;
  /** Quieter text after it: the ticker of an amount. */
  unit?: string;
  /** Everything there is to know of it, where `shown` is shortened. */
  full?: string;
  /** For a copy or a file; `shown` where absent. */
  plain?: string;
}

/** One column of the transactions list: what it is called, sorts by and says of a row, on the screen as in a file. */
export interface TransactionColumn {
  key: string;
  label: string;
  sort: SortField;
  isNumber: boolean;
  /** The unit of an amount stands in a column of its own when copied. */
  hasUnit?: boolean;
  cell: (row: Transaction, names: TransactionNames, zone: TimeZone, style?: NumberStyle) => CellText;
}

const dash: CellText = { shown: '', plain: '' };

function address(text: string | null): CellText {
  if (!text) return dash;
  const shown = displayAddress(text);
  return { shown, full: shown, plain: shown };
}

function amount(quantity: string, securityId: string | null, names: TransactionNames, style: NumberStyle): CellText {
  const security = securityId === null ? undefined : names.security.get(securityId);
  const unit = security?.ticker ?? '';
  const plain = plainDecimal(quantity);
  return { shown: alignedQuantity(quantity, security, style), unit, full: `${plain} ${unit}`.trim(), plain };
}

/** Every column of the transactions list, in the usual order. */
export const transactionColumns = [
  {
    key: 'date',
    label: 'Date',
    sort: 'trx_date',
    isNumber: false,
    cell: (row, _names, zone) => {
      const shown = formatDate(Date.parse(row.trx_date), zone);
      return { shown, full: `${row.trx_date} (UTC)`, plain: shown };
    },
  },
  {
    key: 'account',
    label: 'Account',
    sort: 'account',
    isNumber: false,
    cell: (row, names) => ({ shown: names.account.get(row.account_id)?.account_name ?? row.account_id }),
  },
  {
    key: 'entity',
    label: 'Entity',
    sort: 'entity',
    isNumber: false,
    cell: (row, names) => ({ shown: names.entity.get(row.entity_id)?.entity_name ?? row.entity_id }),
  },
  { key: 'type', label: 'Type', sort: 'type', isNumber: false, cell: (row) => ({ shown: typeName(row.trx_type_id) }) },
  {
    key: 'security',
    label: 'Security',
    sort: 'security',
    isNumber: false,
    cell: (row, names) => {
      const security = row.security_id === null ? undefined : names.security.get(row.security_id);
      const shown = security?.ticker ?? (row.security_id === null ? '' : 'Unknown');
      return { shown, full: security?.security_name ?? row.security_id ?? 'No security', plain: shown };
    },
  },
  {
    key: 'quantity',
    hasUnit: true,
    label: 'Quantity',
    sort: 'quantity',
    isNumber: true,
    cell: (row, names, _zone, style = usualNumbers) => amount(signedQuantity(row), row.security_id, names, style),
  },
  {
    key: 'price',
    label: 'Price',
    sort: 'price',
    isNumber: true,
    cell: (row, _names, _zone, style) =>
      row.price === null ? dash : { shown: formatPrice(row.price, style), full: plainDecimal(row.price), plain: plainDecimal(row.price) },
  },
  {
    key: 'usd',
    label: 'USD value',
    sort: 'usd_value',
    isNumber: true,
    cell: (row, _names, _zone, style) => {
      const usd = signedUsd(row);
      return usd === null
        ? { shown: row.unpriced_trx ? 'Unpriced' : '', plain: '' }
        : { shown: formatUsd(usd, style), full: plainDecimal(usd), plain: plainDecimal(usd) };
    },
  },
  {
    key: 'match',
    label: 'Match',
    sort: 'match_state',
    isNumber: false,
    cell: (row) => ({ shown: matchWord(row.match_state) }),
  },
  {
    key: 'custodian',
    label: 'Custodian',
    sort: 'custodian',
    isNumber: false,
    cell: (row, names) => ({ shown: names.custodian.get(row.custodian_id)?.custodian_name ?? row.custodian_id }),
  },
  {
    key: 'fee',
    hasUnit: true,
    label: 'Fee',
    sort: 'fee_quantity',
    isNumber: true,
    cell: (row, names, _zone, style = usualNumbers) =>
      row.fee_quantity === null ? dash : amount(row.fee_quantity, row.fee_security_id, names, style),
  },
  { key: 'flags', label: 'Flags', sort: 'flags', isNumber: false, cell: (row) => ({ shown: flagWords(row).join(', ') }) },
  {
    key: 'hash',
    label: 'Tx hash',
    sort: 'tx_hash',
    isNumber: false,
    cell: (row) => (row.tx_hash ? { shown: row.tx_hash, full: row.tx_hash } : dash),
  },
  { key: 'from', label: 'From', sort: 'from_address', isNumber: false, cell: (row) => address(row.from_address) },
  { key: 'to', label: 'To', sort: 'to_address', isNumber: false, cell: (row) => address(row.to_address) },
  {
    key: 'description',
    label: 'Description',
    sort: 'description',
    isNumber: false,
    cell: (row) => (row.description ? { shown: row.description, full: row.description } : dash),
  },
] as const satisfies readonly TransactionColumn[];

export type TransactionColumnKey = (typeof transactionColumns)[number]['key'];

/** What a cell is in a copy or a file: everything there is of it, a number without grouping. */
export function plainOf({ shown, full, plain }: CellText): string {
  return plain ?? full ?? shown;
}

/** A column's head; times name the zone they are in. */
export function headOf({ key, label }: Pick<TransactionColumn, 'key' | 'label'>, zone: TimeZone): string {
  return key === 'date' ? `${label} (${zone})` : label;
}
