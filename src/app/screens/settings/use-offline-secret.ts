import { useState } from 'react';
import { getMe } from '#contract/session.ts';
import { useServices, useUser } from '#app/services.tsx';
import { forgetUnlock, keepUnlock, type SecretKind, unlockKind } from '#app/session/offline-unlock.ts';

/** How this device opens without the network: with the password, a passphrase, with nothing yet, or never, since others use it, too. */
export type OfflineSecret = SecretKind | 'none' | 'shared';

/** What this device opens with without the network, and how to set a passphrase for that or take it away. */
export function useOfflineSecret(): { secret: OfflineSecret; set: (passphrase: string) => Promise<void>; remove: () => void } {
  const { call, session, local, clock } = useServices();
  const { email } = useUser();
  const read = (): OfflineSecret => (session.isShared() ? 'shared' : (unlockKind(local, email) ?? 'none'));
  const [secret, setSecret] = useState(read);
  return {
    secret,
    set: async (passphrase) => {
      // whoever sits here sets it only while the server takes them for that person
      const me = await call(getMe, {});
      await keepUnlock(local, me, { kind: 'passphrase', text: passphrase }, clock());
      setSecret(read());
    },
    remove: () => {
      forgetUnlock(local, email);
      setSecret(read());
    },
  };
}
