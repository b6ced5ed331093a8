import type { Transaction } from '#contract/transactions.ts';
import { plainDecimal } from '#domain/amounts.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import { signOfType } from '#domain/transaction-types.ts';
import type { Names } from './use-names.ts';

/** An edit's title as the outbox lists it: `Mark transfer: 1.5 BTC Kraken -> Ledger, 09/14/2026`. */
export function markTitle(
  mark: { row: Transaction; counterpart: Transaction | null; isTransfer: boolean },
  names: Pick<Names, 'account' | 'security'>,
  zone: TimeZone,
): string {
  const { row, counterpart, isTransfer } = mark;
  const accountName = (leg: Transaction): string => names.account.get(leg.account_id)?.account_name ?? 'an account';
  const isOut = signOfType(row.trx_type_id) < 0;
  const [from, to] = isOut ? [row, counterpart] : [counterpart, row];
  const place = from && to ? `${accountName(from)} -> ${accountName(to)}` : accountName(row);
  const ticker = row.security_id === null ? '' : ` ${names.security.get(row.security_id)?.ticker ?? ''}`;
  return `${isTransfer ? 'Mark transfer' : 'Mark not a transfer'}: ${plainDecimal(row.quantity)}${ticker.trimEnd()} ${place}, ${formatDay(Date.parse(row.trx_date), zone)}`;
}
