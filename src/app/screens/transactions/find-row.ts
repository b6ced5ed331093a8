import { v7 as uuid } from 'uuid';
import type { Transaction } from '#contract/transactions.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import { asCallback, type GridRow, type RemoteEngine } from '#workers/start.ts';

const dayMs = 24 * 3_600_000;
/** The legs of a transfer lie within days of each other. */
const aroundMs = 7 * dayMs;
const waitMs = 5_000;

/** What of a row says where its counterpart may be. */
type Near = Pick<Transaction, 'entity_id' | 'security_id' | 'trx_date'>;

function dayOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The other leg of a match, looked up in the worker among the asset's rows of the days around. @returns null where it is not on this device. */
export async function findCounterpart(engine: RemoteEngine, clientId: string, row: Near, id: string): Promise<GridRow | null> {
  const queryId = uuid();
  const at = Date.parse(row.trx_date);
  const filter = {
    ...noFilter,
    entity_id: row.entity_id,
    security_ids: row.security_id === null ? [] : [row.security_id],
    from: dayOf(at - aroundMs),
    to: dayOf(at + aroundMs),
  };
  try {
    const count = await new Promise<number>((resolve, reject) => {
      setTimeout(() => resolve(0), waitMs);
      engine
        .watchQuery(
          queryId,
          { clientId, filter, sort: null, zone: 'UTC' },
          asCallback((result) => resolve(result.count)),
        )
        .catch(reject);
    });
    if (count === 0) return null;
    const { rows } = await engine.rows(queryId, 0, Math.min(count, 5_000));
    return rows.find((found) => found.id === id) ?? null;
  } finally {
    void engine.unwatch(queryId);
  }
}
