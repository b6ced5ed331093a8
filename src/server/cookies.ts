import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TokenPair } from './repositories/sessions.ts';

/** Cookie names: over TLS the `__Host-` prefix pins them to this host and to the root path. */
function cookieName(kind: 'access' | 'refresh', isSecure: boolean): string {
  return `${isSecure ? '__Host-' : ''}tieout_${kind}`;
}

export function readCookie(request: FastifyRequest, kind: 'access' | 'refresh', isSecure: boolean): string | undefined {
  return request.cookies[cookieName(kind, isSecure)];
}

export function setSessionCookies(reply: FastifyReply, tokens: TokenPair, isSecure: boolean): void {
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  void reply.setCookie(cookieName('access', isSecure), tokens.access, { ...options, expires: new Date(tokens.accessExpiresAt) });
  void reply.setCookie(cookieName('refresh', isSecure), tokens.refresh, { ...options, expires: new Date(tokens.refreshExpiresAt) });
}

export function clearSessionCookies(reply: FastifyReply, isSecure: boolean): void {
  const options = { httpOnly: true, sameSite: 'lax', secure: isSecure, path: '/' } as const;
  void reply.clearCookie(cookieName('access', isSecure), options);
  void reply.clearCookie(cookieName('refresh', isSecure), options);
}
