import { useSyncExternalStore } from 'react';
import type { Preferences } from './preferences.ts';
import { useServices } from './services.tsx';

export function usePreferences(): Preferences {
  const { preferences } = useServices();
  return useSyncExternalStore(preferences.subscribe, preferences.snapshot);
}
