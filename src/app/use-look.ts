import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';
import type { Engine } from '#workers/start.ts';

/** Tells the engine which clients one looks at. @returns how to say that one no longer does. */
export function beginLook(engine: Pick<Engine, 'look'>, clientIds: readonly string[]): () => void {
  const look = (ids: readonly string[]): void => void engine.look(ids).catch(() => undefined);
  look(clientIds);
  return () => look([]);
}

/** Tells the engine which clients one looks at for as long as the screen shows them, so that they are pulled first and kept fresh. */
export function useLook(clientIds: readonly string[]): void {
  const { engine } = useServices();
  const ids = clientIds.join(' ');
  useEffect(() => beginLook(engine, ids.split(' ').filter(Boolean)), [engine, ids]);
}
