import { useEffect, useState } from 'react';
import { useServices } from '#app/services.tsx';
import { endSession } from '#app/session/sign-out.ts';

/** Ends the session once. @returns how many edits were lost when it has ended; null before. */
export function useEndSession(): number | null {
  const services = useServices();
  const [lost, setLost] = useState<number | null>(null);
  useEffect(() => {
    let isHere = true;
    void endSession(services).then((count) => {
      services.session.noteEnded();
      if (isHere) setLost(count);
    });
    return () => {
      isHere = false;
    };
  }, [services]);
  return lost;
}
