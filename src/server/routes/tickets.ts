import { Readable } from 'node:stream';
import { ApiError } from '#contract/errors.ts';
import { attachToTicket, getTicket, getTicketAttachment, getTicketHistory, submitTicket, ticketMessages } from '#contract/tickets.ts';
import { imageKindOf } from '#domain/image-kinds.ts';
import { route, type SignedInCall } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { signInLimiter } from '#server/sign-in.ts';
import type { TicketAsking } from '#server/ticket-store.ts';
import { refusedFile } from '#server/uploads.ts';

const notFound = (what: string): ApiError => new ApiError({ code: 'not_found', detail: `${what} not found` });

function asking({ db, user }: SignedInCall): TicketAsking {
  return { db, person: user };
}

export function ticketRoutes(server: Server): void {
  const { tickets, config } = server;
  // each may come with ten megabytes
  const countSubmitted = signInLimiter(config.signInsPerMinute, 'tickets');
  route(server, getTicketHistory, async ({ reporter }, call) => ({ issues: await tickets.history(asking(call), reporter) }));
  route(server, submitTicket, (ticket, call) => {
    countSubmitted(call.user.id, call.now);
    return tickets.submit(asking(call), ticket);
  });
  route(server, attachToTicket, async ({ ticket_id, fileName }, call) => {
    const { bytes, name } = call.upload;
    const type = imageKindOf(bytes);
    if (type === null) throw refusedFile(ticketMessages.image);
    const attached = await tickets.attach(asking(call), ticket_id, {
      name: (fileName || name).replace(/[\p{Cc}\p{Cs}]/gu, ''),
      type,
      bytes,
    });
    if (attached === null) throw notFound('Ticket');
    if (attached === 'taken') throw new ApiError({ code: 'conflict', detail: ticketMessages.attached });
    return attached;
  });
  route(server, getTicketAttachment, async ({ ticket_id }, call) => {
    const file = await tickets.attachment(asking(call), ticket_id);
    if (!file) throw notFound('Attachment');
    // never shown in place, whatever it holds
    void call.reply.headers({
      'content-type': file.type,
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
    });
    return Readable.from([file.bytes]);
  });
  route(server, getTicket, async ({ ticket_id }, call) => {
    const ticket = await tickets.find(asking(call), ticket_id);
    if (!ticket) throw notFound('Ticket');
    return ticket;
  });
}
