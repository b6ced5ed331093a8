import { useSyncExternalStore } from 'react';
import { useServices, useUser } from '#app/services.tsx';
import { keepPassphrase } from '#app/session/keep-passphrase.ts';
import { forgetUnlock, onUnlockChange, type SecretKind, unlockKind, unlockSetAt } from '#app/session/offline-unlock.ts';

function subscribe(onChange: () => void): () => void {
  const stop = onUnlockChange(onChange);
  // what other tabs change
  window.addEventListener('storage', onChange);
  return () => {
    stop();
    window.removeEventListener('storage', onChange);
  };
}

/** How this device opens without the network: with the password, a passphrase, with nothing yet, or never, since others use it, too. */
export type OfflineSecret = SecretKind | 'none' | 'shared';

interface OfflineSecretState {
  secret: OfflineSecret;
  /** When it was set, UTC milliseconds; null where nobody knows. */
  setAt: number | null;
  /** As `keepPassphrase` does it. */
  set: (passphrase: string) => Promise<boolean>;
  remove: () => void;
}

/** What this device opens with without the network, and how to set a passphrase for that or take it away. */
export function useOfflineSecret(): OfflineSecretState {
  const services = useServices();
  const { session, local } = services;
  const me = useUser();
  const kind = useSyncExternalStore(subscribe, () => unlockKind(local, me.email));
  const setAt = useSyncExternalStore(subscribe, () => unlockSetAt(local, me.email));
  return {
    secret: session.isShared() ? 'shared' : (kind ?? 'none'),
    setAt,
    set: (passphrase) => keepPassphrase(services, me, passphrase),
    remove: () => forgetUnlock(local, me.email),
  };
}
