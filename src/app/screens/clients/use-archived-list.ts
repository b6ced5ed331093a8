import { useLiveQuery } from 'dexie-react-hooks';
import type { ArchiveState } from '#domain/archive-words.ts';
import { archivedAssetsOf, type ShownArchivedAsset, standingOf } from '#replica/archived-assets.ts';
import { securitiesOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';

/** An archived asset, how it stands (one that was refused to be is not archived), and what it is called; a security that is not on this device yet has no name. */
export interface ArchivedRow {
  asset: ShownArchivedAsset;
  state: ArchiveState;
  ticker: string;
  name: string;
}

/** What is archived of a client, by ticker; `undefined` while opening. */
export function useArchivedList(clientId: string): ArchivedRow[] | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [assets, securities] = await Promise.all([archivedAssetsOf(replica), securitiesOf(replica)]);
    const named = new Map(securities.map((security) => [security.id, security]));
    const order = new Intl.Collator('en', { sensitivity: 'base', numeric: true });
    return assets
      .filter(({ client_id }) => client_id === clientId)
      .map((asset): ArchivedRow => {
        const security = named.get(asset.security_id);
        return {
          asset,
          state: standingOf(asset),
          ticker: security?.ticker ?? 'Not here yet',
          name: security?.security_name ?? asset.security_id,
        };
      })
      .sort((a, b) => order.compare(a.ticker, b.ticker) || order.compare(a.asset.id, b.asset.id));
  }, [replica, clientId]);
}
