import { getRouteApi, Link } from '@tanstack/react-router';
import { useStatus } from '#app/engine-status.tsx';
import { EmptyState, SkeletonRows } from '#app/ui/states.tsx';
import { TransactionsView } from './transactions-view.tsx';
import { useShownEntity } from './use-default-entity.ts';

const route = getRouteApi('/_app/transactions');

export function TransactionsScreen() {
  const search = route.useSearch();
  const entity = useShownEntity(search.entity);
  const { last_sync_at: lastSyncAt, phase } = useStatus();
  if (entity) return <TransactionsView key={entity.id} entity={entity} search={search} />;
  if (entity === undefined || (lastSyncAt === null && (phase === 'starting' || phase === 'syncing'))) return <SkeletonRows rows={16} />;
  return (
    <EmptyState
      title={search.entity === undefined ? 'There is no entity yet' : 'This entity is not on this device'}
      actions={
        <Link to="/home" className="font-medium text-link underline">
          Go to Home
        </Link>
      }
    >
      {search.entity === undefined
        ? 'Once you are assigned to a client, the transactions of its entities are here.'
        : 'It was not fetched yet, or you no longer have access to it.'}
    </EmptyState>
  );
}
