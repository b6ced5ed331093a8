import { useLiveQuery } from 'dexie-react-hooks';
import { type ArchiveState, archiveStepsFrom, archiveVerbs } from '#domain/archive-words.ts';
import { archivedAssetsOf, standingOf } from '#replica/archived-assets.ts';
import type { GridRow } from '#workers/start.ts';
import type { MenuChoice } from '#app/ui/grid/popup-menu.tsx';
import { useArchiveAsset } from '#app/use-archive-asset.ts';
import { useReplica } from '#app/use-replica.ts';
import type { Names } from './use-names.ts';

/** How the asset of a row stands with its client, and what may be done about it. */
export interface AssetActions {
  state: ArchiveState;
  /** Empty where the user may not, or the row's client is not here. */
  steps: { to: ArchiveState; words: string; run: () => void }[];
}

/** Says of a row how its asset stands; null where it has none. */
export type AssetActionsOf = (row: GridRow) => AssetActions | null;

export function useAssetActions(names: Names): AssetActionsOf {
  const replica = useReplica();
  const archive = useArchiveAsset();
  const assets = useLiveQuery(() => archivedAssetsOf(replica), [replica]);
  return (row) => {
    const { security_id: id } = row;
    if (id === null) return null;
    const clientId = names.entity.get(row.entity_id)?.client_id;
    const state = standingOf(assets?.find((asset) => asset.client_id === clientId && asset.security_id === id));
    const ticker = names.security.get(id)?.ticker ?? 'asset';
    const steps =
      archive && assets && clientId !== undefined
        ? archiveStepsFrom(state).map((to) => ({ to, words: archiveVerbs[to], run: () => void archive(clientId, [{ id, ticker }], to) }))
        : [];
    return { state, steps };
  };
}

/** The same as lines of the menu of an asset's cell. */
export function assetChoices(key: string, actions: AssetActions | null): MenuChoice[] {
  if (key !== 'security') return [];
  return (actions?.steps ?? []).map(({ to, words, run }, at) => ({ key: `asset_${to}`, label: words, opensGroup: at === 0, run }));
}
