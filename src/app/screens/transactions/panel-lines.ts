import { displayAddress } from '#domain/addresses.ts';
import { exactAmount, plainDecimal } from '#domain/amounts.ts';
import { formatDate } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { flagWords, signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { GridRow } from '#workers/start.ts';
import type { Preferences } from '#app/preferences.ts';
import type { Names } from './use-names.ts';

/** One line of what there is to know of a row. */
export interface PanelLine {
  label: string;
  /** The column whose value it is, where the list can be narrowed by it. */
  column?: string;
  text: string;
  /** What copying gives, where it is worth copying. */
  copy?: string;
  isMono?: boolean;
}

interface LineParts extends Pick<Preferences, 'zone' | 'numbers'> {
  names: Names;
  /** The list is of several entities. */
  saysEntity: boolean;
}

/** Everything about a row, in lines. */
export function linesOf(row: GridRow, { names, zone, numbers, saysEntity }: LineParts): PanelLine[] {
  const ticker = (id: string | null): string => (id === null ? '' : (names.security.get(id)?.ticker ?? ''));
  const quantity = plainDecimal(signedQuantity(row));
  const usd = signedUsd(row);
  const long = (column: string, label: string, text: string | null): PanelLine[] =>
    text ? [{ column, label, text, copy: text, isMono: true }] : [];
  const address = (column: string, label: string, text: string | null): PanelLine[] => long(column, label, text && displayAddress(text));
  return [
    { column: 'date', label: 'Date', text: `${formatDate(Date.parse(row.trx_date), zone)} ${zone}`, copy: row.trx_date },
    ...(saysEntity ? [{ column: 'entity', label: 'Entity', text: names.entity.get(row.entity_id)?.entity_name ?? row.entity_id }] : []),
    { column: 'account', label: 'Account', text: names.account.get(row.account_id)?.account_name ?? row.account_id },
    { column: 'custodian', label: 'Custodian', text: names.custodian.get(row.custodian_id)?.custodian_name ?? row.custodian_id },
    { column: 'type', label: 'Type', text: typeName(row.trx_type_id) },
    {
      column: 'security',
      label: 'Security',
      text:
        row.security_id === null
          ? 'Unidentified'
          : `${ticker(row.security_id)}, ${names.security.get(row.security_id)?.security_name ?? 'not here yet'}`,
    },
    { column: 'quantity', label: 'Quantity', text: `${exactAmount(quantity, numbers)} ${ticker(row.security_id)}`, copy: quantity },
    ...(row.price === null
      ? []
      : [{ column: 'price', label: 'Price', text: `${exactAmount(row.price, numbers)} USD`, copy: plainDecimal(row.price) }]),
    usd === null
      ? { column: 'usd', label: 'USD value', text: row.unpriced_trx ? 'Unpriced' : 'None' }
      : { column: 'usd', label: 'USD value', text: exactAmount(usd, numbers), copy: plainDecimal(usd) },
    ...(row.fee_quantity === null
      ? []
      : [
          {
            column: 'fee',
            label: 'Fee',
            text: `${exactAmount(row.fee_quantity, numbers)} ${ticker(row.fee_security_id)}`,
            copy: plainDecimal(row.fee_quantity),
          },
        ]),
    ...(row.fee_usd === null ? [] : [{ label: 'Fee in USD', text: exactAmount(row.fee_usd, numbers), copy: plainDecimal(row.fee_usd) }]),
    ...(flagWords(row).length > 0 ? [{ column: 'flags', label: 'Flags', text: flagWords(row).join(', ') }] : []),
    ...long('hash', 'Tx hash', row.tx_hash),
    ...address('from', 'From', row.from_address),
    ...address('to', 'To', row.to_address),
    ...(row.description ? [{ column: 'description', label: 'Description', text: row.description, copy: row.description }] : []),
    ...(row.trade_group_id ? [{ label: 'Trade group', text: row.trade_group_id, copy: row.trade_group_id, isMono: true }] : []),
    { label: 'Id', text: row.id, copy: row.id, isMono: true },
  ];
}
