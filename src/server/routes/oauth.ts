import { randomBytes } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { ApiError, providerUnavailableText } from '#contract/errors.ts';
import { beginOauth, finishOauth, oauthMessages } from '#contract/oauth.ts';
import { signInMessages } from '#contract/session.ts';
import { openProvider, ProviderTrouble } from '#server/connectors/openid.ts';
import { clearOauthCookie, readCookie, setOauthCookie } from '#server/cookies.ts';
import { findPerson, keepAttempt, takeAttempt } from '#server/repositories/oauth.ts';
import { startSession } from '#server/repositories/sessions.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';
import { answerTokens, signInLimiter } from '#server/sign-in.ts';
import { addressOf } from '#server/request-address.ts';

/** How long a sign-in at the provider may take, in milliseconds. */
const attemptMs = 10 * 60_000;

const secret = (): string => randomBytes(32).toString('base64url');

/** What a question to the provider gives; its trouble is logged by its code, and told as such. */
async function answerOf<T>(request: FastifyRequest, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ProviderTrouble)) throw error;
    request.log.warn({ reason: error.code }, 'the sign-in provider cannot be used');
    throw new ApiError({ code: 'provider_unavailable', detail: providerUnavailableText });
  }
}

export function oauthRoutes(server: Server): void {
  const { config, database, clock } = server;
  const provider = config.oauth && openProvider(config.oauth, clock);
  // as for passwords: an office shares one address; who a person is, only the provider knows
  const countAddress = signInLimiter(config.signInsPerMinute * 10);

  function required() {
    if (!provider) throw new ApiError({ code: 'not_found', detail: oauthMessages.none });
    return provider;
  }

  route(server, beginOauth, async (_input, { db, request, reply, now }) => {
    const asked = required();
    countAddress(addressOf(request), now);
    const attempt = { state: secret(), browser: secret(), codeVerifier: secret(), nonce: secret() };
    const authorization_url = await answerOf(request, asked.authorizationUrl(attempt));
    const expiresAt = now + attemptMs;
    await keepAttempt(db, attempt, expiresAt);
    setOauthCookie(reply, { secret: attempt.browser, expiresAt }, config.isSecure);
    return { authorization_url };
  });

  route(server, finishOauth, async (input, { db, request, reply, now }) => {
    const asked = required();
    countAddress(addressOf(request), now);
    const browser = readCookie(request, 'oauth', config.isSecure);
    const attempt = browser && (await takeAttempt(db, { state: input.state, browser }, now));
    if (!attempt) throw new ApiError({ code: 'invalid', detail: oauthMessages.stale });
    clearOauthCookie(reply, config.isSecure);
    const claimed = await answerOf(request, asked.identify(input, attempt));
    const tokens = await database.db.transaction(async (tx) => {
      const userId = claimed && (await findPerson(tx, claimed));
      return userId && startSession(tx, userId, now);
    });
    if (!tokens) throw new ApiError({ code: 'not_authenticated', detail: signInMessages.refused });
    return answerTokens(reply, tokens, { isSecure: config.isSecure, isShared: input.shared_computer ?? false });
  });
}
