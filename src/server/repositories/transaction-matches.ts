import { and, inArray, ne, not, or, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { DecidedMatch, TransactionMatch } from '#contract/transaction-matches.ts';
import type { MatchState } from '#contract/transaction-codes.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { isEntityVisible, isOfVisibleEntity, type Viewer } from './visibility.ts';

const matchFields = sql`m.id::text as id, m.entity_id::text as entity_id, m.kind, m.state, m.out_trx_id::text as out_trx_id, m.in_trx_id::text as in_trx_id,
  m.quantity_difference::text as quantity_difference, m.reason, m.score, m.source, m.version::int as version`;

export interface MatchQuery {
  entity_id: string;
  pending_matches_only: boolean;
}

function scopeOf(viewer: Viewer, query: MatchQuery): SQL {
  const pending = query.pending_matches_only ? sql`m.state = 'PENDING'` : sql`true`;
  return sql`m.entity_id = ${toUuid(query.entity_id)}::uuid and ${isEntityVisible(viewer, 'transaction_match_read', query.entity_id)} and ${pending}`;
}

/** A page of an entity's matches in the order they were made (ids are time-ordered). */
export function listMatches(db: Db, viewer: Viewer, query: MatchQuery & { offset: number; limit: number }): Promise<TransactionMatch[]> {
  return rowsOf(
    db,
    sql`select ${matchFields} from transaction_matches m where ${scopeOf(viewer, query)} order by m.id limit ${query.limit} offset ${query.offset}`,
  );
}

/** Those of some matches the viewer may see. */
export function matchesById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<TransactionMatch[]> {
  return rowsOf(
    db,
    sql`select ${matchFields} from transaction_matches m
      where ${inIds(sql`m.id`, ids)} and ${isOfVisibleEntity(sql`m.entity_id`, viewer, 'transaction_match_read')}`,
  );
}

export async function countMatches(db: Db, viewer: Viewer, query: MatchQuery): Promise<number> {
  const rows = await rowsOf<{ count: number }>(
    db,
    sql`select count(*)::int as count from transaction_matches m where ${scopeOf(viewer, query)}`,
  );
  return rows[0]?.count ?? 0;
}

/** A person's decision about one leg or a pair; the legs are rows the person may change. */
export interface Decision {
  entityId: string;
  outId: string | null;
  inId: string | null;
  state: MatchState;
  userId: string;
  now: number;
}

function involves(ids: readonly string[]): SQL | undefined {
  return or(inArray(transactionMatches.out_trx_id, [...ids]), inArray(transactionMatches.in_trx_id, [...ids]));
}

/** Whether a leg is part of one of these matches. */
function isHeld(matches: readonly { out_trx_id: string | null; in_trx_id: string | null }[], leg: string): boolean {
  return matches.some((match) => match.out_trx_id === leg || match.in_trx_id === leg);
}

type ChangedTransaction = NonNullable<DecidedMatch['changed_transactions']>[number];

/** Sets the state of some transactions, each of which is in its next version by that. */
function setState(db: Db, ids: readonly string[], state: MatchState | null, where: SQL | undefined): Promise<ChangedTransaction[]> {
  const { id, version, match_state } = transactions;
  return db
    .update(transactions)
    .set({ match_state: state, version: sql`${version} + 1` })
    .where(and(inArray(id, [...ids]), where))
    .returning({ id, version, match_state });
}

/** Legs other than the decided ones lose their mark when nothing else holds it. */
async function freeLegs(db: Db, ids: readonly (string | null)[]): Promise<ChangedTransaction[]> {
  const freed = ids.filter((id) => id !== null);
  if (freed.length === 0) return [];
  const isHeld = sql`exists (select 1 from transaction_matches m where m.state <> 'REJECTED' and (m.out_trx_id = ${transactions.id} or m.in_trx_id = ${transactions.id}))`;
  return setState(db, freed, null, not(isHeld));
}

function decideAgain(id: string, { state, userId, now }: Decision): SQL {
  return sql`update transaction_matches m set state = ${state}, decided_by = ${userId}::uuid, decided_at = ${new Date(now).toISOString()}::timestamptz,
      source = 'manual', version = m.version + 1
    where m.id = ${id}::uuid returning ${matchFields}`;
}

function decideNew({ entityId, outId, inId, state, userId, now }: Decision): SQL {
  return sql`insert into transaction_matches as m (id, entity_id, kind, state, out_trx_id, in_trx_id, reason, source, decided_by, decided_at)
    values (${uuidv7({ msecs: now })}::uuid, ${toUuid(entityId)}::uuid, 'transfer', ${state}, ${outId}::uuid, ${inId}::uuid, 'manual', 'manual',
      ${userId}::uuid, ${new Date(now).toISOString()}::timestamptz)
    returning ${matchFields}`;
}

/**
 * Writes a decision: the pair's match row takes the state, other live matches of the legs are rejected and remembered,
 * and the legs carry the state. Deciding the same again changes nothing but the match's version. Of anything else the legs are told by theirs,
 * be it that one is paired with another row and keeps its state: whoever saw the former pair decides about another one.
 * @returns the match, and the transactions that changed: all are of its entity, as their match is.
 */
export async function decideMatch(db: Db, decision: Decision): Promise<DecidedMatch> {
  const legs = [decision.outId, decision.inId].filter((id) => id !== null);
  // one decision at a time in an entity: it may touch rows beyond its two legs, and two that cross would undo each other
  await rowsOf(db, sql`select 1 from entities where id = ${toUuid(decision.entityId)}::uuid for no key update`);
  const existing = await db.select().from(transactionMatches).where(involves(legs));
  const same = existing.find((match) => match.out_trx_id === decision.outId && match.in_trx_id === decision.inId);
  const live = existing.filter((match) => match !== same && match.state !== 'REJECTED');
  // saying that two rows are no pair says nothing of their other matches; anything else takes their place
  const isPairRefused = decision.state === 'REJECTED' && legs.length === 2;
  const rivals = isPairRefused ? [] : live;
  const stamp = { decided_by: decision.userId, decided_at: new Date(decision.now), source: 'manual' as const };
  if (rivals.length > 0) {
    await db
      .update(transactionMatches)
      .set({ ...stamp, state: 'REJECTED', version: sql`${transactionMatches.version} + 1` })
      .where(
        and(
          inArray(
            transactionMatches.id,
            rivals.map((match) => match.id),
          ),
          ne(transactionMatches.state, 'REJECTED'),
        ),
      );
  }
  const [match] = await rowsOf<TransactionMatch>(db, same ? decideAgain(same.id, decision) : decideNew(decision));
  if (!match) throw new Error('The match just written is not there');
  const freed = await freeLegs(
    db,
    rivals.flatMap((match) => [match.out_trx_id, match.in_trx_id]).filter((leg) => leg !== null && !legs.includes(leg)),
  );
  const isNews = !isPairRefused && (rivals.length > 0 || same?.state !== decision.state);
  const decided = await setState(
    db,
    isPairRefused ? legs.filter((leg) => !isHeld(live, leg)) : legs,
    decision.state,
    isNews ? undefined : ne(sql`coalesce(${transactions.match_state}, '')`, decision.state),
  );
  return { ...match, changed_transactions: [...freed, ...decided] };
}
