import { type AccountProblem, accountProblems } from '#domain/worklist.ts';
import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';

/** What an entity's address says: whose it is, and which of its accounts are shown, all unless told. */
export interface AccountsSearch extends OrganizationSearch {
  accounts?: AccountProblem;
}

/** Reads it; what means nothing is left out. */
export function readAccountsSearch(raw: Record<string, unknown>): AccountsSearch {
  const accounts = accountProblems.find((known) => known === raw.accounts);
  return { ...readOrganizationSearch(raw), ...(accounts ? { accounts } : {}) };
}
