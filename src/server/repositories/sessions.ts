import { createHash, randomBytes } from 'node:crypto';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { permissionKeys, type PermissionMap } from '#contract/permissions.ts';
import { sessionLimits } from '#contract/session.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { sessionTokens, sessions } from '#server/database/tables/sign-ins.ts';
import { users } from '#server/database/tables/users.ts';

/** Who makes a request, as the session cookie says. */
export interface SignedIn {
  id: string;
  email: string;
  name: string | null;
  is_superuser: boolean;
  permissions: PermissionMap;
  session_id: string;
  /** Grows whenever what the person may see or do changes. */
  perm_version: number;
}

/** A fresh pair of tokens. Only their hashes are stored. */
export interface TokenPair {
  access: string;
  refresh: string;
  accessExpiresAt: number;
  refreshExpiresAt: number;
}

/** A refresh token may be used once more within this time: two tabs that refresh at once both go on. */
const reuseGraceMs = 10_000;

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

async function issueTokens(db: Db, sessionId: string, startedAt: number, now: number): Promise<TokenPair> {
  const access = randomBytes(32).toString('base64url');
  const refresh = randomBytes(32).toString('base64url');
  const ends = startedAt + sessionLimits.onlineMs;
  const accessExpiresAt = Math.min(now + sessionLimits.accessMs, ends);
  await db.insert(sessionTokens).values([
    { hash: hashOf(access), session_id: sessionId, kind: 'access', expires_at: new Date(accessExpiresAt) },
    { hash: hashOf(refresh), session_id: sessionId, kind: 'refresh', expires_at: new Date(ends) },
  ]);
  return { access, refresh, accessExpiresAt, refreshExpiresAt: ends };
}

/** Finds the user of an e-mail whatever its case; disabled users are not found. */
export async function findSignInUser(db: Db, email: string): Promise<{ id: string; password_hash: string | null } | undefined> {
  const found = await db
    .select({ id: users.id, password_hash: users.password_hash })
    .from(users)
    .where(and(sql`lower(${users.email}) = ${email.trim().toLowerCase()}`, eq(users.is_enabled, true)));
  return found[0];
}

/**
 * Starts a session; sessions never outlive 12 hours, whatever is refreshed. In a transaction.
 * @param checked the hash that the password they gave was compared with, which takes a while; absent where they gave none.
 * @returns `undefined` where the person was disabled, or that password taken from them, since they were looked for.
 */
export async function startSession(db: Db, userId: string, now: number, checked?: string | null): Promise<TokenPair | undefined> {
  // whoever ends all sessions of a person holds them, too, and has ended this one or finds that there is none
  const [user] = await rowsOf<{ password_hash: string | null }>(
    db,
    sql`select password_hash from users where id = ${userId}::uuid and is_enabled for no key update`,
  );
  if (!user || (checked !== undefined && user.password_hash !== checked)) return undefined;
  const id = uuidv7();
  // a person's row tells the day of the last sign-in, so it changes with the first of a day
  const today = sql`select 1 from sessions s where s.user_id = ${userId}::uuid
    and (s.started_at at time zone 'UTC')::date = (${new Date(now).toISOString()}::timestamptz at time zone 'UTC')::date`;
  await db.execute(sql`update users set version = version + 1 where id = ${userId}::uuid and not exists (${today})`);
  await db.insert(sessions).values({ id, user_id: userId, started_at: new Date(now) });
  return issueTokens(db, id, now, now);
}

/** Deletes tokens whose time is long over: they are only ballast. */
export async function forgetTokens(db: Db, now: number): Promise<void> {
  await db.delete(sessionTokens).where(lt(sessionTokens.expires_at, new Date(now - sessionLimits.onlineMs)));
}

/**
 * Exchanges a refresh token for a new pair.
 * A token used before, longer ago than the grace, means somebody copied it: the whole session ends.
 * @returns `undefined` when the token opens nothing.
 */
export async function refreshSession(db: Db, token: string, now: number): Promise<TokenPair | undefined> {
  const found = await rowsOf<{ session_id: string; started_at: string; used_ms: string | null }>(
    db,
    sql`select s.id::text as session_id, (extract(epoch from s.started_at) * 1000)::bigint::text as started_at,
        (extract(epoch from t.used_at) * 1000)::bigint::text as used_ms
      from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
      where t.hash = ${hashOf(token)} and t.kind = 'refresh' and t.expires_at > ${new Date(now).toISOString()}::timestamptz
        and s.revoked_at is null and u.is_enabled
      for update of t`,
  );
  const row = found[0];
  if (!row) return undefined;
  if (row.used_ms !== null && now - Number(row.used_ms) > reuseGraceMs) {
    await endSession(db, row.session_id, now);
    return undefined;
  }
  await db
    .update(sessionTokens)
    .set({ used_at: new Date(now) })
    .where(and(eq(sessionTokens.hash, hashOf(token)), isNull(sessionTokens.used_at)));
  return issueTokens(db, row.session_id, Number(row.started_at), now);
}

/** Ends a session: none of its tokens opens anything from now on. */
async function endSession(db: Db, sessionId: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ revoked_at: new Date(now) })
    .where(and(eq(sessions.id, sessionId), isNull(sessions.revoked_at)));
}

/** Ends every session of a person. */
export async function endSessionsOf(db: Db, userId: string, now: number): Promise<void> {
  await db
    .update(sessions)
    .set({ revoked_at: new Date(now) })
    .where(and(eq(sessions.user_id, userId), isNull(sessions.revoked_at)));
}

/** Ends the session a token belongs to, whether or not the token still opens it. */
export async function endSessionOf(db: Db, token: string, now: number): Promise<void> {
  const [found] = await db
    .select({ id: sessionTokens.session_id })
    .from(sessionTokens)
    .where(eq(sessionTokens.hash, hashOf(token)));
  if (found) await endSession(db, found.id, now);
}

/** The user of an access token with the union of their roles' permissions, or `undefined` when it opens nothing. */
export async function findSignedIn(db: Db, accessToken: string, now: number): Promise<SignedIn | undefined> {
  const found = await rowsOf<Omit<SignedIn, 'permissions'> & { granted: string }>(
    db,
    sql`select u.id::text as id, u.email, u.name, u.is_superuser, s.id::text as session_id, u.perm_version::int as perm_version,
        coalesce((select string_agg(distinct p, ',') from organization_members m join roles r on r.id = m.role_id
          join organizations o on o.id = m.organization_id and o.deleted_at is null, unnest(r.permissions) p
          where m.user_id = u.id), '') as granted
      from session_tokens t join sessions s on s.id = t.session_id join users u on u.id = s.user_id
      where t.hash = ${hashOf(accessToken)} and t.kind = 'access' and t.expires_at > ${new Date(now).toISOString()}::timestamptz
        and s.revoked_at is null and u.is_enabled`,
  );
  const row = found[0];
  if (!row) return undefined;
  const { granted, ...user } = row;
  const held = new Set(granted.split(','));
  return { ...user, permissions: Object.fromEntries(permissionKeys.map((key) => [key, held.has(key)])) };
}

/** The person of a session that is still open: not ended, not run out, the person not disabled. */
export async function findOpenSession(db: Db, sessionId: string, now: number): Promise<{ id: string; is_superuser: boolean } | undefined> {
  const found = await rowsOf<{ id: string; is_superuser: boolean }>(
    db,
    sql`select u.id::text as id, u.is_superuser from sessions s join users u on u.id = s.user_id
      where s.id = ${sessionId}::uuid and s.revoked_at is null and u.is_enabled and exists (
        select 1 from session_tokens t where t.session_id = s.id and t.kind = 'access' and t.expires_at > ${new Date(now).toISOString()}::timestamptz)`,
  );
  return found[0];
}
