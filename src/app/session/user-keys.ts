/** What of local storage tells of the person and what they looked at; what is of the device alone, such as the theme, stays. */
const personal = [
  'last_entity_id',
  'transaction_asset_filter',
  'transaction_columns_account',
  'transaction_columns_entity',
  'transaction_columns_entities',
  'redirect_url',
  'last_activity_at',
  'left_at',
] as const;

/** Forgets what local storage has of a user; keys that end in a user's id are theirs. */
export function forgetUserKeys(local: Storage, userId: string): void {
  for (const key of personal) local.removeItem(key);
  const all = Array.from({ length: local.length }, (_, index) => local.key(index));
  for (const key of all) if (key?.endsWith(` ${userId}`)) local.removeItem(key);
}
