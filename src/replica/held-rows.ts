import { generationIn } from './generation.ts';
import type { RowNoun, RowStore, RowTables } from './row-tables.ts';

/** What a row says of itself beside what the server said. */
export interface OfDatabase {
  /** Which database its version is of, null where that is not known: to another one the number says nothing. */
  _generation?: string | null;
}

/** The row with that said. */
export function ofDatabase<R extends object>(row: R, generation: string | null): R & OfDatabase {
  return { ...row, _generation: generation };
}

/** Rows that are held, as somebody is to see them who may change them. */
export function heldRows<N extends RowNoun>(rows: RowStore, noun: N): Promise<(RowTables[N]['row'] & OfDatabase)[]> {
  return rows.read([noun, 'meta'], async (tx) => {
    const generation = await generationIn(tx);
    return (await tx.list(noun)).map((row) => ofDatabase(row, generation));
  });
}
