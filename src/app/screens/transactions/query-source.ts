import {
  asCallback,
  type FirstRows,
  type GridQuery,
  type GridResult,
  type GridRow,
  type RemoteEngine,
  type RowRange,
} from '#workers/start.ts';
import { textOfError } from '#app/notices.tsx';
import type { GridSource } from '#app/ui/grid/grid-source.ts';
import { createWindowCache, pageRows } from '#app/ui/grid/window-cache.ts';
import { createListeners } from '#app/listeners.ts';

/** The rows a new query brings along. */
export const firstWindow: RowRange = { offset: 0, limit: pageRows };
/** The worker is told what one looks at once one looks there for so long. Milliseconds. */
const restMs = 120;

export interface QueryAnswer {
  /** The query it answers, as text; empty before the first answer. */
  key: string;
  /** The query that was asked last. */
  asked: string;
  /** Null before the first answer. */
  result: GridResult | null;
  /** How many rows are there before the answer that counts them, while there is none. */
  first: number | null;
  problem: string | null;
}

/** The rows of a query in the worker, and the newest answer to it. */
export interface QuerySource extends GridSource<GridRow> {
  /** What the worker knows the query by. */
  id: string;
  /** Sees to it that one row more is as it is now, wherever one looks; none for null. */
  wantAlso: (index: number | null) => void;
  answer: () => QueryAnswer;
  /** Says what is likely to be asked next, so that its answer is here when it is. */
  prepare: (key: string) => void;
  /** Asks a query whose prepared answer is here, and shows it at once. @returns false for any other: nothing is asked. */
  askPrepared: (key: string) => boolean;
  /**
   * Asks another query, given as text; the one that is asked already goes on. What is shown stays until its answer is here.
   * @returns how to let go of it.
   */
  ask: (key: string) => () => void;
}

/** Whether a row that came again says what it said before. */
function isSameRow(held: GridRow, row: GridRow): boolean {
  const keys = Object.keys(row) as (keyof GridRow)[];
  return (
    keys.length === Object.keys(held).length &&
    keys.every((key) => held[key] === row[key] || (typeof row[key] === 'object' && JSON.stringify(held[key]) === JSON.stringify(row[key])))
  );
}

/** Whether two answers to one query count and sum the same; their rows aside. */
function saysTheSame(held: QueryAnswer, next: QueryAnswer): boolean {
  const textOf = ({ result, ...others }: QueryAnswer): string =>
    JSON.stringify([others, result && { ...result, revision: 0, offset: 0, rows: [] }]);
  return held.key === next.key && textOf(held) === textOf(next);
}

/** Whole pages around some rows, so that an answer that brings them along fills pages. */
function pagesAround(first: number, last: number): RowRange {
  const offset = Math.floor(first / pageRows) * pageRows;
  return { offset, limit: (Math.floor(last / pageRows) + 1) * pageRows - offset };
}

/** How many rows the query that was asked last has; null while that is not known. */
export function countOf({ key, asked, result }: QueryAnswer): number | null {
  return key === asked ? (result?.count ?? null) : null;
}

type QueryCall = 'watchQuery' | 'prepareQuery' | 'lookAt' | 'rows' | 'pickRows';

/** @param id the query's name in the worker. */
export function createQuerySource(engine: Pick<RemoteEngine, QueryCall>, id: string): QuerySource {
  const listeners = createListeners();
  const expecting = new Set<(rows: readonly GridRow[]) => void>();
  let current: QueryAnswer = { key: '', asked: '', result: null, first: null, problem: null };
  let asking: { key: string; isCurrent: boolean } | null = null;
  let prepared: { key: string; result: GridResult | null } = { key: '', result: null };
  let version = 0;
  let resting: ReturnType<typeof setTimeout> | undefined;
  let told = pagesAround(0, 0);
  /** What is looked at in the list that is shown. */
  let seen = firstWindow;
  let revision = 0;
  const changed = (): void => {
    version += 1;
    listeners.tell();
  };
  const cache = createWindowCache<GridRow>((offset, limit) => engine.rows(id, offset, limit), isSameRow);
  cache.subscribe(changed);

  const lookAt = (range: RowRange): void => {
    if (range.offset === told.offset && range.limit === told.limit) return;
    told = range;
    engine.lookAt(id, range).catch(() => undefined);
  };
  const ask = (key: string): void => {
    if (asking) asking.isCurrent = false;
    const mine = { key, isCurrent: true };
    asking = mine;
    // asked once more before another one was answered, it is shown all the while
    const isShown = current.key === key;
    cache.restart(isShown);
    told = isShown ? seen : firstWindow;
    current = { ...current, asked: key };
    const show = (answer: Pick<QueryAnswer, 'result' | 'first'>, brought: FirstRows): void => {
      const next = { key, asked: key, problem: null, ...answer };
      if (current.key !== key) seen = firstWindow;
      const isSame = saysTheSame(current, next);
      if (!isSame) current = next;
      const isRevised = revision !== brought.revision;
      revision = brought.revision;
      // both in one go: the count and the rows of one moment are drawn together
      cache.revise(brought.revision, brought, !isSame);
      if (isSame && isRevised) listeners.tell();
    };
    const onResult = (result: GridResult): void => {
      if (mine.isCurrent) show({ result, first: null }, result);
    };
    const onFirst = (first: FirstRows): void => {
      // they come another way than the answer and could be overtaken by it
      if (mine.isCurrent && !(current.key === key && current.result)) show({ result: null, first: first.rows.length }, first);
    };
    const ready = prepared.key === key ? prepared.result : null;
    prepared = { key: '', result: null };
    const query = JSON.parse(key) as GridQuery;
    engine.watchQuery(id, query, told, asCallback(onResult), asCallback(onFirst), ready?.revision).catch((error: unknown) => {
      if (!mine.isCurrent) return;
      current = { ...current, problem: textOfError(error) };
      changed();
    });
    if (ready) onResult(ready);
    else changed();
  };
  return {
    id,
    answer: () => current,
    revision: () => revision,
    prepare: (key) => {
      prepared = { key, result: null };
      engine.prepareQuery(id, JSON.parse(key) as GridQuery, firstWindow).then(
        (result) => {
          if (prepared.key !== key) return;
          prepared = { key, result };
          if (result) for (const onExpected of expecting) onExpected(result.rows);
        },
        () => undefined,
      );
    },
    askPrepared: (key) => {
      const isHere = prepared.key === key && prepared.result !== null;
      if (isHere) ask(key);
      return isHere;
    },
    ask: (key) => {
      if (asking?.key !== key) ask(key);
      const mine = asking;
      return () => {
        if (mine) mine.isCurrent = false;
        if (asking === mine) asking = null;
      };
    },
    count: () => current.result?.count ?? current.first,
    isCounted: () => current.result !== null,
    row: cache.row,
    rowNow: cache.rowNow,
    wantAlso: cache.wantAlso,
    list: () => (asking?.key === current.key ? current.key : null),
    keyOf: (row) => row.id,
    want: (first, last) => {
      cache.want(first, last);
      clearTimeout(resting);
      if (last < first) return;
      seen = pagesAround(first, last);
      resting = setTimeout(() => lookAt(seen), restMs);
    },
    stretch: (offset, limit) => engine.rows(id, offset, limit),
    pick: async (keys) => {
      const { key } = current;
      // of another list than the one that is shown
      if (asking?.key !== key) return null;
      const picked = await engine.pickRows(id, [...keys]);
      return current.key === key && asking?.key === key ? (picked?.rows ?? null) : null;
    },
    isSame: isSameRow,
    subscribe: listeners.subscribe,
    expect: (onExpected) => {
      expecting.add(onExpected);
      return () => expecting.delete(onExpected);
    },
    version: () => version,
  };
}
