import { type AccountProblem, accountProblems } from '#domain/worklist.ts';
import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';
import { readSortSearch, type SortSearch } from '#app/sort-search.ts';

/** What the accounts of an entity can be sorted by. */
export const accountFields = ['account', 'custodian', 'kind', 'chain', 'address', 'value', 'state'] as const;
export type AccountField = (typeof accountFields)[number];

/** What an entity's address says: whose it is, which of its accounts are shown, all unless told, and in which order. */
export interface AccountsSearch extends OrganizationSearch, SortSearch {
  accounts?: AccountProblem | undefined;
}

/** Reads it; what means nothing is left out. */
export function readAccountsSearch(raw: Record<string, unknown>): AccountsSearch {
  const accounts = accountProblems.find((known) => known === raw.accounts);
  return { ...readOrganizationSearch(raw), ...(accounts ? { accounts } : {}), ...readSortSearch(raw, accountFields) };
}
