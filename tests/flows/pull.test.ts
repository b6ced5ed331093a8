import { eq, inArray } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { deviceSchema, type DeviceTables } from '#replica/device-tables.ts';
import { closeReplica } from '#replica/open.ts';
import type { SegmentRecord } from '#replica/row-tables.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, entityAssignments } from '#server/database/tables/users.ts';
import { noFilter } from '#domain/transaction-filter.ts';
import type { GridResult } from '#workers/start.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { aClient, aPendingMatch, anAccount, anEntity, anOffice, aUser, someTransactions, transactionRow } from '#tests/support/world.ts';
import { listed, planted } from '#tests/support/stored.ts';

const { server, browsers } = aFlow();

const day = 86_400_000;

/** An office with rows spread over some months, its accountant signed in on one browser. */
const newestOf = ({ segment }: SegmentRecord): number => (segment as { newest?: number }).newest ?? 0;

async function anOfficeWith(rows: number) {
  const office = await anOffice(server.database.db);
  const made = Array.from({ length: rows }, (_, index) =>
    transactionRow(office.exchange, { trx_date: new Date(testNow - index * (day / 4)), quantity: `${index + 1}.000000000000000001` }),
  );
  await someTransactions(server.database.db, made);
  return { ...office, made, ...(await browsers.signIn(office.accountant.email)) };
}

describe('the pull', () => {
  test('[SY1] everything the user may see reaches the replica, and the grid counts and sums it exactly', async () => {
    const { start, session, client, made } = await anOfficeWith(730);
    const { engine, sync } = start();
    await engine.open(session);
    expect((await sync()).phase).toBe('idle');
    const grid = await aGrid(engine, client.id);
    expect(grid.latest()).toMatchObject({
      count: 730,
      assets: [{ count: 730, in: '266815.00000000000000073', net: '266815.00000000000000073', out: '0' }],
    });
    const rows = await grid.rows(0, 800);
    expect(rows.map((row) => row.id)).toEqual(made.map((row) => row.id));
  });

  test.each([
    ['feed' as const, 730],
    ['specification' as const, null],
  ])('[SY23] a first pull that is under way tells of how many rows where the server counts them: %s', async (speaks, told) => {
    const office = await anOfficeWith(730);
    const { start, session, wire } = await browsers.signIn(office.accountant.email, '', speaks);
    const through = wire.fetch;
    const { engine, until } = start();
    let pages = 0;
    wire.fetch = (input, init) => {
      if (String(input).includes('/transactions?')) pages += 1;
      return pages > 1 ? Promise.reject(new TypeError('network')) : through(input, init);
    };
    await engine.open(session);
    const { entities } = await until(({ phase }) => phase === 'offline');
    expect(entities).toMatchObject([{ phase: 'bootstrap', rows_in_all: told }]);
    wire.fetch = through;
    await engine.syncNow();
    const whole = await until(({ phase, entities: now }) => phase === 'idle' && now[0]?.phase === 'steady');
    expect(whole.entities).toMatchObject([{ rows: 730, rows_in_all: 730 }]);
  });

  test('[CS5] what was pulled is sorted on the disk once the pull is done, so that the next start need not', async () => {
    const { startSynced, aPage } = await anOfficeWith(730);
    await startSynced();
    const { rows } = await aPage();
    const sorted = async (): Promise<number> =>
      (await listed(rows, 'manifests')).flatMap(({ partitions }) => partitions).reduce((sum, partition) => sum + partition.rows, 0);
    await expect.poll(sorted).toBe(730);
  });

  test('[SY3] the newest months come first, by date and never by skipping', async () => {
    const { start, session, wire, entity } = await anOfficeWith(900);
    const { engine, until } = start();
    await engine.open(session);
    await until(({ phase }) => phase === 'idle');
    const pages = wire.requests.filter((request) => request.startsWith('GET /transactions?'));
    // of any other server than ours a little more is asked: it may make another day of the moment
    const from = decodeURIComponent(/start_date=([^&]*)/.exec(pages[0] ?? '')?.[1] ?? '');
    expect(['2026-07-30T00:00:00.000Z', '2026-08-01T00:00:00.000Z']).toContain(from);
    expect(pages.filter((page) => /skip=[1-9]\d\d/.test(page))).toEqual([]);
    expect(pages.every((page) => page.includes(`entity_id=${entity.id}`) && page.includes('start_date='))).toBe(true);
    expect(pages.length).toBeLessThan(900 / 99 + 8);
  });

  test('[SY4] a pull killed at any page goes on where it was, and holds no row twice', async () => {
    const { start, session, wire, client } = await anOfficeWith(620);
    const through = wire.fetch;
    let device = start();
    let pages = 0;
    wire.fetch = (input, init) => {
      if (String(input).includes('/transactions?')) pages += 1;
      if (pages > 2) throw new TypeError('network');
      return through(input, init);
    };
    for (let kills = 0; kills < 6; kills += 1) {
      pages = 0;
      await device.engine.open(session);
      await device.sync();
      await device.engine.close(session.userId);
      device = start();
    }
    wire.fetch = through;
    await device.engine.open(session);
    await device.sync();
    const grid = await aGrid(device.engine, client.id);
    expect(grid.latest()?.count).toBe(620);
    expect(new Set((await grid.rows(0, 700)).map((row) => row.id)).size).toBe(620);
  });

  test('[SY5] thousands of rows of one moment are pulled whole', async () => {
    const office = await anOffice(server.database.db);
    const moment = new Date(testNow - day);
    await someTransactions(server.database.db, [
      transactionRow(office.exchange, { trx_date: new Date(testNow) }),
      ...Array.from({ length: 1234 }, () => transactionRow(office.exchange, { trx_date: moment })),
      transactionRow(office.exchange, { trx_date: new Date(testNow - 2 * day) }),
    ]);
    const { start, session } = await browsers.signIn(office.accountant.email);
    const { engine, sync } = start();
    await engine.open(session);
    await sync();
    expect((await aGrid(engine, office.client.id)).latest()?.count).toBe(1236);
  });

  test('[SY6] what another person changes or adds in the recent months arrives with the next round, once', async () => {
    const { startSynced, client, made, exchange } = await anOfficeWith(300);
    const { engine, sync } = await startSynced();
    const changed = made[3]!;
    await server.database.db.update(transactions).set({ description: 'put right', version: 2 }).where(eq(transactions.id, changed.id!));
    await someTransactions(server.database.db, [transactionRow(exchange, { trx_date: new Date(testNow) })]);
    await sync();
    const grid = await aGrid(engine, client.id);
    expect(grid.latest()?.count).toBe(301);
    expect((await grid.rows()).find((row) => row.id === changed.id)?.description).toBe('put right');
  });

  test('[SY24] what a first pull read before it was held up is read again once it is over', async () => {
    const office = await anOfficeWith(730);
    const { start, session, wire } = await browsers.signIn(office.accountant.email, '', 'specification');
    const through = wire.fetch;
    const first = start();
    let pages = 0;
    wire.fetch = (input, init) => {
      if (String(input).includes('/transactions?')) pages += 1;
      return pages > 1 ? Promise.reject(new TypeError('network')) : through(input, init);
    };
    await first.engine.open(session);
    await first.until(({ phase }) => phase === 'offline');
    await first.engine.close(session.userId);
    await server.database.db.update(transactions).set({ quantity: '7', version: 2 }).where(eq(transactions.id, office.made[0]!.id!));
    server.clock.advance(30 * 60_000);
    wire.fetch = through;
    const { engine, until } = start();
    await engine.open(session);
    await until(({ phase }) => phase === 'idle');
    const grid = await aGrid(engine, office.client.id);
    expect((await grid.rows())[0]).toMatchObject({ id: office.made[0]!.id, quantity: '7' });
    expect(grid.latest()?.count).toBe(730);
  });

  test('[SY7] after a restart without a network the rows, filters, sorts and totals are there', async () => {
    const { start, startSynced, session, wire, client, wallet } = await anOfficeWith(310);
    await someTransactions(server.database.db, [
      transactionRow(wallet, {
        trx_type_id: 2,
        quantity: '7',
        usd_value: '70',
        tx_hash: '0xABCDEF',
        trx_date: new Date(testNow - 3 * day),
      }),
    ]);
    const first = await startSynced();
    await first.engine.close(session.userId);
    wire.cut();
    const second = start();
    await second.engine.open(session);
    expect((await second.sync()).phase).toBe('offline');
    expect((await aGrid(second.engine, client.id)).latest()?.count).toBe(311);
    const found = await aGrid(second.engine, client.id, { text: 'abcd' });
    expect(found.latest()).toMatchObject({ count: 1, usd: { out: '70', net: '-70' } });
    expect(
      (
        await aGrid(second.engine, client.id, {
          fields: [{ kind: 'list', field: 'account', values: [wallet.id] }],
          from: '2026-09-11',
          to: '2026-09-11',
        })
      ).latest()?.count,
    ).toBe(1);
    const sorted = await aGrid(second.engine, client.id, {}, [{ field: 'quantity', ascending: false }]);
    expect((await sorted.rows(0, 2)).map((row) => row.quantity)).toEqual(['310.000000000000000001', '309.000000000000000001']);
  });

  test('[SY8] damaged local columns are made anew from the rows on this device, without the network, and it is noted', async () => {
    const { start, startSynced, session, client, aPage, wire } = await anOfficeWith(9000);
    const first = await startSynced();
    const before = (await aGrid(first.engine, client.id)).latest();
    await first.engine.close(session.userId);
    const replica = await aPage();
    const record = (await listed(replica.rows, 'segments')).find((segment) => segment.tier === 'hot');
    const { hot } = record!.segment as { hot: { key: Uint32Array } };
    hot.key[17] = 0;
    await planted(replica.rows, 'segments', [record!]);
    closeReplica(replica);
    wire.cut();
    const device = await browserStores.open<DeviceTables>(deviceSchema);
    const losses = (await listed(device, 'loss_audit')).length;
    const second = start();
    await second.engine.open(session);
    const grid = await aGrid(second.engine, client.id);
    const { count, usd, assets } = await grid.until((result) => result.count === 9000);
    expect({ count, usd, assets }).toEqual({ count: before?.count, usd: before?.usd, assets: before?.assets });
    expect(await listed(device, 'loss_audit')).toHaveLength(losses + 1);
    device.close();
  });

  test.each([
    ['while nobody looks', 'hot', 9000],
    ['in what is read last', 'hot', 26_000],
    ['in its texts', 'text tx_hash', 9000],
    ['in its full rows', 'cold', 9000],
  ] as const)('[SY12] damage %s is found, and every row is there again', async (_where, tier, rows) => {
    const { start, startSynced, session, client, aPage } = await anOfficeWith(rows);
    const first = await startSynced();
    await first.engine.close(session.userId);
    const replica = await aPage();
    // some of its rows are in the window that is read below
    if (tier === 'cold') await replica.rows.write(['cold'], (tx) => tx.remove('cold', ['transactions', client.id, 5]));
    else {
      const ofTier = (await listed(replica.rows, 'segments')).filter((segment) => segment.tier === tier);
      // the newest rows are read first
      const record = ofTier.toSorted((a, b) => newestOf(a) - newestOf(b))[0];
      const segment = record!.segment as { hot?: { key: Uint32Array }; bytes?: Uint8Array };
      if (segment.hot) segment.hot.key[17] = 0;
      segment.bytes?.fill(65);
      await planted(replica.rows, 'segments', [record!]);
    }
    closeReplica(replica);
    const second = start();
    await second.engine.open(session);
    await second.sync();
    // the texts are read by a search, the full rows by a window
    const grid = await aGrid(second.engine, client.id, tier === 'text tx_hash' ? { text: 'nothing has this' } : {});
    await grid.rows(200, 200);
    await second.sync();
    await second.sync();
    const whole = await aGrid(second.engine, client.id);
    await expect.poll(() => whole.latest()?.count, { timeout: 10_000 }).toBe(rows);
    const ids = (await whole.rows(0, rows)).map((row) => row.id);
    expect(new Set(ids).size).toBe(rows);
  });

  test('[SY13] damage found in the middle of a first pull leaves no hole in what is called complete', async () => {
    const { start, session, wire, client, aPage } = await anOfficeWith(12_000);
    const through = wire.fetch;
    const first = start();
    let pages = 0;
    wire.fetch = (input, init) => {
      if (String(input).includes('/transactions?')) pages += 1;
      if (pages > 95) throw new TypeError('network');
      return through(input, init);
    };
    await first.engine.open(session);
    await first.sync();
    await first.engine.close(session.userId);
    const replica = await aPage();
    const hot = (await listed(replica.rows, 'segments')).filter((segment) => segment.tier === 'hot');
    await replica.rows.write(['segments'], (tx) =>
      tx.removeMany(
        'segments',
        hot.map(({ noun, set, partition, tier }) => [noun, set, partition, tier] as const),
      ),
    );
    closeReplica(replica);
    wire.fetch = through;
    const second = start();
    await second.engine.open(session);
    await second.sync();
    await second.sync();
    expect((await aGrid(second.engine, client.id)).latest()?.count).toBe(12_000);
  });

  test('[SY14] a scope the server cannot answer holds up nothing else', async () => {
    const { start, session, wire, client } = await anOfficeWith(120);
    const through = wire.fetch;
    wire.fetch = async (input, init) =>
      String(input).includes('/accounts') ? Response.json({ detail: 'broken' }, { status: 500 }) : through(input, init);
    const { engine, sync } = start();
    await engine.open(session);
    const status = await sync();
    expect(status.problem).toContain('could not be fetched');
    expect((await aGrid(engine, client.id)).latest()?.count).toBe(120);
  });

  test('[SY20] a list the server cannot answer for anybody is not asked for of every client', async () => {
    const { start, session, wire, accountant, organization } = await anOfficeWith(10);
    const { db } = server.database;
    const others = await Promise.all(Array.from({ length: 24 }, () => aClient(db, { organization_id: organization.id })));
    await db.insert(clientAssignments).values(others.map(({ id }) => ({ user_id: accountant.id, client_id: id })));
    const through = wire.fetch;
    let asked = 0;
    let isBroken = true;
    wire.fetch = async (input, init) => {
      if (!isBroken || !String(input).includes('/accounts')) return through(input, init);
      asked += 1;
      return Response.json({ detail: 'broken' }, { status: 500 });
    };
    const { engine, until, sync } = start();
    await engine.open(session);
    await until(({ phase }) => phase === 'idle');
    // five, those that were on their way by then, and one more once something else was answered
    expect(asked).toBeGreaterThanOrEqual(5);
    expect(asked).toBeLessThanOrEqual(9);
    isBroken = false;
    expect(await sync()).toMatchObject({ phase: 'idle', problem: null });
    for (const { id } of others) expect(wire.requests.some((request) => request.includes(`client_id=${id}`))).toBe(true);
  });

  test('[SY15] after signing out nothing more is asked, though requests hang, and the next user starts clean', async () => {
    const { start, session, wire } = await anOfficeWith(200);
    const through = wire.fetch;
    let asked = 0;
    wire.fetch = (input, init) => {
      asked += 1;
      if (asked < 4) return through(input, init);
      return new Promise((_resolve, reject) =>
        init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError'))),
      );
    };
    const { engine, until } = start();
    await engine.open(session);
    await until((status) => status.phase === 'syncing');
    await expect.poll(() => asked).toBeGreaterThanOrEqual(4);
    await engine.close(session.userId);
    const after = asked;
    await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toBe(after);
    wire.fetch = through;
    const { accountant } = await anOffice(server.database.db);
    const next = await browsers.signIn(accountant.email);
    await engine.open(next.session);
    await engine.close(session.userId);
    expect((await until((status) => status.phase !== 'starting')).phase).not.toBe('stopped');
    await engine.close(next.session.userId);
  });

  test('[SY33] of a list that the server gives a part of alone the person is told, until it gives all', async () => {
    const { start, session, wire } = await anOfficeWith(3);
    wire.speak('specification');
    const through = wire.fetch;
    let isCut = true;
    let one: { id: string } | undefined;
    wire.fetch = async (input, init) => {
      const answer = await through(input, init);
      if (!isCut || !String(input).includes('/custodians/?')) return answer;
      // a page as long as the specification has them, whatever is skipped
      one ??= ((await answer.json()) as { id: string }[])[0];
      return Response.json(
        Array.from({ length: 500 }, (_, no) => ({ ...one, id: `${one?.id.slice(0, -3)}${String(no).padStart(3, '0')}` })),
      );
    };
    const { engine, sync } = start();
    await engine.open(session);
    expect((await sync()).problem).toMatch(/no more than the first page of its custodians/);
    isCut = false;
    expect((await sync()).problem).toBe(null);
  });

  test('[SY16] a session that ran out is renewed by its cookie, and nobody is sent away', async () => {
    const { start, session, client } = await anOfficeWith(30);
    const { engine, sync } = start();
    server.clock.advance(61 * 60_000);
    await engine.open(session);
    expect((await sync()).phase).toBe('idle');
    expect((await aGrid(engine, client.id)).latest()?.count).toBe(30);
  });

  test('[SY9] an entity the user may no longer see does not stop the others', async () => {
    const office = await anOfficeWith(50);
    const other = await anEntity(server.database.db, { client_id: office.client.id });
    await someTransactions(server.database.db, [transactionRow(await anAccount(server.database.db, { entity_id: other.id }))]);
    const { engine, sync } = office.start();
    office.wire.answerOnce('GET', '/transaction_matches', () => Response.json({ detail: 'Permission denied' }, { status: 403 }));
    await engine.open(office.session);
    expect((await sync()).phase).toBe('idle');
    expect((await aGrid(engine, office.client.id)).latest()?.count).toBe(51);
  });

  test('[SY10] a page of a captive portal is no answer: nothing is taken from it, and the pull goes on after', async () => {
    const { start, session, wire, client } = await anOfficeWith(40);
    const { engine, sync } = start();
    wire.answerOnce('GET', '/transactions', () => new Response('<html>Sign in to the hotel</html>', { status: 200 }));
    await engine.open(session);
    await sync();
    await sync();
    expect((await aGrid(engine, client.id)).latest()?.count).toBe(40);
  });

  test('[SY17] what is deleted at the server goes from lists and sums, however old it is, and stays gone after a restart', async () => {
    const { start, startSynced, session, client, made, exchange, wallet, aPage, wire } = await anOfficeWith(300);
    const { db } = server.database;
    const { match, out } = await aPendingMatch(db, exchange, wallet);
    const { engine, sync } = await startSynced();
    const page = await aPage();
    expect(await listed(page.rows, 'transaction_matches')).toHaveLength(1);
    await db.delete(transactionMatches).where(eq(transactionMatches.id, match.id));
    const gone = [made[0]!.id!, made[150]!.id!, made[299]!.id!, out.id];
    await db.delete(transactions).where(inArray(transactions.id, gone));
    // without a feed a list that is read in pages must lack a row three times
    for (let round = 0; round < 3; round += 1) await sync();
    const left = 302 - gone.length;
    expect([(await aGrid(engine, client.id)).latest()?.count, await listed(page.rows, 'transaction_matches')]).toEqual([left, []]);
    await engine.close(session.userId);
    wire.cut();
    const again = start();
    await again.engine.open(session);
    const grid = await aGrid(again.engine, client.id);
    expect(grid.latest()?.count).toBe(left);
    expect((await grid.rows(0, 400)).filter((row) => gone.includes(row.id))).toEqual([]);
  });

  test('[SY18] a row that a list leaves out and the server still has stays', async () => {
    const { startSynced, wire, made, client } = await anOfficeWith(40);
    const { engine, sync } = await startSynced();
    const through = wire.fetch;
    wire.fetch = async (input, init) => {
      const response = await through(input, init);
      if (!String(input).includes('/transactions?')) return response;
      const rows = (await response.json()) as { id: string }[];
      return new Response(JSON.stringify(rows.filter((row) => row.id !== made[7]!.id)), { headers: response.headers });
    };
    await sync();
    await sync();
    expect((await aGrid(engine, client.id)).latest()?.count).toBe(40);
  });

  test('[SY19] what may no longer be seen is gone from this device to the last byte, and comes back with the right', async () => {
    const office = await anOffice(server.database.db);
    const { db } = server.database;
    const secret = await anEntity(db, { client_id: office.client.id, entity_name: 'CANARY Holding' });
    const vault = await anAccount(db, { entity_id: secret.id, account_name: 'CANARY vault' });
    await someTransactions(db, [transactionRow(office.exchange), transactionRow(vault, { description: 'CANARY payment' })]);
    const user = await aUser(db, { organizationIds: [office.organization.id], entityIds: [office.entity.id, secret.id] });
    const { startSynced, aPage } = await browsers.signIn(user.email);
    const { engine, sync } = await startSynced();
    const page = await aPage();
    const held = async (): Promise<string> => {
      const tables = ['entities', 'accounts', 'clients', 'cold', 'segments', 'manifests', 'transaction_matches', 'pulls', 'meta'] as const;
      return JSON.stringify(await Promise.all(tables.map((table) => listed(page.rows, table))));
    };
    expect([(await aGrid(engine, office.client.id)).latest()?.count, (await held()).includes('CANARY')]).toEqual([2, true]);
    // what was worked out ahead, and never asked for
    const query = { clientIds: [office.client.id], filter: noFilter, sort: [], zone: 'UTC' } as const;
    const window = { offset: 0, limit: 5 };
    expect((await engine.prepareQuery('ahead', query, window))?.rows).toHaveLength(2);
    await db.delete(entityAssignments).where(eq(entityAssignments.entity_id, secret.id));
    await sync();
    server.clock.advance(11 * 60_000);
    await sync();
    expect((await aGrid(engine, office.client.id)).latest()?.count).toBe(1);
    const asked: GridResult[] = [];
    await engine.watchQuery('ahead', query, window, (result) => void asked.push(result));
    await expect.poll(() => asked.map(({ rows }) => rows.length)).toEqual([1]);
    await engine.unwatch('ahead');
    const after = await held();
    expect([after.includes('CANARY'), after.includes(secret.id)]).toEqual([false, false]);
    await db.insert(entityAssignments).values({ user_id: user.id, entity_id: secret.id });
    await sync();
    expect([(await aGrid(engine, office.client.id)).latest()?.count, (await held()).includes('CANARY')]).toEqual([2, true]);
  });
});
