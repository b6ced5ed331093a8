import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { auditPage, listAuditEntries, listAuditPeople } from '#contract/audit.ts';
import { useServices, useUser } from '#app/services.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { type AuditSearch, type AuditSearchChange, auditQuery } from './audit-search.ts';

/** The entries of a filter, newest first, a page at a time. They are not kept on the device: what they say is the server's to prove. */
export function useAuditEntries(search: AuditSearch) {
  const { call } = useServices();
  const { id } = useUser();
  const { zone } = usePreferences();
  const query = auditQuery(search, zone);
  return useInfiniteQuery({
    queryKey: ['audit', id, query],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ pageParam, signal }) => call(listAuditEntries, { ...query, before: pageParam, limit: auditPage.limit }, { signal }),
    getNextPageParam: (page) => (page.length < auditPage.limit ? undefined : page.at(-1)?.id),
  });
}

/** Who may have changed what one sees here; empty while that is not known. */
export function useAuditPeople() {
  const { call } = useServices();
  const { id } = useUser();
  const { data } = useQuery({
    queryKey: ['audit_people', id],
    queryFn: ({ signal }) => call(listAuditPeople, {}, { signal }),
    staleTime: 60_000,
  });
  return data ?? [];
}

/** Changes what the address says of the filter. */
export function useAuditChange(): (by: AuditSearchChange) => void {
  const navigate = useNavigate();
  return (by) => void navigate({ to: '/audit', search: (old) => ({ ...old, ...by }) as AuditSearch, replace: true });
}
