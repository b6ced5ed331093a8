import * as openid from 'openid-client';
import type { OauthAnswer } from '#contract/oauth.ts';
import type { OauthConfig } from '#server/config.ts';
import type { Attempt, Claimed } from '#server/repositories/oauth.ts';

/** Longest wait for an answer of the provider, in seconds. */
const waitSeconds = 10;
/** How long what the provider says of itself holds, and how long one that failed is left alone, in milliseconds. */
const foundHoldsMs = 3_600_000;
const failureHoldsMs = 5_000;

/** The provider does not answer, or not as it should; `code` holds no secret. */
export class ProviderTrouble extends Error {
  readonly code: string;

  constructor(code: string) {
    super('The provider cannot be used');
    this.name = 'ProviderTrouble';
    this.code = code;
  }
}

/** Reasons that say something of the person's answer, and nothing of the provider: a code it does not know, another nonce, a wrong signature. */
const unproven: ReadonlySet<string> = new Set([
  'invalid_grant',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]);

/** The first code among an error and its causes. */
function reasonOf(error: unknown): string {
  for (let at = error; at instanceof Error; at = at.cause) {
    if (at instanceof openid.ResponseBodyError) return at.error;
    if ('code' in at && typeof at.code === 'string') return at.code;
  }
  return 'unknown';
}

/** What a question to the provider gives. @throws ProviderTrouble for whatever goes wrong with it. */
async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw new ProviderTrouble(reasonOf(error));
  }
}

/** Basic, as every provider must take it, but for one that says it takes the secret in the body alone. */
function clientAuth(secret: string): openid.ClientAuth {
  return (server, client, body, headers) => {
    const taken = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost = !taken.includes('client_secret_basic') && taken.includes('client_secret_post');
    (isPost ? openid.ClientSecretPost(secret) : openid.ClientSecretBasic(secret))(server, client, body, headers);
  };
}

/** What the provider says of itself: asked when it is first needed, kept for an hour, asked anew a while after a failure. */
function discovery({ issuer, clientId, clientSecret }: OauthConfig, clock: () => number): () => Promise<openid.Configuration> {
  let last: { found: Promise<openid.Configuration>; until: number } | null = null;
  // an issuer without TLS is on loopback, as the settings are read
  const execute = [openid.enableNonRepudiationChecks, ...(issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [])];
  return () => {
    if (last && clock() < last.until) return last.found;
    const found = openid.discovery(issuer, clientId, undefined, clientAuth(clientSecret), { execute, timeout: waitSeconds });
    const round = { found, until: clock() + foundHoldsMs };
    found.catch(() => {
      round.until = clock() + failureHoldsMs;
    });
    last = round;
    return found;
  };
}

/** The e-mail the provider vouches for, from the ID token or, where that has none, from the provider's answer about the person. */
async function verifiedEmail(config: openid.Configuration, token: string, claims: openid.IDToken): Promise<string | null> {
  const hasMore = claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined;
  const { email, email_verified: isVerified } = hasMore ? await openid.fetchUserInfo(config, token, claims.sub) : claims;
  return typeof email === 'string' && isVerified === true ? email : null;
}

/** The provider as the routes need it. Both calls throw {@link ProviderTrouble}. */
export interface OauthProvider {
  /** Where the browser goes to sign in. */
  authorizationUrl: (attempt: Attempt) => Promise<string>;
  /** Exchanges the code of an attempt for who it is; `undefined` when the provider, or what it says, proves nobody. */
  identify: (answer: OauthAnswer, attempt: Attempt) => Promise<Claimed | undefined>;
}

/** The provider of the settings; it is not asked anything before somebody signs in. */
export function openProvider(settings: OauthConfig, clock: () => number): OauthProvider {
  const ask = discovery(settings, clock);
  const discovered = (): Promise<openid.Configuration> => asked(ask);

  async function exchanged(
    config: openid.Configuration,
    { code, iss }: OauthAnswer,
    { state, nonce, codeVerifier }: Attempt,
  ): Promise<Claimed> {
    const cameBack = new URL(settings.redirectUri);
    cameBack.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
    const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: codeVerifier };
    const tokens = await openid.authorizationCodeGrant(config, cameBack, checks);
    const claims = tokens.claims();
    if (!claims) throw new ProviderTrouble('no_id_token');
    return { issuer: claims.iss, subject: claims.sub, verifiedEmail: await verifiedEmail(config, tokens.access_token, claims) };
  }

  return {
    async authorizationUrl({ state, nonce, codeVerifier }) {
      const config = await discovered();
      const url = await asked(async () =>
        openid.buildAuthorizationUrl(config, {
          redirect_uri: settings.redirectUri.href,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await openid.calculatePKCECodeChallenge(codeVerifier),
          code_challenge_method: 'S256',
        }),
      );
      return url.href;
    },
    async identify(answer, attempt) {
      const config = await discovered();
      try {
        return await asked(() => exchanged(config, answer, attempt));
      } catch (error) {
        if (error instanceof ProviderTrouble && unproven.has(error.code)) return undefined;
        throw error;
      }
    },
  };
}
