import { randomUUID } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from './repositories/sessions.ts';

/**
 * `oauth` is the secret of the browser that began a sign-in at the provider; `shared` says that the session ends with the browser;
 * `browser` names one that is trusted, and opens nothing.
 */
type CookieKind = 'access' | 'refresh' | 'oauth' | 'shared' | 'browser';

/** The longest a browser keeps a cookie, in seconds. */
const longestSeconds = 400 * 86_400;

/** Cookie names: over TLS the `__Host-` prefix pins them to this host and to the root path. */
function cookieName(kind: CookieKind, isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}tieout_${kind}`;
}

function optionsOf(isSecure: boolean) {
  return { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
}

export function readCookie(request: FastifyRequest, kind: CookieKind, isSecure: boolean): string | undefined {
  return request.cookies[cookieName(kind, isSecure)];
}

/** The name a browser was given; none of one that has none, or something else in its place. */
function givenName(request: FastifyRequest, isSecure: boolean): string | undefined {
  const name = readCookie(request, 'browser', isSecure);
  return name !== undefined && /^[0-9a-f-]{36}$/.test(name) ? name : undefined;
}

/** The name of the browser a request comes from, where it is trusted. */
export function browserOf(request: FastifyRequest, isSecure: boolean): string | undefined {
  return readCookie(request, 'shared', isSecure) === undefined ? givenName(request, isSecure) : undefined;
}

/** How a session's cookies are set: over TLS or not, and whether the browser forgets them when it is closed. */
export interface SessionCookies {
  isSecure: boolean;
  isShared: boolean;
}

export function setSessionCookies(reply: FastifyReply, tokens: TokenPair, { isSecure, isShared }: SessionCookies): void {
  const options = optionsOf(isSecure);
  const until = (ms: number) => (isShared ? options : { ...options, expires: new Date(ms) });
  void reply.setCookie(cookieName('access', isSecure), tokens.access, until(tokens.accessExpiresAt));
  void reply.setCookie(cookieName('refresh', isSecure), tokens.refresh, until(tokens.refreshExpiresAt));
  if (isShared) void reply.setCookie(cookieName('shared', isSecure), 'true', options);
  else if (readCookie(reply.request, 'shared', isSecure) !== undefined) void reply.clearCookie(cookieName('shared', isSecure), options);
  // it outlives the session: a browser that clears what scripts keep still has it
  const browser = givenName(reply.request, isSecure) ?? randomUUID();
  if (!isShared) void reply.setCookie(cookieName('browser', isSecure), browser, { ...options, maxAge: longestSeconds });
}

export function clearSessionCookies(reply: FastifyReply, isSecure: boolean): void {
  const options = optionsOf(isSecure);
  for (const kind of ['access', 'refresh', 'shared'] as const) void reply.clearCookie(cookieName(kind, isSecure), options);
}

export function setOauthCookie(reply: FastifyReply, { secret, expiresAt }: { secret: string; expiresAt: number }, isSecure: boolean): void {
  void reply.setCookie(cookieName('oauth', isSecure), secret, { ...optionsOf(isSecure), expires: new Date(expiresAt) });
}

export function clearOauthCookie(reply: FastifyReply, isSecure: boolean): void {
  void reply.clearCookie(cookieName('oauth', isSecure), optionsOf(isSecure));
}
