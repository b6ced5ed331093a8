import type { Replica } from './open.ts';
import type { RowTables } from './row-tables.ts';
import type { StoreReading } from './store.ts';

/** Under which the copy keeps which database its rows are of; it stays when the feed is no longer followed. */
export const generationName = 'generation';

/** Which database the rows held are of; null where nobody said. */
export function generationOf({ rows }: Replica): Promise<string | null> {
  return rows.read(['meta'], generationIn);
}

export async function generationIn(tx: StoreReading<RowTables>): Promise<string | null> {
  const kept = await tx.get('meta', generationName);
  return typeof kept?.value === 'string' ? kept.value : null;
}
