import { useQuery } from '@tanstack/react-query';
import { type AllocationMethod, listAllocationMethods } from '#contract/entities.ts';
import { useServices } from '#app/services.tsx';
import { referenceKey } from '#app/query-keys.ts';

/** For how long they are not asked for again, in milliseconds. */
const staleMs = 24 * 3_600_000;

/** The orders in which Titan may take lots; empty where they were never fetched and there is no network. */
export function useAllocationMethods(): AllocationMethod[] {
  const { call } = useServices();
  const { data } = useQuery({
    queryKey: [referenceKey, 'allocation_methods'],
    queryFn: () => call(listAllocationMethods, {}),
    staleTime: staleMs,
  });
  return data ?? [];
}
