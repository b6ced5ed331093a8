import type { CallOptions } from '#api-client/call.ts';
import { ApiError, movedText } from '#contract/errors.ts';
import { ofDatabase } from '#replica/held-rows.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { editsByRow, foldRow, markOf } from '#replica/overlay.ts';
import type { NounRow } from '#replica/reducers.ts';
import { generation, type SomeRow } from './sent-edits.ts';

// Rows of which two are a pair, and decisions about these.

/** A row that the engine proposed a pair for. */
export function proposed(id: string): SomeRow {
  const money = { quantity: '1', security_id: 's', trx_type_id: 2, trx_date: '2026-09-14T12:00:00.000Z' };
  return { id, match_state: 'PENDING', ...money, version: 3 };
}

/** Refuses a decision about rows that are in other versions than it names, as a server does that compares them. */
export function refuseMoved(
  { current, rests_on }: { current: SomeRow; rests_on: SomeRow | null },
  { ifVersion, restsOnVersion }: Pick<CallOptions, 'ifVersion' | 'restsOnVersion'>,
): void {
  if (ifVersion !== current.version) throw new ApiError({ code: 'stale_version', detail: 'Changed', isSaid: true, beside: { current } });
  if (rests_on && restsOnVersion !== undefined && restsOnVersion !== rests_on.version)
    throw new ApiError({ code: 'conflict', detail: movedText, isSaid: true, beside: { rests_on } });
}

/** A row of the copy as the screen shows it, with the decisions that wait laid over it. */
export function shownRow(copy: SomeRow, edits: readonly OutboxRow[]): SomeRow {
  const own = editsByRow('transactions', edits).get(copy.id) ?? [];
  const row = foldRow('transactions', copy as unknown as NounRow['transactions'], own) as unknown as SomeRow;
  return { ...ofDatabase(row, generation), pending: markOf(own) };
}
