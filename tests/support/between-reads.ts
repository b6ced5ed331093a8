import type { Replica } from '#replica/open.ts';

/** A copy of which what happens once some tables were read, and before whoever reads them goes on, can be said. */
export function betweenReads(opened: Replica): { replica: Replica; once: (tables: string, happens: () => Promise<unknown>) => void } {
  const next = new Map<string, () => Promise<unknown>>();
  const read: Replica['rows']['read'] = async (tables, work) => {
    const answer = await opened.rows.read(tables, work);
    const name = [...tables].join();
    const happens = next.get(name);
    next.delete(name);
    await happens?.();
    return answer;
  };
  return { replica: { ...opened, rows: { ...opened.rows, read } }, once: (tables, happens) => void next.set(tables, happens) };
}
