import { acceptInvitation, inviteUser } from '#contract/invitations.ts';
import { count, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { beginOauth, finishOauth, oauthMessages } from '#contract/oauth.ts';
import { getMe } from '#contract/session.ts';
import { oauthAttempts, userIdentities } from '#server/database/tables/sign-ins.ts';
import { users } from '#server/database/tables/users.ts';
import { forgetAttempts } from '#server/repositories/oauth.ts';
import { aProvider, signInAtProvider, type TestProvider } from '#tests/support/provider.ts';
import { aConfig, aServer, type TestServer } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

const minute = 60_000;
const redirectUri = 'http://localhost:8000/oauth/callback';

let provider: TestProvider;
let server: TestServer;

const configFor = ({ issuer, client }: TestProvider) => ({
  oauth: { issuer: new URL(issuer), ...client, redirectUri: new URL(redirectUri) },
  runtime: { ...aConfig().runtime, oauth: { label: 'the test provider' } },
});

beforeAll(async () => {
  provider = await aProvider(redirectUri);
  server = await aServer(configFor(provider));
});
afterAll(async () => {
  await server.close();
  await provider.stop();
});

let made = 0;
/** Somebody the provider knows, by an e-mail that nobody here has unless it is a user's. */
function aPerson(values: { email?: string; isVerified?: boolean } = {}) {
  made += 1;
  const person = { subject: `subject-${made}`, email: `stranger-${made}@example.org`, isVerified: true, ...values };
  provider.add(person);
  return person;
}

type Browser = ReturnType<TestServer['anyone']>;

/** Begins in a browser, signs in at the provider, and gives what that sends back. `change` alters the address on the way there. */
async function cameBack(browser: Browser, subject: string, change: (parameters: URLSearchParams) => void = () => undefined) {
  const url = new URL((await browser.call(beginOauth, {})).authorization_url);
  change(url.searchParams);
  return signInAtProvider(url, subject);
}

async function signedInBy(subject: string): Promise<Browser> {
  const browser = server.anyone();
  await browser.call(finishOauth, await cameBack(browser, subject));
  return browser;
}

const linkedTo = (userId: string) => server.database.db.select().from(userIdentities).where(eq(userIdentities.user_id, userId));
const userCount = async () => (await server.database.db.select({ value: count() }).from(users))[0]?.value;
const refused = { code: 'not_authenticated', detail: 'Invalid credentials' };
const stale = { code: 'invalid', detail: oauthMessages.stale };

describe('sign-in by provider', () => {
  test('[OI1] a whole sign-in ends in the session a password gives, and links who it was', async () => {
    const user = await aUser(server.database.db);
    const person = aPerson({ email: user.email.toUpperCase() });
    const browser = server.anyone();
    const answer = await browser.call(finishOauth, await cameBack(browser, person.subject));
    expect(answer.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect([...browser.jar.keys()].sort()).toEqual(['tieout_access', 'tieout_browser', 'tieout_refresh']);
    expect((await browser.call(getMe, {})).id).toBe(user.id);
    expect(await linkedTo(user.id)).toMatchObject([{ issuer: provider.issuer, subject: person.subject }]);
  });

  test('[OI2] the address asks with state, nonce and an S256 challenge; of state and browser only hashes are kept, in the browser a cookie no script reads', async () => {
    const answer = await server.app.inject({ method: 'POST', url: '/api/oauth/begin' });
    const asked = new URL(answer.json<{ authorization_url: string }>().authorization_url).searchParams;
    expect(Object.fromEntries(asked)).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', redirect_uri: redirectUri });
    const [, secret = ''] = /^tieout_oauth=([^;]+);.*HttpOnly; SameSite=Lax$/.exec(String(answer.headers['set-cookie'])) ?? [];
    expect(secret).toHaveLength(43);
    const kept = await server.database.db.select().from(oauthAttempts);
    const attempt = kept.find(({ nonce }) => nonce === asked.get('nonce'));
    expect(attempt?.expires_at.getTime()).toBe(server.clock.now() + 10 * minute);
    const all = JSON.stringify(kept);
    for (const hidden of [secret, asked.get('state') ?? secret]) expect(all).not.toContain(hidden);
    expect(answer.payload).not.toContain(attempt?.code_verifier);

    const secure = await aServer({ ...configFor(provider), isSecure: true });
    const overTls = await secure.app.inject({ method: 'POST', url: '/api/oauth/begin' });
    expect(String(overTls.headers['set-cookie'])).toMatch(/^__Host-tieout_oauth=.*Secure/);
    await secure.close();
  });

  test('[OI3] a state nobody began with is refused', async () => {
    const { email } = await aUser(server.database.db);
    const browser = server.anyone();
    const answer = await cameBack(browser, aPerson({ email }).subject);
    await expect(browser.call(finishOauth, { ...answer, state: 'made up' })).rejects.toMatchObject(stale);
    await browser.call(finishOauth, answer);
  });

  test('[OI4] the state of another browser is refused here, and stays good there', async () => {
    const { email } = await aUser(server.database.db);
    const [theirs, ours, bare] = [server.anyone(), server.anyone(), server.anyone()];
    const answer = await cameBack(theirs, aPerson({ email }).subject);
    await ours.call(beginOauth, {});
    await expect(ours.call(finishOauth, answer)).rejects.toMatchObject(stale);
    await expect(bare.call(finishOauth, answer)).rejects.toMatchObject(stale);
    expect([...ours.jar.keys(), ...bare.jar.keys()]).toEqual(['tieout_oauth']);
    await theirs.call(finishOauth, answer);
  });

  test('[OI5] an attempt ends once, whatever comes of it, also when two ask at the same moment', async () => {
    const { email } = await aUser(server.database.db);
    const { subject } = aPerson({ email });
    const browser = server.anyone();
    const answer = await cameBack(browser, subject);
    const cookies = new Map(browser.jar);
    const again = () => {
      for (const [name, value] of cookies) browser.jar.set(name, value);
      return browser.call(finishOauth, answer);
    };
    const both = await Promise.allSettled([browser.call(finishOauth, answer), again()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(again()).rejects.toMatchObject(stale);

    const other = server.anyone();
    const second = await cameBack(other, subject);
    const kept = new Map(other.jar);
    await expect(other.call(finishOauth, { ...second, code: 'another code' })).rejects.toMatchObject(refused);
    for (const [name, value] of kept) other.jar.set(name, value);
    await expect(other.call(finishOauth, second)).rejects.toMatchObject(stale);
  });

  test('[OI6] an attempt runs out after ten minutes, and is forgotten by the cron job', async () => {
    const { email } = await aUser(server.database.db);
    const browser = server.anyone();
    const answer = await cameBack(browser, aPerson({ email }).subject);
    server.clock.advance(10 * minute);
    await expect(browser.call(finishOauth, answer)).rejects.toMatchObject(stale);
    await server.anyone().call(beginOauth, {});
    await forgetAttempts(server.database.db, server.clock.now());
    expect(await server.database.db.select().from(oauthAttempts)).toHaveLength(1);
  });

  test('[OI7] an ID token with another nonce, or none, proves nobody', async () => {
    const { email } = await aUser(server.database.db);
    const { subject } = aPerson({ email });
    const browser = server.anyone();
    const other = await cameBack(browser, subject, (asked) => asked.set('nonce', 'another'));
    await expect(browser.call(finishOauth, other)).rejects.toMatchObject(refused);
    const none = await cameBack(browser, subject, (asked) => asked.delete('nonce'));
    await expect(browser.call(finishOauth, none)).rejects.toMatchObject(refused);
    expect([...browser.jar.keys()]).toEqual([]);
  });

  test('[OI8] a code that was asked for with another challenge, or none, is worth nothing', async () => {
    const { email } = await aUser(server.database.db);
    const { subject } = aPerson({ email });
    const browser = server.anyone();
    const none = await cameBack(browser, subject, (asked) => {
      asked.delete('code_challenge');
      asked.delete('code_challenge_method');
    });
    await expect(browser.call(finishOauth, none)).rejects.toMatchObject(refused);
    const other = await cameBack(browser, subject, (asked) => asked.set('code_challenge', 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'));
    await expect(browser.call(finishOauth, other)).rejects.toMatchObject(refused);
  });

  test('[OI9] an answer in the name of another provider, or of none, is refused', async () => {
    const { email } = await aUser(server.database.db);
    const { subject } = aPerson({ email });
    const browser = server.anyone();
    const other = await cameBack(browser, subject);
    await expect(browser.call(finishOauth, { ...other, iss: 'https://elsewhere.example' })).rejects.toMatchObject(refused);
    const { code, state } = await cameBack(browser, subject);
    await expect(browser.call(finishOauth, { code, state })).rejects.toMatchObject(refused);
  });

  test('[OI10] an e-mail the provider does not vouch for finds nobody and links nobody', async () => {
    const user = await aUser(server.database.db);
    await expect(signedInBy(aPerson({ email: user.email, isVerified: false }).subject)).rejects.toMatchObject(refused);
    expect(await linkedTo(user.id)).toEqual([]);
  });

  test('[OI11] somebody nobody knows is refused, and no user is made of them; letters that only look alike are others', async () => {
    const { email } = await aUser(server.database.db);
    const before = await userCount();
    await expect(signedInBy(aPerson().subject)).rejects.toMatchObject(refused);
    // the sign of the Kelvin is a k in lower case
    const known = await aUser(server.database.db);
    await server.database.db
      .update(users)
      .set({ email: `k${email}` })
      .where(eq(users.id, known.id));
    await expect(signedInBy(aPerson({ email: `\u212a${email}` }).subject)).rejects.toMatchObject(refused);
    expect(await userCount()).toBe((before ?? 0) + 1);
    await signedInBy(aPerson({ email: `K${email}` }).subject);
  });

  test('[OI12] a disabled user is refused, by their e-mail and once linked', async () => {
    const disabled = await aUser(server.database.db, { is_enabled: false });
    await expect(signedInBy(aPerson({ email: disabled.email }).subject)).rejects.toMatchObject(refused);
    expect(await linkedTo(disabled.id)).toEqual([]);
    const user = await aUser(server.database.db);
    const { subject } = aPerson({ email: user.email });
    await signedInBy(subject);
    await server.database.db.update(users).set({ is_enabled: false }).where(eq(users.id, user.id));
    await expect(signedInBy(subject)).rejects.toMatchObject(refused);
  });

  test('[OI13] whoever was linked is found by that, whatever their e-mail is by now, and be it somebody else’s', async () => {
    const [user, other] = [await aUser(server.database.db), await aUser(server.database.db)];
    const person = aPerson({ email: user.email });
    await signedInBy(person.subject);
    for (const now of [
      { email: 'new@example.org', isVerified: false },
      { email: other.email, isVerified: true },
    ]) {
      provider.add({ ...person, ...now });
      expect((await (await signedInBy(person.subject)).call(getMe, {})).id).toBe(user.id);
    }
    expect(await linkedTo(other.id)).toEqual([]);
  });

  test('[OI22] an address that somebody else has at the provider by now opens nothing of whoever is linked, until they accept a link that sets their password', async () => {
    const { db } = server.database;
    const user = await aUser(db);
    const [former, later] = [aPerson({ email: user.email }), aPerson({ email: user.email })];
    await signedInBy(former.subject);
    await expect(signedInBy(later.subject)).rejects.toMatchObject(refused);
    expect((await (await signedInBy(former.subject)).call(getMe, {})).id).toBe(user.id);

    const administrator = await server.signedIn((await aUser(db, { is_superuser: true })).email);
    const { token } = await administrator.call(inviteUser, { id: user.id });
    await server.anyone().call(acceptInvitation, { token, password: 'correct horse!' });
    expect((await (await signedInBy(later.subject)).call(getMe, {})).id).toBe(user.id);
    await expect(signedInBy(former.subject)).rejects.toMatchObject(refused);
  });
});
