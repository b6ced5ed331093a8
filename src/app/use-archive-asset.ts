import { v7 as uuid } from 'uuid';
import type { MutationInput } from '#contract/mutations.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { archivedNotice, type ArchiveState, archiveVerbs } from '#domain/archive-words.ts';
import { countWords } from '#domain/count-words.ts';
import { isAllowed } from '#domain/permissions.ts';
import { archivedAssetsOf, type ShownArchivedAsset, standingOf } from '#replica/archived-assets.ts';
import { makersOf } from '#replica/places.ts';
import { useServices, useUser } from './services.tsx';
import { useEnqueue } from './use-enqueue.ts';
import { useReplica } from './use-replica.ts';
import { useTold } from './use-told.ts';

/** A security as far as it is told of. */
export interface TitledAsset {
  id: string;
  ticker: string;
}

/** Brings assets of a client among the others, aside, or aside as spam, at once on the screen and later at the server. */
export type ArchiveAsset = (clientId: string, assets: readonly TitledAsset[], to: ArchiveState) => Promise<void>;

/** Archives and unarchives, says what was done and offers to undo it. Null where the user may not. */
export function useArchiveAsset(): ArchiveAsset | null {
  const { clock, notices } = useServices();
  const replica = useReplica();
  const enqueue = useEnqueue();
  const told = useTold();
  const user = useUser();
  if (!isAllowed(user, { anyOf: ['client_write'] })) return null;

  interface Edit<N extends 'archiveAsset' | 'unarchiveAsset'> {
    name: N;
    input: MutationInput<N>;
    title: string;
    seen: ShownArchivedAsset | null;
    clientId: string;
    deps: string[];
  }
  const add = <N extends 'archiveAsset' | 'unarchiveAsset'>(edit: Edit<N>): Promise<void> =>
    enqueue({ ...edit, id: uuid(), now: clock(), entityId: null });

  /** @returns how each that was not there already stood before. */
  const bring = async (clientId: string, assets: readonly TitledAsset[], to: (asset: TitledAsset) => ArchiveState) => {
    const held = (await archivedAssetsOf(replica)).filter(({ client_id }) => client_id === clientId);
    // the client may wait to be made itself
    const deps = await makersOf(replica, 'clients', clientId);
    const before = new Map<TitledAsset, ArchiveState>();
    for (const asset of assets) {
      const seen = held.find(({ security_id }) => security_id === asset.id);
      const [from, state] = [standingOf(seen), to(asset)];
      if (from === state) continue;
      const edit = { title: `${archiveVerbs[state]}: ${asset.ticker}`, seen: seen ?? null, clientId, deps };
      const id = seen?.id ?? archivedAssetId(clientId, asset.id);
      if (state === 'shown') await add({ ...edit, name: 'unarchiveAsset', input: { id } });
      else {
        const input = { id, client_id: clientId, security_id: asset.id, is_spam: state === 'spam' };
        await add({ ...edit, name: 'archiveAsset', input });
      }
      before.set(asset, from);
    }
    return before;
  };
  const archive: ArchiveAsset = async (clientId, assets, to) => {
    const before = await bring(clientId, assets, () => to);
    const [only, ...more] = before.keys();
    if (!only) return;
    notices.notice('info', archivedNotice(more.length === 0 ? only.ticker : countWords(before.size, 'asset'), to), {
      label: 'Undo',
      run: () => void told(bring(clientId, [...before.keys()], (asset) => before.get(asset) ?? 'shown')),
    });
  };
  return async (clientId, assets, to) => void (await told(archive(clientId, assets, to)));
}
