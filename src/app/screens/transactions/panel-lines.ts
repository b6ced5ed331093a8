import { displayAddress } from '#domain/addresses.ts';
import { exactAmount, plainDecimal } from '#domain/amounts.ts';
import { formatDate } from '#domain/dates.ts';
import type { TransactionNames } from '#domain/transaction-cells.ts';
import { typeName } from '#domain/transaction-types.ts';
import { flagWords, signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { GridRow } from '#workers/start.ts';
import type { Preferences } from '#app/preferences.ts';

/** A line of a row's details. */
interface Line {
  label: string;
  text: string;
  /** What copying gives, where it is worth copying. */
  copy?: string;
  isMono?: boolean;
}

/** Everything about a row that its details say, in their order. */
export function linesOf(row: GridRow, names: TransactionNames, { zone, numbers }: Pick<Preferences, 'zone' | 'numbers'>): Line[] {
  const ticker = (id: string | null): string => (id === null ? '' : (names.security.get(id)?.ticker ?? ''));
  const quantity = plainDecimal(signedQuantity(row));
  const usd = signedUsd(row);
  const long = (label: string, text: string | null): Line[] => (text ? [{ label, text, copy: text, isMono: true }] : []);
  const address = (label: string, text: string | null): Line[] => long(label, text && displayAddress(text));
  return [
    { label: 'Date', text: `${formatDate(Date.parse(row.trx_date), zone)} ${zone}`, copy: row.trx_date },
    { label: 'Account', text: names.account.get(row.account_id)?.account_name ?? row.account_id },
    { label: 'Custodian', text: names.custodian.get(row.custodian_id)?.custodian_name ?? row.custodian_id },
    { label: 'Type', text: typeName(row.trx_type_id) },
    {
      label: 'Security',
      text:
        row.security_id === null
          ? 'Unidentified'
          : `${ticker(row.security_id)}, ${names.security.get(row.security_id)?.security_name ?? 'not here yet'}`,
    },
    { label: 'Quantity', text: `${exactAmount(quantity, numbers)} ${ticker(row.security_id)}`, copy: quantity },
    ...(row.price === null ? [] : [{ label: 'Price', text: `${exactAmount(row.price, numbers)} USD`, copy: plainDecimal(row.price) }]),
    usd === null
      ? { label: 'USD value', text: row.unpriced_trx ? 'Unpriced' : 'None' }
      : { label: 'USD value', text: exactAmount(usd, numbers), copy: plainDecimal(usd) },
    ...(row.fee_quantity === null
      ? []
      : [
          {
            label: 'Fee',
            text: `${exactAmount(row.fee_quantity, numbers)} ${ticker(row.fee_security_id)}`,
            copy: plainDecimal(row.fee_quantity),
          },
        ]),
    ...(row.fee_usd === null ? [] : [{ label: 'Fee in USD', text: exactAmount(row.fee_usd, numbers), copy: plainDecimal(row.fee_usd) }]),
    ...(flagWords(row).length > 0 ? [{ label: 'Flags', text: flagWords(row).join(', ') }] : []),
    ...long('Tx hash', row.tx_hash),
    ...address('From', row.from_address),
    ...address('To', row.to_address),
    ...(row.description ? [{ label: 'Description', text: row.description, copy: row.description }] : []),
    ...(row.trade_group_id ? [{ label: 'Trade group', text: row.trade_group_id, copy: row.trade_group_id, isMono: true }] : []),
    { label: 'Id', text: row.id, copy: row.id, isMono: true },
  ];
}
