import { useEffect, useState } from 'react';
import type { ListField } from '#domain/transaction-filter.ts';
import { useServices } from '#app/services.tsx';
import { type Counts, countsOf } from './choices.ts';

/** How often each value of a field occurs under a watched query, again with every revision of its rows; undefined until known. */
export function useFacets(queryId: string, field: ListField, revision: number): Counts | undefined {
  const { engine } = useServices();
  const [counts, setCounts] = useState<Counts>();
  useEffect(() => {
    let isCurrent = true;
    engine.facets(queryId, field).then(
      (facets) => {
        if (isCurrent) setCounts(countsOf(field, facets));
      },
      // the list is of use without its counts
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [engine, queryId, field, revision]);
  return counts;
}
