import type { SubmitTicketInput } from '#contract/tickets.ts';
import type { AnyNewMutation } from '#replica/outbox.ts';
import { editTitles, screenshotTitle } from '#app/edit-titles.ts';
import type { Screenshot } from './screenshot.ts';

/** A ticket's description as it is sent: the address of the page it is about comes first. */
export function describedOn(pageUrl: string, text: string): string {
  return `${pageUrl}\n\n${text}`;
}

/** The two of them again. */
export function partsOfDescription(description: string): { pageUrl: string; text: string } {
  const [pageUrl = '', ...rest] = description.split('\n\n');
  return { pageUrl, text: rest.join('\n\n') };
}

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
    title: editTitles.submitTicket(ticket),
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
      title: screenshotTitle(ticket.headline, { name, size: bytes.length }),
      deps: [submission.id],
      file: screenshot,
    },
  ];
}
