import { describe, expect, test } from 'vitest';
import {
  reporterSchema,
  submitTicketInputSchema,
  ticketFieldsSchema,
  ticketLimits,
  ticketMessages,
  ticketPriorities,
} from '#contract/tickets.ts';

const fields = { headline: 'Totals differ', description: 'Off by one', priority: 'high', reporter: 'a@example.org' };
const messagesOf = (values: Record<string, unknown>): string[] =>
  ticketFieldsSchema.safeParse({ ...fields, ...values }).error?.issues.map(({ message }) => message) ?? [];

describe('the form of a ticket', () => {
  test('[TK22] headline, description, priority and reporter are required, each in its own words', () => {
    expect(messagesOf({})).toEqual([]);
    expect(messagesOf({ headline: ' ', description: ' \n', priority: '', reporter: ' ' })).toEqual([
      'Headline is required',
      'Description is required',
      'Priority is required',
      'Reporter is required',
    ]);
    expect(ticketPriorities).toEqual(['lowest', 'low', 'medium', 'high', 'highest']);
    expect(ticketPriorities.flatMap((priority) => messagesOf({ priority }))).toEqual([]);
    expect(messagesOf({ headline: 'x'.repeat(ticketLimits.headline + 1) })).toEqual(['Headline has at most 255 characters']);
    expect(messagesOf({ description: 'x'.repeat(ticketLimits.description + 1) })).toEqual(['Description has at most 30000 characters']);
    expect(messagesOf({ description: 'line\nline *** \u202eright to left <script>' })).toEqual([]);
    expect(messagesOf({ description: 'zero\0' })).not.toEqual([]);
  });

  test.each([
    'a@example.org',
    ' a@example.org ',
    'first.last+tag@sub.example.museum',
    'a@example.xn--p1ai',
    'пример@пример.рф',
    "o'neil@example.co.uk",
    'root@example.org',
    'a@example.c0m',
  ])('[TK23] a valid e-mail of any top-level domain may report: %s', (email) => {
    expect(reporterSchema.safeParse(email)).toEqual({ success: true, data: email.trim() });
  });

  test.each([
    'a',
    'a@',
    '@example.org',
    'a@example',
    'a b@example.org',
    'a@exa mple.org',
    'a@@example.org',
    'a@.org',
    'a@-.org',
    'a@example..org',
    '<a@example.org>',
  ])('[TK24] what is no e-mail may not: %s', (text) =>
    expect(reporterSchema.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([ticketMessages.reporter]),
  );

  test('[TK25] the root address may not report, however it is written', () => {
    for (const text of ['root@localhost', ' Root@LocalHost '])
      expect(messagesOf({ reporter: text })).toEqual(['Please enter a valid email other than root.']);
  });

  test('[TK26] extra fields are taken as they are', () => {
    expect(submitTicketInputSchema.parse({ ...fields, browser: { name: 'x' } })).toMatchObject({ browser: { name: 'x' } });
  });
});
