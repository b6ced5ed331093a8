import type { OauthConfig } from './config.ts';

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

function issuerOf(text: string): URL {
  const issuer = URL.canParse(text) ? new URL(text) : null;
  const isSafe = issuer?.protocol === 'https:' || (issuer?.protocol === 'http:' && loopback.test(issuer.hostname));
  if (!issuer || !isSafe) throw new Error(`OIDC_ISSUER must be an https:// address (http:// on this machine alone), not "${text}"`);
  return issuer;
}

/** What the environment says of the OpenID provider; null where it says nothing. Throws where that cannot be. */
export function oauthSettings(
  given: { issuer: string | undefined; clientId: string | undefined; clientSecret: string | undefined },
  publicUrl: string,
): OauthConfig | null {
  const { issuer, clientId, clientSecret } = given;
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret)
    throw new Error('OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together: one is missing');
  return { issuer: issuerOf(issuer), clientId, clientSecret, redirectUri: new URL('/oauth/callback', publicUrl) };
}
