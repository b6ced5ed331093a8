import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listSavedViews } from '#contract/saved-views.ts';
import { getMe, login, logout, refreshToken } from '#contract/session.ts';
import { expiryOf } from '#domain/session.ts';
import { sessions } from '#server/database/tables/sign-ins.ts';
import { users } from '#server/database/tables/users.ts';
import { startSession } from '#server/repositories/sessions.ts';
import { aServer, type TestServer, testPassword } from '#tests/support/server.ts';
import { anOffice, aUser } from '#tests/support/world.ts';

let server: TestServer;
let email: string;

beforeAll(async () => {
  server = await aServer();
  email = (await anOffice(server.database.db)).accountant.email;
});
afterAll(() => server.close());

const minute = 60_000;

describe('sessions', () => {
  test('[SE1] signing in answers a refresh token and an expiry in UTC without a suffix, and sets HttpOnly cookies', async () => {
    const answer = await server.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: testPassword } });
    const body = answer.json<{ refresh_token: string; expires_at: string }>();
    expect(body.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
    expect(expiryOf(body.expires_at)).toBe(server.clock.now() + 60 * minute);
    for (const cookie of answer.headers['set-cookie'] as string[]) {
      expect(cookie).toContain('HttpOnly');
      expect(cookie).toContain('SameSite=Lax');
    }
  });

  test('[SE2] a wrong password and an unknown e-mail are refused alike, and nothing is set', async () => {
    const wrong = await server.app.inject({ method: 'POST', url: '/api/login', payload: { email, password: 'wrong' } });
    const unknown = await server.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: 'nobody@example.org', password: 'wrong' },
    });
    expect([wrong.statusCode, wrong.json()]).toEqual([401, { detail: 'Invalid credentials' }]);
    expect([unknown.statusCode, unknown.json()]).toEqual([401, { detail: 'Invalid credentials' }]);
    expect(wrong.headers['set-cookie']).toBeUndefined();
  });

  test('[SE3] a call without a cookie, with a forged one and with an expired one is a 401 of the catalogue', async () => {
    const none = await server.app.inject({ url: '/api/users/me' });
    expect([none.statusCode, none.json()]).toEqual([401, { detail: 'Not authenticated' }]);
    const forged = await server.app.inject({ url: '/api/users/me', headers: { cookie: 'tieout_access=forged' } });
    expect([forged.statusCode, forged.json()]).toEqual([401, { detail: 'Invalid token' }]);
    const { call } = await server.signedIn(email);
    server.clock.advance(61 * minute);
    await expect(call(getMe, {})).rejects.toMatchObject({ code: 'not_authenticated', detail: 'Invalid token' });
  });

  test('[SE4] a refresh renews the session by cookie alone, and the cookie wins over the form field', async () => {
    const { call } = await server.signedIn(email);
    server.clock.advance(50 * minute);
    const renewed = await call(refreshToken, { refresh_token: 'nonsense' });
    server.clock.advance(30 * minute);
    expect((await call(getMe, {})).email).toBe(email);
    expect(expiryOf(renewed.expires_at)).toBe(server.clock.now() + 30 * minute);
  });

  test('[SE5] a refresh token works again within ten seconds, and later ends the whole session', async () => {
    const { call } = server.anyone();
    const first = await call(login, { email, password: testPassword });
    const other = server.anyone();
    server.clock.advance(minute);
    await other.call(refreshToken, { refresh_token: first.refresh_token });
    server.clock.advance(9_000);
    const again = server.anyone();
    await again.call(refreshToken, { refresh_token: first.refresh_token });
    server.clock.advance(11_000);
    await expect(server.anyone().call(refreshToken, { refresh_token: first.refresh_token })).rejects.toMatchObject({
      detail: 'Invalid token',
    });
    await expect(other.call(getMe, {})).rejects.toMatchObject({ code: 'not_authenticated' });
    await expect(again.call(getMe, {})).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  test('[SE6] signing out ends the session at the server', async () => {
    const { call, jar } = await server.signedIn(email);
    const kept = new Map(jar);
    await call(logout, {});
    // its name stays with the browser, and opens nothing
    expect([...jar.keys()]).toEqual(['tieout_browser']);
    const cookie = [...kept].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await server.app.inject({ url: '/api/users/me', headers: { cookie } })).statusCode).toBe(401);
  });

  test('[SE17] signing out ends the session also when only the refresh cookie is left, and with an empty body', async () => {
    const { call, jar } = await server.signedIn(email);
    const token = jar.get('tieout_refresh') ?? '';
    jar.delete('tieout_access');
    await call(logout, {});
    const again = await server.app.inject({ method: 'POST', url: '/api/refresh_token', headers: { cookie: `tieout_refresh=${token}` } });
    expect(again.statusCode).toBe(401);
    const empty = await server.app.inject({
      method: 'POST',
      url: '/api/logout',
      headers: { 'content-type': 'application/json' },
      payload: '',
    });
    expect(empty.statusCode).toBe(200);
  });

  test('[SE18] whoever works for one person is refused with the session of another, and changes nothing', async () => {
    const { call, jar } = await server.signedIn(email);
    const { id } = await call(getMe, {});
    const asked = async (method: 'GET' | 'PUT', whose: string) => {
      const headers = { cookie: [...jar].map((pair) => pair.join('=')).join('; '), 'x-user-id': whose };
      const view = '00000000-0000-7000-8000-000000000018';
      const payload = method === 'PUT' ? { name: 'Mine', list: 'transactions', search: 'q=1' } : undefined;
      return (await server.app.inject({ method, url: `/api/saved_views${method === 'PUT' ? `/${view}` : ''}`, headers, payload }))
        .statusCode;
    };
    expect([await asked('GET', id), await asked('GET', 'somebody-else')]).toEqual([200, 401]);
    expect(await asked('PUT', 'somebody-else')).toBe(401);
    expect(await call(listSavedViews, {})).toEqual([]);
    expect(await asked('PUT', id)).toBe(200);
    expect(await call(listSavedViews, {})).toHaveLength(1);
  });

  test('[SE70] every answer to a session says whose it is, also to a page of another origin', async () => {
    const { call, jar } = await server.signedIn(email);
    const { id } = await call(getMe, {});
    const cookie = [...jar].map((pair) => pair.join('=')).join('; ');
    const { headers } = await server.app.inject({ url: '/api/clients', headers: { cookie } });
    expect(headers['x-user-id']).toBe(id);
    const nobody = await server.app.inject({ url: '/api/clients' });
    expect([nobody.statusCode, nobody.headers['x-user-id']]).toEqual([401, undefined]);
  });

  test('[SE7] no session outlives twelve hours, however often it is refreshed', async () => {
    const { call } = await server.signedIn(email);
    for (let refreshes = 0; refreshes < 23; refreshes += 1) {
      server.clock.advance(30 * minute);
      await call(refreshToken, {});
    }
    server.clock.advance(31 * minute);
    await expect(call(refreshToken, {})).rejects.toMatchObject({ code: 'not_authenticated' });
    await expect(call(getMe, {})).rejects.toMatchObject({ code: 'not_authenticated' });
  });

  test('[SE8] a disabled user cannot sign in', async () => {
    const disabled = await aUser(server.database.db, { is_enabled: false });
    await expect(server.signedIn(disabled.email)).rejects.toMatchObject({ code: 'not_authenticated', detail: 'Invalid credentials' });
  });

  test('[SE9] sign-in attempts beyond the limit wait, and the answer says how long', async () => {
    const strict = await aServer({ signInsPerMinute: 3 });
    const attempt = () => strict.app.inject({ method: 'POST', url: '/api/login', payload: { email: 'a@example.org', password: 'x' } });
    for (let count = 0; count < 3; count += 1) expect((await attempt()).statusCode).toBe(401);
    const refused = await attempt();
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    strict.clock.advance(minute);
    expect((await attempt()).statusCode).toBe(401);
    await strict.close();
  });

  test('[SE45] where a request comes from is what a proxy one trusts says of it, and what nobody else says', async () => {
    for (const [trustedProxies, allowed] of [
      [['127.0.0.1'], [401, 401, 401, 429, 429, 401, 401, 429]],
      [[], [401, 401, 429, 429, 429, 429, 429, 429]],
      [['10.0.0.0/8'], [401, 401, 429, 429, 429, 429, 429, 429]],
    ] as const) {
      const strict = await aServer({ signInsPerMinute: 2, trustedProxies });
      const attempt = (from: string) =>
        strict.app.inject({
          method: 'POST',
          url: '/api/login',
          headers: { 'x-forwarded-for': from },
          payload: { email: 'a@example.org', password: 'x' },
        });
      // what whoever asks put in front of the address the proxy adds counts nothing, nor does a port that it adds
      const answers = ['192.0.2.1', '192.0.2.2', '198.51.100.9, 192.0.2.1', '198.51.100.10, 192.0.2.1', '192.0.2.1:4711'];
      answers.push('[2001:db8::1]:4711', '[2001:db8::1]:4712', '2001:db8::1');
      const codes: number[] = [];
      for (const from of answers) codes.push((await attempt(from)).statusCode);
      expect(codes).toEqual(allowed);
      await strict.close();
    }
  });

  test('[SE10] me carries the union of the roles as a map, never a hash or a token', async () => {
    const { call } = await server.signedIn(email);
    const me = await call(getMe, {});
    expect(me.permissions).toMatchObject({ transaction_read: true, transaction_match_write: true });
    expect(me.permissions.organization_write).toBe(false);
    expect(Object.keys(me).sort()).toEqual(['email', 'id', 'is_superuser', 'name', 'permissions']);
  });

  test('[SE11] over TLS the cookies are Secure and bound to the host', async () => {
    const secure = await aServer({ isSecure: true });
    const user = await anOffice(secure.database.db);
    const answer = await secure.app.inject({
      method: 'POST',
      url: '/api/login',
      payload: { email: user.accountant.email, password: testPassword },
    });
    for (const cookie of answer.headers['set-cookie'] as string[]) expect(cookie).toMatch(/^__Host-tieout_.*Secure/);
    expect(answer.headers['strict-transport-security']).toContain('max-age=31536000');
    await secure.close();
  });
});

test('[SE39] on a shared computer the cookies end with the browser, refreshed or not, until somebody signs in there otherwise', async () => {
  const jar = new Map<string, string>();
  const ask = async (url: string, payload: object) => {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await server.app.inject({ method: 'POST', url, payload, headers: { cookie } });
    const set = [answer.headers['set-cookie'] ?? []].flat();
    for (const line of set) jar.set(...(/^([^=]+)=([^;]*)/.exec(line)?.slice(1) as [string, string]));
    return set.filter((line) => /tieout_(access|refresh)=/.test(line)).map((line) => line.includes('Expires='));
  };
  const own = { email, password: testPassword };
  expect(await ask('/api/login', { ...own, shared_computer: true })).toEqual([false, false]);
  expect(await ask('/api/refresh_token', {})).toEqual([false, false]);
  expect(await ask('/api/login', own)).toEqual([true, true]);
  jar.delete('tieout_shared');
  expect(await ask('/api/refresh_token', {})).toEqual([true, true]);
});

test('[SE69] a password that was taken from somebody, or they disabled, while it was compared signs nobody in', async () => {
  const { db } = server.database;
  const { id } = await aUser(db);
  const begun = (checked?: string | null) => db.transaction((tx) => startSession(tx, id, server.clock.now(), checked));
  const [person] = await db.select().from(users).where(eq(users.id, id));
  expect(await begun('the hash of a former one')).toBeUndefined();
  expect(await begun(person?.password_hash)).toBeDefined();
  await db.update(users).set({ is_enabled: false }).where(eq(users.id, id));
  expect([await begun(person?.password_hash), await begun()]).toEqual([undefined, undefined]);
  const left = await db.select().from(sessions).where(eq(sessions.user_id, id));
  expect(left).toHaveLength(1);
});
