import { useQuery } from '@tanstack/react-query';
import { getDiagnosis } from '#contract/system.ts';
import { useServices } from '#app/services.tsx';

/** Versions and latencies of the system: one answer for the foot of the menu and the screen. */
export function useDiagnosis() {
  const { call } = useServices();
  return useQuery({ queryKey: ['diagnosis'], queryFn: () => call(getDiagnosis, {}) });
}
