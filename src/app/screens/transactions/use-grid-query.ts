import { useEffect, useState, useSyncExternalStore } from 'react';
import { v7 as uuid } from 'uuid';
import type { GridQuery, GridResult } from '#workers/start.ts';
import { useServices } from '#app/services.tsx';
import { createQuerySource, type QuerySource } from './query-source.ts';

/** Watches a query in the worker and keeps the rows around the visible ones. `null` asks nothing. */
export function useGridQuery(query: GridQuery | null): QuerySource {
  const { engine } = useServices();
  const [id] = useState(() => uuid());
  const [source] = useState(() => createQuerySource(engine, id));
  const key = query ? JSON.stringify(query) : null;
  useEffect(() => (key === null ? undefined : source.ask(key)), [source, key]);
  useEffect(() => () => void engine.unwatch(id), [engine, id]);
  return source;
}

export interface GridAnswer {
  /** Counts and sums of the newest answer; null before the first. */
  result: GridResult | null;
  /** The query that is answered, as text: it changes when another list is shown. */
  answered: string;
  /** The query asked last is still unanswered: what is shown belongs to the one before. */
  isStale: boolean;
}

/** The newest answer. Only what shows something of it follows it: nothing else is drawn again between a letter and the rows it leaves. */
export function useGridAnswer({ subscribe, answer }: QuerySource): GridAnswer {
  const { key: answered, asked, result } = useSyncExternalStore(subscribe, answer);
  return { result, answered, isStale: answered !== asked };
}

/** Why the list could not be read; null where it could. */
export function useGridProblem({ subscribe, answer }: QuerySource): string | null {
  return useSyncExternalStore(subscribe, () => answer().problem);
}
