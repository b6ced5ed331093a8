import type { FastifyReply } from 'fastify';
import { ApiError } from '#contract/errors.ts';
import type { LoginAnswer } from '#contract/session.ts';
import { expiresAtText } from '#domain/session.ts';
import { type SessionCookies, setSessionCookies } from './cookies.ts';
import type { TokenPair } from './repositories/sessions.ts';

// What signing in by password and by provider share.

/** Counts sign-in attempts, or what else nobody makes many of, by a key, such as address and e-mail, over the last minute; throws `throttled` beyond the limit. */
export function signInLimiter(perMinute: number, what = 'sign-in attempts'): (key: string, now: number) => void {
  const attempts = new Map<string, number[]>();
  return (key, now) => {
    const recent = (attempts.get(key) ?? []).filter((at) => now - at < 60_000);
    if (recent.length >= perMinute) {
      const retryAfterMs = 60_000 - (now - (recent[0] ?? now));
      throw new ApiError({
        code: 'throttled',
        detail: `Too many ${what}. Please wait ${Math.ceil(retryAfterMs / 1000)} seconds.`,
        retryAfterMs,
      });
    }
    attempts.set(key, [...recent, now]);
    // only what still counts is kept
    if (attempts.size > 10_000) for (const [other, times] of attempts) if (now - (times.at(-1) ?? 0) >= 60_000) attempts.delete(other);
  };
}

/** Gives the browser its session: the cookies, and the answer the page keeps. */
export function answerTokens(reply: FastifyReply, tokens: TokenPair, cookies: SessionCookies): LoginAnswer {
  setSessionCookies(reply, tokens, cookies);
  return { refresh_token: tokens.refresh, expires_at: expiresAtText(tokens.accessExpiresAt) };
}
