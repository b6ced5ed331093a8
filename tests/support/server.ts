import type { FastifyInstance } from 'fastify';
import { type ApiCall, createClient } from '#api-client/call.ts';
import { login } from '#contract/session.ts';
import { buildApp } from '#server/app.ts';
import type { ServerConfig } from '#server/config.ts';
import type { Database } from '#server/database/open.ts';
import type { Timers } from '#server/timers.ts';
import { aDatabase } from './database.ts';

/** A moment in the middle of a month, so that tests choose their own time. */
export const testNow = Date.parse('2026-09-14T12:00:00.000Z');

/** A clock that stands still until told, and the timers that go by it. */
export interface TestClock {
  now: () => number;
  advance: (ms: number) => void;
  timers: Timers;
  /** How many timers are set. */
  timersSet: () => number;
}

export function aClock(start = testNow): TestClock {
  let time = start;
  const due = new Map<object, { at: number; work: () => void }>();
  return {
    now: () => time,
    advance: (ms) => {
      time += ms;
      for (const [timer, { at, work }] of due) if (at <= time && due.delete(timer)) work();
    },
    timers: {
      after: (ms, work) => {
        const timer = {};
        due.set(timer, { at: time + ms, work });
        return () => void due.delete(timer);
      },
    },
    timersSet: () => due.size,
  };
}

export function aConfig(changes: Partial<ServerConfig> = {}): ServerConfig {
  return {
    corsOrigins: [],
    trustedProxies: [],
    isSecure: false,
    runtime: { api_base_url: '/api', environment_name: 'TEST', support_url: null, oauth: null },
    oauth: null,
    clientFolder: null,
    signInsPerMinute: 1000,
    version: '0.0.0-test',
    ...changes,
  };
}

/** The cookies of one browser. */
export type CookieJar = Map<string, string>;

function keepCookies(jar: CookieJar, headers: readonly string[]): void {
  for (const header of headers) {
    const [pair = '', ...attributes] = header.split(';');
    const [name = '', value = ''] = pair.split('=');
    const expires = attributes.map((part) => part.trim()).find((part) => part.toLowerCase().startsWith('expires='));
    if (value === '' || (expires && Date.parse(expires.slice(8)) <= 0)) jar.delete(name);
    else jar.set(name, value);
  }
}

/** `fetch` that reaches the app in this process, with the cookies of a jar; the whole HTTP layer of the app runs. */
export function fetchThrough(app: FastifyInstance, jar: CookieJar): typeof fetch {
  return async (input, init) => {
    const request = new Request(new URL(String(input), 'http://localhost'), init);
    const payload = request.body === null ? undefined : Buffer.from(await request.arrayBuffer());
    const url = new URL(request.url);
    const answer = await app.inject({
      method: request.method as 'GET',
      url: url.pathname + url.search,
      headers: { ...Object.fromEntries(request.headers), cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(payload ? { payload } : {}),
      // a stream goes on until whoever reads it leaves
      signal: request.signal,
    });
    const cookies = answer.headers['set-cookie'];
    keepCookies(jar, typeof cookies === 'string' ? [cookies] : (cookies ?? []));
    const headers = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    return new Response(answer.rawPayload.length === 0 ? null : new Uint8Array(answer.rawPayload), { status: answer.statusCode, headers });
  };
}

export interface TestServer {
  app: FastifyInstance;
  database: Database;
  clock: TestClock;
  databaseUrl: string | null;
  /** A client without a session. */
  anyone: () => { call: ApiCall; jar: CookieJar; fetch: typeof fetch };
  /** A client signed in with its e-mail and the builders' password. */
  signedIn: (email: string) => Promise<{ call: ApiCall; jar: CookieJar; fetch: typeof fetch }>;
  close: () => Promise<void>;
}

export const testPassword = 'correct horse battery';

/** The real server on an empty database, of the tests' kind unless there is one. */
export async function aServer(changes: Partial<ServerConfig> = {}, clock = aClock(), made = aDatabase()): Promise<TestServer> {
  const { database, url } = await made;
  const app = await buildApp({ database, config: aConfig(changes), clock: clock.now, timers: clock.timers });
  const anyone = () => {
    const jar: CookieJar = new Map();
    const through = fetchThrough(app, jar);
    return { jar, fetch: through, call: createClient({ baseUrl: 'http://localhost/api', fetch: through }) };
  };
  return {
    app,
    database,
    clock,
    databaseUrl: url,
    anyone,
    async signedIn(email) {
      const client = anyone();
      await client.call(login, { email, password: testPassword });
      return client;
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}
