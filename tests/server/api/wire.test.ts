import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anOffice } from '#tests/support/world.ts';

let server: TestServer;
let cookie: string;

beforeAll(async () => {
  server = await aServer({ corsOrigins: ['https://app.example.org'] });
  const office = await anOffice(server.database.db);
  const { jar } = await server.signedIn(office.accountant.email);
  cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
});
afterAll(() => server.close());

describe('the wire', () => {
  test('[WI1] a trailing slash is optional', async () => {
    for (const url of ['/api/clients', '/api/clients/', '/api/custodians/', '/api/diagnosis/'])
      expect((await server.app.inject({ url, headers: { cookie } })).statusCode).toBe(200);
  });

  test('[WI2] bodies that cannot be read are refused in the shape of the catalogue, never with a 5xx', async () => {
    const send = (payload: string, type: string) =>
      server.app.inject({ method: 'PUT', url: '/api/transaction_matches/transfer', headers: { cookie, 'content-type': type }, payload });
    expect((await send('{"trx_id":', 'application/json')).statusCode).toBe(422);
    expect((await send('[]', 'application/json')).statusCode).toBe(422);
    expect((await send('null', 'application/json')).statusCode).toBe(422);
    expect((await send('"x"', 'application/json')).statusCode).toBe(422);
    expect((await send('<a/>', 'application/xml')).statusCode).toBe(415);
    expect((await send(`{"trx_id":"${'x'.repeat(1_100_000)}"}`, 'application/json')).statusCode).toBe(413);
    const missing = await send('{}', 'application/json');
    expect(missing.json<{ detail: object[] }>().detail[0]).toMatchObject({
      loc: ['body', 'trx_id'],
      msg: expect.any(String),
      type: expect.any(String),
    });
  });

  test('[WI10] text the database cannot hold, numbers beyond its columns and years beyond its calendar are refused, never with a 5xx', async () => {
    const paths = [
      '/clients?name=%00',
      '/organizations?name=a%00b',
      '/custodians?name=%00',
      '/securities?ticker=%00',
      '/securities/security?security_ticker=%00&security_type_id=3',
      '/transactions?account_id=x&trx_type_id=40000',
      '/transactions?account_id=x&skip=0x10',
      '/transactions?account_id=x&start_date=0000-01-01',
      '/transactions?account_id=x&end_date=9999-12-31T23:59:59-14:00',
    ];
    for (const path of paths)
      expect([path, (await server.app.inject({ url: `/api${path}`, headers: { cookie } })).statusCode]).toEqual([path, 422]);
    for (const url of ['/%', '/api/%ff', `/api/entities/${'x'.repeat(300)}`]) {
      const answer = await server.app.inject({ url, headers: { cookie } });
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.headers['x-content-type-options']).toBe('nosniff');
      expect(answer.json<{ detail: unknown }>().detail).toBeDefined();
    }
  });

  test('[WI3] unknown paths of the API are a 404 with a detail', async () => {
    const answer = await server.app.inject({ url: '/api/nowhere', headers: { cookie } });
    expect([answer.statusCode, answer.json()]).toEqual([404, { detail: 'Not found' }]);
  });

  test('[WI4] diagnosis answers without a session: versions REST API first, latencies exchange integrations first', async () => {
    const body = (await server.app.inject({ url: '/api/diagnosis' })).json<{
      version_ctrl: { name: string }[];
      latency_info: { name: string }[];
    }>();
    expect(body.version_ctrl.map((entry) => entry.name)).toEqual(['REST API', 'Exchange integrations']);
    expect(body.latency_info.map((entry) => entry.name)).toEqual(['Exchange integrations', 'REST API']);
  });

  test('[WI5] the OpenAPI document names every call of the contract', async () => {
    const document = (await server.app.inject({ url: '/api/openapi.json' })).json<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    }>();
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path).map((operation) => operation.operationId));
    expect(operations.sort()).toEqual(endpoints.map((endpoint) => endpoint.name).sort());
  });

  test('[WI6] every call but the open ones refuses a stranger with 401', async () => {
    for (const endpoint of endpoints.filter((one) => one.permission !== 'anyone')) {
      const answer = await server.app.inject({ method: endpoint.method, url: `/api${endpoint.path.replace(/:\w+/g, 'x')}` });
      expect([endpoint.name, answer.statusCode]).toEqual([endpoint.name, 401]);
    }
  });
});

describe('security headers', () => {
  test('[SH1] every answer, errors included, carries the strict policy and is not kept', async () => {
    for (const url of ['/api/users/me', '/api/nowhere', '/api/diagnosis']) {
      const { headers } = await server.app.inject({ url });
      expect(headers['content-security-policy']).toContain("default-src 'none'");
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'");
      expect(headers['content-security-policy']).not.toContain('unsafe');
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['referrer-policy']).toBe('no-referrer');
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  test('[SH2] a change asked for by another site is refused, one by our own pages or an allowed origin is not', async () => {
    const put = (headers: Record<string, string>) =>
      server.app.inject({
        method: 'PUT',
        url: '/api/transaction_matches/transfer',
        headers: { cookie, host: 'books.example.org', ...headers },
        payload: {},
      });
    expect((await put({ origin: 'https://evil.example.com' })).statusCode).toBe(403);
    expect((await put({ 'sec-fetch-site': 'cross-site' })).statusCode).toBe(403);
    expect((await put({ origin: 'null' })).statusCode).toBe(403);
    expect((await put({ origin: 'https://books.example.org' })).statusCode).toBe(422);
    expect((await put({ origin: 'https://app.example.org' })).statusCode).toBe(422);
    expect((await put({})).statusCode).toBe(422);
  });

  test('[SH3] only the listed origins may read answers with credentials', async () => {
    const allowed = await server.app.inject({ url: '/api/diagnosis', headers: { origin: 'https://app.example.org' } });
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.example.org');
    expect(allowed.headers['access-control-allow-credentials']).toBe('true');
    const other = await server.app.inject({ url: '/api/diagnosis', headers: { origin: 'https://evil.example.com' } });
    expect(other.headers['access-control-allow-origin']).toBeUndefined();
  });
});
