import { expect, test } from 'vitest';
import { dayCell } from '#app/list-cells.ts';
import { copyText } from '#app/ui/grid/copy-text.ts';
import { momentText } from '#app/ui/table/table-column.ts';
import { boundsOf, rowEdges } from '#app/ui/grid/cell-range.ts';
import { chordOf } from '#app/ui/chords.ts';
import { commandOf, gridKeys } from '#app/ui/grid/grid-keys.ts';
import { areTapsSelecting, createGridState, mostSelected } from '#app/ui/grid/grid-state.ts';
import { isSelected, listedRows, namedRows } from '#app/ui/grid/row-selection.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { createArraySource, listed } from '#app/ui/grid/use-array-source.ts';

const atOnce = async (): Promise<void> => undefined;

function aGrid(count = 10_000) {
  const source = createArraySource<{ id: string }>((row) => row.id);
  source.show(Array.from({ length: count }, (_, index) => ({ id: `r${index}` })));
  let refusals = 0;
  const state = createGridState({ source, onTooMany: () => (refusals += 1), pause: atOnce });
  const selected = (): string => {
    const { selection } = state.snapshot();
    return selection.kind === 'some' ? [...selection.rows.keys()].join(' ') : selection.kind;
  };
  return { source, state, selected, refusals: () => refusals };
}

test('[GR28] rows are selected one by one and as a range from the last one chosen', () => {
  const { state, selected } = aGrid();
  state.toggle(3);
  state.toggle(5);
  expect(selected()).toBe('r3 r5');
  state.toggle(3);
  expect(selected()).toBe('r5');
  state.toggle(5);
  expect(selected()).toBe('none');
  state.move({ row: 7 });
  state.extend(8);
  state.move({ row: 8 });
  state.extend(9);
  expect(selected()).toBe('r7 r8 r9');
  state.extend(6);
  expect(selected()).toBe('r6 r7');
});

test('[GR28] all rows are selected without being read, and single ones taken out again', () => {
  const { state, selected } = aGrid();
  state.selectAll();
  expect(selected()).toBe('all');
  state.toggle(4);
  const { selection } = state.snapshot();
  expect([isSelected(selection, 'r4'), isSelected(selection, 'r5')]).toEqual([false, true]);
  state.clearSelection();
  expect(selected()).toBe('none');
});

test('[GR28] a range of more rows than a selection holds is refused, and said so', () => {
  const { state, selected, refusals } = aGrid();
  state.extend(mostSelected);
  expect([selected(), refusals()]).toEqual(['none', 1]);
});

test('[GR49] taps select once one has begun to, until the last row, or all of it, is let go of', () => {
  const { source, state } = aGrid();
  const areTaps = (): boolean => areTapsSelecting(state.snapshot());
  state.open();
  state.startSelecting();
  expect([areTaps(), state.snapshot().isOpen]).toEqual([true, false]);
  state.toggle(2);
  state.toggle(2);
  expect(areTaps()).toBe(true);
  state.clearSelection();
  expect(areTaps()).toBe(false);
  state.toggle(2);
  expect(areTaps()).toBe(true);
  state.toggle(2);
  expect(areTaps()).toBe(false);
  state.startSelecting();
  source.show([]);
  state.restart();
  expect(areTaps()).toBe(false);
});

test('[GR29] cells are drawn over from where one began, and let go by going on', () => {
  const { state } = aGrid();
  state.move({ row: 5, column: 2 });
  state.drawTo({ row: 5, column: 3 });
  state.drawTo({ row: 4, column: 3 });
  const { range, active } = state.snapshot();
  expect(range && boundsOf(range)).toEqual({ top: 4, bottom: 5, first: 2, last: 3 });
  expect(active).toEqual({ row: 4, column: 3 });
  expect([3, 4, 5].map((row) => rowEdges(range && boundsOf(range), row))).toEqual([null, 1, 2]);
  state.move({ row: 5 });
  expect(state.snapshot().range).toBeNull();
});

test('[GR29] nobody leaves the list, and another list begins at its top with nothing selected', () => {
  const { state, source } = aGrid(10);
  state.move({ row: 99 });
  expect(state.snapshot().active.row).toBe(9);
  state.move({ row: -5 });
  expect(state.snapshot().active.row).toBe(0);
  state.move({ row: 5, column: 2 });
  state.selectAll();
  state.open();
  source.show([]);
  state.restart();
  expect(state.snapshot()).toEqual({
    active: { row: 0, column: 2 },
    range: null,
    selection: { kind: 'none' },
    isSelecting: false,
    isOpen: true,
    follows: 0,
  });
});

test('[GR30] each key does one thing, whatever the caps lock says, and is written down for the list of keys', () => {
  const keys = Object.values(gridKeys).flatMap((key) => key.keys);
  expect(new Set(keys).size).toBe(keys.length);
  expect(Object.values(gridKeys).every(({ words }) => words.length > 0)).toBe(true);
  const stroke = { key: 'x', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
  expect(commandOf({ ...stroke, key: 'J' })).toBe('row-down');
  expect(commandOf({ ...stroke, key: 'F', shiftKey: true })).toBe('not');
  expect(commandOf({ ...stroke, key: 'a', metaKey: true })).toBe('select-all');
  expect(commandOf({ ...stroke, key: 'A', ctrlKey: true })).toBe('select-all');
  expect(commandOf({ ...stroke, key: 'f', ctrlKey: true })).toBeUndefined();
  expect(chordOf({ ...stroke, key: ' ', shiftKey: true })).toBe('Shift+Space');
});

test('[GR31] rows that are all here are sorted by what one sees, numbers by value, what is empty last, and narrowed by any word', () => {
  const columns: GridColumn<{ name: string; size: string }, 'name' | 'size'>[] = [
    { key: 'name', label: 'Name', width: 1, sort: 'name', cell: (row) => ({ shown: row.name }) },
    { key: 'size', label: 'Size', width: 1, sort: 'size', isNumber: true, cell: (row) => ({ shown: row.size }) },
  ];
  const rows = [
    { name: 'beta 10', size: '9' },
    { name: 'Alpha', size: '' },
    { name: 'beta 9', size: '10' },
  ];
  const names = (sort: { field: 'name' | 'size'; ascending: boolean }[], text = ''): string[] =>
    listed({ rows, columns, sort, text }).map((row) => row.name);
  expect(names([])).toEqual(['beta 10', 'Alpha', 'beta 9']);
  expect(names([{ field: 'name', ascending: true }])).toEqual(['Alpha', 'beta 9', 'beta 10']);
  expect(names([{ field: 'size', ascending: true }])).toEqual(['beta 10', 'beta 9', 'Alpha']);
  expect(names([{ field: 'size', ascending: false }])).toEqual(['beta 9', 'beta 10', 'Alpha']);
  const owed = ['-5', '3', '-10'].map((size) => ({ name: size, size }));
  expect(listed({ rows: owed, columns, sort: [{ field: 'size', ascending: true }], text: '' }).map((row) => row.size)).toEqual([
    '-10',
    '-5',
    '3',
  ]);
  expect(names([], 'BETA')).toEqual(['beta 10', 'beta 9']);
  expect(listed({ rows: undefined, columns, sort: [], text: '' })).toEqual([]);
});

test('[LT3] amounts of a grid whose rows are all here are compared to their last digit, whatever their size', () => {
  const columns: GridColumn<string, 'amount'>[] = [
    { key: 'amount', label: 'Amount', width: 1, sort: 'amount', isNumber: true, cell: (shown) => ({ shown }) },
  ];
  const rows = ['9007199254740992', '9007199254740993', '0.1', '0.10000000000000000000002'];
  const shown = listed({ rows, columns, sort: [{ field: 'amount', ascending: false }], text: '' });
  expect(shown).toEqual(['9007199254740993', '9007199254740992', '0.10000000000000000000002', '0.1']);
});

test('[LT11] a column that shows a day is sorted by its moment, and copied as the day', () => {
  interface Row {
    at: string | null;
  }
  const column: GridColumn<Row, 'at'> = {
    key: 'at',
    label: 'Last update',
    width: 1,
    sort: 'at',
    cell: ({ at }) => dayCell(at, 'UTC'),
    rank: ({ at }) => momentText(at),
  };
  const rows = ['2026-02-01T09:00:00Z', null, '2025-12-31T23:00:00Z', '2026-02-01T08:00:00.5Z'].map((at) => ({ at }));
  const shown = (ascending: boolean) => listed({ rows, columns: [column], sort: [{ field: 'at', ascending }], text: '' });
  expect(shown(true).map(({ at }) => at)).toEqual(['2025-12-31T23:00:00Z', '2026-02-01T08:00:00.5Z', '2026-02-01T09:00:00Z', null]);
  expect(shown(false).at(-1)?.at).toBeNull();
  expect(copyText(shown(true), [column], (row) => column.cell(row), false)).toBe('12/31/2025\n02/01/2026\n02/01/2026\n');
});

test('[GR55] one stays on the row one is on while rows come and go above it, with what is drawn over beside it', () => {
  const { source, state } = aGrid(10);
  const ids = (...names: string[]) => names.map((id) => ({ id }));
  const on = (): string | undefined => source.row(state.snapshot().active.row)?.id;
  const shows = (...names: string[]): string | undefined => {
    source.show(ids(...names));
    state.follow();
    return on();
  };
  state.drawFrom({ row: 4, column: 2 });
  state.drawTo({ row: 5, column: 3 });
  expect(shows('new', 'r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6')).toBe('r5');
  expect(state.snapshot()).toMatchObject({ active: { row: 6, column: 3 }, range: { from: { row: 5, column: 2 } }, follows: 1 });
  expect(shows('r2', 'r3', 'r4', 'r5', 'r6')).toBe('r5');
  // the last one, too, and the only one
  state.move({ row: 4 });
  expect(shows('a', 'b', 'r6')).toBe('r6');
  expect(shows('r6')).toBe('r6');
  expect(shows('c', 'r6')).toBe('r6');
});

test('[GR55] a selection goes on from the row it began at, and a range of cells stays on its rows, whatever comes between', () => {
  const { source, state, selected } = aGrid(10);
  const shows = (...names: string[]): void => {
    source.show(names.map((id) => ({ id })));
    state.follow();
  };
  state.toggle(5);
  state.move({ row: 2 });
  shows('r0', 'r1', 'r2', 'r3', 'new', 'r4', 'r5', 'r6');
  state.extend(2);
  expect(selected()).toBe('r2 r3 new r4 r5');
  state.clearSelection();
  state.drawFrom({ row: 1, column: 0 });
  state.drawTo({ row: 5, column: 0 });
  shows('r0', 'r1', 'r2', 'other', 'r3', 'new', 'r4', 'r5', 'r6');
  expect(state.snapshot().range).toMatchObject({ from: { row: 1 }, to: { row: 6 } });
  shows('first', 'r0', 'r1', 'r2', 'r3', 'new', 'r4', 'r5', 'r6');
  expect(state.snapshot().range).toMatchObject({ from: { row: 2 }, to: { row: 6 } });
});

test('[GR28] a range that was let go of before its rows came leaves nothing of where it began', async () => {
  const source = createArraySource<{ id: string }>((row) => row.id);
  source.show(Array.from({ length: 1_000 }, (_, index) => ({ id: `r${index}` })));
  const row = source.row;
  // the rows far off are asked for, and never come
  source.row = (index) => (index > 100 && index < 890 ? undefined : row(index));
  source.stretch = () => new Promise(() => undefined);
  const state = createGridState({ source, onTooMany: () => undefined, pause: atOnce });
  state.move({ row: 10 });
  state.extend(400);
  state.clearSelection();
  state.move({ row: 900 });
  state.extend(901);
  const { selection } = state.snapshot();
  expect(selection.kind === 'some' && [...selection.rows.keys()]).toEqual(['r900', 'r901']);
});

test.each([
  ['come', ['x', 'y', 'r0', 'r1', 'r2', 'r3', 'z', 'r4', 'r5', 'r6', 'r7']],
  ['go', ['r2', 'r3', 'r5', 'r6', 'r7']],
])('[GR55] a range over rows that are not here is from row to row, though others %s while they are read', async (_, then) => {
  const { source } = aGrid(8);
  // as a list whose rows are on their way, but for the two that were looked at
  const row = (index: number) => (index === 2 || index === 6 ? source.row(index) : undefined);
  const stretch = async (offset: number, limit: number) => {
    await atOnce();
    return source.stretch(offset, limit);
  };
  const state = createGridState({ source: { ...source, row, rowNow: row, stretch }, onTooMany: () => undefined, pause: atOnce });
  state.move({ row: 2 });
  state.extend(6);
  source.show(then.map((id) => ({ id })));
  await expect.poll(() => state.snapshot().selection.kind).toBe('some');
  const { selection } = state.snapshot();
  expect([...namedRows(selection).keys()]).toEqual(then.slice(then.indexOf('r2'), then.indexOf('r6') + 1));
});

test('[GR55] a row that leaves, or that an edit puts elsewhere, leaves its place to the one after it', () => {
  const { source, state } = aGrid(10);
  const on = (): string | undefined => source.row(state.snapshot().active.row)?.id;
  const shows = (...names: string[]): string | undefined => {
    source.show(names.map((id) => ({ id })));
    state.follow();
    return on();
  };
  shows('a', 'b', 'c', 'd', 'e');
  state.move({ row: 2 });
  expect(shows('a', 'b', 'd', 'e')).toBe('d');
  // with a row above it, as the other leg of a transfer goes
  expect(shows('b', 'e', 'f')).toBe('e');
  expect(shows('e', 'b', 'f')).toBe('f');
  // the list ends before it: its last row stands for it
  expect(shows('b')).toBe('b');
  state.restart();
  expect(on()).toBe('b');
  // another list that has the row elsewhere begins at its top all the same
  source.show(['x', 'y', 'b', 'z'].map((id) => ({ id })));
  state.restart();
  state.follow();
  expect(on()).toBe('x');
});

test('[GR56] what is selected is copied and summed as it is now, not as it was when it was selected', async () => {
  const source = createArraySource<{ id: string; state: string }>((row) => row.id);
  const rowsIn = (state: string) => ['a', 'b', 'c'].map((id) => ({ id, state }));
  source.show(rowsIn('PENDING'));
  const state = createGridState({ source, onTooMany: () => undefined, pause: atOnce });
  const selected = (): string[] => {
    return listedRows(namedRows(state.snapshot().selection)).map((row) => `${row.id} ${row.state}`);
  };
  state.toggle(0);
  state.toggle(2);
  source.subscribe(state.follow);
  source.show(rowsIn('APPROVED'));
  await expect.poll(selected).toEqual(['a APPROVED', 'c APPROVED']);
  let asked = 0;
  const pick = source.pick;
  source.pick = (keys) => {
    asked += 1;
    return pick(keys);
  };
  const before = state.snapshot();
  state.follow();
  expect([state.snapshot() === before, asked]).toEqual([true, 0]);
  // of all but one that one, too
  state.selectAll();
  state.toggle(1);
  source.show(rowsIn('REJECTED'));
  await expect.poll(selected).toEqual(['b REJECTED']);
  // nor is taken from the sums of all what is not among them; and it is left out still once it is there again
  source.show(rowsIn('REJECTED').filter(({ id }) => id !== 'b'));
  await expect.poll(selected).toEqual([]);
  source.show(rowsIn('PENDING'));
  await expect.poll(selected).toEqual(['b PENDING']);
  expect(state.snapshot().selection.kind).toBe('all');
});

test('[GR56] a range of rows that were out of sight is as they are now', async () => {
  const source = createArraySource<{ id: string; no: number }>((row) => row.id);
  source.show(['a', 'b', 'c'].map((id) => ({ id, no: 2 })));
  // what is held of a row that is out of sight may be older
  const held = source.row;
  source.row = (index) => (index === 0 ? { id: 'a', no: 1 } : held(index));
  const state = createGridState({ source, onTooMany: () => undefined, pause: atOnce });
  state.extend(2);
  await expect.poll(() => listedRows(namedRows(state.snapshot().selection)).map(({ no }) => no)).toEqual([2, 2, 2]);
});

test('[GR56] what is selected is read once and then with rests, however fast the list changes; what was done with is let go of', async () => {
  const source = createArraySource<{ id: string; no: number }>((row) => row.id);
  const rests: (() => void)[] = [];
  const state = createGridState({ source, onTooMany: () => undefined, pause: () => new Promise((resolve) => rests.push(resolve)) });
  let picks = 0;
  const pick = source.pick;
  source.pick = (keys) => {
    picks += 1;
    return pick(keys);
  };
  const show = (no: number) => source.show(['a', 'b', 'c'].map((id) => ({ id, no })));
  show(0);
  source.subscribe(state.follow);
  state.toggle(0);
  state.toggle(1);
  for (let no = 1; no < 10; no += 1) show(no);
  await expect.poll(() => rests.length).toBe(1);
  for (let no = 10; no < 20; no += 1) show(no);
  expect(picks).toBe(1);
  rests.shift()?.();
  await expect.poll(() => [picks, rests.length]).toEqual([2, 1]);
  const selected = () => listedRows(namedRows(state.snapshot().selection)).map(({ id, no }) => `${id} ${no}`);
  expect(selected()).toEqual(['a 19', 'b 19']);
  state.unselect(new Set(['a']));
  expect(selected()).toEqual(['b 19']);
  state.unselect(new Set(['b']));
  expect(state.snapshot().selection.kind).toBe('none');
});

test('[GR56] what is selected while the selection is read anew stays selected, and of what left the list nothing does', async () => {
  const source = createArraySource<{ id: string; no: number }>((row) => row.id);
  const rowsOf = (no: number, ...ids: string[]) => ids.map((id) => ({ id, no }));
  source.show(rowsOf(1, 'a', 'b', 'c'));
  const state = createGridState({ source, onTooMany: () => undefined, pause: atOnce });
  source.subscribe(state.follow);
  state.toggle(0);
  state.toggle(1);
  const pick = source.pick;
  const answers: (() => void)[] = [];
  source.pick = (keys) => new Promise((resolve) => answers.push(() => void pick(keys).then(resolve)));
  source.show(rowsOf(2, 'b', 'c'));
  state.toggle(1);
  source.show(rowsOf(3, 'b', 'c'));
  const selected = () => {
    const { selection } = state.snapshot();
    return selection.kind === 'some' ? listedRows(selection.rows).map(({ id, no }) => `${id} ${no}`) : selection.kind;
  };
  expect([answers.length, selected()]).toEqual([1, ['a 1', 'b 1', 'c 2']]);
  answers.shift()?.();
  await expect.poll(() => answers.length).toBe(1);
  expect(selected()).toEqual(['b 3', 'c 2']);
  answers.shift()?.();
  await expect.poll(selected).toEqual(['b 3', 'c 3']);
  source.show(rowsOf(4, 'd'));
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.();
  await expect.poll(selected).toEqual([]);
  // nothing else is selected by that: what an action is about does not become another row
  expect(state.snapshot().selection.kind).toBe('some');
  source.show(rowsOf(5, 'c', 'd'));
  await expect.poll(() => answers.length).toBe(1);
  answers.shift()?.();
  await expect.poll(selected).toEqual(['c 5']);
});
