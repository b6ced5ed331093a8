import { expect, test } from 'vitest';
import { createViewport } from '#app/ui/grid/grid-viewport.ts';
import { createScrollAnchor } from '#app/ui/grid/scroll-anchor.ts';
import { createArraySource } from '#app/ui/grid/use-array-source.ts';

const noPlaces = { pinned: [], free: [], pinnedWidth: 0, width: 0 };

/** A list of 25 visible rows of 32 pixels, drawn with every change. */
function aList(rows: readonly string[]) {
  const source = createArraySource<string>((row) => row);
  const viewport = createViewport();
  const scroller = { scrollTop: 0, scrollLeft: 0 };
  const anchor = createScrollAnchor(source, viewport);
  const draw = (): void => {
    viewport.shape({ count: source.count() ?? 0, rowHeight: 32, headHeight: 32, places: noPlaces });
    anchor.onDrawn(viewport.snapshot().first, viewport.snapshot().last);
  };
  viewport.attach(scroller);
  viewport.resize(1_000, 832);
  source.show(rows);
  draw();
  source.subscribe(anchor.onChange);
  return {
    source,
    scrollTo: (top: number): void => {
      scroller.scrollTop = top;
      viewport.scroll(scroller, true);
      draw();
    },
    show: (...changes: (readonly string[])[]): void => {
      for (const next of changes) source.show(next);
      draw();
    },
    /** The row at the top, and how many pixels of it are out of sight. */
    top: () => [source.row(viewport.visible().first), viewport.position() % 32],
  };
}

const named = (count: number, from = 0): string[] => Array.from({ length: count }, (_, at) => `r${from + at}`);

test('[GR58] what one reads stays where it is while rows come and go above it', () => {
  const rows = named(1_000);
  const list = aList(rows);
  list.scrollTo(320 + 7);
  expect(list.top()).toEqual(['r10', 7]);
  list.show(['new 1', 'new 2', ...rows]);
  expect(list.top()).toEqual(['r10', 7]);
  list.show(rows, rows.slice(4));
  expect(list.top()).toEqual(['r10', 7]);
  // the row itself leaves: the one after it takes its place
  list.show(rows.slice(4).filter((row) => row !== 'r10'));
  expect(list.top()).toEqual(['r11', 7]);
  // what comes below moves nothing
  list.show([...rows.slice(4, 10), ...rows.slice(11, 30), 'below', ...rows.slice(30)]);
  expect(list.top()).toEqual(['r11', 7]);
});

test('[GR58] a list at its top stays there, and one at its end goes on being full', () => {
  const rows = named(1_000);
  const list = aList(rows);
  list.scrollTo(5);
  list.show(['new', ...rows]);
  expect(list.top()).toEqual(['new', 5]);
  list.show(rows);
  list.scrollTo(1_000 * 32 - 800);
  expect(list.top()).toEqual(['r975', 0]);
  list.show(['new', ...rows]);
  expect(list.top()).toEqual(['r975', 0]);
  list.show(rows.slice(10));
  expect(list.top()).toEqual(['r975', 0]);
  list.show(rows.slice(0, 990));
  expect(list.top()).toEqual(['r965', 0]);
});
