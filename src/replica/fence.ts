import { StaleWriterError } from './sending.ts';
import type { RowStore } from './row-tables.ts';

const termName = 'term';

/**
 * The copy as a worker writes to it: what it writes after another one's term has begun is refused, whole, with a StaleWriterError.
 * A worker that was put to sleep or whose lock was taken cannot know of the other one before; nor one whose copy was deleted beneath it,
 * by a tab that could not open it or by the browser, that in the one which took its place nothing is of what it has in memory.
 * @param term the number of its own term; null while it has none, and then it writes only what anybody may.
 */
export function fenced(rows: RowStore, term: () => number | null): RowStore {
  return {
    ...rows,
    write: (tables, work) =>
      rows.write([...new Set([...tables, 'meta' as const])], async (tx) => {
        const own = term();
        if (own !== null && (await tx.get('meta', termName))?.value !== own) throw new StaleWriterError();
        return work(tx);
      }),
  };
}

/** The writer's term that began here last; 0 before any. */
export async function termIn(rows: RowStore): Promise<number> {
  const term = (await rows.read(['meta'], (tx) => tx.get('meta', termName)))?.value;
  return typeof term === 'number' ? term : 0;
}

/** Begins a writer's term here, too: every writer before it is refused from now on. @throws StaleWriterError where a later one began. */
export function startRowsTerm(rows: RowStore, term: number): Promise<void> {
  return rows.write(['meta'], async (tx) => {
    const current = (await tx.get('meta', termName))?.value;
    if (typeof current === 'number' && current > term) throw new StaleWriterError();
    await tx.put('meta', { k: termName, value: term });
  });
}
