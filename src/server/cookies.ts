import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from './repositories/sessions.ts';

/** `oauth` is the secret of the browser that began a sign-in at the provider. */
type CookieKind = 'access' | 'refresh' | 'oauth';

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

export function setSessionCookies(reply: FastifyReply, tokens: TokenPair, isSecure: boolean): void {
  const options = optionsOf(isSecure);
  void reply.setCookie(cookieName('access', isSecure), tokens.access, { ...options, expires: new Date(tokens.accessExpiresAt) });
  void reply.setCookie(cookieName('refresh', isSecure), tokens.refresh, { ...options, expires: new Date(tokens.refreshExpiresAt) });
}

export function clearSessionCookies(reply: FastifyReply, isSecure: boolean): void {
  const options = optionsOf(isSecure);
  void reply.clearCookie(cookieName('access', isSecure), options);
  void reply.clearCookie(cookieName('refresh', isSecure), options);
}

export function setOauthCookie(reply: FastifyReply, { secret, expiresAt }: { secret: string; expiresAt: number }, isSecure: boolean): void {
  void reply.setCookie(cookieName('oauth', isSecure), secret, { ...optionsOf(isSecure), expires: new Date(expiresAt) });
}

export function clearOauthCookie(reply: FastifyReply, isSecure: boolean): void {
  void reply.clearCookie(cookieName('oauth', isSecure), optionsOf(isSecure));
}
