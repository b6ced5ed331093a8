import { expect, test } from 'vitest';
import { createWindowCache, type WindowAnswer } from '#app/ui/grid/window-cache.ts';

/** A worker that answers when told to. */
function aWorker() {
  const asked: { offset: number; answer: (answer: WindowAnswer<string>) => Promise<void> }[] = [];
  const fetch = (offset: number): Promise<WindowAnswer<string>> =>
    new Promise((resolve) => {
      asked.push({
        offset,
        answer: async (answer) => {
          resolve(answer);
          await Promise.resolve();
          await Promise.resolve();
        },
      });
    });
  return { asked, cache: createWindowCache<string>(fetch) };
}

test('[GR1] a new revision keeps the old rows until the new ones are here', async () => {
  const { asked, cache } = aWorker();
  cache.want(0, 50);
  expect(asked).toHaveLength(0);
  cache.revise(1);
  await asked[0]?.answer({ revision: 1, rows: ['old'] });
  expect(cache.row(0)).toBe('old');
  cache.revise(2);
  expect(cache.row(0)).toBe('old');
  await asked[1]?.answer({ revision: 2, rows: ['new'] });
  expect(cache.row(0)).toBe('new');
  expect(asked).toHaveLength(2);
});

test('[GR1] an answer that is older than the newest revision is shown, and asked for again once', async () => {
  const { asked, cache } = aWorker();
  cache.want(0, 10);
  cache.revise(1);
  cache.revise(2);
  expect(asked).toHaveLength(2);
  await asked[0]?.answer({ revision: 1, rows: ['stale'] });
  expect(cache.row(0)).toBe('stale');
  await asked[1]?.answer({ revision: 2, rows: ['fresh'] });
  expect(cache.row(0)).toBe('fresh');
  // nor is a worker that ends asked without end: it answers what it has, which is nothing
  cache.want(0, 150);
  await asked[2]?.answer({ revision: 0, rows: [] });
  expect(asked).toHaveLength(3);
});

test('[GR1] an answer that is older than the rows that came meanwhile does not take their place', async () => {
  const { asked, cache } = aWorker();
  cache.want(0, 10);
  cache.revise(1);
  cache.revise(2, { offset: 0, rows: ['fresh'] });
  await asked[0]?.answer({ revision: 1, rows: ['stale'] });
  expect(cache.row(0)).toBe('fresh');
  cache.revise(3);
  cache.revise(4);
  await asked[2]?.answer({ revision: 4, rows: ['newest'] });
  await asked[1]?.answer({ revision: 3, rows: ['late'] });
  expect(cache.row(0)).toBe('newest');
});

test('[GR1] where nobody can say which rows there are, those that are shown stay until somebody can', async () => {
  const { asked, cache } = aWorker();
  cache.want(0, 10);
  cache.revise(5);
  await asked[0]?.answer({ revision: 5, rows: ['old'] });
  // asked anew, it is not answered yet, but for what was worked out ahead
  cache.restart(true);
  cache.revise(6);
  await asked[1]?.answer({ revision: 0, rows: [] });
  expect(cache.row(0)).toBe('old');
  cache.revise(7);
  await asked[2]?.answer({ revision: 7, rows: ['new'] });
  expect(cache.row(0)).toBe('new');
});

test('[GR2] an answer to an earlier query never shows, nor do its rows elsewhere in the list', async () => {
  const { asked, cache } = aWorker();
  cache.want(0, 150);
  cache.revise(5);
  await asked[0]?.answer({ revision: 5, rows: ['a'] });
  cache.restart();
  cache.want(0, 10);
  await asked[1]?.answer({ revision: 5, rows: ['late'] });
  expect(cache.row(100)).toBeUndefined();
  cache.revise(1);
  expect(cache.row(0)).toBe('a');
  await asked.at(-1)?.answer({ revision: 1, rows: ['b'] });
  expect(cache.row(0)).toBe('b');
});

test('[GR2] only so many pages are kept, the ones longest unused go', async () => {
  const { asked, cache } = aWorker();
  cache.revise(1);
  for (let page = 0; page < 30; page += 1) {
    cache.want(page * 100, page * 100 + 99);
    await asked[page]?.answer({ revision: 1, rows: [`page ${page}`] });
  }
  expect(cache.row(0)).toBeUndefined();
  expect(cache.row(2900)).toBe('page 29');
  cache.want(0, 10);
  expect(asked.at(-1)?.offset).toBe(0);
  expect(asked).toHaveLength(31);
});

test('[GR37] rows that come along with an answer are shown without being asked for', async () => {
  const { asked, cache } = aWorker();
  const rows = Array.from({ length: 150 }, (_, index) => `row ${index}`);
  cache.restart();
  cache.revise(1, { offset: 0, rows });
  cache.want(0, 120);
  expect(asked).toHaveLength(0);
  expect([cache.row(0), cache.row(149), cache.row(150)]).toEqual(['row 0', 'row 149', undefined]);
  cache.want(0, 210);
  expect(asked.map(({ offset }) => offset)).toEqual([200]);
});

test('[GR37] another list begins with the rows that came along: where one was before, nothing is asked and nothing old is shown', async () => {
  const { asked, cache } = aWorker();
  cache.revise(1, { offset: 0, rows: ['old'] });
  cache.want(5_000, 5_050);
  await asked[0]?.answer({ revision: 1, rows: ['old far row'] });
  cache.restart();
  expect(cache.row(5_000)).toBe('old far row');
  cache.revise(1, { offset: 0, rows: ['new'] });
  expect([cache.row(0), cache.row(5_000)]).toEqual(['new', undefined]);
  expect(asked).toHaveLength(1);
});

test('[GR37] a row that came again as it was stays the same object', () => {
  const cache = createWindowCache<{ id: string; at: number }>(
    () => Promise.reject(new Error('not asked')),
    (held, row) => held.id === row.id && held.at === row.at,
  );
  const [first, second] = [
    { id: 'a', at: 1 },
    { id: 'b', at: 1 },
  ];
  cache.revise(1, { offset: 0, rows: [first, second] });
  cache.revise(2, { offset: 0, rows: [{ ...first }, { ...second, at: 2 }] });
  expect(cache.row(0)).toBe(first);
  expect(cache.row(1)).toEqual({ id: 'b', at: 2 });
});
