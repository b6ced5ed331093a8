import { createContext, useContext } from 'react';
import type { EngineStatus } from '#workers/start.ts';
import { useIsOnline } from './ui/use-media-query.ts';

export const startingStatus: EngineStatus = {
  phase: 'starting',
  problem: null,
  last_sync_at: null,
  entities: [],
  perm_version: null,
  denied_at: null,
  signed_out_of: null,
  lost: null,
};

const StatusContext = createContext<EngineStatus>(startingStatus);
export const EngineStatusProvider = StatusContext.Provider;

/** How syncing stands, kept up to date by the worker. */
export function useStatus(): EngineStatus {
  return useContext(StatusContext);
}

/** Whether the server was within reach when last tried. */
export function useHasNetwork(): boolean {
  const isOnline = useIsOnline();
  return useStatus().phase !== 'offline' && isOnline;
}
