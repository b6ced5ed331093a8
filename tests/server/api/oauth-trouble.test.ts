import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createClient } from '#api-client/call.ts';
import { providerUnavailableText } from '#contract/errors.ts';
import { beginOauth, finishOauth, oauthMessages } from '#contract/oauth.ts';
import { getMe } from '#contract/session.ts';
import { buildApp } from '#server/app.ts';
import { consoleLogger } from '#server/log.ts';
import { aDatabase } from '#tests/support/database.ts';
import { aProvider, signInAtProvider, type TestProvider } from '#tests/support/provider.ts';
import { aClock, aConfig, aServer, type CookieJar, fetchThrough } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

const redirectUri = 'http://localhost:8000/oauth/callback';
const unavailable = { code: 'provider_unavailable', status: 503, detail: providerUnavailableText };

let provider: TestProvider;
beforeAll(async () => {
  provider = await aProvider(redirectUri);
});
afterAll(() => provider.stop());

const oauth = (clientSecret = provider.client.clientSecret) => ({
  issuer: new URL(provider.issuer),
  clientId: provider.client.clientId,
  clientSecret,
  redirectUri: new URL(redirectUri),
});

describe('trouble with the provider', () => {
  test('[OI14] while it is down that is said and passwords go on; it is asked again after a while', async () => {
    await provider.stop();
    const server = await aServer({ oauth: oauth() });
    const { email } = await aUser(server.database.db);
    provider.add({ subject: 'back', email, isVerified: true });
    const browser = server.anyone();
    await expect(browser.call(beginOauth, {})).rejects.toMatchObject(unavailable);
    expect((await (await server.signedIn(email)).call(getMe, {})).email).toBe(email);
    await provider.restart();
    await expect(browser.call(beginOauth, {})).rejects.toMatchObject(unavailable);
    server.clock.advance(5_000);
    const url = new URL((await browser.call(beginOauth, {})).authorization_url);

    const answer = await signInAtProvider(url, 'back');
    await provider.stop();
    await expect(browser.call(finishOauth, answer)).rejects.toMatchObject(unavailable);
    expect([...browser.jar.keys()]).toEqual([]);
    await provider.restart();
    // what it said of itself is still known
    const next = await signInAtProvider(new URL((await browser.call(beginOauth, {})).authorization_url), 'back');
    await browser.call(finishOauth, next);
    await server.close();
  });

  test('[OI15] attempts beyond the limit wait, and the answer says how long', async () => {
    const server = await aServer({ oauth: oauth(), signInsPerMinute: 1 });
    const begin = () => server.app.inject({ method: 'POST', url: '/api/oauth/begin' });
    const finish = () => server.app.inject({ method: 'POST', url: '/api/oauth/finish', payload: { code: 'guessed', state: 'guessed' } });
    for (let tries = 0; tries < 5; tries += 1) expect([(await begin()).statusCode, (await finish()).statusCode]).toEqual([200, 422]);
    for (const refused of [await begin(), await finish()]) {
      expect(refused.statusCode).toBe(429);
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    }
    server.clock.advance(60_000);
    expect((await begin()).statusCode).toBe(200);
    await server.close();
  });

  test('[OI16] the configuration says whether there is a provider; where there is none, both calls find nothing', async () => {
    const bare = await aServer();
    expect((await bare.app.inject('/config.json')).json()).toMatchObject({ oauth: null });
    const none = { code: 'not_found', detail: oauthMessages.none };
    await expect(bare.anyone().call(beginOauth, {})).rejects.toMatchObject(none);
    await expect(bare.anyone().call(finishOauth, { code: 'a', state: 'b' })).rejects.toMatchObject(none);
    await bare.close();
    const server = await aServer({ oauth: oauth(), runtime: { ...aConfig().runtime, oauth: { label: 'Example' } } });
    const answer = await server.app.inject('/config.json');
    expect(answer.json()).toMatchObject({ oauth: { label: 'Example' } });
    expect(answer.payload).not.toContain(provider.client.clientSecret);
    await server.close();
  });

  test('[OI17] a log names what is wrong with the provider, and holds no code, state, cookie or secret', async () => {
    const written = vi.spyOn(console, 'error').mockReturnValue();
    const { database } = await aDatabase();
    // the provider takes another secret
    const app = await buildApp({
      database,
      config: aConfig({ oauth: oauth('a wrong secret') }),
      clock: aClock().now,
      logger: consoleLogger(),
    });
    const jar: CookieJar = new Map();
    const call = createClient({ baseUrl: 'http://localhost/api', fetch: fetchThrough(app, jar) });
    const { email } = await aUser(database.db);
    provider.add({ subject: 'logged', email, isVerified: true });
    const url = new URL((await call(beginOauth, {})).authorization_url);
    const sent = ['state', 'nonce', 'code_challenge'].map((name) => url.searchParams.get(name) ?? '');
    const [browser = ''] = jar.values();
    const answer = await signInAtProvider(url, 'logged');
    await expect(call(finishOauth, answer)).rejects.toMatchObject(unavailable);
    const lines = written.mock.calls.map(String);
    written.mockRestore();
    expect(lines).toEqual([expect.stringMatching(/"the sign-in provider cannot be used".*WWW_AUTHENTICATE/)]);
    for (const secret of [...sent, browser, answer.code, 'a wrong secret']) {
      expect(secret).not.toBe('');
      expect(lines.join('\n')).not.toContain(secret);
    }
    await app.close();
    await database.close();
  });
});
