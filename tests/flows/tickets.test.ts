import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { ticketEdits } from '#app/screens/tickets/ticket-edits.ts';
import { ticketProgress } from '#app/screens/tickets/ticket-progress.ts';
import { getTicket, getTicketHistory, type SubmitTicketInput } from '#contract/tickets.ts';
import { discard } from '#replica/decisions.ts';
import { enqueueAll, pendingMutations } from '#replica/outbox.ts';
import { newestReceipts, standingsOf } from '#replica/receipts.ts';
import type { Speaks } from '#tests/support/engine.ts';
import { aFlow } from '#tests/support/flow.ts';
import { pngBytes } from '#tests/support/images.ts';
import { testNow } from '#tests/support/server.ts';
import { listed } from '#tests/support/stored.ts';
import { anOffice } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const screenshot = { name: 'shot.png', type: 'image/png' as const, bytes: pngBytes };

/** A laptop whose person reports an issue; the wire can be cut. */
async function aLaptop(speaks: Speaks = 'feed') {
  const { accountant } = await anOffice(server.database.db);
  const browser = await browsers.signIn(accountant.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const report = async (values: Partial<SubmitTicketInput> = {}, file: typeof screenshot | null = screenshot) => {
    const ticket = {
      headline: 'Totals differ',
      description: 'Off by one',
      priority: 'high' as const,
      reporter: accountant.email,
      ...values,
    };
    const edits = ticketEdits(ticket, file, { newId: uuidv7, now: testNow });
    await enqueueAll(page.outbox, edits);
    const [first] = edits;
    return { ids: edits.map(({ id }) => id), ticketId: first?.name === 'submitTicket' ? (first.input.id ?? '') : '' };
  };
  const states = async () => (await pendingMutations(page.outbox)).map(({ name, state }) => [name, state]);
  const files = async () => (await listed(page.outbox, 'blobs')).map(({ id }) => id).filter((id) => id.length === 36);
  const settle = async (expected: unknown[]) => {
    await expect
      .poll(async () => {
        await device.sync();
        return states();
      })
      .toEqual(expected);
  };
  return { ...browser, ...device, accountant, page, report, states, files, settle };
}

describe.each([
  ['of ours', 'feed' as const],
  ['that knows no feed', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[TK14] a ticket reported without a network waits with its screenshot, and reaches the server with it, in order', async () => {
    const { wire, report, states, files, settle, page, call, accountant } = await aLaptop(speaks);
    wire.cut();
    const { ids } = await report();
    expect(await states()).toEqual([
      ['submitTicket', 'queued'],
      ['attachToTicket', 'queued'],
    ]);
    expect(await files()).toEqual([ids[1]]);
    wire.mend();
    await settle([]);
    const sent = wire.requests.filter((request) => request.startsWith('POST /ticket/'));
    expect(sent.map((request) => request.split('/')[2])).toEqual(['submit', 'attachment']);
    const { issues } = await call(getTicketHistory, { reporter: accountant.email });
    expect(issues).toMatchObject([{ fields: { summary: 'Totals differ' } }]);
    const { fields } = await call(getTicket, { ticket_id: issues[0]?.id ?? '' });
    expect(fields.attachment).toMatchObject([{ filename: 'shot.png', size: pngBytes.length, mimeType: 'image/png' }]);
    // nothing of the picture is left on the device
    expect(await files()).toEqual([]);
    expect(ticketProgress(await standingsOf(page.outbox, ids))).toMatchObject({
      submitted: { id: issues[0]?.id, key: issues[0]?.key },
      attachment: { step: 'accepted' },
    });
  });
});

describe('a ticket on its way', () => {
  test('[TK15] answers that are lost make neither a second ticket nor a second attachment', async () => {
    const { wire, report, settle, call, accountant } = await aLaptop();
    wire.loseAnswerOf('POST', '/ticket/submit');
    const { ticketId } = await report();
    wire.loseAnswerOf('POST', `/ticket/attachment/${ticketId}`);
    await settle([]);
    expect((await call(getTicketHistory, { reporter: accountant.email })).issues.length).toBe(1);
    expect((await call(getTicket, { ticket_id: ticketId })).fields.activity.length).toBe(1);
    const sent = wire.requests.filter((request) => request.startsWith('POST /ticket/'));
    expect(sent.map((request) => request.split('/')[2])).toEqual(['submit', 'submit', 'attachment', 'attachment']);
  });

  test('[TK16] where the server gives the ticket an id of its own, the screenshot goes to that', async () => {
    const { wire, report, settle } = await aLaptop();
    wire.answerOnce('POST', '/ticket/submit', () => Response.json({ id: '10042', key: 'JIRA-7' }));
    wire.answerOnce('POST', '/ticket/attachment/10042', () => Response.json({ id: '1', filename: 'a', size: 1, mimeType: 'image/png' }));
    await report();
    await settle([]);
    expect(wire.requests.filter((request) => request.startsWith('POST /ticket/'))).toEqual([
      'POST /ticket/submit',
      'POST /ticket/attachment/10042',
    ]);
  });

  test('[TK17] a ticket the server refuses keeps its reason and its screenshot until the person lets it go, and then nothing of it is kept', async () => {
    const { report, settle, page, files } = await aLaptop();
    const { ids } = await report({ reporter: 'nobody' });
    await settle([
      ['submitTicket', 'refused'],
      ['attachToTicket', 'queued'],
    ]);
    const { ticket } = ticketProgress(await standingsOf(page.outbox, ids));
    expect(ticket).toMatchObject({ step: 'refused', reason: 'Please enter a valid email (body.reporter)' });
    const [refused, waiting] = await pendingMutations(page.outbox);
    await discard(page.outbox, refused!.seq, testNow);
    expect((await pendingMutations(page.outbox)).map(({ state }) => state)).toEqual(['paused_dependency']);
    expect(await files()).toEqual([ids[1]]);
    await discard(page.outbox, waiting!.seq, testNow);
    expect(await files()).toEqual([]);
    expect((await newestReceipts(page.outbox, 9)).map(({ outcome }) => outcome)).toEqual(['discarded', 'discarded']);
  });
});
