import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { eq, sql } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nudgeLimits } from '#contract/feed.ts';
import { saveView } from '#contract/saved-views.ts';
import { logout, sessionLimits } from '#contract/session.ts';
import { buildApp } from '#server/app.ts';
import { type Database, openPostgres } from '#server/database/open.ts';
import { clientAssignments, users } from '#server/database/tables/users.ts';
import { aConfig, aServer, type CookieJar, type TestServer } from '#tests/support/server.ts';
import { anAccount, anEntity, anOffice, aTransaction, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let me: Awaited<ReturnType<TestServer['signedIn']>>;
let listeners: Listener[];

let app: FastifyInstance;
/** What the server under test was told, in the order of commits. */
const told = new Set<string>();

/** The server's database, with an ear at what it is told. */
function observed(database: Database): Database {
  const listen: Database['listen'] = (onNotice) =>
    database.listen((scope) => {
      onNotice(scope);
      told.add(scope);
    });
  return { ...database, listen };
}

/** A server on a database, with the one clock. */
async function aListeningServer(database: Database): Promise<FastifyInstance> {
  const { clock } = server;
  const made = await buildApp({ database, config: aConfig(), clock: clock.now, timers: clock.timers });
  await made.listen({ port: 0, host: '127.0.0.1' });
  return made;
}

/** Waits until the server under test was told of all that was committed before. */
async function allTold(): Promise<void> {
  const mark = `mark:${uuidv7()}`;
  await db().execute(sql`select pg_notify('tieout_feed', ${mark})`);
  await expect.poll(() => told.has(mark)).toBe(true);
}

const leaveAll = async () => {
  for (const listener of listeners) listener.leave();
  // nothing a stream held outlives it
  await expect.poll(server.clock.timersSet).toBe(0);
};

beforeAll(async () => {
  server = await aServer();
  app = await aListeningServer(observed(server.database));
});
beforeEach(async () => {
  listeners = [];
  office = await anOffice(db());
  me = await server.signedIn(office.accountant.email);
  // with the first stream the server begins to listen
  await aStream(me, app);
  await leaveAll();
});
afterEach(leaveAll);
afterAll(async () => {
  await app.close();
  await server.close();
});

const db = () => server.database.db;
const cookieOf = ({ jar }: { jar: CookieJar }) => [...jar].map(([name, value]) => `${name}=${value}`).join('; ');

const eventsOf = (at: FastifyInstance) => `http://127.0.0.1:${(at.server.address() as AddressInfo).port}/api/sync/v1/events`;

/** One browser on the stream: what it heard so far, and whether the stream is over. */
interface Listener {
  status: number;
  headers: NodeJS.Dict<string | string[]>;
  heard: () => string;
  nudges: () => number;
  isOver: () => boolean;
  leave: () => void;
}

async function aStream(browser: { jar: CookieJar }, at: FastifyInstance): Promise<Listener> {
  const url = eventsOf(at);
  let heard = '';
  let isOver = false;
  const answer = await new Promise<{ status: number; headers: NodeJS.Dict<string | string[]>; leave: () => void }>((resolve, reject) => {
    const asked = request(url, { headers: { cookie: cookieOf(browser), 'accept-encoding': 'gzip' }, agent: false }, (response) => {
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        heard += text;
      });
      response.on('close', () => {
        isOver = true;
      });
      resolve({ status: response.statusCode ?? 0, headers: response.headers, leave: () => asked.destroy() });
    });
    asked.on('error', reject);
    asked.end();
  });
  const listener = { ...answer, heard: () => heard, nudges: () => heard.split('event: nudge\ndata:\n\n').length - 1, isOver: () => isOver };
  if (answer.status !== 200) return listener;
  listeners.push(listener);
  await expect.poll(() => heard).toContain(': listening\n\n');
  return listener;
}

/** A browser on the stream that hears of nothing that was before. */
async function aListener(browser: { jar: CookieJar } = me): Promise<Listener> {
  await allTold();
  return aStream(browser, app);
}

/** How many nudges wait to be sent: every open stream has a heartbeat waiting, too. */
const waiting = () => server.clock.timersSet() - listeners.filter((listener) => !listener.isOver()).length;

/** Waits until all was told and a nudge is due for each of some browsers, and until they heard it. */
async function nudged(...browsers: Listener[]): Promise<void> {
  const before = browsers.map((browser) => browser.nudges());
  await allTold();
  await expect.poll(waiting).toBe(browsers.length);
  server.clock.advance(nudgeLimits.everyMs);
  await expect.poll(() => browsers.map((browser) => browser.nudges())).toEqual(before.map((times) => times + 1));
}

describe('nudges', () => {
  test('[FE25] something that changes where one may see it is one nudge without content, sent soon and not compressed', async () => {
    const listener = await aListener();
    expect(listener.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      'x-content-type-options': 'nosniff',
    });
    expect(listener.headers['content-encoding']).toBeUndefined();
    // told of in two places: its own, and its entity's, which counts it
    await anAccount(db(), { entity_id: office.entity.id, custodian_id: office.exchange.custodian_id });
    await allTold();
    expect(waiting()).toBe(1);
    server.clock.advance(nudgeLimits.gatherMs);
    await expect.poll(listener.heard).toBe(': listening\n\nevent: nudge\ndata:\n\n');
    expect(waiting()).toBe(0);
  });

  test('[FE26] many changes in a second are one nudge, sent once the second is over', async () => {
    const listener = await aListener();
    await aTransaction(db(), office.exchange);
    await expect.poll(waiting).toBe(1);
    server.clock.advance(nudgeLimits.gatherMs);
    await expect.poll(listener.nudges).toBe(1);
    for (let made = 0; made < 5; made += 1) await aTransaction(db(), office.exchange);
    await allTold();
    expect(waiting()).toBe(1);
    server.clock.advance(nudgeLimits.everyMs - 1);
    expect([listener.nudges(), waiting()]).toEqual([1, 1]);
    server.clock.advance(1);
    await expect.poll(listener.nudges).toBe(2);
    expect(waiting()).toBe(0);
  });

  test('[FE27] nobody is nudged by what they may not see, nor by the views of another', async () => {
    const other = await anOffice(db());
    const [mine, theirs] = [await aListener(), await aListener(await server.signedIn(other.accountant.email))];
    await aTransaction(db(), other.exchange);
    await nudged(theirs);
    await me.call(saveView, { id: uuidv7(), name: 'Mine', list: 'transactions', search: '' });
    await nudged(mine);
    await aTransaction(db(), office.exchange);
    await nudged(mine);
    expect([mine.nudges(), theirs.nudges(), waiting()]).toEqual([2, 1, 0]);
  });

  test('[FE28] what one may see from now on is told of from now on, what one may no longer see is not', async () => {
    const listener = await aListener();
    const sister = await anEntity(db(), { client_id: office.client.id });
    await nudged(listener);
    const account = await anAccount(db(), { entity_id: sister.id });
    await nudged(listener);
    await aTransaction(db(), account);
    await nudged(listener);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, office.accountant.id));
    await nudged(listener);
    const admin = await aListener(await server.signedIn((await aUser(db(), { is_superuser: true })).email));
    await aTransaction(db(), account);
    await nudged(admin);
    expect(waiting()).toBe(0);
  });

  test('[FE29] a stream that is silent beats every 25 seconds', async () => {
    const listener = await aListener();
    for (const beats of [1, 2, 3]) {
      await expect.poll(server.clock.timersSet).toBe(1);
      server.clock.advance(nudgeLimits.heartbeatMs);
      await expect.poll(() => listener.heard().split('\n:\n').length - 1).toBe(beats);
    }
  });

  test('[FE30] the stream ends with the session: signed out, disabled, or run out', async () => {
    const people = [await aUser(db()), await aUser(db()), await aUser(db())] as const;
    const browsers = await Promise.all(people.map((person) => server.signedIn(person.email)));
    const streams = [await aListener(browsers[0]), await aListener(browsers[1]), await aListener(browsers[2])] as const;
    const over = () => streams.map((stream) => stream.isOver());
    await browsers[0]!.call(logout, {});
    await allTold();
    server.clock.advance(nudgeLimits.gatherMs);
    await expect.poll(over).toEqual([true, false, false]);
    await db().update(users).set({ is_enabled: false }).where(eq(users.id, people[1].id));
    await allTold();
    server.clock.advance(nudgeLimits.gatherMs);
    await expect.poll(over).toEqual([true, true, false]);
    server.clock.advance(sessionLimits.accessMs);
    await expect.poll(over).toEqual([true, true, true]);
    expect((await aListener(browsers[2])).status).toBe(401);
  });

  test('[FE31] one person has six streams at most, and one that was left is free again with all it held', async () => {
    const streams = [];
    for (let made = 0; made < nudgeLimits.streams; made += 1) streams.push(await aListener());
    const seventh = await aListener();
    expect([seventh.status, seventh.headers['retry-after']]).toEqual([429, '25']);
    expect((await aListener(await server.signedIn((await aUser(db())).email))).status).toBe(200);
    streams[0]!.leave();
    await expect.poll(async () => (await aListener()).status).toBe(200);
    for (const listener of listeners) listener.leave();
    await expect.poll(server.clock.timersSet).toBe(0);
    // none of the streams that were left is told of anything, and none keeps the place of another
    const again = await aListener();
    await aTransaction(db(), office.exchange);
    await nudged(again);
  });

  test('[FE32] an open stream does not keep the server from closing', async () => {
    const another = await aListeningServer(server.database);
    const [one, two] = [await aStream(me, another), await aStream(me, another)];
    await another.close();
    await expect.poll(() => [one.isOver(), two.isOver()]).toEqual([true, true]);
    expect(server.clock.timersSet()).toBe(0);
  });

  test('[FE33] a change made through another server of the database is told of, also after the connection that listens broke', async () => {
    const url = server.databaseUrl;
    // the embedded database belongs to one process, and what happens in it is told in it
    const second = url === null ? server.database : await openPostgres(url);
    const another = await aListeningServer(second);
    const [here, elsewhere] = [await aListener(), await aStream(me, another)];
    await aTransaction(second.db, office.exchange);
    await nudged(here, elsewhere);
    if (url !== null) {
      const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query like 'listen %'`;
      await db().execute(end);
      // what was missed meanwhile nobody knows: everybody is told to ask
      await expect.poll(waiting).toBe(2);
      await nudged(here, elsewhere);
      await aTransaction(second.db, office.exchange);
      await nudged(here, elsewhere);
    }
    await another.close();
    if (url !== null) await second.close();
  });

  test('[FE40] a server that could not listen for once does with the next who comes', async () => {
    let fails = 1;
    const listen: Database['listen'] = (onNotice) =>
      fails-- > 0 ? Promise.reject(new Error('The database is gone')) : server.database.listen(onNotice);
    const late = await aListeningServer({ ...server.database, listen });
    const first = await fetch(eventsOf(late), { headers: { cookie: cookieOf(me) } });
    expect(await first.text()).toBe('');
    const second = await aStream(me, late);
    await aTransaction(db(), office.exchange);
    await nudged(second);
    await late.close();
  });
});

test('[FE42] asked for without a body there is no stream', async () => {
  const cookie = [...me.jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const before = server.clock.timersSet();
  expect((await server.app.inject({ method: 'HEAD', url: '/api/sync/v1/events', headers: { cookie } })).statusCode).toBe(404);
  expect(server.clock.timersSet()).toBe(before);
});
