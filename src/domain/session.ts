import { sessionLimits } from '#contract/session.ts';

/**
 * Reads `expires_at`: UTC without a zone suffix, which `Date.parse` alone would take for local time.
 * @returns milliseconds since the epoch, or `undefined` for text that is no date.
 */
export function expiryOf(expiresAt: string): number | undefined {
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(expiresAt) ? expiresAt : `${expiresAt}Z`;
  const ms = Date.parse(zoned);
  return Number.isNaN(ms) ? undefined : ms;
}

/** Writes a moment as `expires_at` wants it: UTC, no suffix. */
export function expiresAtText(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '');
}

/** Whether the session is to be renewed: less than 30 minutes remain. */
export function needsRefresh(expiresAt: string, now: number): boolean {
  const expiry = expiryOf(expiresAt);
  return expiry === undefined || expiry - now < sessionLimits.refreshBelowMs;
}

const exempt = ['/login', '/logout', '/oauth/callback'];

/** Whether a path belongs to signing in or out, where no redirect is remembered. */
export function isSessionPath(pathname: string): boolean {
  return pathname === '/' || exempt.some((part) => pathname.includes(part));
}

/** A remembered place to return to: only a path of this app, never another site. @returns `fallback` for anything else. */
export function safeRedirect(target: string | null, fallback: string): string {
  if (!target || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(target)) return fallback;
  return isSessionPath(target.split(/[?#]/)[0] ?? '') ? fallback : target;
}
