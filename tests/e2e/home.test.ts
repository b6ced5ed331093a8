import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, type RunningServer, startServer } from '#tests/support/e2e.ts';
import { looksRightIn } from '#tests/support/looks.ts';

let app: DemoApp;
let server: RunningServer;
let page: Page;
const shots = process.env.SHOTS;
/** What the browser says of the page: our policy was broken, or a script failed. */
const complaints: string[] = [];

beforeAll(async () => {
  app = await openDemo('home');
  ({ server, page } = app);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  page.on('console', (message) => {
    if (message.type() === 'error' && /Content Security Policy|TrustedHTML|Uncaught/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
});
afterAll(async () => {
  await server?.stop('SIGKILL');
  await app?.close();
});

const looksRight = (name: string): Promise<void> => looksRightIn({ context: app.context, page }, name);

const grid = () => page.getByRole('grid', { name: 'Entities' });
/** The amounts at stake, from the top down. */
async function stakes(): Promise<number[]> {
  const head = grid().getByRole('columnheader', { name: /^At stake/ });
  const column = await head.getAttribute('aria-colindex');
  const texts = await grid().locator(`[role="gridcell"][aria-colindex="${column}"]`).allTextContents();
  return texts.map((text) => Number(text.replaceAll(/[^\d.]/g, '')));
}
const countIn = (label: string | null): number => Number((label ?? '').split(' ')[0]?.replaceAll(',', ''));

describe('home', () => {
  test('[HM10] what is most urgent comes first, and each count leads to just the rows it counts', async () => {
    await page.goto(`${server.url}/home`);
    await grid()
      .getByRole('link', { name: /pending matches? of / })
      .first()
      .waitFor();
    const amounts = await stakes();
    expect(amounts[0]).toBeGreaterThan(0);
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
    await looksRight('home');

    for (const words of [/unpriced rows? of /, /unidentified rows? of /]) {
      const link = grid().getByRole('link', { name: words }).first();
      const count = countIn(await link.getAttribute('aria-label'));
      await link.click();
      await expect.poll(() => rowCount(page)).toBe(count);
      await page.goBack();
    }
    const pending = grid().getByRole('link', { name: /pending matches? of Meridian Master Fund LP/ });
    await pending.click();
    await page.waitForURL(/match=PENDING/);
    await expect.poll(() => rowCount(page)).toBeGreaterThan(0);
    for (const [words, said] of [
      [/unreconciled accounts? of /, /: not tied out/],
      [/stale accounts? of /, /: no update for 3 days/],
      [/failed syncs? of /, /: last sync failed/],
    ] as const) {
      await page.goto(`${server.url}/home`);
      const link = grid().getByRole('link', { name: words }).first();
      const count = countIn(await link.getAttribute('aria-label'));
      await link.click();
      await page.getByText(said).waitFor();
      await expect.poll(() => page.getByRole('region', { name: 'Accounts', exact: true }).getByRole('row').count()).toBe(count + 1);
      if (shots) writeFileSync(`${shots}/accounts-${said.source.split(' ').at(-1)}.png`, await page.screenshot());
    }
  });

  test('[HM11] without a network, after a reload, the worklist and the values are there, and a match decided meanwhile is counted off', async () => {
    const entity = 'Meridian Master Fund LP';
    const pending = () => grid().getByRole('link', { name: new RegExp(`pending match(es)? of ${entity}`) });
    await page.goto(`${server.url}/home`);
    const before = countIn(await pending().getAttribute('aria-label'));
    await server.stop();
    await page.goto(`${server.url}/transactions?entity=${demoIdOf.entity(entity)}&dates=all&match=PENDING`);
    await page.getByRole('row').filter({ hasText: 'Withdrawal' }).first().click();
    await page.keyboard.press('t');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /1 edit/ })
      .waitFor();
    await page.goto(`${server.url}/home`);
    await expect.poll(async () => countIn(await pending().getAttribute('aria-label'))).toBe(before - 1);
    await page.getByRole('radio', { name: 'Values' }).check({ force: true });
    await page.getByRole('img', { name: /^Value over time in US dollars: / }).waitFor();
    await page.reload();
    await page.getByRole('img', { name: /^Value over time in US dollars: / }).waitFor();
    server = await startServer(app.env);
  });

  test('[HM12] values are a chart and the same as a table, shared out by client, entity and kind; one client narrows all of it', async () => {
    await page.goto(`${server.url}/home?view=values`);
    const chart = page.getByRole('img', { name: /^Value over time in US dollars: / });
    await chart.locator('canvas').first().waitFor();
    await looksRight('home-values');
    await page.getByRole('button', { name: 'Show as table' }).click();
    const table = page.getByRole('table', { name: 'Value over time' });
    await table.waitFor();
    expect(await table.getByRole('row').count()).toBeGreaterThan(60);
    const total = await table.getByRole('row').nth(1).getByRole('cell').nth(1).textContent();
    await page.getByText('AUM (USD)').waitFor();
    expect(await page.getByRole('definition').first().textContent()).toBe(total);
    const shares = page.getByRole('list', { name: 'Allocation' }).getByRole('listitem');
    await expect.poll(() => shares.count()).toBe(2);
    await page.getByRole('radio', { name: 'Account kind' }).check({ force: true });
    await expect.poll(() => shares.filter({ hasText: 'DeFi' }).count()).toBe(1);
    await page.getByRole('radio', { name: 'Entity' }).check({ force: true });
    await expect.poll(() => shares.count()).toBe(8);
    await looksRight('home-values-table');

    await page.getByRole('combobox', { name: 'Client' }).selectOption({ label: 'Hawthorne Family Office' });
    await expect.poll(() => shares.count()).toBe(4);
    expect(await table.getByRole('row').nth(1).getByRole('cell').nth(1).textContent()).not.toBe(total);
    expect(complaints).toEqual([]);
  });

  test('[HM13] with nothing to do Home says so and leads to all entities', async () => {
    const client = { id: uuidv7(), organization_id: demoIdOf.organization('Harbor Ledger Advisory'), client_name: 'Quiet Partners' };
    const entity = { id: uuidv7(), client_id: client.id, ...entityFields, entity_name: 'Quiet Fund' };
    for (const [path, data] of [['clients', client] as const, ['entities', entity] as const]) {
      const headers = { origin: server.url, 'idempotency-key': uuidv7() };
      const answer = await app.context.request.post(`${server.url}/api/${path}`, { data, headers });
      expect([path, answer.ok(), answer.ok() || (await answer.text())]).toEqual([path, true, true]);
    }
    await page.goto(`${server.url}/home`);
    await page.getByRole('combobox', { name: 'Client' }).selectOption({ label: 'Quiet Partners' });
    await page.getByRole('heading', { name: 'Nothing to do' }).waitFor();
    await looksRight('home-nothing');
    await page.getByRole('link', { name: 'Show all entities' }).click();
    await grid().getByRole('link', { name: 'Quiet Fund', exact: true }).waitFor();
    await page.getByRole('radio', { name: 'Values' }).check({ force: true });
    await page.getByRole('heading', { name: 'No values yet' }).waitFor();
    if (shots) writeFileSync(`${shots}/home-no-values.png`, await page.screenshot());
    await page.goto(`${server.url}/home?client=nobody`);
    await page.getByRole('heading', { name: 'No entities here' }).waitFor();
    await page.getByRole('link', { name: 'Show all clients' }).click();
    await grid().getByRole('link', { name: 'Meridian Master Fund LP', exact: true }).waitFor();
  });

  test('[HM14] clients and entities say what they are worth, what does not tie out and when they were updated', async () => {
    await page.goto(`${server.url}/clients`);
    await page.getByRole('columnheader', { name: 'AUM (USD)' }).waitFor();
    const heads = await page.getByRole('columnheader').allTextContents();
    expect(heads).toEqual(expect.arrayContaining(['AUM (USD)', 'Unreconciled', 'Last update (UTC)', 'Accounts']));
    const client = page.getByRole('row').filter({ hasText: 'Meridian Digital Assets' });
    expect(await client.textContent()).toMatch(/\d{1,3}(,\d{3})+\.\d{2}/);
    await looksRight('clients-figures');
    await page.goto(`${server.url}/entities`);
    await page.getByRole('columnheader', { name: 'AUM (USD)' }).waitFor();
    await looksRight('entities-figures');
  });

  test('[NS4] on a narrow screen the cards of Home are sorted from the same menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${server.url}/home?show=all`);
    const names = () =>
      grid()
        .getByRole('link', { name: /^(?!Transactions|\d)/ })
        .allInnerTexts();
    await expect.poll(async () => (await names()).length).toBeGreaterThan(3);
    await page.getByRole('button', { name: 'Sort', exact: true }).click();
    await page
      .getByRole('dialog', { name: 'Sort' })
      .getByRole('button', { name: /^Entity/ })
      .click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Sort: Entity ascending' }).waitFor();
    // a card keeps its element where another one comes to stand before it
    const tops = async () => {
      const links = await grid()
        .getByRole('link', { name: /^(?!Transactions|\d)/ })
        .all();
      const places = await Promise.all(
        links.map(async (link) => ({ y: (await link.boundingBox())?.y ?? 0, name: await link.innerText() })),
      );
      return places.toSorted((a, b) => a.y - b.y).map(({ name }) => name);
    };
    await vi.waitFor(async () => {
      const shown = await tops();
      expect(shown.length).toBeGreaterThan(3);
      expect(shown).toEqual(shown.toSorted((a, b) => a.localeCompare(b)));
    }, 15_000);
    await looksRight('home-sorted');
    // a wide screen has heads
    await expect.poll(() => page.getByRole('button', { name: /^Sort/ }).count()).toBe(0);
    await expect.poll(() => grid().getByRole('columnheader', { name: 'Entity' }).getAttribute('aria-sort')).toBe('ascending');
  });
});
