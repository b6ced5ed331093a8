import { expect, test } from 'vitest';
import { createQuerySource } from '#app/screens/transactions/query-source.ts';
import type { GridListener, GridResult, GridRow, RowRange } from '#workers/start.ts';

const sums = { in: '0', out: '0', fees: '0', net: '0' };
const row = { id: 'row' } as GridRow;
const answer: GridResult = { revision: 1, offset: 0, rows: [row], missing: [], count: 1, assets: [], usd: sums, unpriced: 0, unknown: 0 };

/** A worker that answers nothing by itself. */
const silent = {
  watchQuery: (() => Promise.resolve()) as never,
  prepareQuery: (() => Promise.resolve(null)) as never,
  lookAt: (() => Promise.resolve()) as never,
  rows: (() => new Promise(() => undefined)) as never,
  pickRows: (() => Promise.resolve(null)) as never,
};

test('[GR53] a change that is neither in sight nor in the sums is told to what counts the rows, and nothing else is drawn for it', () => {
  let give: GridListener['onResult'] = () => undefined;
  const engine = {
    ...silent,
    watchQuery: ((...[, , , onResult]: [string, unknown, unknown, GridListener['onResult']]) => {
      give = onResult;
      return Promise.resolve();
    }) as never,
  };
  const source = createQuerySource(engine, 'query');
  source.ask('{}');
  give(answer);
  const told: { revision: number; answer: unknown; version: number }[] = [];
  source.subscribe(() => told.push({ revision: source.revision(), answer: source.answer(), version: source.version() }));
  const before = { answer: source.answer(), version: source.version() };
  expect(source.revision()).toBe(1);
  give({ ...answer, revision: 2 });
  expect(told).toEqual([{ revision: 2, ...before }]);
  // what was told already is not told again
  give({ ...answer, revision: 2 });
  expect(told).toHaveLength(1);
  give({ ...answer, revision: 3, count: 2 });
  expect(source.answer().result?.count).toBe(2);
});

test('[GR69] before a list is counted nobody is told that the rows it begins with are all', () => {
  let listener: Required<Pick<GridListener, 'onResult' | 'onFirst'>> | null = null;
  const engine = {
    ...silent,
    watchQuery: ((
      ...[, , , onResult, onFirst]: [string, unknown, unknown, GridListener['onResult'], Required<GridListener>['onFirst']]
    ) => {
      listener = { onResult, onFirst };
      return Promise.resolve();
    }) as never,
  };
  const source = createQuerySource(engine, 'query');
  const counted = (): unknown[] => [source.count(), source.isCounted()];
  source.ask('{}');
  expect(counted()).toEqual([null, false]);
  listener!.onFirst({ revision: 1, offset: 0, rows: [row] });
  expect(counted()).toEqual([1, false]);
  listener!.onResult({ ...answer, count: 2_000 });
  expect(counted()).toEqual([2_000, true]);
});

test('[GR60] rows worked out ahead are told once they are here, those of a text typed over since are not', async () => {
  const waiting: ((result: GridResult | null) => void)[] = [];
  const engine = {
    ...silent,
    prepareQuery: (() => new Promise((resolve) => waiting.push(resolve))) as never,
  };
  const source = createQuerySource(engine, 'query');
  const told: (readonly GridRow[])[] = [];
  const stop = source.expect?.((rows) => told.push(rows));
  const settle = async (): Promise<void> => {
    for (const answered of waiting.splice(0)) answered(answer);
    await Promise.resolve();
    await Promise.resolve();
  };
  source.prepare('{"typed":"a"}');
  source.prepare('{"typed":"ab"}');
  await settle();
  expect(told).toEqual([[row]]);
  stop?.();
  source.prepare('{"typed":"abc"}');
  await settle();
  expect(told).toHaveLength(1);
});

test('[GR63] a list that is asked again before another one was answered is shown on where it is looked at', async () => {
  let give: GridListener['onResult'] = () => undefined;
  const asked: number[] = [];
  const rowsAt = (from: number): GridRow[] => Array.from({ length: 100 }, (_, at) => ({ id: `row ${from + at}` }) as GridRow);
  const engine = {
    ...silent,
    watchQuery: ((...[, , window, onResult]: [string, unknown, RowRange, GridListener['onResult']]) => {
      give = onResult;
      offset = window.offset;
      return Promise.resolve();
    }) as never,
    rows: ((_: string, from: number) => {
      asked.push(from);
      return Promise.resolve({ revision, rows: rowsAt(from) });
    }) as never,
  };
  let [revision, offset] = [1, 0];
  const source = createQuerySource(engine, 'query');
  const answered = (): void => give({ ...answer, count: 10_000, revision, offset, rows: rowsAt(offset) });
  source.ask('{"list":"A"}');
  answered();
  source.want(5_010, 5_050);
  await expect.poll(() => source.row(5_020)?.id).toBe('row 5020');
  source.ask('{"list":"B"}');
  source.ask('{"list":"A"}');
  revision = 2;
  answered();
  expect(source.row(5_020)?.id).toBe('row 5020');
  // they came along with the answer, whatever page one sees a part of beside
  expect(asked).toEqual([5_000]);
  source.want(5_080, 5_120);
  expect(asked).toEqual([5_000, 5_100]);
  await expect.poll(() => source.row(5_120)?.id).toBe('row 5120');
  // another one begins at its top: nothing is asked where one was
  source.ask('{"list":"B"}');
  revision = 3;
  answered();
  expect([source.row(0)?.id, source.row(5_020)]).toEqual(['row 0', undefined]);
  expect(asked).toEqual([5_000, 5_100]);
});
