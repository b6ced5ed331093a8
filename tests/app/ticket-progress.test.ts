import { describe, expect, test } from 'vitest';
import { readScreenshot } from '#app/screens/tickets/screenshot.ts';
import { ticketProgress } from '#app/screens/tickets/ticket-progress.ts';
import { ticketLimits, ticketMessages } from '#contract/tickets.ts';
import type { OutboxRow, Receipt } from '#replica/outbox-tables.ts';
import { pngBytes } from '#tests/support/images.ts';

const waiting = (row: Partial<OutboxRow>) => ({ waiting: { seq: 7, state: 'queued', ...row } as OutboxRow });
const settled = (receipt: Partial<Receipt>) => ({ settled: { outcome: 'accepted', ...receipt } as Receipt });
const answer = { id: '1', key: 'SUP-1' };

describe('how far a ticket has come', () => {
  test('[TK28] it waits until it is answered, and keeps its id and key from then on', () => {
    expect(ticketProgress([waiting({ state: 'sending' })])).toEqual({
      ticket: { step: 'waiting', isUnanswered: false },
      submitted: null,
      attachment: null,
    });
    expect(ticketProgress([waiting({ state: 'uncertain', error: { code: 'network', detail: '' } })]).ticket).toMatchObject({
      isUnanswered: true,
    });
    expect(ticketProgress([waiting({ state: 'acked', answer })]).submitted).toEqual(answer);
    expect(ticketProgress([settled({ answer })]).submitted).toEqual(answer);
  });

  test('[TK29] what needs the person tells the server’s reason; what was discarded is let go; a screenshot is told apart', () => {
    for (const state of ['refused', 'parked', 'paused_permission'] as const)
      expect(ticketProgress([waiting({ state, error: { code: 'invalid', detail: 'No' } })]).ticket).toEqual({
        step: 'refused',
        seq: 7,
        reason: 'No',
      });
    expect(ticketProgress([settled({ outcome: 'discarded' })]).ticket).toEqual({ step: 'let_go' });
    expect(ticketProgress([]).ticket).toEqual({ step: 'let_go' });
    expect(ticketProgress([settled({ answer }), waiting({})]).attachment).toEqual({ step: 'waiting', isUnanswered: false });
  });

  test('[TK30] a file is taken as a screenshot where it is a PNG or JPEG of at most 10 MB', async () => {
    const taken = await readScreenshot(new File([pngBytes], 'a.gif', { type: 'image/gif' }));
    expect(taken).toEqual({ name: 'a.gif', type: 'image/png', bytes: pngBytes });
    await expect(readScreenshot(new File(['<svg>'], 'a.png', { type: 'image/png' }))).rejects.toThrow(ticketMessages.image);
    const large = new File([pngBytes, new Uint8Array(ticketLimits.screenshotBytes)], 'a.png');
    await expect(readScreenshot(large)).rejects.toThrow('The file is too large. The limit is 10 MB.');
  });
});
