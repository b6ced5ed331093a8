import { submittedTicketSchema, type SubmittedTicket } from '#contract/tickets.ts';
import { needsPerson } from '#replica/mutation-states.ts';
import type { EditStanding } from '#replica/receipts.ts';

/** How far an edit has come, as the dialog tells it. `let_go`: the person discarded it elsewhere. */
export type Progress =
  | { step: 'waiting'; isUnanswered: boolean }
  | { step: 'accepted'; answer: unknown }
  | { step: 'refused'; seq: number; reason: string }
  | { step: 'let_go' };

function progressOf({ waiting, settled }: EditStanding): Progress {
  if (settled?.outcome === 'accepted') return { step: 'accepted', answer: settled.answer };
  if (settled || !waiting) return { step: 'let_go' };
  // the server has it; only this device has not noted so yet
  if (waiting.state === 'acked') return { step: 'accepted', answer: waiting.answer };
  if (needsPerson(waiting.state))
    return { step: 'refused', seq: waiting.seq, reason: waiting.error?.detail ?? 'The server did not take it' };
  return { step: 'waiting', isUnanswered: waiting.error?.code === 'network' || waiting.error?.code === 'timeout' };
}

/** What has become of a ticket and its screenshot. */
export interface TicketProgress {
  ticket: Progress;
  /** Its id and key, once the server has it. */
  submitted: SubmittedTicket | null;
  /** Null without a screenshot. */
  attachment: Progress | null;
}

/** @param standings of the ticket, and of its screenshot where it has one. */
export function ticketProgress([ticket = {}, attachment]: readonly EditStanding[]): TicketProgress {
  const told = progressOf(ticket);
  const answer = submittedTicketSchema.safeParse(told.step === 'accepted' ? told.answer : null);
  return { ticket: told, submitted: answer.success ? answer.data : null, attachment: attachment ? progressOf(attachment) : null };
}
