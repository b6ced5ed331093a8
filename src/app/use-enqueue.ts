import type { MutationName } from '#contract/mutations.ts';
import { enqueue, type NewMutation } from '#replica/outbox.ts';
import { useHasNetwork } from './engine-status.tsx';
import { useServices } from './services.tsx';
import { useReplica } from './use-replica.ts';

export type Enqueue = <N extends MutationName>(mutation: NewMutation<N>) => Promise<void>;

const needsNetworkText =
  'There is no network, and on a shared computer nothing may wait to be sent. Make this change again once you are connected.';

/**
 * Puts the person's edits into the outbox; the promise resolves when they are on disk. Throws where one cannot be kept, also on a shared
 * computer without a network, where nothing is to stay behind.
 */
export function useEnqueue(): Enqueue {
  const { session } = useServices();
  const { outbox } = useReplica();
  const hasNetwork = useHasNetwork();
  return async (mutation) => {
    if (session.isShared() && !hasNetwork) throw new Error(needsNetworkText);
    await enqueue(outbox, mutation);
  };
}
