import { ApiError } from '#contract/errors.ts';
import { endOtherSessions, endOwnSession, getMe, listOwnSessions, login, logout, refreshToken, signInMessages } from '#contract/session.ts';
import { clearSessionCookies, readCookie } from '#server/cookies.ts';
import { isPassword } from '#server/passwords.ts';
import { endOthersOf, endOwnOf, listOpenOf } from '#server/repositories/own-sessions.ts';
import { endSessionOf, findSignInUser, refreshSession, startSession } from '#server/repositories/sessions.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { answerTokens, signInLimiter } from '#server/sign-in.ts';
import { addressOf } from '#server/request-address.ts';

export function sessionRoutes(server: Server): void {
  const { config, database } = server;
  const countAttempt = signInLimiter(config.signInsPerMinute);
  // an office shares one address; somebody who tries many names from one is still stopped
  const countAddress = signInLimiter(config.signInsPerMinute * 10);

  route(server, login, async ({ email, password, shared_computer: isShared = false }, { request, reply, now }) => {
    // of an address that is to wait no more names are remembered
    countAddress(addressOf(request), now);
    countAttempt(`${addressOf(request)} ${email.toLowerCase()}`, now);
    const user = await findSignInUser(database.db, email);
    const isRight = await isPassword(password, user?.password_hash ?? null);
    const tokens = user && isRight ? await database.db.transaction((db) => startSession(db, user.id, now, user.password_hash)) : undefined;
    if (!tokens) throw new ApiError({ code: 'not_authenticated', detail: signInMessages.refused });
    return answerTokens(reply, tokens, { isSecure: config.isSecure, isShared });
  });

  route(server, refreshToken, async ({ refresh_token }, { request, reply, now }) => {
    const token = readCookie(request, 'refresh', config.isSecure) ?? refresh_token;
    if (!token) throw new ApiError({ code: 'not_authenticated', detail: 'No access token' });
    const tokens = await database.db.transaction((db) => refreshSession(db, token, now));
    if (!tokens) throw new ApiError({ code: 'not_authenticated', detail: 'Invalid token' });
    const isShared = readCookie(request, 'shared', config.isSecure) !== undefined;
    return answerTokens(reply, tokens, { isSecure: config.isSecure, isShared });
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

  route(server, listOwnSessions, (_input, { db, user, now }) => listOpenOf(db, user, now));

  route(server, endOwnSession, async ({ id, remove_copy }, { db, user, now }) => {
    if (!(await endOwnOf(db, user, id, now, remove_copy))) throw new ApiError({ code: 'not_found', detail: 'Sign-in not found' });
    return {};
  });

  route(server, endOtherSessions, async (_input, { db, user, now }) => ({ count: await endOthersOf(db, user, now) }));
}
