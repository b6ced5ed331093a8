import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';

/** Tells the engine which clients one looks at, so that they are pulled first and kept fresh. */
export function useLook(clientIds: readonly string[]): void {
  const { engine } = useServices();
  const ids = clientIds.join(' ');
  useEffect(() => {
    engine.look(ids.split(' ').filter(Boolean)).catch(() => undefined);
  }, [engine, ids]);
}
