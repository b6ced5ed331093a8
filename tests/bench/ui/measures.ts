import type { Page } from 'playwright';
import { drained } from '../../support/outbox-badge.ts';

/** The specification's debounce of the search box, in milliseconds. */
const debounceMs = 166;
/** What people look for: hashes from their beginning and from within, words, names, tickers. */
const texts = ['0x3fa9c', 'payroll', 'kraken 12', 'a7f3', 'eth', 'settlement', '9c0d4e', 'binance'];
const restMs = 450;

/** Types every text letter by letter and clears it, resting so that each letter is answered. @returns milliseconds beyond the debounce. */
export async function keystrokeTimes(page: Page): Promise<number[]> {
  const times: number[] = [];
  const search = page.getByRole('searchbox', { name: /search/i }).first();
  await search.click();
  for (const [index, text] of ['warm', ...texts].entries()) {
    for (const letter of text) {
      const took = await answerTo(page, 'input', () => page.keyboard.type(letter));
      if (took === null) throw new Error(`Nothing answered the "${letter}" of "${text}"`);
      if (index > 0) times.push(took - debounceMs);
      await page.waitForTimeout(restMs);
    }
    await search.fill('');
    await page.waitForTimeout(restMs * 2);
  }
  return times;
}

/** What the browser alone takes to show a list with other texts in all its cells, in milliseconds: no keystroke that changes them all takes less. */
export async function browserTimes(page: Page, times = 40): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < times) {
    await page.waitForTimeout(restMs);
    taken.push(await page.evaluate(() => window.tieoutWatch.rewritten()));
  }
  return taken;
}

const patienceMs = 5_000;

/** The time from an event to the painted answer that follows it; null where none follows. */
async function answerTo(page: Page, event: string, act: () => Promise<void>): Promise<number | null> {
  // in two steps: the page must be listening before anything happens
  const watching = await page.evaluateHandle(({ kind, most }) => ({ answer: window.tieoutWatch.answerTo(kind, most) }), {
    kind: event,
    most: patienceMs,
  });
  await act();
  const took = await watching.evaluate(({ answer }) => answer);
  await watching.dispose();
  return took;
}

/** The times between frames, in milliseconds. */
interface ScrollFrames {
  flings: number[];
  /** After jumps to another part of the list, as by its thumb. */
  jumps: number[];
}

const settleJumpMs = 500;

/** Flings up and down in parts of the whole list. */
export async function scrollFrames(page: Page, list = page.getByRole('grid', { name: 'Transactions' })): Promise<ScrollFrames> {
  const box = await list.boundingBox();
  if (!box) throw new Error('There is no list on the screen');
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const fling = (yDistance: number, speed: number) =>
    session.send('Input.synthesizeScrollGesture', { ...at, yDistance, speed, gestureSourceType: 'mouse', preventFling: true });
  const framesOf = async (act: () => Promise<unknown>): Promise<number[]> => {
    const frames = await page.evaluateHandle(() => window.tieoutWatch.frames());
    await act();
    return frames.evaluate((running) => running.stop());
  };
  await fling(-2_000, 4_000);
  const measured: ScrollFrames = { flings: [], jumps: [] };
  for (const share of [0.02, 0.35, 0.7, 0.98]) {
    const jump = await framesOf(async () => {
      await list.evaluate((element, part) => element.scrollTo({ top: element.scrollHeight * part }), share);
      await page.waitForTimeout(settleJumpMs);
    });
    measured.jumps.push(...jump);
    for (const distance of [-12_000, 12_000]) measured.flings.push(...(await framesOf(() => fling(distance, 8_000))));
  }
  await page.keyboard.press('Escape');
  return measured;
}

/** The same of a list of the same rows that the browser alone scrolls: no list of ours has fewer late frames. */
export async function browserFrames(page: Page, rows: number): Promise<ScrollFrames> {
  const bare = await page.evaluateHandle((count) => window.tieoutWatch.bareList(count), Math.min(rows, mostBareRows));
  const measured = await scrollFrames(page, page.locator('#bare'));
  await bare.evaluate((list) => list.remove());
  return measured;
}

/** Higher no element can be. */
const mostBareRows = 300_000;

/** Marks and unmarks rows at the top of the list, one after another. @returns milliseconds from the key to the painted mark and totals. */
export async function editTimes(page: Page, edits = 40): Promise<number[]> {
  const times: number[] = [];
  let row = await toMarkable(page, -1);
  while (times.length < edits + warmUps) {
    for (const key of ['t', 'u']) {
      const took = await answerTo(page, 'keydown', () => page.keyboard.press(key));
      // a row whose counterpart is not here is refused
      if (took === null) break;
      times.push(took);
      // what the server says to it comes, too
      await page.waitForTimeout(settleMs);
    }
    row = await toMarkable(page, row);
  }
  return times.slice(warmUps);
}

const warmUps = 6;
const settleMs = 600;
/** The last row of those that are edited: the next one is the first again. The demo's own rows, which the server knows, come first. */
const lastEdited = 100;

/** Moves the cursor to the next deposit or withdrawal after a row, by the keys. @returns that row. */
async function toMarkable(page: Page, after: number): Promise<number> {
  let row = after >= lastEdited ? -1 : after;
  if (row < 0) await focusFirstRow(page);
  let isThere = false;
  while (!isThere) {
    row += 1;
    if (row > 0) await page.keyboard.press('ArrowDown');
    const text = await page.locator(`[data-row="${row}"]`).textContent();
    isThere = /(Deposit|Withdrawal)(?! fee)/.test(text ?? '');
  }
  return row;
}

async function focusFirstRow(page: Page): Promise<void> {
  await page.keyboard.press('Escape');
  const grid = page.getByRole('grid', { name: 'Transactions' });
  await grid.evaluate((element) => element.scrollTo({ top: 0, left: 0 }));
  await page.locator('[data-row="0"] [data-column="1"]').first().click();
  await page.keyboard.press('Escape');
}

/** What an hour of editing left behind. */
export interface Hour {
  /** How many of its edits showed. */
  answered: number;
  first: number[];
  last: number[];
  memoryBefore: number;
  memoryAfter: number;
}

/** So large a share of an hour's edits must show: with fewer it is no hour of editing. */
const leastAnswered = 0.99;

/**
 * Edits, looks around and filters as in an hour of work, as fast as the screen answers.
 * @throws where too few of the edits showed, or where some stay.
 */
export async function hourOfEdits(page: Page, edits: number, memory: () => number): Promise<Hour> {
  const first = await editTimes(page);
  const memoryBefore = await settled(page, memory);
  let row = await toMarkable(page, -1);
  let answered = 0;
  for (let edit = 0; edit < edits; edit += 1) {
    const took = await answerTo(page, 'keydown', () => page.keyboard.press(edit % 2 === 0 ? 't' : 'u'));
    if (took !== null) answered += 1;
    if (edit % 60 === 59) {
      await lookAround(page);
      row = await toMarkable(page, -1);
    } else if (edit % 2 === 1) row = await toMarkable(page, row);
  }
  if (answered < edits * leastAnswered) throw new Error(`Of ${edits} edits only ${answered} showed`);
  // nobody else edits here: one that stays is a fault
  await drained(page);
  const memoryAfter = await settled(page, memory);
  return { answered, first, last: await editTimes(page), memoryBefore, memoryAfter };
}

/** A search and back, and a look at the end of the list. */
async function lookAround(page: Page): Promise<void> {
  await page.keyboard.press('/');
  await page.keyboard.type('a7');
  await page.waitForTimeout(restMs);
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Delete');
  await page.waitForTimeout(restMs);
  await focusFirstRow(page);
  await page.keyboard.press('Control+End');
  await page.waitForTimeout(restMs);
}

/** Memory after the collector has run. */
async function settled(page: Page, memory: () => number): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await page.waitForTimeout(3_000);
  await session.detach();
  return memory();
}
