import { createHash } from 'node:crypto';
import { and, eq, gt, lte, sql } from 'drizzle-orm';
import type { Db } from '#server/database/open.ts';
import { oauthAttempts, userIdentities } from '#server/database/tables/sign-ins.ts';
import { users } from '#server/database/tables/users.ts';

/** A sign-in at the provider that is under way, with all its secrets. */
export interface Attempt {
  state: string;
  /** What only the browser that began it has, in a cookie. */
  browser: string;
  codeVerifier: string;
  nonce: string;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Keeps an attempt until it runs out. */
export async function keepAttempt(db: Db, attempt: Attempt, expiresAt: number): Promise<void> {
  await db.insert(oauthAttempts).values({
    state_hash: hashOf(attempt.state),
    browser_hash: hashOf(attempt.browser),
    code_verifier: attempt.codeVerifier,
    nonce: attempt.nonce,
    expires_at: new Date(expiresAt),
  });
}

/** Deletes attempts that ran out. */
export async function forgetAttempts(db: Db, now: number): Promise<void> {
  await db.delete(oauthAttempts).where(lte(oauthAttempts.expires_at, new Date(now)));
}

/**
 * Takes an attempt out, so that it ends once, whatever comes of it.
 * @returns `undefined` where none of this state is under way in this browser; one of another browser stays for that.
 */
export async function takeAttempt(
  db: Db,
  { state, browser }: Pick<Attempt, 'state' | 'browser'>,
  now: number,
): Promise<Attempt | undefined> {
  const [taken] = await db
    .delete(oauthAttempts)
    .where(
      and(
        eq(oauthAttempts.state_hash, hashOf(state)),
        eq(oauthAttempts.browser_hash, hashOf(browser)),
        gt(oauthAttempts.expires_at, new Date(now)),
      ),
    )
    .returning({ codeVerifier: oauthAttempts.code_verifier, nonce: oauthAttempts.nonce });
  return taken && { state, browser, ...taken };
}

/** Who the provider says it is. */
export interface Claimed {
  issuer: string;
  subject: string;
  /** Null where the provider gives none, or does not vouch for it. */
  verifiedEmail: string | null;
}

/**
 * The enabled user somebody is: the one linked to them before, else the one of their verified e-mail, who is linked from now on. A user
 * who is linked already is nobody else, for an address may be given to another person. Nobody is created. @returns the user's id, or `undefined`.
 */
export async function findPerson(db: Db, { issuer, subject, verifiedEmail }: Claimed): Promise<string | undefined> {
  if (verifiedEmail !== null) {
    // only A to Z: of all letters some become others in lower case, and another's address with them
    const email = verifiedEmail.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
    await db.execute(
      sql`insert into user_identities (issuer, subject, user_id) select ${issuer}, ${subject}, ${users.id} from ${users}
        where lower(${users.email}) = ${email} and ${users.is_enabled}
          and not exists (select 1 from user_identities i where i.user_id = ${users.id} and i.issuer = ${issuer}) on conflict do nothing`,
    );
  }
  const [found] = await db
    .select({ id: users.id })
    .from(userIdentities)
    .innerJoin(users, eq(users.id, userIdentities.user_id))
    .where(and(eq(userIdentities.issuer, issuer), eq(userIdentities.subject, subject), eq(users.is_enabled, true)));
  return found?.id;
}
