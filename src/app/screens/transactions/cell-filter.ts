import { plainDecimal } from '#domain/amounts.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import { type AmountField, type FieldFilter, flagFields, type ListField, type TextField } from '#domain/transaction-filter.ts';
import { typeCategories } from '#domain/transaction-types.ts';
import { signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { GridRow } from '#workers/start.ts';
import { isPart } from './field-text.ts';
import { daysChange, filterChange, type SearchChange } from './transaction-search.ts';

const listValues: Readonly<Record<string, [ListField, (row: GridRow) => string]>> = {
  account: ['account', (row) => row.account_id],
  // of buys the reduced list only knows all trades
  type: ['type', (row) => String(row.trx_type_id)],
  security: ['security', (row) => row.security_id ?? ''],
  match: ['match_state', (row) => row.match_state ?? ''],
  custodian: ['custodian', (row) => row.custodian_id],
};
const amounts: Readonly<Record<string, [AmountField, (row: GridRow) => string | null]>> = {
  quantity: ['quantity', signedQuantity],
  price: ['price', (row) => row.price],
  usd: ['usd_value', signedUsd],
  fee: ['fee_quantity', (row) => row.fee_quantity],
};
const texts: Readonly<Record<string, [TextField, (row: GridRow) => string | null]>> = {
  hash: ['tx_hash', (row) => row.tx_hash],
  from: ['from_address', (row) => row.from_address],
  to: ['to_address', (row) => row.to_address],
  description: ['description', (row) => row.description],
};

/** The filter that lets only rows with a cell's value through, or with `not` only the others; null where there is none. */
export function cellFilter(key: string, row: GridRow, not: boolean): FieldFilter | null {
  const turned = not ? ({ not: true } as const) : {};
  const [list, amount, text] = [listValues[key], amounts[key], texts[key]];
  if (list) return { kind: 'list', field: list[0], values: [list[1](row)], ...turned };
  const value = amount?.[1](row) ?? null;
  if (amount && value !== null) {
    const exact = plainDecimal(value);
    return { kind: 'amount', field: amount[0], range: { atLeast: exact, atMost: exact }, ...turned };
  }
  if (key === 'usd' && row.unpriced_trx) return { kind: 'flag', field: 'unpriced_trx', is: !not };
  const contains = text?.[1](row) ?? '';
  if (text && isPart(contains)) return { kind: 'text', field: text[0], contains, ...turned };
  const [flag, ...more] = key === 'flags' ? flagFields.filter((field) => row[field]) : [];
  return flag && more.length === 0 ? { kind: 'flag', field: flag, is: !not } : null;
}

/** What rows have in common that a cell's filter lets through, where that is more than the value one sees. */
export function cellFilterWords(key: string, row: GridRow): string | null {
  const filter = cellFilter(key, row, false);
  if (filter?.kind === 'text') return `containing ${filter.contains}`;
  const category = key === 'type' ? typeCategories.find(({ id }) => id === row.trx_type_id) : undefined;
  return category && category.typeIds.length > 1 ? `${category.name}, its fees and rebates` : null;
}

/** How an address changes when its list is narrowed to a cell's value, or to all others; null where that cannot be said. */
export function cellChange(key: string, row: GridRow, not: boolean, at: { now: number; zone: TimeZone }): SearchChange | null {
  if (key === 'entity') return not ? null : { entity: row.entity_id, client: undefined };
  if (key === 'date') {
    const [month, day, year] = formatDay(Date.parse(row.trx_date), at.zone).split('/');
    const only = `${year}-${month}-${day}`;
    return not ? null : daysChange({ from: only, to: only });
  }
  const filter = cellFilter(key, row, not);
  return filter && filterChange(filter);
}
