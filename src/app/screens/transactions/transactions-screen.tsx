import { getRouteApi, Link } from '@tanstack/react-router';
import { useStatus } from '#app/engine-status.tsx';
import { EmptyState, SkeletonRows } from '#app/ui/states.tsx';
import { TransactionsView } from './transactions-view.tsx';
import { useScope } from './use-scope.ts';

const route = getRouteApi('/_app/transactions');

export function TransactionsScreen() {
  const search = route.useSearch();
  const scope = useScope(search);
  const { last_sync_at: lastSyncAt, phase } = useStatus();
  const isAsked = search.entity !== undefined || search.client !== undefined;
  if (scope) return <TransactionsView key={scope.key} scope={scope} search={search} />;
  if (scope === undefined || (lastSyncAt === null && (phase === 'starting' || phase === 'syncing'))) return <SkeletonRows rows={16} />;
  return (
    <EmptyState
      title={isAsked ? `This ${search.entity === undefined ? 'client' : 'entity'} is not on this device` : 'There is no entity yet'}
      actions={
        <Link to="/home" className="font-medium text-link underline">
          Go to Home
        </Link>
      }
    >
      {isAsked
        ? 'It was not fetched yet, or you no longer have access to it.'
        : 'Once you are assigned to a client, the transactions of its entities are here.'}
    </EmptyState>
  );
}
