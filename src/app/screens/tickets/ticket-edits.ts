import type { SubmitTicketInput } from '#contract/tickets.ts';
import { fileSizeText } from '#domain/byte-text.ts';
import type { AnyNewMutation } from '#replica/outbox.ts';
import type { Screenshot } from './screenshot.ts';

/** What a submission consists of: the ticket, and after it the screenshot where there is one. @param newId makes an id with each call. */
export function ticketEdits(
  ticket: SubmitTicketInput,
  screenshot: Screenshot | null,
  { newId, now }: { newId: () => string; now: number },
): AnyNewMutation[] {
  const ticketId = newId();
  const about = { now, clientId: null, entityId: null };
  const submission: AnyNewMutation = {
    ...about,
    id: newId(),
    name: 'submitTicket',
    input: { ...ticket, id: ticketId },
    title: `Submit ticket: ${ticket.headline}`,
  };
  if (!screenshot) return [submission];
  const { name, bytes } = screenshot;
  return [
    submission,
    {
      ...about,
      id: newId(),
      name: 'attachToTicket',
      input: { ticket_id: ticketId, fileName: name },
      title: `Add screenshot to ticket: ${ticket.headline} (${name}, ${fileSizeText(bytes.length)})`,
      deps: [submission.id],
      file: screenshot,
    },
  ];
}
