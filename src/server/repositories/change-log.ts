import { type SQL, sql } from 'drizzle-orm';
import type { FeedAnswer, FeedNoun } from '#contract/feed.ts';
import { isAllowed } from '#domain/permissions.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import type { SignedIn } from './sessions.ts';
import {
  type Viewer,
  visibleClientIds,
  visibleEntityIds,
  visibleOrganizationIds,
  wholeClientIds,
  wholeOrganizationIds,
  worklistPermissions,
} from './visibility.ts';

/** A place in the log, `xid.seq`: all up to it was read. Compared as numbers, of which JavaScript alone holds too few digits. */
export type Cursor = string;

/** The number of the transaction a place is in. */
export function transactionOf(cursor: Cursor): string {
  return cursor.split('.')[0] ?? '';
}

/** Whether one place comes before another. */
export function isBefore(left: Cursor, right: Cursor): boolean {
  const [[leftXid = '', leftSeq = ''], [rightXid = '', rightSeq = '']] = [left.split('.'), right.split('.')];
  return BigInt(leftXid) < BigInt(rightXid) || (BigInt(leftXid) === BigInt(rightXid) && BigInt(leftSeq) < BigInt(rightSeq));
}

function atCursor(cursor: Cursor): SQL {
  const [xid, seq] = cursor.split('.');
  return sql`(${xid}::xid8, ${seq}::bigint)`;
}

/** Transactions numbered lower are over: whatever they changed is to be seen, and nothing will come between. */
const oldestRunning = sql`pg_snapshot_xmin(pg_current_snapshot())`;

export interface FeedState {
  server_gen: string;
  /** The oldest place the log can be read on from. */
  floor: Cursor;
  /** The place up to which everything is known to the statement that asks. */
  present: Cursor;
  perm_version: number;
}

/** Which database this is; another one after a backup was restored. */
export async function generationOf(db: Db): Promise<string | null> {
  const [state] = await rowsOf<{ server_gen: string }>(db, sql`select server_gen::text as server_gen from feed_state`);
  return state?.server_gen ?? null;
}

/** Where the feed stands, for one person. */
export async function feedStateOf(db: Db, userId: string): Promise<FeedState> {
  const [state] = await rowsOf<FeedState>(
    db,
    sql`select f.server_gen::text as server_gen, f.floor_xid::text || '.' || f.floor_seq as floor, ${oldestRunning}::text || '.0' as present,
        u.perm_version::int as perm_version
      from feed_state f, users u where u.id = ${userId}::uuid`,
  );
  if (!state) throw new Error('The database does not say which one it is');
  return state;
}

/** `parent` is the scope this one lies in: of an entity its client, of a client `user`. */
type VisibleScope = FeedAnswer['scopes_gained'][number];

/**
 * The scopes a person may read now, but for `user`, which everybody has: clients before their entities. An entity is one where its
 * transactions may be read: whose rights to those go is told that the scope is lost, and keeps nothing that would grow old meanwhile.
 */
export function visibleScopes(db: Db, viewer: Viewer): Promise<VisibleScope[]> {
  return rowsOf(
    db,
    sql`select 'client:' || c.id as key, 'user' as parent from clients c where c.id in (${visibleClientIds(viewer, 'account_read')})
      union all
      select 'entity:' || e.id, 'client:' || e.client_id from entities e
        where e.id in (${visibleEntityIds(viewer, 'transaction_read')})
      order by 1`,
  );
}

/**
 * Whether a person may learn of a line l of the log: of the rows they may see, and of rows that are gone, or elsewhere now,
 * where they see all there is in the place those were in.
 */
function isForViewer(viewer: SignedIn): SQL {
  const conditions: Record<FeedNoun, SQL> = {
    organizations: viewer.is_superuser ? sql`true` : sql`l.row_id in (${visibleOrganizationIds(viewer, 'organization_read')})`,
    clients: sql`(l.row_id in (${visibleClientIds(viewer, 'client_read')}) or l.place in (${wholeOrganizationIds(viewer, 'client_read')}))`,
    entities: sql`(l.row_id in (${visibleEntityIds(viewer, 'entity_read')}) or l.place in (${wholeClientIds(viewer, 'entity_read')}))`,
    archived_assets: sql`l.place in (${visibleClientIds(viewer, 'client_read')})`,
    custodians: sql`${isAllowed(viewer, { anyOf: ['custodian_read'] })}`,
    securities: sql`${isAllowed(viewer, { anyOf: ['security_read'] })}`,
    saved_views: sql`l.place = ${viewer.id}::uuid`,
    users: viewer.is_superuser ? sql`true` : sql`l.place in (${visibleOrganizationIds(viewer, 'user_read')})`,
    accounts: sql`l.place in (${visibleEntityIds(viewer, 'account_read')})`,
    entity_worklists: sql`(l.row_id in (${visibleEntityIds(viewer, worklistPermissions)}) or l.place in (${wholeClientIds(viewer, worklistPermissions)}))`,
    value_histories: sql`(l.row_id in (${visibleEntityIds(viewer, 'account_read')}) or l.place in (${wholeClientIds(viewer, 'account_read')}))`,
    transactions: sql`l.place in (${visibleEntityIds(viewer, 'transaction_read')})`,
    transaction_matches: sql`l.place in (${visibleEntityIds(viewer, 'transaction_match_read')})`,
  };
  const branches = Object.entries(conditions).map(([noun, condition]) => sql`when ${noun} then ${condition}`);
  return sql`case l.noun ${sql.join(branches, sql` `)} end`;
}

/** One line of the log. */
export interface LoggedChange {
  cursor: Cursor;
  /** The scope as the client names it. */
  scope: string;
  noun: FeedNoun;
  row_id: string;
  version: number;
}

/** Lines after a cursor in some scopes, of those the person may learn of, in the order of commits. */
export function listLoggedChanges(
  db: Db,
  viewer: SignedIn,
  { after, scopes, limit }: { after: Cursor; scopes: readonly string[]; limit: number },
): Promise<LoggedChange[]> {
  // what is one person's alone lies apart in the log
  const own = `user:${viewer.id}`;
  const keys = scopes.flatMap((key) => (key === 'user' ? ['user', own] : key.startsWith('user') ? [] : [key]));
  return rowsOf(
    db,
    sql`select l.xid::text || '.' || l.seq as cursor, case when l.scope = ${own} then 'user' else l.scope end as scope, l.noun,
        l.row_id::text as row_id, l.version::int as version
      from (select distinct jsonb_array_elements_text(${JSON.stringify(keys)}::jsonb) as key) s
      cross join lateral (
        select * from change_log l
        where l.scope = s.key and (l.xid, l.seq) > ${atCursor(after)} and l.xid < ${oldestRunning} and ${isForViewer(viewer)}
        order by l.xid, l.seq limit ${limit}
      ) l
      order by l.xid, l.seq limit ${limit}`,
  );
}

/** Nouns whose ids their makers choose, and may choose again: what is made anew goes on counting where the log says that the former ended. */
const madeAnew: FeedNoun[] = ['saved_views', 'archived_assets'];

/**
 * Deletes what was logged before a moment, but for the end of what may be made anew. A cursor older than the last line deleted can no
 * longer be gone on from.
 */
export async function forgetChanges(db: Db, before: Date): Promise<void> {
  await db.execute(
    sql`with gone as (delete from change_log where at < ${before.toISOString()}::timestamptz
          and not (op = 'del' and noun in (select jsonb_array_elements_text(${JSON.stringify(madeAnew)}::jsonb))) returning xid, seq),
        last as (select xid, seq from gone order by xid desc, seq desc limit 1)
      update feed_state f set floor_xid = last.xid, floor_seq = last.seq from last where (f.floor_xid, f.floor_seq) < (last.xid, last.seq)`,
  );
}

/** Where numbers of transactions come from: a dump that is restored goes on with others, be it in the same cluster. */
interface Origin {
  /** Null where this server may not ask. */
  cluster: string | null;
  /** The database, and the table of the log. */
  place: string;
}

async function originOf(db: Db): Promise<Origin> {
  const [may] = await rowsOf<{ asks: boolean }>(db, sql`select has_function_privilege('pg_control_system()', 'execute') as asks`);
  const cluster = may?.asks ? sql`(select system_identifier::text from pg_control_system())` : sql`null::text`;
  const [origin] = await rowsOf<Origin>(
    db,
    sql`select ${cluster} as cluster, concat_ws(' ', (select oid from pg_database where datname = current_database()), 'change_log'::regclass::oid) as place`,
  );
  return origin ?? { cluster: null, place: '' };
}

/**
 * Begins the log anew where its numbers are another database's, whose dump was restored here: of the transactions here none of them says
 * whether it was before or after. Every device then reads everything anew. @returns whether it was so.
 */
export function beginWhereRestored(db: Db): Promise<boolean> {
  return db.transaction(async (tx) => {
    const next = sql`pg_snapshot_xmax(pg_current_snapshot())`;
    const { cluster, place } = await originOf(tx);
    const others = await rowsOf(
      tx,
      sql`select 1 where exists (select 1 from feed_state f where f.floor_xid >= ${next} or f.place <> ${place} or f.cluster <> ${cluster}::text)
        or exists (select 1 from change_log where xid >= ${next}) or exists (select 1 from idempotency where xid >= ${next})`,
    );
    await tx.execute(sql`update feed_state f set place = ${place}, cluster = coalesce(${cluster}::text, f.cluster)`);
    if (others.length === 0) return false;
    // the lines stay: what is made anew goes on counting from them
    await tx.execute(sql`update change_log set xid = '0'`);
    await tx.execute(sql`update idempotency set xid = '0'`);
    await tx.execute(sql`update feed_state set floor_xid = '0', floor_seq = 0, server_gen = gen_random_uuid()`);
    return true;
  });
}
