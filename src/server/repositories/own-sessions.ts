import { and, eq, isNull, ne, sql } from 'drizzle-orm';
import type { OwnSession } from '#contract/session.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { sessions } from '#server/database/tables/sign-ins.ts';
import { keepsCopyAlone, orderRemovalOf } from './device-removals.ts';
import type { SignedIn } from './sessions.ts';

// a sign-in is its person's alone: every statement here names them

type Asking = Pick<SignedIn, 'id' | 'session_id'>;

/** The sign-ins of whoever asks that still open something, the newest first. */
export async function listOpenOf(db: Db, { id, session_id }: Asking, now: number): Promise<OwnSession[]> {
  const rows = await rowsOf<{ id: string; started_ms: string; renewed_ms: string; keeps_copy: boolean }>(
    db,
    sql`select s.id::text as id, (extract(epoch from s.started_at) * 1000)::bigint::text as started_ms,
        (extract(epoch from coalesce(max(t.used_at), s.started_at)) * 1000)::bigint::text as renewed_ms,
        ${keepsCopyAlone(now)} as keeps_copy
      from sessions s join session_tokens t on t.session_id = s.id
      where s.user_id = ${id}::uuid and s.revoked_at is null
      group by s.id having max(t.expires_at) > ${new Date(now).toISOString()}::timestamptz
      order by s.started_at desc, s.id desc`,
  );
  return rows.map((row) => ({
    id: row.id,
    started_at: new Date(Number(row.started_ms)).toISOString(),
    last_renewed_at: new Date(Number(row.renewed_ms)).toISOString(),
    is_present: row.id === session_id,
    keeps_copy: row.keeps_copy,
  }));
}

/** Ends one. @returns whether it is theirs; one that had ended keeps the moment it did. */
export async function endOwnOf(db: Db, asking: Asking, sessionId: string, now: number, removesCopy = false): Promise<boolean> {
  const { id } = asking;
  if (removesCopy) await orderRemovalOf(db, asking, sessionId, now);
  const ended = await db
    .update(sessions)
    .set({ revoked_at: sql`coalesce(${sessions.revoked_at}, ${new Date(now).toISOString()}::timestamptz)` })
    .where(and(eq(sessions.id, toUuid(sessionId)), eq(sessions.user_id, id)))
    .returning({ id: sessions.id });
  return ended.length > 0;
}

/** Ends all but the one that asks. @returns how many that were. */
export async function endOthersOf(db: Db, { id, session_id }: Asking, now: number): Promise<number> {
  const ended = await db
    .update(sessions)
    .set({ revoked_at: new Date(now) })
    .where(and(eq(sessions.user_id, id), ne(sessions.id, session_id), isNull(sessions.revoked_at)))
    .returning({ id: sessions.id });
  return ended.length;
}
