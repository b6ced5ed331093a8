import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { invitationMessages, invitationMs } from '#contract/invitations.ts';
import { userMessages } from '#contract/users.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { actAs } from './audit.ts';
import { endSessionsOf, startSession, type TokenPair } from './sessions.ts';
import { holdAccount, isAccountOf } from './user-rules.ts';
import type { Viewer } from './visibility.ts';

/** What is told of an invitation once. */
export interface Invitation {
  token: string;
  expires_at: string;
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Makes the one open invitation of a person whose account is the viewer's to change. Its token is kept as SHA-256 only. */
export async function inviteUser(db: Db, viewer: Viewer, userId: string, now: number): Promise<Invitation> {
  const id = toUuid(userId);
  const user = await holdAccount(db, viewer, id);
  if (!user.is_enabled) throw new ApiError({ code: 'conflict', detail: userMessages.disabled });
  // a session that somebody left open is not enough to take the account over
  if (id === viewer.id) throw new ApiError({ code: 'conflict', detail: userMessages.ownInvitation });
  const token = randomBytes(32).toString('base64url');
  const expires_at = new Date(now + invitationMs).toISOString();
  await db.execute(
    sql`insert into user_invitations (user_id, token_hash, made_by, expires_at, created_at)
      values (${id}::uuid, ${hashOf(token)}, ${viewer.id}::uuid, ${expires_at}::timestamptz, ${new Date(now).toISOString()}::timestamptz)
      on conflict (user_id) do update set token_hash = excluded.token_hash, made_by = excluded.made_by,
        expires_at = excluded.expires_at, created_at = excluded.created_at`,
  );
  return { token, expires_at };
}

interface OpenInvitation {
  user_id: string;
  email: string;
  expires_at: string;
}

/**
 * The invitation of a token. Whoever made it must still be the one who may: a person who began to work
 * for another organization since is not taken over with a link from before.
 * @throws ApiError `invalid` with one text, whatever is wrong with it.
 */
export async function openInvitation(db: Db, token: string, now: number): Promise<OpenInvitation> {
  const stale = new ApiError({ code: 'invalid', detail: invitationMessages.stale });
  const [found] = await rowsOf<OpenInvitation & { made_by: string; by_superuser: boolean }>(
    db,
    sql`select i.user_id::text as user_id, u.email, i.made_by::text as made_by, b.is_superuser as by_superuser,
        to_char(i.expires_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as expires_at
      from user_invitations i join users u on u.id = i.user_id join users b on b.id = i.made_by
      where i.token_hash = ${hashOf(token)} and i.expires_at > ${new Date(now).toISOString()}::timestamptz and u.is_enabled and b.is_enabled`,
  );
  if (!found) throw stale;
  const maker: Viewer = { id: found.made_by, is_superuser: found.by_superuser };
  const stillMay = await rowsOf(db, sql`select 1 from users u where u.id = ${found.user_id}::uuid and ${isAccountOf(maker)}`);
  if (stillMay.length === 0) throw stale;
  return found;
}

/** Holds whom a token invites until the transaction ends. As all who change a person do: first the person, then what is theirs. */
async function holdInvited(db: Db, token: string): Promise<void> {
  const invited = sql`select user_id from user_invitations where token_hash = ${hashOf(token)}`;
  await rowsOf(db, sql`select 1 from users where id = (${invited}) for no key update`);
}

/** Takes an invitation up: it is gone, and so is every session there was. In one transaction. */
export async function acceptInvitation(db: Db, { token, hash }: { token: string; hash: string }, now: number): Promise<TokenPair> {
  await holdInvited(db, token);
  const { user_id: id } = await openInvitation(db, token, now);
  await actAs(db, id);
  await db.execute(sql`delete from user_invitations where user_id = ${id}::uuid`);
  await db.execute(sql`update users set password_hash = ${hash} where id = ${id}::uuid`);
  // who they are at a provider may be another account there by now: their verified e-mail tells it the next time
  await db.execute(sql`delete from user_identities where user_id = ${id}::uuid`);
  await endSessionsOf(db, id, now);
  const tokens = await startSession(db, id, now);
  if (!tokens) throw new ApiError({ code: 'invalid', detail: invitationMessages.stale });
  return tokens;
}
