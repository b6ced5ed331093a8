import type { FastifyReply } from 'fastify';
import { ApiError } from '#contract/errors.ts';
import type { LoginAnswer } from '#contract/session.ts';
import { getMe, login, logout, refreshToken, signInMessages } from '#contract/session.ts';
import { expiresAtText } from '#domain/session.ts';
import { clearSessionCookies, readCookie, setSessionCookies } from '#server/cookies.ts';
import { isPassword } from '#server/passwords.ts';
import { endSessionOf, findSignInUser, refreshSession, startSession, type TokenPair } from '#server/repositories/sessions.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

/** Counts sign-in attempts by address and e-mail over the last minute. */
function signInLimiter(perMinute: number): (key: string, now: number) => void {
  const attempts = new Map<string, number[]>();
  return (key, now) => {
    const recent = (attempts.get(key) ?? []).filter((at) => now - at < 60_000);
    if (recent.length >= perMinute) {
      const retryAfterMs = 60_000 - (now - (recent[0] ?? now));
      throw new ApiError({
        code: 'throttled',
        detail: `Too many sign-in attempts. Please wait ${Math.ceil(retryAfterMs / 1000)} seconds.`,
        retryAfterMs,
      });
    }
    attempts.set(key, [...recent, now]);
    // only what still counts is kept
    if (attempts.size > 10_000) for (const [other, times] of attempts) if (now - (times.at(-1) ?? 0) >= 60_000) attempts.delete(other);
  };
}

export function sessionRoutes(server: Server): void {
  const { config, database } = server;
  const countAttempt = signInLimiter(config.signInsPerMinute);
  // an office shares one address; somebody who tries many names from one is still stopped
  const countAddress = signInLimiter(config.signInsPerMinute * 10);

  function answer(reply: FastifyReply, tokens: TokenPair): LoginAnswer {
    setSessionCookies(reply, tokens, config.isSecure);
    return { refresh_token: tokens.refresh, expires_at: expiresAtText(tokens.accessExpiresAt) };
  }

  route(server, login, async ({ email, password }, { request, reply, now }) => {
    countAttempt(`${request.ip} ${email.toLowerCase()}`, now);
    countAddress(request.ip, now);
    const user = await findSignInUser(database.db, email);
    const isRight = await isPassword(password, user?.password_hash ?? null);
    if (!user || !isRight) throw new ApiError({ code: 'not_authenticated', detail: signInMessages.refused });
    return answer(reply, await database.db.transaction((db) => startSession(db, user.id, now)));
  });

  route(server, refreshToken, async ({ refresh_token }, { request, reply, now }) => {
    const token = readCookie(request, 'refresh', config.isSecure) ?? refresh_token;
    if (!token) throw new ApiError({ code: 'not_authenticated', detail: 'No access token' });
    const tokens = await database.db.transaction((db) => refreshSession(db, token, now));
    if (!tokens) throw new ApiError({ code: 'not_authenticated', detail: 'Invalid token' });
    return answer(reply, tokens);
  });

  route(server, logout, async (_input, { request, reply, now }) => {
    // either token proves whose session it is, also one that has run out
    for (const kind of ['access', 'refresh'] as const) {
      const token = readCookie(request, kind, config.isSecure);
      if (token !== undefined) await endSessionOf(database.db, token, now);
    }
    clearSessionCookies(reply, config.isSecure);
    return {};
  });

  route(server, getMe, async (_input, { user }) => {
    const { session_id: _session, perm_version: _version, ...me } = user;
    return me;
  });
}
