import { expect, test, vi } from 'vitest';
import { copyText } from '#app/ui/grid/copy-text.ts';
import { cellTexts, type GridColumn } from '#app/ui/grid/grid-column.ts';
import { ChangedMeanwhileError, readRows } from '#app/ui/grid/grid-source.ts';

interface Line {
  name: string;
  amount: string;
}
const columns: GridColumn<Line>[] = [
  { key: 'name', label: 'Name', width: 100, cell: (row) => ({ shown: row.name }) },
  {
    key: 'amount',
    label: 'Amount',
    width: 100,
    isNumber: true,
    hasUnit: true,
    cell: (row) => ({ shown: `(${row.amount})`, unit: 'BTC', plain: `-${row.amount}` }),
  },
];
const rows: Line[] = [
  { name: '=1+1', amount: '1234.560000000000000001' },
  { name: 'two\tcells\nno', amount: '7' },
];

test('[GR26] copied cells are plain values with every digit, the unit in a column of its own, safe against formulas', () => {
  const textOf = cellTexts(columns);
  expect(copyText(rows, columns, textOf, false)).toBe("'=1+1\t-1234.560000000000000001\tBTC\ntwo cells no\t-7\tBTC");
  expect(copyText(rows.slice(1), columns.slice(1), textOf, false)).toBe('-7\tBTC');
});

test('[GR26] whole rows have a line of heads', () => {
  expect(copyText(rows.slice(1), columns, cellTexts(columns), true)).toBe('Name\tAmount\tAmount unit\ntwo cells no\t-7\tBTC');
});

test('[GR26] the texts of a row are made once', () => {
  const cell = vi.fn((row: Line) => ({ shown: row.name }));
  const textOf = cellTexts([{ key: 'name', label: 'Name', width: 1, cell }]);
  const [first] = rows;
  if (first) for (let turn = 0; turn < 3; turn += 1) textOf(first, 'name');
  expect(cell).toHaveBeenCalledTimes(1);
});

/** A list of numbers that changes its revision as told. */
function aSource(count: number, revisionAt: (call: number) => number) {
  let calls = 0;
  const stretch = async (offset: number, limit: number) => {
    calls += 1;
    const size = Math.max(0, Math.min(limit, count - offset));
    return { revision: revisionAt(calls), rows: Array.from({ length: size }, (_, at) => offset + at) };
  };
  return { stretch, list: () => '', calls: () => calls };
}
const reading = () => ({ signal: new AbortController().signal, onProgress: () => undefined });

test('[GR27] many rows are read in stretches, in their order, with word of how far it is', async () => {
  const source = aSource(100_000, () => 1);
  const seen: number[] = [];
  const read = await readRows(source, 10, 5_500, { ...reading(), onProgress: (done) => seen.push(done) });
  expect(read).toHaveLength(5_500);
  expect([read[0], read.at(-1)]).toEqual([10, 5_509]);
  expect(seen).toEqual([1_000, 2_000, 3_000, 4_000, 5_000, 5_500]);
});

test('[GR27] rows of two moments are never mixed: it begins again, and gives up on a list that does not rest', async () => {
  const once = aSource(5_000, (call) => (call < 2 ? 1 : 2));
  expect(await readRows(once, 0, 3_000, reading())).toHaveLength(3_000);
  expect(once.calls()).toBe(5);
  await expect(
    readRows(
      aSource(5_000, (call) => call),
      0,
      3_000,
      reading(),
    ),
  ).rejects.toThrow(ChangedMeanwhileError);
});

test('[GR27] it can be cancelled', async () => {
  const controller = new AbortController();
  const source = aSource(100_000, () => 1);
  const read = readRows(source, 0, 50_000, { signal: controller.signal, onProgress: (done) => done >= 2_000 && controller.abort() });
  await expect(read).rejects.toThrow();
  expect(source.calls()).toBe(2);
});
