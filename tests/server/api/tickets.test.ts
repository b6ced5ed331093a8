import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import {
  attachToTicket,
  getTicket,
  getTicketHistory,
  type SubmitTicketInput,
  submitTicket,
  ticketLimits,
  ticketMessages,
  ticketPriorities,
} from '#contract/tickets.ts';
import { tickets } from '#server/database/tables/tickets.ts';
import { organizationMembers } from '#server/database/tables/users.ts';
import { jpegBytes, pngBytes } from '#tests/support/images.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anOffice, anOrganization, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let foreign: Awaited<ReturnType<typeof anOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  foreign = await anOffice(server.database.db);
});
afterAll(() => server.close());

const aTicket = (reporter: string, values: Partial<SubmitTicketInput> = {}): SubmitTicketInput => ({
  headline: 'Totals differ',
  description: 'http://localhost/transactions\n\nThe sum is off by one.',
  priority: 'high',
  reporter,
  ...values,
});
const aPerson = async (values: Parameters<typeof aUser>[1]) => {
  const user = await aUser(server.database.db, values);
  return { ...user, ...(await server.signedIn(user.email)) };
};
const anAccountant = () => aPerson({ role: 'accountant', organizationIds: [office.organization.id] });
const keysSeen = async (call: ApiCall, reporter: string) => (await call(getTicketHistory, { reporter })).issues.map(({ key }) => key);
const refusal = async (work: Promise<unknown>): Promise<{ code: string; message: string }> =>
  work.then(
    () => ({ code: 'ok', message: '' }),
    (error: { code: string; message: string }) => ({ code: error.code, message: error.message }),
  );
const png = (bytes: Uint8Array<ArrayBuffer> = pngBytes, name = 'shot.png') => ({ file: { name, content: new Blob([bytes]) } });
const attach = (call: ApiCall, ticket_id: string, file = png(), fileName = 'shot.png') =>
  call(attachToTicket, { ticket_id, fileName }, file);

describe('tickets', () => {
  test('[TK1] a ticket answers its id and a key that no other has, and stands in the history of its reporter as Jira tells it', async () => {
    const { call, email } = await anAccountant();
    const id = uuidv7();
    const first = await call(submitTicket, { ...aTicket(email), id });
    const second = await call(submitTicket, aTicket(email, { headline: 'Another' }));
    expect(first).toEqual({ id, key: expect.stringMatching(/^SUP-\d+$/) });
    expect(second.key).not.toBe(first.key);
    expect(await call(getTicketHistory, { reporter: email.toUpperCase() })).toEqual({
      issues: [
        { ...second, fields: { summary: 'Another', status: { name: 'Open' } } },
        { ...first, fields: { summary: 'Totals differ', status: { name: 'Open' } } },
      ],
    });
    expect(await call(getTicket, { ticket_id: id })).toMatchObject({
      ...first,
      fields: { description: aTicket(email).description, priority: { name: 'high' }, reporter: { emailAddress: email }, activity: [] },
    });
  });

  test('[TK2] a ticket sent again under its id, or its key, is there once; the id of somebody else is refused', async () => {
    const [mine, theirs] = [await anAccountant(), await anAccountant()];
    const ticket = { ...aTicket(mine.email), id: uuidv7() };
    const first = await mine.call(submitTicket, ticket, { idempotencyKey: 'a' });
    expect(await mine.call(submitTicket, ticket, { idempotencyKey: 'a' })).toEqual(first);
    expect(await mine.call(submitTicket, ticket)).toEqual(first);
    expect(await keysSeen(mine.call, mine.email)).toEqual([first.key]);
    expect((await refusal(theirs.call(submitTicket, { ...aTicket(theirs.email), id: ticket.id }))).code).toBe('conflict');
  });

  test.each([
    ['Headline is required', { headline: ' ' }],
    ['Description is required', { description: '\n ' }],
    [ticketMessages.priority, { priority: 'urgent' as 'high' }],
    ['Reporter is required', { reporter: '' }],
    [ticketMessages.reporter, { reporter: 'a@b' }],
    [ticketMessages.root, { reporter: 'root@localhost' }],
    ['Extra fields are text', { browser: 'x'.repeat(ticketLimits.extra) }],
    ['Extra fields are text', { browser: 'a\0' }],
  ])('[TK3] the server refuses what the form does: %s', async (message, values) => {
    const { call, email } = await anAccountant();
    const { code, message: said } = await refusal(call(submitTicket, aTicket(email, values)));
    expect([code, said]).toEqual(['invalid', expect.stringContaining(message)]);
    expect(await keysSeen(call, email)).toEqual([]);
  });

  test('[TK4] extra fields are kept beside the ticket', async () => {
    const { call, email } = await anAccountant();
    const { id } = await call(submitTicket, aTicket(email, { browser: 'Chromium', screen: { width: 390 } }));
    const { db } = server.database;
    const [row] = await db.select({ extra: tickets.extra }).from(tickets).where(eq(tickets.id, id));
    expect(row?.extra).toEqual({ browser: 'Chromium', screen: { width: 390 } });
  });

  test('[TK5] every signed-in role but the reporter may write tickets', async () => {
    const may: Record<string, string> = {};
    for (const role of ['administrator', 'accountant', 'bookkeeper', 'reporter', 'auditor'] as const) {
      const { call, email } = await aPerson({ role, organizationIds: [office.organization.id] });
      may[role] = (await refusal(call(submitTicket, aTicket(email)))).code;
    }
    expect(may).toEqual({ administrator: 'ok', accountant: 'ok', bookkeeper: 'ok', reporter: 'permission_denied', auditor: 'ok' });
  });
});

describe('who sees a ticket', () => {
  const seen = async (call: ApiCall, { id, reporter }: { id: string; reporter: string }): Promise<boolean[]> => [
    (await keysSeen(call, reporter)).length > 0,
    (await refusal(call(getTicket, { ticket_id: id }))).code === 'ok',
    (await refusal(attach(call, id))).code === 'ok',
  ];
  const submitted = async ({ call, email }: { call: ApiCall; email: string }, reporter = email) => ({
    reporter,
    ...(await call(submitTicket, aTicket(reporter))),
  });

  test('[TK6] oneself, the administrators of all organizations one is in, and superusers; for others it is as if it were not there', async () => {
    const ticket = await submitted(await anAccountant());
    const administrator = await aPerson({ role: 'administrator', organizationIds: [office.organization.id] });
    const superuser = await aPerson({ is_superuser: true });
    expect(await seen(administrator.call, ticket)).toEqual([true, true, true]);
    expect(await seen(superuser.call, ticket)).toEqual([true, true, true]);
    for (const other of [await anAccountant(), await aPerson({ role: 'administrator', organizationIds: [foreign.organization.id] })]) {
      expect(await seen(other.call, ticket)).toEqual([false, false, false]);
      expect(await other.call(getTicketHistory, { reporter: 'nobody@example.org' })).toEqual({ issues: [] });
    }
  });

  test('[TK7] of a person of two organizations neither administrator sees the ticket, who administers both does', async () => {
    const both = [office.organization.id, foreign.organization.id];
    const ticket = await submitted(await aPerson({ role: 'accountant', organizationIds: both }));
    const one = await aPerson({ role: 'administrator', organizationIds: [office.organization.id] });
    const two = await aPerson({ role: 'administrator', organizationIds: both });
    expect(await seen(one.call, ticket)).toEqual([false, false, false]);
    expect(await seen(two.call, ticket)).toEqual([true, true, true]);
  });

  test('[TK8] a ticket a colleague wrote in my name is mine, too; one from another tenant is not', async () => {
    const me = await anAccountant();
    expect(await seen(me.call, await submitted(await anAccountant(), me.email))).toEqual([true, true, true]);
    const stranger = await aPerson({ role: 'accountant', organizationIds: [foreign.organization.id] });
    const planted = await submitted(stranger, me.email);
    expect((await refusal(me.call(getTicket, { ticket_id: planted.id }))).code).toBe('not_found');
    expect(await keysSeen(me.call, me.email)).not.toContain(planted.key);
  });

  test('[TK9] who joins an organization later is seen by its administrators from then on alone', async () => {
    const [old, next] = [await anOrganization(server.database.db), await anOrganization(server.database.db)];
    const person = await aPerson({ role: 'accountant', organizationIds: [old.id] });
    const before = await submitted(person);
    await server.database.db
      .update(organizationMembers)
      .set({ organization_id: next.id })
      .where(eq(organizationMembers.user_id, person.id));
    const after = await submitted(person);
    const administrator = await aPerson({ role: 'administrator', organizationIds: [next.id] });
    expect(await keysSeen(administrator.call, person.email)).toEqual([after.key]);
    expect((await refusal(administrator.call(getTicket, { ticket_id: before.id }))).code).toBe('not_found');
  });
});

describe('the attachment of a ticket', () => {
  const withTicket = async () => {
    const person = await anAccountant();
    return { ...person, ...(await person.call(submitTicket, aTicket(person.email))) };
  };

  test('[TK10] a PNG or JPEG is kept under its name, told as activity, and sent again it is there once', async () => {
    for (const [bytes, mimeType] of [[pngBytes, 'image/png'] as const, [jpegBytes, 'image/jpeg'] as const]) {
      const { call, id, email } = await withTicket();
      const first = await attach(call, id, png(bytes), 'totals off.png');
      expect(first).toMatchObject({ filename: 'totals off.png', mimeType, size: bytes.length });
      expect(await attach(call, id, png(bytes), 'totals off.png')).toEqual(first);
      const { fields } = await call(getTicket, { ticket_id: id });
      expect(fields.attachment).toEqual([first]);
      expect(fields.activity).toMatchObject([{ author: { emailAddress: email }, body: 'Attachment added: totals off.png' }]);
      expect(await refusal(attach(call, id, png(new Uint8Array([...bytes, 1]))))).toEqual({
        code: 'conflict',
        message: ticketMessages.attached,
      });
    }
  });

  test('[TK11] what is no PNG or JPEG by its first bytes is refused, whatever it is called, and so is what is too large, or nothing', async () => {
    const { call, id, jar } = await withTicket();
    const page = new TextEncoder().encode('<html><script>alert(1)</script>');
    expect(await refusal(attach(call, id, png(page)))).toMatchObject({ code: 'invalid', message: `${ticketMessages.image} (body.file)` });
    const large = new Uint8Array(ticketLimits.screenshotBytes + 1);
    large.set(pngBytes);
    expect(await refusal(attach(call, id, png(large)))).toEqual({ code: 'too_large', message: ticketMessages.large });
    expect((await refusal(call(attachToTicket, { ticket_id: id, fileName: 'a.png' }))).code).toBe('invalid');
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const bare = await server.app.inject({ method: 'POST', url: `/api/ticket/attachment/${id}`, headers: { cookie }, payload: {} });
    expect(bare.statusCode).toBe(415);
    expect((await call(getTicket, { ticket_id: id })).fields.attachment).toEqual([]);
  });

  test('[TK12] it is given to be saved and never shown in place, and to nobody who may not see the ticket', async () => {
    const { call, id, jar } = await withTicket();
    const download = (cookies: typeof jar) =>
      server.app.inject({
        url: `/api/ticket/attachment/${id}`,
        headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') },
      });
    expect((await download(jar)).statusCode).toBe(404);
    await attach(call, id, png(), 'bé"ton\r\n.png');
    const answer = await download(jar);
    expect(answer.rawPayload).toEqual(Buffer.from(pngBytes));
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''b%C3%A9%22ton.png",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    const other = await anAccountant();
    expect((await download(other.jar)).statusCode).toBe(404);
  });

  test('[TK13] keys of many tickets made at once are all different', async () => {
    const { call, email } = await anAccountant();
    const made = await Promise.all(ticketPriorities.map((priority) => call(submitTicket, aTicket(email, { priority }))));
    expect(new Set(made.map(({ key }) => key)).size).toBe(made.length);
    expect((await keysSeen(call, email)).length).toBe(made.length);
  });
});
