import type { Account } from '#contract/accounts.ts';
import type { Entity } from '#contract/entities.ts';
import type { EntityWorklist, UpdatedAccounts } from '#contract/entity-worklists.ts';
import { decimal, sumOf } from './amounts.ts';

const dayMs = 86_400_000;

/**
 * After so many whole days without an update what an automated account shows is stale. Sources are read every day; one that is missed
 * is a hiccup, two are a weekend, the third is somebody's to look at.
 */
export const staleAfterDays = 3;

/** Whether an account that was last updated on a day in UTC, `yyyy-MM-dd` or never, is stale. */
export function isStaleSince(day: string | null, now: number): boolean {
  return day === null || now >= Date.parse(`${day}T00:00:00.000Z`) + (staleAfterDays + 1) * dayMs;
}

/** Kinds of accounts are numbered; from this one on they are kept by hand, and nothing fetches them. */
const manualFrom = 4;

/** What there can be to do about an account. */
export const accountProblems = ['unreconciled', 'failed', 'stale'] as const;
export type AccountProblem = (typeof accountProblems)[number];

/** Whether there is something to do about an account. About one that is inactive there is nothing; one kept by hand is never stale. */
export function hasProblem(account: Account, problem: AccountProblem, now: number): boolean {
  if (account.is_inactive) return false;
  if (problem === 'unreconciled') return account.reconciliation_status === 'UNRECONCILED';
  if (problem === 'failed') return account.sync_status === 'SYNC_ERROR';
  return account.account_integration_type_id < manualFrom && isStaleSince(account.last_update?.slice(0, 10) ?? null, now);
}

/** How many of some accounts are stale at a moment: known without a network, too. */
export function staleAccounts(updated: readonly UpdatedAccounts[], now: number): number {
  return updated.filter(({ day }) => isStaleSince(day, now)).reduce((sum, { accounts }) => sum + accounts, 0);
}

/** What there can be to do, each counted by what it is about. */
export const problems = ['unreconciled', 'pending', 'unpriced', 'unidentified', 'failed', 'stale'] as const;
export type Problem = (typeof problems)[number];

/** What there is to do for an entity; null where it is not known on this device. */
export interface Work {
  counts: Readonly<Record<Problem, number | null>>;
  /** US dollars of what has a price: by how much accounts do not tie out, what waits for a match, what nobody identified. */
  atStakeUsd: string | null;
}

/**
 * @param worklist as the server counted it; undefined where it never said.
 * @param pending matches that wait, as they are counted here with the edits that wait; null where they are not kept here.
 */
export function workOf(entity: Entity, worklist: EntityWorklist | undefined, pending: number | null, now: number): Work {
  return {
    counts: {
      unreconciled: entity.unreconciled_accounts ?? null,
      pending: pending ?? worklist?.pending_matches ?? null,
      unpriced: worklist?.unpriced ?? null,
      unidentified: worklist?.unidentified ?? null,
      failed: worklist?.failed_syncs ?? null,
      stale: worklist ? staleAccounts(worklist.updated_accounts, now) : null,
    },
    atStakeUsd: worklist ? sumOf([worklist.unreconciled_usd, worklist.pending_usd, worklist.unidentified_usd]) : null,
  };
}

/** Whether there is something to do, or may be: of what is not known nobody can say that it is done. */
export function hasWork({ counts }: Work): boolean {
  return problems.some((problem) => counts[problem] !== 0);
}

const countOf = ({ counts }: Work): number => problems.reduce((sum, problem) => sum + (counts[problem] ?? 0), 0);

/** What is to be done first: where most money is at stake, then where there is most to do. */
export function byUrgency(one: Work, other: Work): number {
  const money = decimal(other.atStakeUsd ?? '0').comparedTo(decimal(one.atStakeUsd ?? '0')) ?? 0;
  return money || countOf(other) - countOf(one);
}
