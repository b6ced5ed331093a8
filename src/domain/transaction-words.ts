import type { Security } from '#contract/securities.ts';
import type { MatchState } from '#contract/transaction-codes.ts';
import type { Transaction } from '#contract/transactions.ts';
import { decimal, formatQuantity, negated } from './amounts.ts';
import { usualNumbers } from './number-style.ts';
import { signOfType } from './transaction-types.ts';

const matchWords: Record<MatchState, string> = { PENDING: 'Pending', APPROVED: 'Transfer', REJECTED: 'Not a transfer' };

export function matchWord(state: MatchState | null): string {
  return state === null ? '' : matchWords[state];
}

/** Fiat money keeps 2 places at least, digital assets 8. @source specification section 1; type 3 is money */
export function leastPlaces(security: Security | undefined): number {
  return security?.security_type_id === 3 ? 2 : 8;
}

/** The quantity with the sign its type gives it. */
export function signedQuantity(row: Pick<Transaction, 'quantity' | 'trx_type_id'>): string {
  return signOfType(row.trx_type_id) < 0 ? negated(row.quantity) : row.quantity;
}

/** The US dollar value with the sign of the row's type; null where it has no price. */
export function signedUsd(row: Pick<Transaction, 'usd_value' | 'trx_type_id'>): string | null {
  if (row.usd_value === null) return null;
  return signOfType(row.trx_type_id) < 0 ? negated(row.usd_value) : row.usd_value;
}

export function shownQuantity(quantity: string, security: Security | undefined, style = usualNumbers): string {
  return formatQuantity(quantity, leastPlaces(security), style);
}

/** The flags of a row as short words. */
export function flagWords(row: Pick<Transaction, 'manual_trx' | 'updated_trx' | 'unpriced_trx' | 'is_unidentified'>): string[] {
  return [
    row.manual_trx ? 'Manual' : '',
    row.updated_trx ? 'Updated' : '',
    row.unpriced_trx ? 'Unpriced' : '',
    row.is_unidentified ? 'Unidentified' : '',
  ].filter(Boolean);
}

/** bignumber.js's rounding mode for half to even, the one the product rounds by. */
const halfEven = 6;

/**
 * A quantity at a fixed number of places, so that a column aligns on the decimal point; one too small for that keeps all its digits, and
 * all do where the style wants them.
 */
export function alignedQuantity(quantity: string, security: Security | undefined, style = usualNumbers): string {
  const places = leastPlaces(security);
  if (style.decimals === 'all') return formatQuantity(quantity, places, style);
  const exact = decimal(quantity);
  const rounded = exact.decimalPlaces(places, halfEven);
  return formatQuantity(rounded.isZero() ? quantity : rounded.toFixed(), places, style);
}

const reasonWords: Readonly<Record<string, string>> = {
  tx_hash: 'Same transaction hash',
  unique: 'The only row of this amount nearby',
  best: 'The closest of several rows of this amount',
  manual: 'Decided by a person',
};

/** Why a match was proposed, in words; a reason this build does not know stands as it came. */
export function reasonText(reason: string): string {
  return reasonWords[reason] ?? reason;
}
