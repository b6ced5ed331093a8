import { v7 as uuid } from 'uuid';
import type { TransactionMatch } from '#contract/transaction-matches.ts';
import { checkTransferMark, transferRefusals } from '#domain/transfer-matching.ts';
import { isAllowed } from '#domain/permissions.ts';
import { entityOf, matchesOfTransaction, pointedToBy } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import type { GridRow } from '#workers/start.ts';
import { textOfError } from '#app/notices.tsx';
import { type Services, useServices, useUser } from '#app/services.tsx';
import { type Enqueue, useEnqueue } from '#app/use-enqueue.ts';
import { useReplica } from '#app/use-replica.ts';
import { findCounterpart } from './find-row.ts';
import { markTitle } from './mark-words.ts';

/** The other leg of a match; null where it has none. */
export function otherLegOf(match: TransactionMatch, id: string): string | null {
  return match.out_trx_id === id ? match.in_trx_id : match.out_trx_id;
}

/** What a person says of rows. */
export interface Mark {
  isTransfer: boolean;
  /** The other leg they chose, as they saw it; without one it is the one the row's match proposes. */
  counterpart?: GridRow;
}

async function proposedFor(replica: Replica, id: string): Promise<string | null> {
  const live = (await matchesOfTransaction(replica, id)).find((match) => match.state !== 'REJECTED');
  return live ? otherLegOf(live, id) : null;
}

interface Marking extends Mark {
  services: Services;
  replica: Replica;
  enqueue: Enqueue;
}

/** What of the other row a person decides by. */
const decidedBy = ['match_state', 'quantity', 'trx_type_id', 'trx_date', 'account_id', 'security_id'] as const;
const changedText = 'The other row was changed just now. Look at it, and mark it again';

/** Puts one row's mark into the outbox, with its counterpart. @returns the ids it decides, or why not. */
async function markRow(row: GridRow, marking: Marking): Promise<{ ok: true; ids: string[] } | { ok: false; reason: string }> {
  const { services, replica, enqueue, isTransfer } = marking;
  // a key may be faster than what the screen reads to show names
  const clientId = (await entityOf(replica, row.entity_id))?.client_id;
  if (clientId === undefined) return { ok: false, reason: 'The entity of this row is not on this device yet' };
  const chosen = marking.counterpart;
  const counterpartId = chosen?.id ?? (await proposedFor(replica, row.id));
  const counterpart = counterpartId === null ? null : await findCounterpart(services.engine, clientId, row, counterpartId);
  // what became of it since they saw it is not written over unseen
  if (chosen && (!counterpart || decidedBy.some((name) => chosen[name] !== counterpart[name]))) return { ok: false, reason: changedText };
  const check = checkTransferMark(row, counterpart);
  if (!check.ok) return { ok: false, reason: transferRefusals[check.reason] };
  const names = await pointedToBy(replica, [row, ...(counterpart ? [counterpart] : [])]);
  const { zone } = services.preferences.snapshot();
  const input = { trx_id: row.id, counterpart_id: counterpartId, is_transfer: isTransfer };
  await enqueue({
    id: uuid(),
    name: 'markTransfer',
    input,
    title: markTitle({ row, counterpart, isTransfer }, names, zone),
    now: services.clock(),
    clientId,
    entityId: row.entity_id,
    seen: row,
    ...(counterpart ? { restsOn: counterpart } : {}),
  });
  return { ok: true, ids: [row.id, ...(counterpartId === null ? [] : [counterpartId])] };
}

export type MarkTransfer = (rows: readonly GridRow[], mark: Mark) => Promise<void>;

/** Marks rows as transfers or not, at once on the screen and later at the server. Null where the user may not. */
export function useMarkTransfer(): MarkTransfer | null {
  const services = useServices();
  const replica = useReplica();
  const enqueue = useEnqueue();
  const user = useUser();
  if (!isAllowed(user, { anyOf: ['transaction_match_write'] })) return null;
  return async (rows, mark) => {
    const decided = new Set<string>();
    const refusals = new Set<string>();
    try {
      for (const row of rows) {
        if (decided.has(row.id)) continue;
        const outcome = await markRow(row, { ...mark, services, replica, enqueue });
        if (outcome.ok) for (const id of outcome.ids) decided.add(id);
        else refusals.add(outcome.reason);
      }
    } catch (error) {
      services.notices.notice('error', textOfError(error));
    }
    if (decided.size > 0)
      services.notices.notice(
        'info',
        `${decided.size} ${decided.size === 1 ? 'row' : 'rows'} marked ${mark.isTransfer ? 'as transfer' : 'as not a transfer'}`,
      );
    for (const reason of refusals) services.notices.notice('warning', reason);
  };
}
