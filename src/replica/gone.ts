import type { RowTables } from './row-tables.ts';
import type { StoreReading, StoreWriting } from './store.ts';

/** For how long a removal is remembered, in milliseconds: longer than any answer that was asked for before it can be on its way. */
const keptMs = 86_400_000;

/** Which of some rows went, each with the version up to which it did. */
export async function goneIn(tx: StoreReading<RowTables>, noun: string, rows: readonly { id: string }[]): Promise<Map<string, number>> {
  const known = rows.length === 0 ? 0 : await tx.count('gone');
  if (known === 0) return new Map();
  // few rows went, and a page holds thousands
  const gone =
    known < rows.length
      ? await tx.list('gone', { from: [noun, ''], to: [noun, '\uffff'] })
      : await tx.getMany(
          'gone',
          rows.map(({ id }) => [noun, id] as const),
        );
  return new Map(gone.flatMap((record) => (record ? [[record.id, record.version]] : [])));
}

/** Forgets what went so long ago that nothing asked for before can still arrive: what is that old for the second time, a day after the first. */
export async function forgetGone(tx: StoreWriting<RowTables>, now: number): Promise<void> {
  const old = await tx.list('gone', { index: 'at', to: now - keptMs });
  await tx.removeMany(
    'gone',
    old.flatMap(({ noun, id, is_old: isOld }): [string, string][] => (isOld ? [[noun, id]] : [])),
  );
  await tx.putMany(
    'gone',
    old.flatMap((record) => (record.is_old ? [] : [{ ...record, at: now, is_old: true as const }])),
  );
}
