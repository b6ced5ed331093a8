import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

/** Somebody the provider knows. */
export interface Known {
  subject: string;
  email: string;
  isVerified: boolean;
}

/** A real OpenID provider on loopback, which asks nothing but who one is. */
export interface TestProvider {
  issuer: string;
  /** What a server is told of it. */
  client: { clientId: string; clientSecret: string };
  /** Makes somebody known to it. */
  add: (known: Known) => void;
  stop: () => Promise<void>;
  /** Starts it again at the same address, with the same people. */
  restart: () => Promise<void>;
}

const client = { clientId: 'tieout', clientSecret: 'a secret of the tests only' };

function page(uid: string, people: Iterable<Known>): string {
  const links = [...people].map(({ subject, email }) => `<li><a href="/interaction/${uid}/as/${subject}">Go on as ${email}</a></li>`);
  return `<!doctype html><title>Provider</title><h1>Who are you?</h1><ul>${links.join('')}</ul><a href="/interaction/${uid}/cancel">Cancel</a>`;
}

/** The pages between, whose cookies hold for their path and below it: `/interaction/<id>` asks, `/interaction/<id>/as/<subject>` and `/interaction/<id>/cancel` answer. */
async function interact(provider: Provider, people: Map<string, Known>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, , uid = '', answer, subject = ''] = (request.url ?? '').split('/');
  if (answer === undefined) response.setHeader('content-type', 'text/html').end(page(uid, people.values()));
  else if (answer === 'as') await provider.interactionFinished(request, response, { login: { accountId: subject } });
  else await provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'They said no' });
}

function providerAt(issuer: string, redirectUri: string, people: Map<string, Known>): Provider {
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    cookies: { keys: ['a key of the tests only'] },
    // that it is asked for is our server's to see to
    pkce: { required: () => false },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    findAccount: (_ctx, subject) => {
      const known = people.get(subject);
      return known && { accountId: subject, claims: () => ({ sub: subject, email: known.email, email_verified: known.isVerified }) };
    },
    // nobody is asked whether they agree
    loadExistingGrant: async (ctx) => {
      const grant = new ctx.oidc.provider.Grant({ clientId: ctx.oidc.client?.clientId, accountId: ctx.oidc.session?.accountId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

/** Starts a provider that sends people back to `redirectUri`. */
export async function aProvider(redirectUri: string): Promise<TestProvider> {
  const people = new Map<string, Known>();
  let server = createServer();
  const listen = async (port: number): Promise<string> => {
    server = createServer().listen(port, '127.0.0.1');
    await once(server, 'listening');
    const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const provider = providerAt(issuer, redirectUri, people);
    const answer = provider.callback();
    server.on('request', (request, response) => {
      if (request.url?.startsWith('/interaction/'))
        interact(provider, people, request, response).catch((error: unknown) => response.destroy(error as Error));
      else void answer(request, response);
    });
    return issuer;
  };
  const issuer = await listen(0);
  return {
    issuer,
    client,
    add: (known) => void people.set(known.subject, known),
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
    restart: async () => void (await listen(Number(new URL(issuer).port))),
  };
}

/**
 * Follows an authorization address as a browser does, as somebody the provider knows.
 * @returns what the provider sends back.
 */
export async function signInAtProvider(address: URL, subject: string): Promise<Record<string, string> & { code: string; state: string }> {
  const jar = new Map<string, string>();
  let url = address;
  for (let steps = 0; steps < 10; steps += 1) {
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const header of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(header) ?? [];
      jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null && !answer.ok) throw new Error(`The provider answered ${answer.status}: ${await answer.text()}`);
    url = new URL(location ?? `${url.pathname}/as/${subject}`, url);
    if (url.origin !== address.origin) return { code: '', state: '', ...Object.fromEntries(url.searchParams) };
  }
  throw new Error('The provider never came to an end');
}
