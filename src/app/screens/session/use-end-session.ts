import { useEffect, useState } from 'react';
import { useServices } from '#app/services.tsx';
import { endSession } from '#app/session/sign-out.ts';

/** Ends the session once; true when it has ended. */
export function useEndSession(): boolean {
  const services = useServices();
  const [hasEnded, setHasEnded] = useState(false);
  useEffect(() => {
    let isHere = true;
    void endSession(services).then(() => {
      if (isHere) setHasEnded(true);
    });
    return () => {
      isHere = false;
    };
  }, [services]);
  return hasEnded;
}
