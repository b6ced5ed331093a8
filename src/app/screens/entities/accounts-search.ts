import type { Account } from '#contract/accounts.ts';
import { isStaleSince } from '#domain/worklist.ts';
import { type OrganizationSearch, readOrganizationSearch } from '#app/shell/organization-search.ts';

/** Which of an entity's accounts its address leaves: those with something to do. */
export const accountProblems = ['unreconciled', 'failed', 'stale'] as const;
export type AccountProblem = (typeof accountProblems)[number];

export interface AccountsSearch extends OrganizationSearch {
  accounts?: AccountProblem;
}

/** Reads it; what means nothing is left out. */
export function readAccountsSearch(raw: Record<string, unknown>): AccountsSearch {
  const accounts = accountProblems.find((known) => known === raw.accounts);
  return { ...readOrganizationSearch(raw), ...(accounts ? { accounts } : {}) };
}

const manualFrom = 4;

/** Whether a problem is one of an account's. Inactive accounts and, of what is fetched, those kept by hand have none. */
export function hasProblem(account: Account, problem: AccountProblem, now: number): boolean {
  if (account.is_inactive) return false;
  if (problem === 'unreconciled') return account.reconciliation_status === 'UNRECONCILED';
  if (problem === 'failed') return account.sync_status === 'SYNC_ERROR';
  return account.account_integration_type_id < manualFrom && isStaleSince(account.last_update?.slice(0, 10) ?? null, now);
}
