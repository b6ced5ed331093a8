import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { followNudges, nudgeLimits } from '#contract/feed.ts';
import { login } from '#contract/session.ts';
import { draftKey } from '#replica/drafts.ts';
import { feedStateOf } from '#replica/feed-state.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { forgetChanges } from '#server/repositories/change-log.ts';
import { idempotency } from '#server/database/tables/idempotency.ts';
import { entities } from '#server/database/tables/places.ts';
import { savedViews } from '#server/database/tables/saved-views.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, entityAssignments } from '#server/database/tables/users.ts';
import { entityFields } from '#tests/support/entity-fields.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid } from '#tests/support/engine.ts';
import { testNow, testPassword } from '#tests/support/server.ts';
import { entitiesIn, listed, planted } from '#tests/support/stored.ts';
import { anEntity, anOffice, aPendingMatch, aTransaction, restrict, someTransactions, transactionRow } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

const db = () => server.database.db;

/** An office with some rows, and one browser that holds them. */
async function aFollower(rows = 20) {
  const office = await anOffice(db());
  const made = Array.from({ length: rows }, (_, index) =>
    transactionRow(office.exchange, { trx_date: new Date(testNow - index * 86_400_000), quantity: `${index + 1}` }),
  );
  await someTransactions(db(), made);
  const browser = await browsers.signIn(office.accountant.email);
  const worker = await browser.startSynced();
  browser.wire.requests.splice(0);
  const page = await browser.aPage();
  const count = async (filter = {}) => (await aGrid(worker.engine, office.client.id, filter)).latest()?.count;
  return { ...office, ...browser, ...worker, made, page, count };
}

const lists = (requests: readonly string[]): string[] => requests.filter((request) => !request.includes('/sync/'));

describe('a browser that follows the feed', () => {
  test('[FC21] a person whose app is too old for the server is told to reload; what they edited is kept, and rows are as they were', async () => {
    const { wire, sync, count } = await aFollower();
    wire.answerOnce('POST', '/sync/v1/changes', () => Response.json({ detail: 'CLIENT_TOO_OLD' }, { status: 426 }));
    const { phase, problem } = await sync();
    expect([phase, problem, await count()]).toEqual(['outdated', expect.stringMatching(/too old for the server.*Reload/), 20]);
    expect((await sync()).problem).toBe(null);
  });

  test('[FC26] a feed whose changes the server refuses holds up no list: all is read, the refusal is said, and later it is followed', async () => {
    const office = await anOffice(db());
    await someTransactions(db(), [transactionRow(office.exchange)]);
    const browser = await browsers.signIn(office.accountant.email);
    const { wire } = browser;
    const through = wire.fetch;
    let isRefused = true;
    wire.fetch = (input, init) => {
      const isAsked = String(input).endsWith('/sync/v1/changes') && !String(init?.body).includes('"cursor":null');
      return isAsked && isRefused ? Promise.resolve(Response.json({ detail: 'Too many scopes' }, { status: 422 })) : through(input, init);
    };
    const { engine, sync } = browser.start();
    await engine.open(browser.session);
    const count = async () => (await aGrid(engine, office.client.id)).latest()?.count;
    expect([(await sync()).problem, await count()]).toEqual([expect.stringContaining('Too many scopes'), 1]);
    isRefused = false;
    await aTransaction(db(), office.exchange, {});
    expect([(await sync()).problem, await count()]).toEqual([null, 2]);
  });

  test('[FC1] what others add, change and delete arrives by the feed alone, in the sums to the last digit', async () => {
    const { sync, wire, exchange, made, engine, client } = await aFollower();
    await aTransaction(db(), exchange, { quantity: '0.000000000000000001' });
    await db().update(transactions).set({ quantity: '100.5' }).where(eq(transactions.id, made[0]!.id!));
    await db().delete(transactions).where(eq(transactions.id, made[1]!.id!));
    expect((await sync()).phase).toBe('idle');
    // 1 to 20, with 1 made 100.5 and 2 taken away
    expect((await aGrid(engine, client.id)).latest()).toMatchObject({ count: 20, assets: [{ net: '307.500000000000000001' }] });
    expect(lists(wire.requests)).toEqual([]);
  });

  test('[FC2] lists are asked for in pages of the size the server says', async () => {
    const office = await anOffice(db());
    await someTransactions(
      db(),
      Array.from({ length: 600 }, () => transactionRow(office.exchange)),
    );
    const { startSynced, wire } = await browsers.signIn(office.accountant.email);
    await startSynced();
    const pages = wire.requests.filter((request) => request.startsWith('GET /transactions?'));
    expect(pages.every((page) => page.includes('limit=5000'))).toBe(true);
    expect(pages.length).toBeLessThan(6);
  });

  test('[FC3] what is deleted stays gone after a restart, and a view that is made again comes back', async () => {
    const { sync, made, count, accountant, page, start, session, engine, client, wire } = await aFollower(12);
    const view = {
      id: uuidv7(),
      user_id: accountant.id,
      list: 'transactions' as const,
      name: 'Month end',
      name_key: 'month end',
      search: '',
    };
    await db()
      .insert(savedViews)
      .values({ ...view, version: 1, created_at: new Date(testNow), updated_at: new Date(testNow) });
    await sync();
    expect(await listed(page.rows, 'saved_views')).toHaveLength(1);
    await db().delete(savedViews).where(eq(savedViews.id, view.id));
    await db().delete(transactions).where(eq(transactions.id, made[3]!.id!));
    await sync();
    expect([await count(), await listed(page.rows, 'saved_views')]).toEqual([11, []]);
    await db()
      .insert(savedViews)
      .values({ ...view, version: 9, created_at: new Date(testNow), updated_at: new Date(testNow) });
    await sync();
    expect(await listed(page.rows, 'saved_views')).toMatchObject([{ id: view.id, version: 9 }]);
    await engine.close(session.userId);
    wire.cut();
    const again = start();
    await again.engine.open(session);
    expect((await aGrid(again.engine, client.id)).latest()?.count).toBe(11);
  });

  test('[FC4] another database at the server: every row is read anew, though its versions are older, and the edits on their way stay', async () => {
    const { sync, page, made, count, wire, engine, client } = await aFollower();
    await db().update(transactions).set({ description: 'after the backup' }).where(eq(transactions.id, made[0]!.id!));
    await sync();
    wire.cut();
    await enqueue(page.outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: made[5]!.id!, counterpart_id: null, is_transfer: true },
      title: 'Mark',
      now: testNow,
      clientId: null,
      entityId: null,
    });
    await sync();
    // a backup: nothing of it is in the log
    await db().transaction(async (tx) => {
      await tx.execute(sql`set local tieout.feed = 'off'`);
      await tx.update(transactions).set({ description: 'before it', version: 1 }).where(eq(transactions.id, made[0]!.id!));
      await tx.delete(transactions).where(eq(transactions.id, made[1]!.id!));
    });
    await db().execute(sql`update feed_state set server_gen = gen_random_uuid()`);
    expect(await pendingMutations(page.outbox)).toHaveLength(1);
    wire.mend();
    await sync();
    await sync();
    expect([await count(), await pendingMutations(page.outbox)]).toEqual([19, []]);
    const rows = await (await aGrid(engine, client.id)).rows();
    expect(rows.find((row) => row.id === made[0]!.id)?.description).toBe('before it');
    expect(rows.find((row) => row.id === made[5]!.id)?.match_state).toBe('APPROVED');
  });

  test('[FC5] a device that was away for longer than the server remembers reads everything again, and lets go what was deleted', async () => {
    const { sync, made, count, wire, exchange } = await aFollower();
    await db().delete(transactions).where(eq(transactions.id, made[2]!.id!));
    await aTransaction(db(), exchange);
    await aTransaction(db(), exchange);
    await forgetChanges(db(), new Date(Date.now() + 60_000));
    await sync();
    expect(await count()).toBe(21);
    expect(lists(wire.requests).length).toBeGreaterThan(3);
  });

  test('[FC6] a server that tells nothing any more is read by its lists, and followed again once it does', async () => {
    const { sync, made, count, wire, page, exchange } = await aFollower();
    wire.speak('specification');
    await db().delete(transactions).where(eq(transactions.id, made[4]!.id!));
    await aTransaction(db(), exchange);
    await aTransaction(db(), exchange);
    // two rounds still ask, and are told that there is none
    for (let round = 0; round < 3; round += 1) await sync();
    expect([await count(), await feedStateOf(page)]).toEqual([21, null]);
    wire.speak('feed');
    server.clock.advance(11 * 60_000);
    await sync();
    wire.requests.splice(0);
    await aTransaction(db(), exchange);
    await sync();
    expect([await count(), lists(wire.requests)]).toEqual([22, []]);
  });

  test('[FC7] a row of the feed that cannot be read is left out and said, and the others arrive', async () => {
    const { sync, exchange, count, wire } = await aFollower();
    const through = wire.fetch;
    const bad = await aTransaction(db(), exchange);
    await aTransaction(db(), exchange);
    wire.fetch = async (input, init) => {
      const response = await through(input, init);
      if (!String(input).includes('/sync/v1/changes')) return response;
      const body = (await response.json()) as { changes: { id: string; row: { quantity: unknown } }[] };
      for (const change of body.changes) if (change.id === bad.id) change.row.quantity = 'much';
      return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
    };
    expect((await sync()).problem).toMatch(/1 row of transactions could not be read/);
    expect(await count()).toBe(21);
  });

  test('[FC8] an entity that goes to another client takes its rows along', async () => {
    const { sync, organization, entity, accountant, engine, count } = await aFollower();
    const other = await anOffice(db());
    await db().execute(sql`update clients set organization_id = ${organization.id}::uuid where id = ${other.client.id}::uuid`);
    await db().insert(clientAssignments).values({ user_id: accountant.id, client_id: other.client.id });
    await sync();
    await db().update(entities).set({ client_id: other.client.id }).where(eq(entities.id, entity.id));
    await sync();
    expect([await count(), (await aGrid(engine, other.client.id)).latest()?.count]).toEqual([0, 20]);
  });

  test('[FC25] an entity that went to another client, whoever tells that first, leaves no row where it was, and none at all once it is deleted', async () => {
    const { sync, organization, entity, accountant, engine, count, page } = await aFollower();
    const other = await anOffice(db());
    await db().execute(sql`update clients set organization_id = ${organization.id}::uuid where id = ${other.client.id}::uuid`);
    await db().insert(clientAssignments).values({ user_id: accountant.id, client_id: other.client.id });
    await sync();
    // its list is read before the feed tells that
    const [held] = (await listed(page.rows, 'entities')).filter(({ id }) => id === entity.id);
    await page.rows.write(['entities'], (tx) => tx.put('entities', { ...held!, client_id: other.client.id }));
    await db().update(entities).set({ client_id: other.client.id }).where(eq(entities.id, entity.id));
    await sync();
    const rows = async () => [await count(), (await aGrid(engine, other.client.id)).latest()?.count];
    expect(await rows()).toEqual([0, 20]);
    const parents = (await feedStateOf(page))?.scopes.filter(({ key }) => key === `entity:${entity.id}`);
    expect(parents).toEqual([{ key: `entity:${entity.id}`, parent: `client:${other.client.id}` }]);
    await db()
      .update(entities)
      .set({ deleted_at: new Date(testNow) })
      .where(eq(entities.id, entity.id));
    await sync();
    expect(await rows()).toEqual([0, 0]);
  });

  test('[FC18] rows of a list that one may no longer read go from this device, the others stay, and they come back with the right', async () => {
    const { sync, count, page, exchange, wallet, accountant } = await aFollower();
    await aPendingMatch(db(), exchange, wallet);
    await sync();
    const pairs = async () => (await listed(page.rows, 'transaction_matches')).length;
    expect([await pairs(), await count()]).toEqual([1, 22]);
    await restrict(db(), accountant.id, 'transaction_match_read');
    await sync();
    expect([await pairs(), await count()]).toEqual([0, 22]);
    await restrict(db(), accountant.id);
    await sync();
    expect([await pairs(), await count()]).toEqual([1, 22]);
  });

  test('[FC19] whose right to transactions goes keeps none, and has all of them again with the right, however old they are', async () => {
    const { sync, count, page, exchange, wallet, accountant, entity } = await aFollower(400);
    await aPendingMatch(db(), exchange, wallet);
    await sync();
    await restrict(db(), accountant.id, 'transaction_read');
    await sync();
    expect(await count()).toBe(0);
    expect((await listed(page.rows, 'cold')).filter((record) => entitiesIn(record).includes(entity.id))).toEqual([]);
    expect(await listed(page.rows, 'transaction_matches')).toEqual([]);
    // the entity itself may still be seen
    expect(await listed(page.rows, 'entities')).toHaveLength(1);
    await restrict(db(), accountant.id);
    await sync();
    expect([await count(), (await listed(page.rows, 'transaction_matches')).length]).toEqual([402, 1]);
  });

  test('[FC20] what was read while an entity was out of sight for a moment, unheard of, is read from the beginning', async () => {
    const { client, exchange, accountant } = await anOffice(db());
    await someTransactions(
      db(),
      Array.from({ length: 60 }, (_, index) => transactionRow(exchange, { trx_date: new Date(testNow - index * 10 * 86_400_000) })),
    );
    const { start, session, wire } = await browsers.signIn(accountant.email, '', 'feed');
    const through = wire.fetch;
    let pages = 0;
    wire.fetch = async (input, init) => {
      if (!String(input).includes('/transactions?')) return through(input, init);
      pages += 1;
      // the network fails before the older rows: the feed is heard first
      if (pages === 2) throw new TypeError('network');
      if (pages > 2) return through(input, init);
      await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
      const answer = await through(input, init);
      await db().insert(clientAssignments).values({ user_id: accountant.id, client_id: client.id });
      return answer;
    };
    const { engine, sync, until } = start();
    await engine.open(session);
    await until(({ problem }) => problem !== null);
    expect(await sync()).toMatchObject({ phase: 'idle', problem: null });
    expect((await aGrid(engine, client.id)).latest()?.count).toBe(60);
  });

  test('[FC24] a change made on nothing that is known, whose answer was lost, does not bring back its entity that went out of sight meanwhile', async () => {
    const { sync, engine, page, client, entity, accountant, wire } = await aFollower();
    const other = await anEntity(db(), { client_id: client.id });
    await db().insert(entityAssignments).values({ user_id: accountant.id, entity_id: other.id });
    await sync();
    const ids = async () => (await listed(page.rows, 'entities')).map(({ id }) => id).toSorted();
    expect(await ids()).toEqual([entity.id, other.id].toSorted());
    const path = `/entities/${entity.id}`;
    await enqueue(page.outbox, {
      id: uuidv7(),
      name: 'updateEntity',
      input: { id: entity.id, ...entityFields },
      title: 'Edit',
      now: testNow,
      clientId: client.id,
      entityId: entity.id,
    });
    wire.loseAnswerOf('PUT', path);
    await engine.sendNow();
    expect(await pendingMutations(page.outbox)).toMatchObject([{ may_have_arrived: true }]);
    // what the network lets through: first what tells of the loss, then the edit, and no list that would take the row away again
    let isLossHeard = false;
    const through = wire.fetch;
    wire.fetch = (input, init) => {
      const isCut = isLossHeard ? String(input).includes('/entities/?') : init?.method === 'PUT';
      return isCut ? Promise.reject(new TypeError('network')) : through(input, init);
    };
    // the client is in sight still, by the other one
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    await sync();
    expect([await ids(), (await pendingMutations(page.outbox)).length]).toEqual([[other.id], 1]);
    isLossHeard = true;
    await engine.sendNow();
    expect([await ids(), await pendingMutations(page.outbox)]).toEqual([[other.id], []]);
  });

  test('[FC9] a change bears the name of its device, and the same one every time', async () => {
    const { sync, made, page, accountant } = await aFollower();
    for (const at of [0, 1]) {
      await enqueue(page.outbox, {
        id: uuidv7(),
        name: 'markTransfer',
        input: { trx_id: made[at]!.id!, counterpart_id: null, is_transfer: true },
        title: 'Mark',
        now: testNow,
        clientId: null,
        entityId: null,
      });
      await sync();
    }
    const sent = await db().select({ device: idempotency.device_id }).from(idempotency).where(eq(idempotency.user_id, accountant.id));
    expect(sent).toHaveLength(2);
    expect(sent[0]?.device).toMatch(/^[0-9a-f]{32}$/);
    expect(sent[1]?.device).toBe(sent[0]?.device);
  });

  test('[FC11] nothing is sent where no answer comes: of an edit made offline it is known that it has not arrived', async () => {
    const { sync, made, page, wire } = await aFollower();
    wire.cut();
    const id = uuidv7();
    await enqueue(page.outbox, {
      id,
      name: 'markTransfer',
      input: { trx_id: made[0]!.id!, counterpart_id: null, is_transfer: true },
      title: 'Mark transfer',
      now: testNow,
      clientId: null,
      entityId: null,
    });
    for (let rounds = 0; rounds < 3; rounds += 1) expect((await sync()).phase).toBe('offline');
    expect(await pendingMutations(page.outbox)).toMatchObject([{ id, state: 'queued', attempts: 0 }]);
    wire.mend();
    await sync();
    await expect.poll(async () => pendingMutations(page.outbox)).toEqual([]);
  });

  test.each([200, 404])(
    '[FC29] a page of %i of somebody on the way makes no server a foreign one before it was ever heard either: it is told whose every request is',
    async (status) => {
      const office = await anOffice(db());
      await someTransactions(db(), [transactionRow(office.exchange)]);
      const { wire, start, session } = await browsers.signIn(office.accountant.email);
      const through = wire.fetch;
      let answers = 1;
      const unnamed: string[] = [];
      wire.fetch = (input, init) => {
        const path = new URL(String(input)).pathname;
        if (!new Headers(init?.headers).has('x-user-id')) unnamed.push(path);
        if (path.endsWith('/sync/v1/hello') && answers-- > 0)
          return Promise.resolve(new Response('<html>Welcome</html>', { status, headers: { 'content-type': 'text/html' } }));
        return through(input, init);
      };
      const { engine, sync } = start();
      await engine.open(session);
      await sync();
      await sync();
      expect((await aGrid(engine, office.client.id)).latest()?.count).toBe(1);
      // the greeting tells first whose the server is, what needs no session is anybody's, and a nudge says nothing
      expect([...new Set(unnamed)].filter((path) => !/hello|diagnosis|events/.test(path))).toEqual([]);
    },
  );

  test.each([200, 403, 404, 405])(
    '[FC12] a page of %i of somebody on the way is no answer of the server: the feed is not forgotten, and edits are sent on the version they were made on',
    async (status) => {
      const { engine, start, session, made, page, wire } = await aFollower();
      await engine.close(session.userId);
      const hotel = () => new Response('<html>Welcome</html>', { status, headers: { 'content-type': 'text/html' } });
      const bound: (string | null)[] = [];
      const through = wire.fetch;
      let answers = 3;
      wire.fetch = (input, init) => {
        // a device reports, too, whenever it comes to it
        if (init?.method === 'PUT' && String(input).endsWith('/transaction_matches/transfer'))
          bound.push(new Headers(init.headers).get('if-match'));
        if (!String(input).endsWith('/sync/v1/hello') || answers <= 0) return through(input, init);
        answers -= 1;
        return Promise.resolve(hotel());
      };
      const [row] = made;
      const { match_state, quantity, security_id, trx_type_id, trx_date } = { match_state: null, security_id: null, ...row! };
      const _generation = (await feedStateOf(page))?.server_gen ?? null;
      await enqueue(page.outbox, {
        id: uuidv7(),
        name: 'markTransfer',
        input: { trx_id: row!.id!, counterpart_id: null, is_transfer: true },
        title: 'Mark transfer',
        now: testNow,
        clientId: null,
        entityId: null,
        seen: { id: row!.id!, version: 1, _generation, match_state, quantity, security_id, trx_type_id, trx_date: trx_date.toISOString() },
      });
      const later = start();
      await later.engine.open(session);
      await later.sync();
      await expect.poll(async () => pendingMutations(page.outbox)).toEqual([]);
      expect([bound, (await feedStateOf(page)) !== null]).toEqual([['"1"'], true]);
    },
  );

  test('[FC14] a worker whose browser is signed in as somebody else by now sends nothing and reads nothing, and goes on once its person is back', async () => {
    const { call, sync, until, engine, session, page, made, accountant } = await aFollower();
    const other = await anOffice(db());
    const stored = async (id: string) => (await db().select().from(transactions).where(eq(transactions.id, id)))[0]?.match_state;
    const row = made[0]!.id!;
    await call(login, { email: other.accountant.email, password: testPassword });
    await enqueue(page.outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: row, counterpart_id: null, is_transfer: true },
      title: 'Mark transfer',
      now: testNow,
      clientId: null,
      entityId: null,
    });
    // the edit alone wakes it
    await until(({ problem }) => problem?.startsWith('Somebody else is signed in') === true);
    expect(await stored(row)).toBeNull();
    expect((await listed(page.rows, 'clients')).map(({ id }) => id)).not.toContain(other.client.id);
    expect(await pendingMutations(page.outbox)).toMatchObject([{ state: 'queued' }]);
    await call(login, { email: accountant.email, password: testPassword });
    await engine.open(session);
    await sync();
    await expect.poll(async () => pendingMutations(page.outbox)).toEqual([]);
    expect(await stored(row)).toBe('APPROVED');
  });

  test('[FC10] a nudge is enough: what others change arrives though nobody asks', async () => {
    const office = await anOffice(db());
    const { wire, jar, start, session } = await browsers.signIn(office.accountant.email);
    const address = await server.app.listen({ port: 0, host: '127.0.0.1' });
    let heard = '';
    const listenIn = async (answer: Response): Promise<Response> => {
      const [theirs, ours] = (answer.body as ReadableStream<Uint8Array<ArrayBuffer>>).tee();
      const hear = new WritableStream<string>({ write: (text) => void (heard += text) });
      void ours
        .pipeThrough(new TextDecoderStream())
        .pipeTo(hear)
        .catch(() => undefined);
      return new Response(theirs, answer);
    };
    // over a socket, since a stream goes on, and one for each call, that none is waited for in the end
    wire.fetch = async (input, init) => {
      const headers = {
        ...(init?.headers as Record<string, string>),
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        connection: 'close',
      };
      const answer = await fetch(String(input).replace('http://localhost', address), { ...init, headers });
      return String(input).endsWith(followNudges.path) ? listenIn(answer) : answer;
    };
    const { engine, sync } = start();
    await engine.open(session);
    await sync();
    const grid = await aGrid(engine, office.client.id);
    const { clock } = server;
    // its first words are a reason to ask, too
    await expect.poll(() => heard).toContain('listening');
    const set = clock.timersSet();
    await aTransaction(db(), office.exchange);
    // changes of a moment make one nudge
    await expect.poll(clock.timersSet).toBe(set + 1);
    clock.advance(nudgeLimits.gatherMs);
    expect((await grid.until(({ count }) => count === 1)).count).toBe(1);
  });

  test('[DR21] what was typed about a client is held by one that is left out of the device, and goes where it may no longer be seen', async () => {
    const { sync, page, client, entity, engine, accountant } = await aFollower(4);
    const draft = (form: string, client_id: string | null, entity_id: string | null = null) => ({
      form_key: draftKey(form, uuidv7()),
      client_id,
      entity_id,
      fields: {},
      before: {},
      kept_at: 1,
    });
    const own = [draft('client', client.id), draft('entity', client.id, entity.id), draft('ticket', null)];
    const forms = async () => (await listed(page.outbox, 'drafts')).map(({ form_key: key }) => key.split(' ')[0]);
    await planted(page.outbox, 'drafts', [...own, draft('elsewhere', uuidv7())]);
    await engine.keepClient(client.id, false);
    await sync();
    await db().execute(sql`update feed_state set server_gen = gen_random_uuid()`);
    await sync();
    expect(await forms()).toEqual(['client', 'entity', 'ticket']);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, accountant.id));
    await sync();
    expect(await forms()).toEqual(['ticket']);
  });
});
