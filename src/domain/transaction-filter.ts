/** What the transactions list is narrowed to. An empty list or null is no filter. Days are `yyyy-MM-dd` in the chosen zone. */
export interface TransactionFilter {
  entity_id: string | null;
  account_ids: readonly string[];
  security_ids: readonly string[];
  /** Ids of the reduced category list, where 3 stands for all of a trade's rows. */
  category_ids: readonly number[];
  custodian_ids: readonly string[];
  from: string | null;
  to: string | null;
  manual_trx: boolean | null;
  updated_trx: boolean | null;
  unpriced_trx: boolean | null;
  is_unidentified: boolean | null;
  /** Part of a hash, an address or a description, whatever its case. */
  text: string;
}

export const noFilter: TransactionFilter = {
  entity_id: null,
  account_ids: [],
  security_ids: [],
  category_ids: [],
  custodian_ids: [],
  from: null,
  to: null,
  manual_trx: null,
  updated_trx: null,
  unpriced_trx: null,
  is_unidentified: null,
  text: '',
};

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

export interface SortState {
  field: SortField;
  ascending: boolean;
}

/** The next state of a column's sort: first click ascending, next descending, third none. @source specification section 4 */
export function nextSort(current: SortState | null, field: SortField): SortState | null {
  if (current?.field !== field) return { field, ascending: true };
  return current.ascending ? { field, ascending: false } : null;
}
