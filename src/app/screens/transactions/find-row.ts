import { v7 as uuid } from 'uuid';
import type { Transaction } from '#contract/transactions.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import { asCallback, type GridResult, type GridRow, type RemoteEngine } from '#workers/start.ts';

const dayMs = 24 * 3_600_000;
/** The legs of a transfer lie within days of each other. */
const aroundMs = 7 * dayMs;
const waitMs = 5_000;

/** What of a row says where its counterpart may be. */
type Near = Pick<Transaction, 'entity_id' | 'trx_date'>;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/**
 * Watches the other leg of a match on this device, near a row of its entity.
 * @param onRow told of it as it is, and as it comes to be; null while it is not there.
 * @returns how to end it.
 */
export function watchCounterpart(
  engine: RemoteEngine,
  { clientId, row, id }: { clientId: string; row: Near; id: string },
  { onRow, onFault }: { onRow: (counterpart: GridRow | null) => void; onFault: (error: unknown) => void },
): () => void {
  const queryId = uuid();
  const at = Date.parse(row.trx_date);
  const filter = {
    ...noFilter,
    entity_ids: [row.entity_id],
    hashes: [id],
    from: dayOf(at - aroundMs),
    to: dayOf(at + aroundMs),
  };
  const query = { clientIds: [clientId], filter, sort: [], zone: 'UTC' as const };
  const onResult = asCallback((result: GridResult) => onRow(result.rows[0] ?? null));
  engine.watchQuery(queryId, query, { offset: 0, limit: 1 }, onResult).catch(onFault);
  return () => void engine.unwatch(queryId);
}

/** The other leg of a match, looked up in the worker among the entity's rows of the days around. @returns null where it is not on this device. */
export async function findCounterpart(engine: RemoteEngine, clientId: string, row: Near, id: string): Promise<GridRow | null> {
  let end = (): void => undefined;
  try {
    return await new Promise<GridRow | null>((resolve, reject) => {
      setTimeout(() => resolve(null), waitMs);
      end = watchCounterpart(engine, { clientId, row, id }, { onRow: resolve, onFault: reject });
    });
  } finally {
    end();
  }
}
