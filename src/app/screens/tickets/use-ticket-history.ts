import { useQuery } from '@tanstack/react-query';
import { getTicket, getTicketHistory } from '#contract/tickets.ts';
import { useServices, useUser } from '#app/services.tsx';

/** The tickets of a reporter that one may see. */
export function useTicketHistory(reporter: string) {
  const { call } = useServices();
  const { id } = useUser();
  return useQuery({
    queryKey: ['tickets', id, 'history', reporter],
    queryFn: ({ signal }) => call(getTicketHistory, { reporter }, { signal }),
    staleTime: 0,
  });
}

/** One ticket, as the server has it now. */
export function useTicket(ticketId: string) {
  const { call } = useServices();
  const { id } = useUser();
  return useQuery({
    queryKey: ['tickets', id, ticketId],
    queryFn: ({ signal }) => call(getTicket, { ticket_id: ticketId }, { signal }),
    staleTime: 0,
  });
}
