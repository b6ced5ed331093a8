import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';

/** Tells the engine which client one looks at, so that it is pulled first and kept fresh. */
export function useLook(clientId: string | null): void {
  const { engine } = useServices();
  useEffect(() => {
    engine.look(clientId).catch(() => undefined);
  }, [engine, clientId]);
}
