import { sql } from 'drizzle-orm';
import { ApiError, feedRefusals } from '#contract/errors.ts';
import type { FeedAck, FeedAnswer, FeedChange, FeedNoun } from '#contract/feed.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import {
  type Cursor,
  type FeedState,
  feedStateOf,
  isBefore,
  type LoggedChange,
  listLoggedChanges,
  transactionOf,
  visibleScopes,
} from './change-log.ts';
import { existingIds, rowsNow, scopeOfRow } from './feed-rows.ts';
import type { SignedIn } from './sessions.ts';

export interface FeedQuery {
  device_id: string;
  server_gen: string;
  cursor: Cursor | null;
  scopes: readonly string[];
  limit: number;
}

/** Each changed row once, by the last line of the log about it. */
function lastOfEach(page: readonly LoggedChange[]): LoggedChange[] {
  const last = new Map<string, LoggedChange>();
  for (const line of page) {
    const key = `${line.noun} ${line.row_id}`;
    last.delete(key);
    last.set(key, line);
  }
  return [...last.values()];
}

/** What became of the rows a page of the log is about: read as they are now, in the order of the log. */
async function changesOf(db: Db, viewer: SignedIn, page: readonly LoggedChange[], scopes: ReadonlySet<string>): Promise<FeedChange[]> {
  const lines = lastOfEach(page);
  const now = new Map<FeedNoun, Awaited<ReturnType<typeof rowsNow>>>();
  const there = new Map<FeedNoun, Set<string>>();
  for (const noun of new Set(lines.map((line) => line.noun))) {
    const ids = lines.filter((line) => line.noun === noun).map((line) => line.row_id);
    const rows = await rowsNow(db, viewer, noun, ids);
    const unseen = ids.filter((id) => !rows.has(id));
    now.set(noun, rows);
    there.set(noun, await existingIds(db, viewer, noun, unseen));
  }
  return lines.map(({ noun, row_id: id, scope, version }): FeedChange => {
    const row = now.get(noun)?.get(id);
    const scopeNow = row && scopeOfRow(noun, row);
    if (row && scopeNow !== undefined && scopes.has(scopeNow)) return { scope: scopeNow, noun, id, op: 'put', version: row.version, row };
    const isThere = row !== undefined || there.get(noun)?.has(id) === true;
    return { scope, noun, id, op: isThere ? 'out' : 'del', version };
  });
}

/**
 * The stored answers to changes a device sent. Those of the transaction a cursor stands in may come twice, none is left out.
 */
async function acksOf(db: Db, viewer: SignedIn, deviceId: string, [after, upTo]: [Cursor, Cursor]): Promise<FeedAck[]> {
  const xidOf = (cursor: Cursor) => sql`${transactionOf(cursor)}::xid8`;
  const rows = await rowsOf<{ mutation_id: string; status: number; version: string | null }>(
    db,
    sql`select i.key as mutation_id, i.status::int as status, i.body->>'version' as version from idempotency i
      where i.user_id = ${viewer.id}::uuid and i.device_id = ${deviceId} and i.xid >= ${xidOf(after)} and i.xid < ${xidOf(upTo)} and i.status is not null
      order by i.xid, i.key`,
  );
  return rows.map(({ mutation_id, status, version }) => ({
    mutation_id,
    status,
    ...(version === null ? {} : { version: Number(version) }),
  }));
}

/**
 * The lines to tell at once, of one more than may be: they end with a whole transaction, so that nobody is shown half of a change. Only
 * one that is larger than a page, such as an import, comes in parts.
 */
function pageOf(found: readonly LoggedChange[], limit: number): readonly LoggedChange[] {
  const next = found[limit];
  if (!next) return found;
  const page = found.slice(0, limit);
  const whole = page.filter((line) => transactionOf(line.cursor) !== transactionOf(next.cursor));
  return whole.length > 0 ? whole : page;
}

function checkCursor(cursor: Cursor, state: FeedState, resync: readonly string[]): void {
  // numbers of transactions only grow: a cursor from the future was given by another database, whatever this one calls itself
  if (isBefore(state.present, cursor)) throw new ApiError({ code: 'generation_changed', detail: feedRefusals.generationChanged });
  if (!isBefore(cursor, state.floor)) return;
  throw new ApiError({ code: 'cursor_too_old', detail: feedRefusals.cursorTooOld, beside: { floor: state.floor, resync } });
}

/**
 * What changed for a person after a cursor, all of it as one moment saw it.
 * @throws ApiError `generation_changed` where the cursor is another database's, `cursor_too_old` where the log no longer
 *   reaches back to it.
 */
export function readChanges(db: Db, viewer: SignedIn, query: FeedQuery, now: number): Promise<FeedAnswer> {
  const read = async (tx: Db): Promise<FeedAnswer> => {
    // compiling the one long condition takes PostgreSQL twenty times as long as it takes to read a page by it
    await tx.execute(sql`set local jit = off`);
    const state = await feedStateOf(tx, viewer.id);
    if (query.server_gen !== state.server_gen) throw new ApiError({ code: 'generation_changed', detail: feedRefusals.generationChanged });
    const visible = await visibleScopes(tx, viewer);
    const visibleKeys = new Set(['user', ...visible.map((scope) => scope.key)]);
    const asked = new Set(query.scopes);
    const scopes = new Set([...asked].filter((key) => visibleKeys.has(key)));
    const seen = {
      server_time: new Date(now).toISOString(),
      perm_version: state.perm_version,
      scopes_gained: visible.filter((scope) => !asked.has(scope.key)),
      scopes_lost: [...asked].filter((key) => !visibleKeys.has(key)),
    };
    if (query.cursor === null) return { cursor: state.present, has_more: false, ...seen, changes: [], acks: [] };
    checkCursor(query.cursor, state, [...scopes]);
    const found = await listLoggedChanges(tx, viewer, { after: query.cursor, scopes: [...scopes], limit: query.limit + 1 });
    const page = pageOf(found, query.limit);
    const hasMore = found.length > page.length;
    const cursor = (hasMore && page.at(-1)?.cursor) || state.present;
    return {
      cursor,
      has_more: hasMore,
      ...seen,
      changes: await changesOf(tx, viewer, page, scopes),
      acks: await acksOf(tx, viewer, query.device_id, [query.cursor, cursor]),
    };
  };
  return db.transaction(read, { isolationLevel: 'repeatable read', accessMode: 'read only' });
}
