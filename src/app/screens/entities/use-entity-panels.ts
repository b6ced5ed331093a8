import { useQuery } from '@tanstack/react-query';
import { useLiveQuery } from 'dexie-react-hooks';
import { type EntityBalance, listEntityBalances } from '#contract/balances.ts';
import { listUnreconciledAccounts, type UnreconciledAccount } from '#contract/reconciliations.ts';
import type { Security } from '#contract/securities.ts';
import { archivedAssetsOf, type ShownArchivedAsset } from '#replica/archived-assets.ts';
import { securitiesOf } from '#replica/nouns.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { useReplica } from '#app/use-replica.ts';

/** For how long an answer is not asked for again, in milliseconds. */
const staleMs = 60_000;

/** An answer one only looks at, and how it stands where it is not here. */
export type PanelState<Rows> =
  | { step: 'unasked' | 'loading' | 'offline' }
  | { step: 'failed'; text: string; again: () => void }
  | { step: 'here'; rows: Rows; at: number; isRefused: boolean; again: () => void };

function usePanel<Rows>(key: readonly string[], ask: () => Promise<Rows>, isAsked: boolean): PanelState<Rows> {
  const hasNetwork = useHasNetwork();
  const query = useQuery({ queryKey: key, queryFn: ask, staleTime: staleMs, enabled: isAsked && hasNetwork });
  const { data, error, dataUpdatedAt: at, isRefetchError: isRefused } = query;
  const again = (): void => void query.refetch();
  if (!isAsked) return { step: 'unasked' };
  if (data !== undefined) return { step: 'here', rows: data, at, isRefused, again };
  if (!hasNetwork) return { step: 'offline' };
  return error ? { step: 'failed', text: textOfError(error), again } : { step: 'loading' };
}

/** The accounts of an entity that do not tie out at the end of a day; asked for once there is a day. */
export function useUnreconciled(entityId: string, day: string): PanelState<UnreconciledAccount[]> {
  const { call } = useServices();
  return usePanel(['unreconciled', entityId, day], () => call(listUnreconciledAccounts, { id: entityId, end_date: day }), day !== '');
}

/** What an entity holds, what its client archived included. */
export function useBalances(entityId: string): PanelState<EntityBalance[]> {
  const { call } = useServices();
  return usePanel(['entity_balances', entityId], () => call(listEntityBalances, { id: entityId, include_archived: true }), true);
}

/** Securities by id, and what a client archived of them by theirs, kept live. */
export function useClientAssets(clientId: string): {
  securities: ReadonlyMap<string, Security>;
  archived: ReadonlyMap<string, ShownArchivedAsset>;
} {
  const replica = useReplica();
  const found = useLiveQuery(async () => {
    const [securities, assets] = await Promise.all([securitiesOf(replica), archivedAssetsOf(replica)]);
    return {
      securities: new Map(securities.map((security) => [security.id, security])),
      archived: new Map(assets.filter(({ client_id }) => client_id === clientId).map((asset) => [asset.security_id, asset])),
    };
  }, [replica, clientId]);
  return found ?? { securities: new Map(), archived: new Map() };
}
