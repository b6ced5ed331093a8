import type { AmountField, FieldFilter, FlagField, ListField, TextField } from '#domain/transaction-filter.ts';

/** One thing the list can be narrowed by: its name in the address, its kind, and what people call it. */
type FieldShape =
  | { key: string; kind: 'list'; field: ListField; label: string }
  | { key: string; kind: 'amount'; field: AmountField; label: string }
  | { key: string; kind: 'text'; field: TextField; label: string }
  | { key: string; kind: 'flag'; field: FlagField; label: string };

/** Every field, in the order it is offered. */
export const filterFields = [
  { key: 'account', kind: 'list', field: 'account', label: 'Account' },
  { key: 'security', kind: 'list', field: 'security', label: 'Security' },
  { key: 'type', kind: 'list', field: 'type', label: 'Type' },
  { key: 'custodian', kind: 'list', field: 'custodian', label: 'Custodian' },
  { key: 'match', kind: 'list', field: 'match_state', label: 'Match' },
  { key: 'quantity', kind: 'amount', field: 'quantity', label: 'Quantity' },
  { key: 'price', kind: 'amount', field: 'price', label: 'Price' },
  { key: 'usd_value', kind: 'amount', field: 'usd_value', label: 'USD value' },
  { key: 'fee_quantity', kind: 'amount', field: 'fee_quantity', label: 'Fee' },
  { key: 'fee_usd', kind: 'amount', field: 'fee_usd', label: 'Fee in USD' },
  { key: 'description', kind: 'text', field: 'description', label: 'Description' },
  { key: 'tx_hash', kind: 'text', field: 'tx_hash', label: 'Tx hash' },
  { key: 'from_address', kind: 'text', field: 'from_address', label: 'From address' },
  { key: 'to_address', kind: 'text', field: 'to_address', label: 'To address' },
  { key: 'manual', kind: 'flag', field: 'manual_trx', label: 'Manual' },
  { key: 'updated', kind: 'flag', field: 'updated_trx', label: 'Updated' },
  { key: 'unpriced', kind: 'flag', field: 'unpriced_trx', label: 'Unpriced' },
  { key: 'unidentified', kind: 'flag', field: 'is_unidentified', label: 'Unidentified' },
] as const satisfies readonly FieldShape[];

export type FilterField = (typeof filterFields)[number];
export type FieldKey = FilterField['key'];
export type FieldOf<Kind extends FilterField['kind']> = Extract<FilterField, { kind: Kind }>;

/** The fields that stay one click away. */
export const quickKeys = ['account', 'security', 'type', 'custodian'] as const satisfies readonly FieldKey[];

export function fieldOf(key: FieldKey): FilterField {
  const found = filterFields.find((field) => field.key === key);
  if (!found) throw new Error(`No field is called ${key}`);
  return found;
}

/** The name in the address of the field a filter is about. */
export function keyOf({ field }: FieldFilter): FieldKey {
  const found = filterFields.find((one) => one.field === field);
  if (!found) throw new Error(`No field is called ${field}`);
  return found.key;
}
