import type { MarkTransferInput } from '#contract/transaction-matches.ts';
import type { MatchState } from '#contract/transaction-codes.ts';
import { signOfType } from './transaction-types.ts';

/** What the rule needs to know of a transaction. */
export interface Leg {
  id: string;
  account_id: string;
  entity_id: string;
  trx_type_id: number;
}

export type TransferRefusal = 'same_transaction' | 'same_account' | 'other_entity' | 'same_direction' | 'moves_nothing';
export type TransferCheck = { ok: true; outId: string | null; inId: string | null } | { ok: false; reason: TransferRefusal };

/** Why a pair was refused, in words an accountant can act on. */
export const transferRefusals: Record<TransferRefusal, string> = {
  same_transaction: 'A transaction cannot be its own counterpart',
  same_account: 'Both transactions are in one account: a transfer goes from one account to another',
  other_entity: 'The two transactions belong to different entities',
  same_direction: 'A transfer needs one row that leaves an account and one that arrives',
  moves_nothing: 'This type of transaction moves nothing, so it cannot be a transfer',
};

/**
 * Says whether a person may mark these rows as one transfer, and which leg is which.
 * Amounts and times are not compared: a person's decision may pair what the engine would not.
 */
export function checkTransferMark(leg: Leg, counterpart: Leg | null): TransferCheck {
  const sign = signOfType(leg.trx_type_id);
  if (sign === 0) return { ok: false, reason: 'moves_nothing' };
  if (!counterpart) return sign < 0 ? { ok: true, outId: leg.id, inId: null } : { ok: true, outId: null, inId: leg.id };
  if (counterpart.id === leg.id) return { ok: false, reason: 'same_transaction' };
  if (counterpart.entity_id !== leg.entity_id) return { ok: false, reason: 'other_entity' };
  if (counterpart.account_id === leg.account_id) return { ok: false, reason: 'same_account' };
  const other = signOfType(counterpart.trx_type_id);
  if (other === 0) return { ok: false, reason: 'moves_nothing' };
  if (other === sign) return { ok: false, reason: 'same_direction' };
  return sign < 0 ? { ok: true, outId: leg.id, inId: counterpart.id } : { ok: true, outId: counterpart.id, inId: leg.id };
}

/** The state a mark leaves on each of its legs. Setting, never counting, so applying it twice changes nothing more. */
export function stateAfterMark(input: MarkTransferInput): MatchState {
  return input.is_transfer ? 'APPROVED' : 'REJECTED';
}
