import type { TicketPriority } from '#contract/tickets.ts';

/** What each priority is called. */
export const priorityWords: Record<TicketPriority, string> = {
  lowest: 'Lowest',
  low: 'Low',
  medium: 'Medium',
  high: 'High',
  highest: 'Highest',
};
