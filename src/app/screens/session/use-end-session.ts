import { useEffect, useState } from 'react';
import { useServices } from '#app/services.tsx';
import { endSession, type SessionEnd } from '#app/session/sign-out.ts';

/** Ends the session once. @returns how it has ended; null before. */
export function useEndSession(): SessionEnd | null {
  const services = useServices();
  const [end, setEnd] = useState<SessionEnd | null>(null);
  useEffect(() => {
    let isHere = true;
    void endSession(services).then((ended) => {
      services.session.noteEnded();
      if (isHere) setEnd(ended);
    });
    return () => {
      isHere = false;
    };
  }, [services]);
  return end;
}
