import { expect, test } from 'vitest';
import type { GridRow, RemoteEngine, RowRange } from '#workers/start.ts';
import { chosenRows } from '#app/screens/transactions/chosen-rows.ts';
import { createQuerySource } from '#app/screens/transactions/query-source.ts';
import { ChangedMeanwhileError, readRows } from '#app/ui/grid/grid-source.ts';
import { createGridState } from '#app/ui/grid/grid-state.ts';
import { createArraySource } from '#app/ui/grid/use-array-source.ts';

// Rows that are out of sight stay as they were when they were seen, while those in sight are as they are now.

const sums = { in: '0', out: '0', fees: '0', net: '0' };
const settled = (ms = 0): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

interface Line {
  id: string;
  match_state: string;
}

/** A list in a worker that others change, and the grid of one who looks at it. */
function aList(count: number) {
  const lists = new Map<string, Line[]>();
  const named = (name: string): Line[] => Array.from({ length: count }, (_, at) => ({ id: `${name}${at}`, match_state: 'PENDING' }));
  lists.set('{"list":"r"}', named('r'));
  let [asked, revision] = ['', 1];
  let window: RowRange = { offset: 0, limit: 100 };
  let give: (result: object) => void = () => undefined;
  const rows = (): Line[] => lists.get(asked) ?? [];
  const of = ({ offset, limit }: RowRange): Line[] => rows().slice(offset, offset + limit);
  const tell = (): void => {
    const counts = { count: rows().length, missing: [], assets: [], usd: sums, unpriced: 0, unknown: 0 };
    give({ revision, offset: window.offset, rows: of(window), ...counts });
  };
  const engine = {
    watchQuery: async (_: string, query: object, range: RowRange, onResult: (result: object) => void) => {
      [asked, window, give] = [JSON.stringify(query), range, onResult];
    },
    prepareQuery: async () => null,
    lookAt: async (_: string, range: RowRange) => void (window = range),
    pickRows: async (_: string, ids: string[]) => ({ revision, rows: rows().filter(({ id }) => ids.includes(id)) }),
    rows: async (_: string, offset: number, limit: number) => ({ revision, rows: of({ offset, limit }) }),
  } as unknown as RemoteEngine;
  const source = createQuerySource(engine, 'list');
  const state = createGridState<GridRow>({ source, onTooMany: () => undefined, pause: settled });
  source.subscribe(state.follow);
  source.ask('{"list":"r"}');
  tell();
  return {
    source,
    state,
    rows,
    ids: () => rows().map(({ id }) => id),
    change: (change: (list: Line[]) => Line[]) => {
      lists.set(asked, change(rows()));
      revision += 1;
      tell();
    },
    /** Others are asked for; their answer is on its way. */
    askOther: () => {
      lists.set('{"list":"other"}', named('other'));
      source.ask('{"list":"other"}');
    },
    see: async (first: number, last: number) => {
      source.want(first, last);
      await settled(150);
    },
  };
}

test('[GR67] a row that is out of sight and may be another one by now is not taken for what is there', async () => {
  const { source, see, change } = aList(1_000);
  await see(0, 80);
  await see(205, 260);
  change((list) => [{ id: 'new', match_state: 'PENDING' }, ...list]);
  await settled();
  expect([source.row(10)?.id, source.rowNow(10)]).toEqual(['r10', undefined]);
  expect(source.rowNow(250)?.id).toBe('r249');
});

test('[GR67] a range that is selected has every row between its ends, though others came or went out of sight', async () => {
  const { state, ids, see, change } = aList(1_000);
  await see(0, 40);
  state.move({ row: 10 });
  state.toggle(10);
  for (const [first, last] of [
    [60, 130],
    [130, 199],
    [205, 260],
  ] as const)
    await see(first, last);
  change((list) => list.filter(({ id }) => id !== 'r5'));
  await settled(20);
  state.extend(ids().indexOf('r250'));
  const selected = (): string[] => {
    const { selection } = state.snapshot();
    return selection.kind === 'some' ? [...selection.rows.keys()] : [];
  };
  await expect.poll(selected).toEqual(ids().slice(ids().indexOf('r10'), ids().indexOf('r250') + 1));
});

test('[GR67] the row one is on is decided about as it is now, and shown so while it is open, wherever one looks', async () => {
  const { source, state, see, change } = aList(1_000);
  await see(0, 80);
  state.move({ row: 10 });
  await see(205, 330);
  change((list) => list.map((line) => (line.id === 'r10' ? { ...line, match_state: 'APPROVED' } : line)));
  await settled();
  expect((await chosenRows(source, state))?.map(({ match_state }) => match_state)).toEqual(['APPROVED']);
  source.wantAlso(10);
  await expect.poll(() => source.row(10)?.match_state).toBe('APPROVED');
});

test('[GR68] of all rows none is of another list that was asked for meanwhile', async () => {
  const { source, state, askOther } = aList(3);
  state.selectAll();
  expect(await chosenRows(source, state)).toHaveLength(3);
  askOther();
  await expect(chosenRows(source, state)).rejects.toThrow(ChangedMeanwhileError);
});

test('[GR68] all rows are all there are by then, be it that more came while they were read', async () => {
  let [count, revision, calls] = [2_500, 1, 0];
  const stretch = async (offset: number, limit: number) => {
    calls += 1;
    if (calls === 2) [count, revision] = [2_501, 2];
    return { revision, rows: Array.from({ length: Math.max(0, Math.min(limit, count - offset)) }, (_, at) => offset + at) };
  };
  const reading = { signal: new AbortController().signal, onProgress: () => undefined };
  expect(await readRows<number>({ stretch, list: () => '' }, 0, Infinity, reading)).toHaveLength(2_501);
});

test('[GR68] nor are they none where nobody can say for the moment which they are', async () => {
  let calls = 0;
  const stretch = async () => {
    calls += 1;
    return calls === 1 ? { revision: 0, rows: [] } : { revision: 3, rows: [1, 2] };
  };
  const reading = { signal: new AbortController().signal, onProgress: () => undefined };
  expect(await readRows<number>({ stretch, list: () => '' }, 0, Infinity, reading)).toEqual([1, 2]);
  const nobody = async () => ({ revision: 0, rows: [] });
  await expect(readRows<number>({ stretch: nobody, list: () => '' }, 0, Infinity, reading)).rejects.toThrow(ChangedMeanwhileError);
  // an empty list is one
  const empty = async () => ({ revision: 2, rows: [] });
  expect(await readRows<number>({ stretch: empty, list: () => '' }, 0, Infinity, reading)).toEqual([]);
});

test('[GR45] where the last row leaves the list one is on the one before it, for keys, too', () => {
  const source = createArraySource<{ id: string }>((row) => row.id);
  const show = (...ids: string[]): void => source.show(ids.map((id) => ({ id })));
  show('a', 'b', 'c');
  const state = createGridState({ source, onTooMany: () => undefined, pause: settled });
  source.subscribe(state.follow);
  state.move({ row: 2 });
  show('a', 'b');
  expect(state.snapshot().active.row).toBe(1);
});
