import type { MutationName } from '#contract/mutations.ts';
import { type AnyNewMutation, enqueue, enqueueAll, type NewMutation } from '#replica/outbox.ts';
import { useHasNetwork } from './engine-status.tsx';
import { useServices } from './services.tsx';
import { useReplica } from './use-replica.ts';

export type Enqueue = <N extends MutationName>(mutation: NewMutation<N>) => Promise<void>;

const needsNetworkText =
  'There is no network, and on a shared computer nothing may wait to be sent. Make this change again once you are connected.';

/** Throws where nothing may wait: on a shared computer without a network. */
function useRequireSending(): () => void {
  const { session } = useServices();
  const hasNetwork = useHasNetwork();
  return () => {
    // an undo may come later than the screen it was offered on
    if (session.isShared() && !(hasNetwork && navigator.onLine)) throw new Error(needsNetworkText);
  };
}

/**
 * Puts the person's edits into the outbox; the promise resolves when one is on disk. Throws where it cannot be kept, also on a shared
 * computer without a network, where nothing is to stay behind.
 */
export function useEnqueue(): Enqueue {
  const { outbox } = useReplica();
  const requireSending = useRequireSending();
  return async (mutation) => {
    requireSending();
    await enqueue(outbox, mutation);
  };
}

/** The same for edits that are kept together or not at all. */
export function useEnqueueAll(): (mutations: readonly AnyNewMutation[]) => Promise<void> {
  const { outbox } = useReplica();
  const requireSending = useRequireSending();
  return async (mutations) => {
    requireSending();
    await enqueueAll(outbox, mutations);
  };
}
