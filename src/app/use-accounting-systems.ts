import { useQuery } from '@tanstack/react-query';
import { listAccountingSystems } from '#contract/clients.ts';
import { useServices } from '#app/services.tsx';
import { referenceKey } from '#app/query-keys.ts';

/** For how long they are not asked for again, in milliseconds. */
const staleMs = 24 * 3_600_000;

/** The accounting systems an entity's books can be kept in; empty where they were never fetched and there is no network. */
export function useAccountingSystems(): { id: number; name: string }[] {
  const { call } = useServices();
  const { data } = useQuery({
    queryKey: [referenceKey, 'accounting_systems'],
    queryFn: () => call(listAccountingSystems, {}),
    staleTime: staleMs,
  });
  return data ?? [];
}
