import type { ArchiveState } from '#domain/archive-words.ts';
import { isAllowed } from '#domain/permissions.ts';
import { archiveAssets, type TitledAsset } from './archive-assets.ts';
import { useServices, useUser } from './services.tsx';
import { useEnqueueAll } from './use-enqueue.ts';
import { useReplica } from './use-replica.ts';
import { useTold } from './use-told.ts';

/** Brings assets of a client among the others, aside, or aside as spam, at once on the screen and later at the server. */
export type ArchiveAsset = (clientId: string, assets: readonly TitledAsset[], to: ArchiveState) => Promise<void>;

/** Archives and unarchives, says what was done and offers to undo it. Null where the user may not. */
export function useArchiveAsset(): ArchiveAsset | null {
  const { clock, notices } = useServices();
  const replica = useReplica();
  const enqueueAll = useEnqueueAll();
  const told = useTold();
  const user = useUser();
  if (!isAllowed(user, { anyOf: ['client_write'] })) return null;
  const ports = { clock, notices, replica, enqueueAll, told };
  return async (clientId, assets, to) => void (await told(archiveAssets(ports, clientId, assets, to)));
}
