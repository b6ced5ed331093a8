import { expect, test } from 'vitest';
import { createNoticeStore, noticeLimits } from '#app/notice-store.ts';
import type { TransactionSearch } from '#app/screens/transactions/transaction-search.ts';
import { addressOfView, builtInViews, hasPlace, isAtView, viewText } from '#app/screens/transactions/views/view-search.ts';

const here: TransactionSearch = { sort: '-usd_value', entity: 'e1', unpriced: 'only', from: '2026-07-01', to: '2026-09-30', q: 'a & b' };

test('[SV20] a view keeps filter and order, and the place one is at only where asked', () => {
  expect(viewText(here, false)).toBe('from=2026-07-01&q=a+%26+b&sort=-usd_value&to=2026-09-30&unpriced=only');
  expect(viewText(here, true)).toContain('entity=e1');
  expect([hasPlace(viewText(here, false)), hasPlace(viewText(here, true)), hasPlace('client=all')]).toEqual([false, true, true]);
  expect(addressOfView(viewText(here, false), { entity: 'e2', q: 'x' })).toEqual({ ...here, entity: 'e2' });
  expect(addressOfView(viewText(here, true), { client: 'c2' })).toEqual(here);
  expect(addressOfView('q=1', { client: 'all' })).toEqual({ client: 'all', q: '1' });
});

test('[SV21] an address is at a view when both mean the same, however they are written', () => {
  expect(isAtView(viewText(here, false), here)).toBe(true);
  expect(isAtView(viewText(here, true), here)).toBe(true);
  expect(isAtView(viewText(here, true), { ...here, entity: 'e2' })).toBe(false);
  expect(isAtView(viewText(here, false), { ...here, q: 'c' })).toBe(false);
  expect(isAtView(viewText(here, false), { ...here, sort: 'usd_value' })).toBe(false);
  // another order of the parts, and a part that means nothing any more
  expect(isAtView('to=2026-09-30&from=2026-07-01&unpriced=only&q=a%20%26%20b&sort=-usd_value&colour=red', here)).toBe(true);
});

test.each(['%', '&&==&', '__proto__=1&constructor=2', 'entity=<script>', 'q=%00', '\u202e'])(
  '[SV21] %j as a view is an address without harm',
  (text) => {
    expect(() => isAtView(text, here)).not.toThrow();
    expect(Object.getPrototypeOf(addressOfView(text, here))).toBe(Object.prototype);
  },
);

test('[SV22] the views everybody has mean what they say', () => {
  expect(builtInViews.map(({ name }) => name)).toEqual(['Previous month', 'Unpriced', 'Unidentified']);
  const shownAt = (address: TransactionSearch) => builtInViews.filter((view) => isAtView(view.search, address)).map(({ name }) => name);
  expect(shownAt({ entity: 'e1' })).toEqual(['Previous month']);
  expect(shownAt({ client: 'all', dates: 'all', unpriced: 'only' })).toEqual(['Unpriced']);
  expect(shownAt({ entity: 'e1', dates: 'all', unidentified: 'only' })).toEqual(['Unidentified']);
  expect(shownAt({ entity: 'e1', unpriced: 'only' })).toEqual([]);
});

test('[SV23] a notice with something to do stays longer than one without', () => {
  const waits: number[] = [];
  const store = createNoticeStore((_run, ms) => void waits.push(ms));
  store.notice('info', 'Said');
  store.notice('info', 'Deleted', { label: 'Undo', run: () => undefined });
  expect(waits).toEqual([noticeLimits.hideAfterMs, noticeLimits.hideWithActionAfterMs]);
  expect(store.snapshot().notices.map(({ action }) => action?.label)).toEqual([undefined, 'Undo']);
});
