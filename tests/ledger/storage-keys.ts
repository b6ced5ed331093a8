import type { keptKeys } from '#app/kept-keys.ts';

/** What the specification says is kept in the browser's storages, with the rows of the product's table; one without any is open. */
export interface LedgerKey {
  holds: string;
  rows: readonly (keyof typeof keptKeys)[];
}

/** Section 3, in its order. */
export const storageKeys: readonly LedgerKey[] = [
  { holds: 'user', rows: ['user'] },
  { holds: 'user id', rows: ['userId'] },
  { holds: 'organization id', rows: ['lastOrganization'] },
  { holds: 'price source id and name', rows: ['priceSourceId', 'priceSourceName'] },
  { holds: 'redirect url', rows: ['redirectUrl'] },
  { holds: 'theme', rows: ['theme'] },
  { holds: 'transaction asset filter', rows: ['assetFilter'] },
  { holds: 'transaction columns for accounts and entities', rows: ['accountTransactionColumns', 'entityTransactionColumns'] },
  { holds: 'securities cache', rows: [] },
  { holds: 'active security ids filter', rows: [] },
  { holds: 'login response', rows: ['loginResponse'] },
];
