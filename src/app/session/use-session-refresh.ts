import { useEffect } from 'react';
import { useServices } from '#app/services.tsx';
import { refreshOnActivity } from './session-refresh.ts';

/** Renews the session in time while the person does something. */
export function useSessionRefresh(): void {
  const services = useServices();
  useEffect(() => refreshOnActivity(services, window), [services]);
}
