import { useEffect } from 'react';
import type { Me } from '#contract/session.ts';
import { useServices } from '#app/services.tsx';

/** Follows a sign-out made in another tab. */
export function useSignedOutElsewhere(user: Me | null): void {
  const { leave } = useServices();
  useEffect(() => {
    if (!user) leave();
  }, [user, leave]);
}
