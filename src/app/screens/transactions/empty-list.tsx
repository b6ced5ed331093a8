import type { EntityProgress } from '#workers/start.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/states.tsx';
import { isNarrowed, noFilters, type SearchChange, type TransactionSearch } from './transaction-search.ts';
import type { Scope } from './scope.ts';

interface EmptyListProps {
  search: TransactionSearch;
  scope: Scope;
  /** Of all entities. */
  progress: readonly EntityProgress[];
  isOnline: boolean;
  onChange: (change: SearchChange) => void;
  /** Keeps the clients of the place on this device again. */
  onKeep: () => void;
}

/** What is not among the rows found, in words. */
function reason(search: TransactionSearch, isLimited: boolean, spansEntities: boolean): string {
  if (search.hashes !== undefined) return 'No row has one of the pasted hashes or ids and fits everything else.';
  if (isNarrowed(search)) return 'Nothing fits all the filters at once.';
  if (isLimited) return 'Nothing happened in these days.';
  return spansEntities ? 'There are no transactions yet.' : 'This entity has no transactions yet. Import a file on its page.';
}

/** Why there is no row, and what to change. */
export function EmptyList({ search, scope, progress, isOnline, onChange, onKeep }: EmptyListProps) {
  const here = scope.entities.map(({ id }) => progress.find((one) => one.entity_id === id));
  if (here.every((one) => one?.phase === 'left_out'))
    return (
      <EmptyState title="Not kept on this device" actions={<Button onClick={onKeep}>Keep on this device</Button>}>
        {here.some((one) => one?.is_let_go)
          ? 'There was no room on this device for all clients.'
          : `You chose not to keep ${scope.spansEntities ? 'these clients' : 'this client'} here.`}{' '}
        The transactions come back from the server
        {isOnline ? '' : ', once there is a network,'} when you keep {scope.spansEntities ? 'them' : 'it'} again.
      </EmptyState>
    );
  if (here.every((one) => one?.phase === 'withheld'))
    return (
      <EmptyState title="No access to these transactions">
        Your role here does not let you read transactions. Whoever administers the organization can change that.
      </EmptyState>
    );
  const isFirstPull = here.every((one) => one === undefined || one.complete_from === null);
  if (isFirstPull && !isNarrowed(search))
    return isOnline ? (
      <EmptyState title="The first rows are on their way">
        The newest month comes first. Rows appear here as they arrive; you can already look around.
      </EmptyState>
    ) : (
      <EmptyState title={`Nothing of ${scope.spansEntities ? scope.name : 'this entity'} is on this device yet`}>
        Connect to the network once, so that its transactions can be fetched. After that they are here without one.
      </EmptyState>
    );
  const isLimited = search.dates !== 'all';
  return (
    <EmptyState
      title="No transactions here"
      actions={
        <>
          {isNarrowed(search) ? <Button onClick={() => onChange(noFilters)}>Clear filters</Button> : null}
          {isLimited ? <Button onClick={() => onChange({ dates: 'all', from: undefined, to: undefined })}>All dates</Button> : null}
        </>
      }
    >
      {reason(search, isLimited, scope.spansEntities)}
      {here.some((one) => one?.phase === 'bootstrap') ? ' Older rows are still being fetched.' : ''}
    </EmptyState>
  );
}
