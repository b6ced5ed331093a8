import { expect, test } from 'vitest';
import { createNoticeStore } from '#app/notice-store.ts';

/** Timers that run when told. */
function aStore() {
  const set: { run: () => void; ms: number }[] = [];
  const store = createNoticeStore((run, ms) => void set.push({ run, ms }));
  return { store, set, shown: () => store.snapshot().notices.map(({ text }) => text) };
}

test('[SH7] three notices show at once, each for five seconds, longer where there is something to do', () => {
  const { store, set, shown } = aStore();
  for (const text of ['one', 'two', 'three', 'four']) store.notice('info', text);
  expect(shown()).toEqual(['two', 'three', 'four']);
  expect(set.map(({ ms }) => ms)).toEqual([5_000, 5_000, 5_000, 5_000]);
  set[1]?.run();
  expect(shown()).toEqual(['three', 'four']);
  store.notice('info', 'undo', { label: 'Undo', run: () => undefined });
  expect(set.at(-1)?.ms).toBeGreaterThan(5_000);
  // the same words again are said once
  store.notice('info', 'three');
  expect(shown()).toEqual(['four', 'undo', 'three']);
});

test('[SH8] one toast shows at a time, the last, until it is closed', () => {
  const { store, set } = aStore();
  const closed: string[] = [];
  store.toast('error', 'first', () => closed.push('first'));
  store.toast('error', 'second', () => closed.push('second'));
  expect(store.snapshot().toast?.text).toBe('second');
  expect(set).toEqual([]);
  store.close(store.snapshot().toast?.key ?? 0);
  expect([store.snapshot().toast, closed]).toEqual([null, ['second']]);
});
