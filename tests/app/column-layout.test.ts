import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type ColumnLayout,
  type ColumnUsual,
  columnWidths,
  hideColumn,
  layoutText,
  moveColumn,
  pinColumn,
  readLayout,
  resizeColumn,
  shownColumns,
  stepColumn,
  usualLayout,
} from '#app/ui/grid/column-layout.ts';
import { columnAt, freeInView, placeColumns, revealedLeft } from '#app/ui/grid/column-places.ts';
import { createLayoutStore } from '#app/ui/grid/layout-store.ts';

const usual: readonly ColumnUsual[] = [
  { key: 'date', width: 140, isPinned: true },
  { key: 'account', width: 180 },
  { key: 'entity', width: 180, isHidden: true },
  { key: 'type', width: 110 },
  { key: 'usd', width: 130 },
];
const keys = (layout: ColumnLayout): string => layout.map((choice) => choice.key).join(' ');
const shown = (layout: ColumnLayout): string =>
  shownColumns(layout)
    .map(({ key, isPinned }) => `${key}${isPinned ? '!' : ''}`)
    .join(' ');

const aKey = fc.constantFrom('date', 'account', 'entity', 'type', 'usd', 'nothing');
const aChange = fc.oneof(
  fc.tuple(aKey, fc.option(aKey)).map(
    ([key, before]) =>
      (layout: ColumnLayout) =>
        moveColumn(layout, key, before),
  ),
  fc.tuple(aKey, fc.boolean()).map(
    ([key, is]) =>
      (layout: ColumnLayout) =>
        pinColumn(layout, key, is),
  ),
  fc.tuple(aKey, fc.boolean()).map(
    ([key, is]) =>
      (layout: ColumnLayout) =>
        hideColumn(layout, key, is),
  ),
  fc.tuple(aKey, fc.double()).map(
    ([key, width]) =>
      (layout: ColumnLayout) =>
        resizeColumn(layout, key, Number.isNaN(width) ? 1 : width),
  ),
  fc.tuple(aKey, fc.constantFrom(-1 as const, 1 as const)).map(
    ([key, by]) =>
      (layout: ColumnLayout) =>
        stepColumn(layout, key, by),
  ),
);

function isSound(layout: ColumnLayout): void {
  expect(layout.map(({ key }) => key).sort()).toEqual(usual.map(({ key }) => key).sort());
  expect(shownColumns(layout).length).toBeGreaterThan(0);
  const pins = layout.map(({ isPinned }) => isPinned);
  expect(pins.toSorted((a, b) => Number(b) - Number(a))).toEqual(pins);
  for (const { width } of layout) {
    expect(width).toBeGreaterThanOrEqual(columnWidths.least);
    expect(width).toBeLessThanOrEqual(columnWidths.most);
  }
}

test('[GR23] whatever one does to columns none is lost, one is shown, the pinned come first, and it is read again as it was kept', () => {
  fc.assert(
    fc.property(fc.array(aChange, { maxLength: 30 }), (changes) => {
      const layout = changes.reduce((held, change) => change(held), usualLayout(usual));
      isSound(layout);
      expect(readLayout(layoutText(layout), usual)).toEqual(layout);
    }),
  );
});

test('[GR24] a kept text is read whatever it holds', () => {
  expect(readLayout(null, usual)).toEqual(usualLayout(usual));
  for (const text of ['', '{', 'null', '7', '{}', '[]', '[null,1,"x",{}]'])
    expect(keys(readLayout(text, usual))).toBe('date account entity type usd');
  fc.assert(fc.property(fc.json(), (text) => isSound(readLayout(text, usual))));
  const odd = JSON.stringify([
    { key: 'gone' },
    { key: 'usd', width: 'wide', pinned: 1 },
    { key: 'usd' },
    { key: 'date', hidden: true, width: 1e9 },
  ]);
  const layout = readLayout(odd, usual);
  isSound(layout);
  expect(layout.find(({ key }) => key === 'usd')).toEqual({ key: 'usd', width: 130, isPinned: false, isHidden: false });
  expect(layout.find(({ key }) => key === 'date')).toEqual({ key: 'date', width: 1_200, isPinned: true, isHidden: true });
});

test('[GR24] a column of a later version appears at its usual place', () => {
  const before = layoutText(readLayout(JSON.stringify([{ key: 'usd' }, { key: 'type' }, { key: 'date' }, { key: 'account' }]), usual));
  const later = [...usual.slice(0, 4), { key: 'fee', width: 90 }, ...usual.slice(4)];
  expect(keys(readLayout(before, later))).toBe('date usd type fee account entity');
});

test('[GR23] columns move, are pinned and set free as people expect', () => {
  const layout = usualLayout(usual);
  expect(shown(layout)).toBe('date! account type usd');
  expect(shown(stepColumn(layout, 'account', 1))).toBe('date! type account usd');
  expect(shown(stepColumn(layout, 'usd', -1))).toBe('date! account usd type');
  expect(stepColumn(layout, 'account', -1)).toBe(layout);
  expect(shown(pinColumn(layout, 'usd', true))).toBe('date! usd! account type');
  expect(shown(pinColumn(layout, 'date', false))).toBe('date account type usd');
  expect(shown(moveColumn(layout, 'usd', 'date'))).toBe('usd! date! account type');
  expect(shown(moveColumn(layout, 'date', null))).toBe('account type usd date');
  expect(moveColumn(layout, 'date', 'account')).toBe(layout);
  const last = ['date', 'account', 'type'].reduce((held, key) => hideColumn(held, key, true), layout);
  expect(hideColumn(last, 'usd', true)).toBe(last);
});

test('[GR24] the columns of one list are kept apart from those of another, and other tabs follow', () => {
  const kept = new Map<string, string>();
  const local = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  const here = createLayoutStore(local, 'entity', usual);
  const there = createLayoutStore(local, 'entity', usual);
  const other = createLayoutStore(local, 'account', usual);
  here.set(hideColumn(here.snapshot(), 'type', true));
  there.hear('entity');
  other.hear('entity');
  expect(shown(there.snapshot())).toBe('date! account usd');
  expect(shown(other.snapshot())).toBe('date! account type usd');
  here.set(null);
  expect(kept.size).toBe(0);
  there.hear(null);
  expect(there.snapshot()).toEqual(usualLayout(usual));
});

test('[GR25] only columns in view are drawn, the last one fills the row, and pinned ones leave room', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ key: `c${index}`, width: 100, isPinned: index < 2, isHidden: false }));
  const places = placeColumns(many, 36, 1_000);
  expect(places.pinned.map(({ left }) => left)).toEqual([36, 136]);
  expect(places).toMatchObject({ pinnedWidth: 236, width: 4_036 });
  const { first, last } = freeInView(places, 1_500, 1_000);
  expect(first).toBeGreaterThan(10);
  expect(last).toBeLessThan(30);
  expect(columnAt(places, 50, 1_500)).toBe(0);
  expect(columnAt(places, 236, 1_500)).toBe(17);
  const wide = placeColumns(many.slice(0, 3), 0, 1_000);
  expect(wide.free[0]).toMatchObject({ left: 200, width: 800 });
  // all pinned, or pinned ones wider than the view, still scroll
  const allPinned = many.map((column) => ({ ...column, isPinned: true }));
  expect(placeColumns(allPinned, 0, 500).pinned).toHaveLength(3);
  const target = places.free.find(({ key }) => key === 'c30');
  if (target) expect(revealedLeft(places, target, 0, 1_000)).toBe(target.left + 100 - 1_000);
});

test('[GR61] those in sight are told from those beyond either edge', () => {
  const many = Array.from({ length: 40 }, (_, index) => ({ key: `c${index}`, width: 100, isPinned: index < 2, isHidden: false }));
  const places = placeColumns(many, 36, 1_000);
  // 1,736 to 2,500 of the row are seen, beside the pinned ones
  expect(freeInView(places, 1_500, 1_000, 0)).toEqual({ first: 17, last: 24 });
  const drawn = freeInView(places, 1_500, 1_000);
  expect(drawn.first).toBeLessThan(17);
  expect(drawn.last).toBeGreaterThan(24);
});
