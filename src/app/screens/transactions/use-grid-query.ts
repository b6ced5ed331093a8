import { useEffect, useState, useSyncExternalStore } from 'react';
import { v7 as uuid } from 'uuid';
import type { GridQuery, GridResult } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import { createQuerySource, type QuerySource } from './query-source.ts';

export interface GridWindow {
  /** What the worker knows the query by. */
  id: string;
  /** Counts and sums of the newest answer; null before the first. */
  result: GridResult | null;
  /** The query that is answered, as text: it changes when another list is shown. */
  answered: string;
  /** The query asked last is still unanswered: what is shown belongs to the one before. */
  isStale: boolean;
  problem: string | null;
  source: QuerySource;
}

/** Watches a query in the worker and keeps the rows around the visible ones. `null` asks nothing. */
export function useGridQuery(query: GridQuery | null): GridWindow {
  const { engine } = useServices();
  const [id] = useState(() => uuid());
  const [source] = useState(() => createQuerySource(engine, id));
  const { key: answered, asked, result, problem } = useSyncExternalStore(source.subscribe, source.answer);
  const key = query ? JSON.stringify(query) : null;
  useEffect(() => (key === null ? undefined : source.ask(key)), [source, key]);
  useEffect(() => () => void engine.unwatch(id), [engine, id]);
  return { id, result, answered, isStale: answered !== asked, problem, source };
}
