import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoIdOf } from '#server/seed/demo-places.ts';
import { type DemoApp, openDemo } from '#tests/support/demo.ts';
import { rowCount, rowsWritten } from '#tests/support/e2e.ts';
import { type ReadSheet, readWorkbook, sheetCells } from '#tests/support/workbook.ts';

// What the browser drew against what it saved: no code of ours stands between the two.

let app: DemoApp;
let page: Page;

beforeAll(async () => {
  // wide enough for every column to be drawn
  app = await openDemo('export', { viewport: { width: 3200, height: 1400 } });
  ({ page } = app);
});
afterAll(() => app?.close());

/** A drawn amount as a file has it: no grouping, a sign in front, no zeros that say nothing. */
function digitsOf(shown: string): string {
  const size = shown.replace(/[(),]/g, '');
  const short = size.includes('.') ? size.replace(/\.?0+$/, '') : size;
  return shown.startsWith('(') ? `-${short}` : short;
}

/** What CSV adds to texts that a spreadsheet would run is taken away again. */
const bare = (text: string): string => text.replace(/^'/, '');

/** Which drawn columns are amounts, and which of those bring their unit along. */
const amounts = ['Quantity', 'Fee', 'USD value', 'Price'];
const united = ['Quantity', 'Fee'];

/** The rows that are drawn where a row is brought into view, by their places: of each cell its texts, what it shows and then its unit. */
async function drawnRows(from: number): Promise<Map<number, string[][]>> {
  const grid = page.getByRole('grid');
  await grid.evaluate((element, row) => {
    const height = document.querySelector('[data-row]')?.getBoundingClientRect().height ?? 32;
    element.scrollTo({ top: row * height });
  }, from);
  await page.locator(`[data-row="${from}"] [role=gridcell]:not(:has(.bone))`).first().waitFor();
  const drawn = await page.evaluate(() =>
    [...document.querySelectorAll('[data-row]')]
      .filter((row) => !row.querySelector('.bone'))
      .map((row): [number, string[][]] => [
        Number(row.getAttribute('data-row')),
        [...row.querySelectorAll('[data-painted]')].map((cell) => {
          const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
          const texts: string[] = [];
          while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? '');
          return texts;
        }),
      ]),
  );
  return new Map(drawn);
}

/** All rows of the list, read off the screen from its top to its end. */
async function everyRow(count: number): Promise<string[][][]> {
  const rows = new Map<number, string[][]>();
  while (rows.size < count) {
    let next = 0;
    while (rows.has(next)) next += 1;
    for (const [index, cells] of await drawnRows(next)) rows.set(index, cells);
  }
  return Array.from({ length: count }, (_, index) => rows.get(index) ?? []);
}

/** The drawn cells of a row as a file has them. */
function asFile(cells: readonly string[][], heads: readonly string[]): string[] {
  return heads.flatMap((head, index) => {
    const [shown = '', unit = ''] = cells[index] ?? [];
    if (!amounts.includes(head)) return [shown];
    const text = shown === 'Unpriced' ? '' : digitsOf(shown);
    return united.includes(head) ? [text, unit] : [text];
  });
}

/** The sums at the foot of the list, and those of each asset, as the rows a file has for them. */
async function drawnTotals(): Promise<string[][]> {
  const foot = page.getByRole('region', { name: 'Totals' });
  const text = await foot.innerText();
  const usd = ['USD in', 'out', 'fees', 'net'].map((name) => digitsOf(new RegExp(`^${name}\\s+(\\S+)`, 'm').exec(text)?.[1] ?? name));
  const rows = /^([\d,]+) rows?$/m.exec(text)?.[1] ?? '';
  const unpriced = /^([\d,]+) without USD value$/m.exec(text)?.[1];
  await foot.getByRole('button', { name: 'Per asset' }).click();
  const lines = page.getByRole('dialog', { name: 'Per asset' }).locator('tbody tr');
  await lines.first().waitFor();
  const assets = await lines.evaluateAll((all) => all.map((line) => [...line.children].map((cell) => cell.textContent ?? '')));
  await page.keyboard.press('Escape');
  const ofAssets = assets.map(([name = '', count = '', ...sums]) => {
    const net = sums.pop() ?? '';
    const isOfMany = name === 'Unidentified';
    const shown = sums.map((sum) => (sum === '-' ? (isOfMany ? '' : '0') : digitsOf(sum)));
    return [name, digitsOf(count), ...shown, isOfMany ? '' : name, digitsOf(net)];
  });
  return [
    ['All rows', digitsOf(rows), ...usd, 'USD', usd[3] ?? ''],
    ...(unpriced === undefined ? [] : [['Without USD value', digitsOf(unpriced)]]),
    ...ofAssets,
  ];
}

const heads = async (): Promise<string[]> => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim());

/** Saves the list as a file by the menu, as a person does. */
async function saved(format: 'CSV' | 'XLSX'): Promise<Uint8Array> {
  await page.getByRole('button', { name: /^Export/ }).click();
  const download = page.waitForEvent('download');
  await page.getByRole('menuitem', { name: format }).click();
  return readFileSync(await (await download).path());
}

/** Rows of a sheet from one on, each cut to so many cells. */
function sheetRows(sheet: ReadSheet, { from, count, width }: { from: number; count: number; width: number }): string[][] {
  return Array.from({ length: count }, (_, index) => sheetCells(sheet, from + index, width));
}

const padded = (cells: readonly string[], width: number): string[] => Array.from({ length: width }, (_, index) => cells[index] ?? '');

describe('the export', () => {
  test("[EX25] a file has cell by cell what the screen's rows say, filtered, sorted and with a column hidden, and the sums at their foot", async () => {
    await page.goto(`${app.server.url}/settings`);
    await page.getByLabel('Decimals').selectOption('all');
    await page.goto(`${app.server.url}/transactions?entity=${demoIdOf.entity('Meridian Master Fund LP')}&dates=all`);
    await page.locator('[data-row="20"] [role=gridcell]:not(:has(.bone))').first().waitFor();
    // no person is there to say where the file goes
    await page.evaluate(() => Object.assign(window, { showSaveFilePicker: undefined }));

    const all = await rowCount(page);
    await page.keyboard.press('Alt+f');
    await page.getByLabel('Find a field').fill('quantity');
    await page.keyboard.press('Enter');
    await page.locator('[data-editor] input').fill('>2');
    await page.keyboard.press('Enter');
    await expect.poll(() => rowCount(page)).toBeLessThan(all);
    const usd = page.getByRole('columnheader', { name: /^USD value/ });
    await usd.getByRole('button').first().click();
    await expect.poll(() => usd.getAttribute('aria-sort')).toMatch(/ascending|descending/);
    await page
      .getByRole('columnheader', { name: /^Account/ })
      .getByRole('button')
      .first()
      .press('Alt+ArrowDown');
    await page.getByRole('menuitem', { name: 'Hide column' }).click();
    await expect.poll(heads).not.toContain('Account');
    // the head says the order before the rows stand in it
    await page.locator('[role=grid][aria-busy=false]').waitFor();
    await rowsWritten(page);

    const names = await heads();
    const count = await rowCount(page);
    expect(count).toBeGreaterThan(200);
    const shown = (await everyRow(count)).map((cells) => asFile(cells, names));
    const sums = await drawnTotals();
    const heading = names.flatMap((name) => (united.includes(name) ? [name, `${name} unit`] : [name]));

    const csv: string[][] = parse(Buffer.from(await saved('CSV')), { bom: true });
    expect(csv[0]).toEqual(heading);
    expect(csv.slice(1, count + 1).map((cells) => cells.map(bare))).toEqual(shown);
    expect(csv.slice(count + 2)).toEqual(sums.map((cells) => padded(cells, heading.length)));

    const { sheets } = readWorkbook(await saved('XLSX'));
    const [list, totals] = sheets as [ReadSheet, ReadSheet];
    expect(sheetRows(list, { from: 1, count: 1, width: heading.length })).toEqual([heading]);
    expect(sheetRows(list, { from: 2, count, width: heading.length })).toEqual(shown);
    const [whole] = sums;
    expect(sheetRows(list, { from: count + 4, count: 1, width: 8 })).toEqual([whole]);
    expect(sheetRows(totals, { from: 2, count: sums.length, width: 8 })).toEqual(sums.map((cells) => padded(cells, 8)));
  });
});
