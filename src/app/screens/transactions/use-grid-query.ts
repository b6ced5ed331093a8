import { useEffect, useState, useSyncExternalStore } from 'react';
import { v7 as uuid } from 'uuid';
import { asCallback, type GridQuery, type GridResult, type GridRow } from '#workers/start.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { createWindowCache, type WindowCache } from './window-cache.ts';

export interface GridWindow {
  /** Counts and sums of the newest answer; null before the first. */
  result: GridResult | null;
  /** A newer query is still unanswered: what is shown belongs to the one before. */
  isStale: boolean;
  problem: string | null;
  cache: WindowCache<GridRow>;
  /** Any stretch of the query's rows, for selections. */
  rows: (offset: number, limit: number) => Promise<GridRow[]>;
}

/** Watches a query in the worker and keeps the rows around the visible ones. `null` asks nothing. */
export function useGridQuery(query: GridQuery | null): GridWindow {
  const { engine } = useServices();
  const [id] = useState(() => uuid());
  const [cache] = useState(() => createWindowCache<GridRow>((offset, limit) => engine.rows(id, offset, limit)));
  const [answer, setAnswer] = useState<{ key: string; result: GridResult } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useSyncExternalStore(cache.subscribe, cache.version);
  const key = query ? JSON.stringify(query) : null;

  useEffect(() => {
    if (key === null) return undefined;
    let isCurrent = true;
    cache.restart();
    const onResult = (result: GridResult): void => {
      if (!isCurrent) return;
      setProblem(null);
      setAnswer({ key, result });
      cache.revise(result.revision);
    };
    engine.watchQuery(id, JSON.parse(key) as GridQuery, { offset: 0, limit: 100 }, asCallback(onResult)).catch((error: unknown) => {
      if (isCurrent) setProblem(textOfError(error));
    });
    return () => {
      isCurrent = false;
    };
  }, [engine, id, key, cache]);

  useEffect(() => () => void engine.unwatch(id), [engine, id]);

  return {
    result: answer?.result ?? null,
    isStale: answer?.key !== key,
    problem,
    cache,
    rows: async (offset, limit) => (await engine.rows(id, offset, limit)).rows,
  };
}
