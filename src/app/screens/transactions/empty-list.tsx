import type { EntityProgress } from '#workers/start.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/states.tsx';
import type { SearchChange } from './date-range.tsx';
import { isNarrowed, type TransactionSearch } from './transaction-search.ts';

interface EmptyListProps {
  search: TransactionSearch;
  progress: EntityProgress | undefined;
  isOnline: boolean;
  onChange: (change: SearchChange) => void;
}

const cleared: SearchChange = {
  account: undefined,
  security: undefined,
  type: undefined,
  custodian: undefined,
  q: undefined,
  manual: undefined,
  updated: undefined,
  unpriced: undefined,
  unidentified: undefined,
};

/** Why there is no row, and what to change. */
export function EmptyList({ search, progress, isOnline, onChange }: EmptyListProps) {
  const isFirstPull = progress === undefined || progress.complete_from === null;
  if (isFirstPull && !isNarrowed(search))
    return isOnline ? (
      <EmptyState title="The first rows are on their way">
        The newest month comes first. Rows appear here as they arrive; you can already look around.
      </EmptyState>
    ) : (
      <EmptyState title="Nothing of this entity is on this device yet">
        Connect to the network once, so that its transactions can be fetched. After that they are here without one.
      </EmptyState>
    );
  const isLimited = search.dates !== 'all';
  return (
    <EmptyState
      title="No transactions here"
      actions={
        <>
          {isNarrowed(search) ? <Button onClick={() => onChange(cleared)}>Clear filters</Button> : null}
          {isLimited ? <Button onClick={() => onChange({ dates: 'all', from: undefined, to: undefined })}>All dates</Button> : null}
        </>
      }
    >
      {isNarrowed(search)
        ? 'Nothing fits all the filters at once.'
        : isLimited
          ? 'Nothing happened in these days.'
          : 'This entity has no transactions yet. Import a file on its page.'}
      {progress?.phase === 'bootstrap' ? ' Older rows are still being fetched.' : ''}
    </EmptyState>
  );
}
