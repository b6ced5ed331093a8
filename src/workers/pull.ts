import type { ApiCall } from '#api-client/call.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { listTransactions, transactionPage } from '#contract/transactions.ts';
import { startOfPreviousMonth } from '#domain/dates.ts';
import { applyList, scopeKey, settledEdits, standingOf } from '#replica/apply.ts';
import type { Replica } from '#replica/open.ts';
import { type KeysetCursor, type PullRow, startCursor } from '#replica/pulls.ts';
import { type KeysetStep, keysetStep, readBySkipping } from './paging.ts';
import type { Stream } from './streams.ts';
import type { ColumnSets } from './column-sets.ts';

export interface PullPorts {
  replica: Replica;
  call: ApiCall;
  sets: ColumnSets;
  now: () => number;
}

/** An entity as the pull needs it: whose it is decides the column set its rows go to. */
export interface PulledEntity {
  id: string;
  client_id: string;
}

/** Pages of older rows read again in one round of the steady phase. */
const sweepPages = 3;
/** Before anything this product could hold. */
const beginning = '1970-01-01';

/** Reads a noun's whole list for one scope and writes it. */
export async function pullStream({ replica, call, now }: PullPorts, stream: Stream, id: string): Promise<void> {
  const startedAt = now();
  const { noun } = stream;
  const scope = scopeKey(stream.per, id);
  const settledBefore = await settledEdits(replica, scope, noun);
  const { paging } = stream.endpoint;
  const rows: { id: string }[] = [];
  let isWhole = paging?.by === 'single';
  for (const input of stream.inputs(id)) {
    if (paging?.by === 'single') {
      const answer = (await call(stream.endpoint, { ...input, limit: paging.limit })) as { id: string }[];
      // a full page of a call that has no next page may have been cut: then it is no proof of absence
      if (answer.length >= paging.limit) isWhole = false;
      rows.push(...answer);
      continue;
    }
    const by = paging?.by === 'offset' ? 'offset' : 'skip';
    rows.push(
      ...(await readBySkipping(
        async (skip) => (await call(stream.endpoint, { ...input, [by]: skip, limit: paging?.limit })) as { id: string }[],
      )),
    );
  }
  await applyList(replica, { noun, scope, rows, isWhole, settledBefore, now: startedAt });
}

type TransactionPage = OutputOf<typeof listTransactions>;

interface Stretch {
  from: string;
  to?: string | undefined;
}

function readPage(
  { call }: PullPorts,
  entity: PulledEntity,
  stretch: Stretch,
  cursor: KeysetCursor,
): Promise<OutputOf<typeof listTransactions>> {
  return call(listTransactions, {
    entity_id: entity.id,
    start_date: stretch.from,
    end_date: cursor.end_date ?? stretch.to,
    newest_first: true,
    skip: cursor.skip,
    limit: transactionPage.limit,
  });
}

/** Where the pull of an entity's transactions stands at this moment; what was planned may be out of date. */
function standing({ replica }: PullPorts, entity: PulledEntity): Promise<PullRow> {
  return standingOf(replica, scopeKey('entity', entity.id), 'transactions');
}

/**
 * One page of the first pull of an entity: its rows and the new standing are written together, so a kill at any point loses
 * neither. The set is taken before the standing is read: one that is dropped meanwhile takes nothing more.
 */
export async function pullFirstPage(ports: PullPorts, entity: PulledEntity): Promise<PullRow> {
  const set = await ports.sets.transactions(entity.client_id);
  const pull = await standing(ports, entity);
  if (pull.phase === 'steady') return pull;
  const recentFrom = pull.recent_from ?? new Date(startOfPreviousMonth(ports.now())).toISOString();
  const stretch = pull.phase === 'recent' ? { from: recentFrom } : { from: beginning };
  const page = await readPage(ports, entity, stretch, pull.cursor);
  const { fresh, next } = keysetStep(pull.cursor, page);
  const last = page.at(-1);
  const progress = { ...pull, recent_from: recentFrom, rows: pull.rows + fresh.length };
  const after: PullRow =
    next !== null
      ? { ...progress, cursor: next, complete_from: last ? Date.parse(last.trx_date) : pull.complete_from }
      : pull.phase === 'recent'
        ? { ...progress, phase: 'older', cursor: { ...startCursor, end_date: recentFrom }, complete_from: Date.parse(recentFrom) }
        : { ...progress, phase: 'steady', cursor: startCursor, complete_from: 0, last_complete_at: ports.now() };
  await set.apply(fresh, after);
  return after;
}

/** Reads one stretch of an entity's dates to its end, leaving the pull's own place as it is. */
export async function pullStretch(ports: PullPorts, entity: PulledEntity, stretch: Stretch): Promise<void> {
  const set = await ports.sets.transactions(entity.client_id);
  let cursor: KeysetCursor | null = startCursor;
  while (cursor) {
    const page: TransactionPage = await readPage(ports, entity, stretch, cursor);
    const step: KeysetStep<TransactionPage[number]> = keysetStep(cursor, page);
    await set.apply(step.fresh);
    cursor = step.next;
  }
}

/** Keeps a pulled entity true: its recent stretch anew, then a few pages of a round through everything older. */
export async function refreshTransactions(ports: PullPorts, entity: PulledEntity): Promise<void> {
  const startedAt = ports.now();
  const set = await ports.sets.transactions(entity.client_id);
  const pull = await standing(ports, entity);
  if (pull.phase !== 'steady') return;
  const recentFrom = new Date(startOfPreviousMonth(startedAt)).toISOString();
  await pullStretch(ports, entity, { from: recentFrom });
  let { cursor } = pull;
  for (let pages = 0; pages < sweepPages; pages += 1) {
    const page = await readPage(ports, entity, { from: beginning, to: recentFrom }, cursor);
    const { fresh, next } = keysetStep(cursor, page);
    await set.apply(fresh);
    cursor = next ?? startCursor;
    if (!next) break;
  }
  await set.apply([], { ...pull, recent_from: recentFrom, cursor, last_complete_at: startedAt });
}
