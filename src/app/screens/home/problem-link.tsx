import { Link } from '@tanstack/react-router';
import type { Problem } from '#domain/worklist.ts';
import type { HomeRow } from './use-home-rows.ts';

/** What each problem is called: as a column's head, in a list of counts, and of one and of several. */
export const problemWords: Readonly<Record<Problem, { head: string; short: string; one: string; many: string }>> = {
  unreconciled: { head: 'Unreconciled', short: 'unreconciled', one: 'unreconciled account', many: 'unreconciled accounts' },
  pending: { head: 'Pending', short: 'pending', one: 'pending match', many: 'pending matches' },
  unpriced: { head: 'Unpriced', short: 'unpriced', one: 'unpriced row', many: 'unpriced rows' },
  unidentified: { head: 'Unidentified', short: 'unidentified', one: 'unidentified row', many: 'unidentified rows' },
  failed: { head: 'Failed syncs', short: 'failed', one: 'failed sync', many: 'failed syncs' },
  stale: { head: 'Stale', short: 'stale', one: 'stale account', many: 'stale accounts' },
};

/** The filter of the transactions, or of an entity's accounts, that leaves what a problem is about. */
const transactionFilters = {
  pending: { match: 'PENDING' },
  unpriced: { unpriced: 'only' },
  unidentified: { unidentified: 'only' },
} as const;

interface ProblemLinkProps {
  row: HomeRow;
  problem: Problem;
  children: string;
}

/** The way to the rows a problem is about. */
export function ProblemLink({ row: { entity, work }, problem, children }: ProblemLinkProps) {
  const count = work.counts[problem] ?? 0;
  const words = problemWords[problem];
  const look = {
    tabIndex: -1,
    'aria-label': `${count.toLocaleString('en-US')} ${count === 1 ? words.one : words.many} of ${entity.entity_name}`,
    className: 'font-medium text-link hover:underline',
  };
  if (problem === 'pending' || problem === 'unpriced' || problem === 'unidentified')
    return (
      <Link to="/transactions" search={{ entity: entity.id, dates: 'all', ...transactionFilters[problem] }} {...look}>
        {children}
      </Link>
    );
  return (
    <Link to="/entities/$entityId" params={{ entityId: entity.id }} search={{ accounts: problem }} {...look}>
      {children}
    </Link>
  );
}
