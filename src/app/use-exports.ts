import { useSyncExternalStore } from 'react';
import type { RunningExport } from './export-store.ts';
import { useServices } from './services.tsx';

/** The file that is being made, followed; null while none is. */
export function useRunningExport(): RunningExport | null {
  const { exports } = useServices();
  return useSyncExternalStore(exports.subscribe, exports.snapshot);
}
