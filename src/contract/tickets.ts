import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { formNameSchema, formTextMessages, idSchema, newIdSchema, textSchema } from './wire.ts';

/** How much a ticket matters, the least first. */
export const ticketPriorities = ['lowest', 'low', 'medium', 'high', 'highest'] as const;
export type TicketPriority = (typeof ticketPriorities)[number];

/** Sizes of a ticket: texts in characters, its screenshot in bytes. */
export const ticketLimits = { headline: 255, description: 30_000, extra: 20_000, screenshotBytes: 10_000_000 } as const;

/** Messages the form and the server share. */
export const ticketMessages = {
  priority: 'Priority is required',
  reporter: 'Please enter a valid email',
  root: 'Please enter a valid email other than root.',
  image: 'Choose a PNG or JPEG file',
  large: 'The file is too large. The limit is 10 MB.',
  attached: 'This ticket already has an attachment',
} as const;

const rootAddress = 'root@localhost';
/** One sign before the `@`, and after it labels with a dot between them: any top-level domain is one, also of another script. */
const emailPattern =
  /^[^\s@"<>(),:;[\]\\]{1,64}@(?:[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,61}[\p{L}\p{M}\p{N}])?\.)+[\p{L}\p{M}\p{N}-]{2,63}$/u;

/** Who reports: an e-mail of any top-level domain, but not the system's own. @source specification section 5 */
export const reporterSchema = z
  .string()
  .trim()
  .max(320, formTextMessages.long('Reporter', 320))
  .superRefine((text, context) => {
    if (text === '') context.addIssue({ code: 'custom', message: formTextMessages.empty('Reporter') });
    else if (text.toLowerCase() === rootAddress) context.addIssue({ code: 'custom', message: ticketMessages.root });
    else if (!emailPattern.test(text)) context.addIssue({ code: 'custom', message: ticketMessages.reporter });
  });

function descriptionSchema(longest: number) {
  return textSchema(longest, formTextMessages.long('Description', longest))
    .transform((text) => text.trim())
    .refine((text) => text !== '', { error: formTextMessages.empty('Description') });
}

/** What the form of a ticket asks for. */
export const ticketFieldsSchema = z.object({
  headline: formNameSchema('Headline', ticketLimits.headline),
  description: descriptionSchema(ticketLimits.description),
  priority: z.enum(ticketPriorities, { error: ticketMessages.priority }),
  reporter: reporterSchema,
});

/** What a caller adds of its own is kept beside the ticket, as long as a database can hold it. */
function isKeepable(ticket: Readonly<Record<string, unknown>>): boolean {
  const own = new Set(['id', ...Object.keys(ticketFieldsSchema.shape)]);
  const text = JSON.stringify(Object.entries(ticket).filter(([name]) => !own.has(name)));
  return text.length <= ticketLimits.extra && !text.includes('\\u0000');
}

export const submitTicketInputSchema = z
  .looseObject({
    /** Of a client that makes ids itself. */
    id: newIdSchema.optional(),
    ...ticketFieldsSchema.shape,
    // the address of a page comes before it
    description: descriptionSchema(ticketLimits.description + 10_000),
  })
  .refine(isKeepable, { error: `Extra fields are text of at most ${ticketLimits.extra} characters together` });
export type SubmitTicketInput = z.input<typeof submitTicketInputSchema>;

export const submittedTicketSchema = z.looseObject({ id: idSchema, key: z.string() });
export type SubmittedTicket = z.infer<typeof submittedTicketSchema>;

/** Reports an issue. Fields beyond these are taken and kept. One sent again under its id is there once. */
export const submitTicket = defineEndpoint({
  name: 'submitTicket',
  method: 'POST',
  path: '/ticket/submit',
  permission: 'ticket_write',
  input: submitTicketInputSchema,
  output: submittedTicketSchema,
});

export const ticketAttachmentSchema = z.looseObject({
  id: idSchema,
  filename: z.string(),
  size: z.number().int(),
  mimeType: z.string(),
});
export type TicketAttachment = z.infer<typeof ticketAttachmentSchema>;

export const attachToTicketInputSchema = z.object({ ticket_id: idSchema, fileName: textSchema(200).optional() });
export type AttachToTicketInput = z.input<typeof attachToTicketInputSchema>;

/** Adds the one screenshot a ticket may have: a PNG or JPEG image. The same file again is there once. */
export const attachToTicket = defineEndpoint({
  name: 'attachToTicket',
  method: 'POST',
  path: '/ticket/attachment/:ticket_id',
  permission: 'ticket_write',
  sendAs: 'multipart',
  fileLimitBytes: ticketLimits.screenshotBytes,
  input: attachToTicketInputSchema,
  output: ticketAttachmentSchema,
});

/** The attachment itself, to be saved. */
export const getTicketAttachment = defineEndpoint({
  name: 'getTicketAttachment',
  method: 'GET',
  path: '/ticket/attachment/:ticket_id',
  permission: 'ticket_read',
  input: z.object({ ticket_id: idSchema }),
  output: z.unknown(),
  answerAs: 'file',
});

const ticketLineSchema = z.looseObject({
  id: idSchema,
  key: z.string(),
  fields: z.looseObject({ summary: z.string(), status: z.looseObject({ name: z.string() }) }),
});
export type TicketLine = z.infer<typeof ticketLineSchema>;

/** The tickets of a reporter, the newest first; of those one may not see none, and nothing tells that there are any. */
export const getTicketHistory = defineEndpoint({
  name: 'getTicketHistory',
  method: 'GET',
  path: '/ticket/history',
  permission: 'ticket_read',
  input: z.object({ reporter: textSchema(320) }),
  output: z.object({ issues: z.array(ticketLineSchema) }),
});

export const ticketActivitySchema = z.looseObject({
  id: idSchema,
  created: z.iso.datetime(),
  author: z.looseObject({ emailAddress: z.string() }),
  /** What happened, in words. */
  body: z.string(),
});

export const ticketSchema = z.looseObject({
  id: idSchema,
  key: z.string(),
  fields: z.looseObject({
    summary: z.string(),
    description: z.string(),
    status: z.looseObject({ name: z.string() }),
    priority: z.looseObject({ name: z.string() }),
    reporter: z.looseObject({ emailAddress: z.string() }),
    created: z.iso.datetime(),
    attachment: z.array(ticketAttachmentSchema),
    /** What happened to the ticket since it was submitted, the oldest first. */
    activity: z.array(ticketActivitySchema),
  }),
});
export type Ticket = z.infer<typeof ticketSchema>;

export const getTicket = defineEndpoint({
  name: 'getTicket',
  method: 'GET',
  path: '/ticket/:ticket_id',
  permission: 'ticket_read',
  input: z.object({ ticket_id: idSchema }),
  output: ticketSchema,
});
