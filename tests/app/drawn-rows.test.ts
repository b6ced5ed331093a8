import { expect, test } from 'vitest';
import { drawnRow } from '#app/ui/grid/drawn-rows.ts';

const visible = { first: 0, last: 1 };
const nothing = (): undefined => undefined;

test('[GR62] of another list the rows in sight come at once, their cells out of sight and the spare rows once those are painted', () => {
  const before = { first: 0, rows: ['a', 'b', 'c'] };
  const list = { now: { first: 0, rows: ['x', 'y', 'z'] }, painted: before, visible, rowOf: nothing };
  expect([0, 1, 2].map((index) => drawnRow(list, index))).toEqual([
    { row: 'x', spareRow: 'a' },
    { row: 'y', spareRow: 'b' },
    { row: 'c', spareRow: 'c' },
  ]);
  const after = { ...list, painted: list.now };
  expect([0, 2].map((index) => drawnRow(after, index))).toEqual([
    { row: 'x', spareRow: 'x' },
    { row: 'z', spareRow: 'z' },
  ]);
});

test('[GR62] while one scrolls nothing that comes is put off, and no row shows cells of another', () => {
  const list = { now: { first: 4, rows: ['x', 'y', 'z'] }, painted: { first: 0, rows: ['a', 'b', 'c'] }, rowOf: nothing };
  const seen = { ...list, visible: { first: 4, last: 5 } };
  expect([4, 5, 6].map((index) => drawnRow(seen, index))).toEqual(['x', 'y', 'z'].map((row) => ({ row, spareRow: row })));
});

test('[GR62] a row on its way shows nothing of another, and the one the keyboard is on is drawn wherever it is', () => {
  const waiting = { now: { first: 0, rows: [undefined, 'y'] }, painted: { first: 0, rows: ['a', 'b'] }, visible, rowOf: nothing };
  expect(drawnRow(waiting, 0)).toEqual({ row: undefined, spareRow: undefined });
  expect(drawnRow({ ...waiting, rowOf: (index) => `far ${index}` }, 900)).toEqual({ row: 'far 900', spareRow: 'far 900' });
});
