import { expect, test } from 'vitest';
import { placeColumns } from '#app/ui/grid/column-places.ts';
import { createViewport } from '#app/ui/grid/grid-viewport.ts';

const columns = Array.from({ length: 30 }, (_, index) => ({ key: `c${index}`, width: 100, isPinned: index === 0, isHidden: false }));

function aViewport(count: number) {
  const viewport = createViewport();
  const scroller = { scrollTop: 0, scrollLeft: 0 };
  let changes = 0;
  viewport.attach(scroller);
  viewport.resize(1_000, 832);
  viewport.shape({ count, rowHeight: 32, headHeight: 32, places: placeColumns(columns, 36, 1_000) });
  viewport.subscribe(() => (changes += 1));
  /** The person scrolls the element. */
  const scroll = (by: number, isGesture = true): void => {
    scroller.scrollTop += by;
    viewport.scroll(scroller, isGesture);
  };
  return { viewport, scroller, scroll, changes: () => changes };
}

test('[GR32] scrolling by less than a row or two draws nothing, and what is in view is always drawn', () => {
  const { viewport, scroll, changes } = aViewport(1_000_000);
  scroll(3_000);
  const before = changes();
  for (let step = 0; step < 30; step += 1) {
    scroll(2);
    const { first, last } = viewport.visible();
    expect(viewport.snapshot().first).toBeLessThanOrEqual(first);
    expect(viewport.snapshot().last).toBeGreaterThanOrEqual(last);
  }
  expect(changes() - before).toBeLessThanOrEqual(2);
  expect(viewport.snapshot().last - viewport.snapshot().first).toBeLessThan(80);
});

test('[GR65] rows come five at a time while one flings, also after a late frame, those in sight in any case, and all spare ones at rest', () => {
  const { viewport, scroll } = aViewport(1_000_000);
  scroll(320_000);
  viewport.rest();
  for (const by of [134, 134, 268, 134, 134, 268, 268, -134, -134]) {
    const before = viewport.snapshot();
    scroll(by);
    const [after, { first, last }] = [viewport.snapshot(), viewport.visible()];
    expect(Math.abs(after.first - before.first)).toBeLessThanOrEqual(5);
    expect(after.last - after.first).toBe(before.last - before.first);
    expect(after.first).toBeLessThanOrEqual(first);
    expect(after.last).toBeGreaterThanOrEqual(last);
  }
  scroll(32_000);
  expect(viewport.snapshot().first).toBeLessThanOrEqual(viewport.visible().first);
  expect(viewport.snapshot().last).toBeGreaterThanOrEqual(viewport.visible().last);
  viewport.rest();
  expect(viewport.visible().first - viewport.snapshot().first).toBe(10);
});

test('[GR32] the last of ten million rows is reached by its key, by the thumb and by the wheel, and the way back too', () => {
  const { viewport, scroller, scroll } = aViewport(10_000_000);
  viewport.revealRow(9_999_999);
  expect(viewport.visible().last).toBe(9_999_999);
  expect(scroller.scrollTop).toBe(12_000_000 - 800);
  viewport.revealRow(0);
  expect([viewport.visible().first, scroller.scrollTop]).toEqual([0, 0]);
  scroll(12_000_000 - 800, false);
  expect(viewport.visible().last).toBe(9_999_999);
  scroll(-6_000_000, false);
  const { first } = viewport.visible();
  scroll(320);
  expect(viewport.visible().first).toBe(first + 10);
  const shifted = viewport.snapshot().shift;
  viewport.rest();
  expect(viewport.visible().first).toBe(first + 10);
  expect(viewport.snapshot().shift - shifted).not.toBe(0);
});

test('[GR32] a list that shrinks under one keeps one inside it', () => {
  const { viewport } = aViewport(50_000);
  viewport.revealRow(49_999);
  viewport.shape({ count: 40, rowHeight: 32, headHeight: 32, places: placeColumns(columns, 36, 1_000) });
  expect(viewport.visible()).toEqual({ first: 15, last: 39 });
  viewport.shape({ count: 0, rowHeight: 32, headHeight: 32, places: placeColumns(columns, 36, 1_000) });
  expect(viewport.snapshot().last).toBe(-1);
});
