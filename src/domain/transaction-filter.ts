import type { SortStep } from './sorting.ts';

/** Fields one picks values of: names in a list. */
export const listFields = ['account', 'security', 'type', 'custodian', 'match_state'] as const;
export type ListField = (typeof listFields)[number];

/** Fields one bounds by amounts. Quantity and US dollars carry the sign of the row's type, as the list shows them. */
export const amountFields = ['quantity', 'price', 'usd_value', 'fee_quantity', 'fee_usd'] as const;
export type AmountField = (typeof amountFields)[number];

/** Fields one looks for a part of. */
export const textFields = ['tx_hash', 'from_address', 'to_address', 'description'] as const;
export type TextField = (typeof textFields)[number];

export const flagFields = ['manual_trx', 'updated_trx', 'unpriced_trx', 'is_unidentified'] as const;
export type FlagField = (typeof flagFields)[number];

/** Bounds of an amount, decimal texts; all given ones hold. */
export interface AmountRange {
  atLeast?: string;
  atMost?: string;
  above?: string;
  below?: string;
  /** The size is looked at, whatever the sign: 10 finds (10.00) too. Then every bound is without a sign. */
  size?: boolean;
}

/** What one field must be. `not` turns it round. */
export type FieldFilter =
  /** Ids; of `type` those of the reduced category list, of `match_state` the states; an empty text stands for none. */
  | { kind: 'list'; field: ListField; values: readonly string[]; not?: boolean }
  | { kind: 'amount'; field: AmountField; range: AmountRange; not?: boolean }
  | { kind: 'text'; field: TextField; contains: string; not?: boolean }
  | { kind: 'flag'; field: FlagField; is: boolean };

/** What the transactions list is narrowed to. An empty list, text or null is no filter. Days are `yyyy-MM-dd` in the chosen zone. */
export interface TransactionFilter {
  entity_ids: readonly string[];
  from: string | null;
  to: string | null;
  fields: readonly FieldFilter[];
  /** Part of a hash, an address, a description, a ticker or an account's name, whatever its case. */
  text: string;
  /** Transaction hashes and row ids, as pasted from elsewhere: rows that have one of them. */
  hashes: readonly string[];
}

export const noFilter: TransactionFilter = { entity_ids: [], from: null, to: null, fields: [], text: '', hashes: [] };

/** What the list can be sorted by, each by what the person sees: names by name, amounts by value. */
export const sortFields = [
  'trx_date',
  'entity',
  'account',
  'custodian',
  'type',
  'security',
  'quantity',
  'price',
  'usd_value',
  'fee_quantity',
  'fee_usd',
  'tx_hash',
  'from_address',
  'to_address',
  'description',
  'match_state',
  'flags',
] as const;
export type SortField = (typeof sortFields)[number];

export type SortState = SortStep<SortField>;
