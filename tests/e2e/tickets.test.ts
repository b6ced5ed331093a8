import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ticketMessages } from '#contract/tickets.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { accountant, signIn, synced } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';
import { outboxBadge } from '#tests/support/outbox-badge.ts';
import { type Gateway, openGateway } from '#tests/support/gateway.ts';

let app: DemoApp;
/** Between the browser and the server: what the workers send goes through it, too. */
let gateway: Gateway;
let page: Page;
/** A real picture: the app itself. */
let picture: Buffer;

beforeAll(async () => {
  app = await openDemo('tickets', { settings: { SUPPORT_URL: 'https://support.example.org/' } });
  ({ page } = app);
  gateway = await openGateway(app.server.url);
  await signIn(page, gateway.url);
  await synced(page);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  picture = await page.screenshot();
});
afterAll(async () => {
  await app?.close();
  await gateway?.close();
});

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

const dialog = () => page.getByRole('dialog', { name: 'Report an issue' });
const png = (name: string, buffer = picture) => ({ name, mimeType: 'image/png', buffer });

async function report(): Promise<void> {
  await page.getByRole('button', { name: 'User menu' }).click();
  await page.getByRole('menuitem', { name: 'Report an issue' }).click();
  await dialog().getByLabel('Headline').waitFor();
}

async function fill(headline: string): Promise<void> {
  await dialog().getByLabel('Headline').fill(headline);
  await dialog().getByLabel('Description').fill('The totals differ by one dollar.');
  await dialog().getByLabel('Priority').selectOption({ label: 'High' });
}

const submit = () => dialog().getByRole('button', { name: 'Submit' }).click();

describe('support tickets', () => {
  test('[TK18] the form asks for what it needs and tells what is wrong; one image is taken, previewed and removed again', async () => {
    await page.goto(`${gateway.url}/clients`);
    const link = page.getByRole('link', { name: 'Contact Support' });
    expect([await link.getAttribute('href'), await link.getAttribute('target')]).toEqual(['https://support.example.org/', '_blank']);
    await report();
    const priorities = await dialog().getByLabel('Priority').locator('option').allTextContents();
    expect(priorities).toEqual(['Choose a priority', 'Lowest', 'Low', 'Medium', 'High', 'Highest']);
    const reporter = dialog().getByLabel('Reporter');
    expect(await reporter.inputValue()).toBe(accountant.email);
    await reporter.fill('root@localhost');
    const file = dialog().getByLabel(/^Screenshot/);
    await file.setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') });
    await submit();
    for (const text of [
      'Headline is required',
      'Description is required',
      ticketMessages.priority,
      ticketMessages.root,
      ticketMessages.image,
    ])
      await dialog().getByText(text, { exact: true }).waitFor();
    await looksRight('ticket-refused');
    await file.setInputFiles(png('totals.png'));
    const preview = dialog().getByRole('img');
    await preview.waitFor();
    const isOfItsSize = async (): Promise<boolean[]> => {
      const { width = 0, height = 0 } = (await preview.boundingBox()) ?? {};
      return [width > 20 && width <= 180, height > 20 && height <= 100];
    };
    // a picture has none before it is read
    await expect.poll(isOfItsSize).toEqual([true, true]);
    await looksRight('ticket-preview');
    await dialog().getByRole('button', { name: 'Remove totals.png' }).click();
    expect(await preview.count()).toBe(0);
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog().count()).toBe(0);
  }, 120_000);

  test('[TK19] a ticket with its screenshot is submitted: banners, locked fields, history and a link to the ticket', async () => {
    await page.goto(`${gateway.url}/clients`);
    await report();
    await fill('Totals are off');
    // pasted as from the clipboard
    await dialog()
      .getByLabel('Description')
      .evaluate((field, base64) => {
        const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
        const clipboardData = new DataTransfer();
        clipboardData.items.add(new File([bytes], 'pasted.png', { type: 'image/png' }));
        field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }, picture.toString('base64'));
    await dialog().getByText('pasted.png').waitFor();
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const uploaded = gateway.at({ call: /^POST .*\/ticket\/attachment\//, stage: 'asked', nth: 1 }, () => held);
    await submit();
    await dialog().getByText('Ticket has been submitted!').waitFor();
    await dialog().getByText('Attachment being uploaded…').waitFor();
    expect(await dialog().getByLabel('Headline').isDisabled()).toBe(true);
    expect(await dialog().getByRole('button', { name: 'Submit' }).count()).toBe(0);
    const history = dialog().getByRole('group', { name: 'History' });
    await history.getByText('Totals are off').waitFor();
    await looksRight('ticket-submitted');
    release();
    await dialog().getByText('Attachment successfully added to ticket').waitFor();
    await page.locator('[role=log]').getByText('Attachment successfully added to ticket').waitFor();
    await uploaded;
    await dialog().getByRole('status').getByRole('link', { name: /^SUP-/ }).click();
    await page.waitForURL(/\/tickets\//);
    await page.getByRole('heading', { name: 'Totals are off' }).waitFor();
    await page.getByText(`${gateway.url}/clients`).waitFor();
    await page.getByText('Attachment added: pasted.png').waitFor();
    await looksRight('ticket');
    const downloading = page.waitForEvent('download');
    await page.getByRole('link', { name: 'pasted.png' }).click();
    expect((await downloading).suggestedFilename()).toBe('pasted.png');
    await page.goto(`${gateway.url}/tickets/0198c6a0-0000-7000-8000-000000000000`);
    await page.getByText('There is no such ticket').waitFor();
    await looksRight('ticket-unknown');
  }, 120_000);

  test('[TK20] without a server a ticket and its screenshot wait, also over a reload, can be said otherwise, and both arrive once it is back', async () => {
    await page.goto(`${gateway.url}/clients`);
    await page.getByRole('grid', { name: 'Clients' }).waitFor();
    gateway.cut();
    await report();
    await fill('No network here');
    await dialog()
      .getByLabel(/^Screenshot/)
      .setInputFiles(png('offline.png'));
    await submit();
    await dialog()
      .getByText(/^There is no network\. The ticket is kept on this device/)
      .waitFor();
    await looksRight('ticket-offline');
    await dialog().getByRole('button', { name: 'Close' }).click();
    await page.reload();
    await page.goto(`${gateway.url}/outbox`);
    await page.getByText('Submit ticket: No network here', { exact: true }).first().waitFor();
    await page.getByText(/^Add screenshot to ticket: No network here \(offline\.png, \d+ kB\)$/).waitFor();
    await looksRight('ticket-outbox');
    await page.getByRole('button', { name: /^Edit: Submit ticket/ }).click();
    await dialog().getByLabel('Headline').fill('No network there');
    await looksRight('ticket-edit');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('Submit ticket: No network there', { exact: true }).first().waitFor();
    await page.getByText(/^Add screenshot to ticket: No network there/).waitFor();
    gateway.mend();
    await page.reload();
    const history = async () => {
      const answer = await app.context.request.get(`${gateway.url}/api/ticket/history?reporter=${accountant.email}`);
      return ((await answer.json()) as { issues: { id: string; fields: { summary: string } }[] }).issues;
    };
    const summaries = async () => (await history()).map(({ fields }) => fields.summary);
    await expect.poll(summaries, { timeout: 60_000 }).toEqual(['No network there', 'Totals are off']);
    const [sent] = await history();
    const image = () => app.context.request.get(`${gateway.url}/api/ticket/attachment/${sent?.id}`);
    await expect.poll(async () => (await image()).status(), { timeout: 30_000 }).toBe(200);
    expect(Buffer.compare(await (await image()).body(), picture)).toBe(0);
    await expect.poll(() => outboxBadge(page).getAttribute('aria-label'), { timeout: 30_000 }).toBe('Outbox, no edits wait');
  }, 120_000);

  test('[TK21] what the server refuses is said in a toast, the fields open again, and the corrected ticket takes its place', async () => {
    // what the form takes and the page's address are too long together
    await page.goto(`${gateway.url}/settings#${'x'.repeat(11_000)}`);
    await report();
    await fill('Refused at first');
    await dialog().getByLabel('Description').fill('x'.repeat(30_000));
    await submit();
    const reason = 'Description has at most 40000 characters (body.description)';
    await page
      .locator('[role=alert]')
      .filter({ hasText: `Error${reason}` })
      .waitFor();
    await looksRight('ticket-toast');
    expect(await dialog().getByLabel('Headline').inputValue()).toBe('Refused at first');
    await dialog().getByLabel('Description').fill('Shorter');
    await dialog().getByLabel('Reporter').fill('support.reporter@example.org');
    await submit();
    await dialog().getByText('Ticket has been submitted!').waitFor();
    await dialog().getByRole('link', { name: /^SUP-/ }).last().waitFor();
    await dialog().getByRole('button', { name: 'Close' }).click();
    await expect.poll(() => outboxBadge(page).getAttribute('aria-label')).toBe('Outbox, no edits wait');
  }, 120_000);
});
