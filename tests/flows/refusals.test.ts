import { describe, expect, test } from 'vitest';
import type { PermissionKey } from '#contract/permissions.ts';
import type { RowTables } from '#replica/row-tables.ts';
import type { TableName } from '#replica/store.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { anAccount, anEntity, anOffice, aPendingMatch, restrict, someTransactions, transactionRow } from '#tests/support/world.ts';
import { entitiesIn, listed } from '#tests/support/stored.ts';

const { server, browsers } = aFlow();

const day = 86_400_000;

/** A browser that holds 400 rows over more than a year, a pair and its two rows, of a server that tells nothing by itself. */
async function aHolder() {
  const { db } = server.database;
  const office = await anOffice(db);
  const made = Array.from({ length: 400 }, (_, index) => transactionRow(office.exchange, { trx_date: new Date(testNow - index * day) }));
  await someTransactions(db, made);
  await aPendingMatch(db, office.exchange, office.wallet);
  const { start, session, wire, aPage } = await browsers.signIn(office.accountant.email, '', 'specification');
  const { engine, sync, status, until } = start();
  await engine.open(session);
  await until(({ phase, entities }) => phase === 'idle' && entities.every((entity) => entity.phase === 'steady'));
  const { rows } = await aPage();
  const grid = await aGrid(engine, office.client.id);
  return {
    ...office,
    wire,
    rows,
    sync,
    status,
    mayNot: (...rights: PermissionKey[]) => restrict(db, office.accountant.id, ...rights),
    /** What was refused is asked for again. */
    later: async () => {
      server.clock.advance(11 * 60_000);
      await sync();
    },
    grid,
    count: () => grid.latest()?.count,
    held: async (table: TableName<RowTables>) => (await listed(rows, table)).length,
    asked: (path: string) => wire.requests.filter((request) => request.startsWith(`GET ${path}`)).length,
  };
}

const refusal = (): Response => Response.json({ detail: 'Permission denied' }, { status: 403 });

describe('what a server refuses that tells no changes', () => {
  test.each([
    ['a proxy', () => new Response('<html>Blocked by your company</html>', { status: 403 }), null],
    ['a server that lets nobody in from here', refusal, null],
    ['a server that does not say whether the right is there', refusal, { client_read: true }],
    ['a server at which one may do everything', refusal, { transaction_read: false, transaction_match_read: false }],
  ])('[SY29] the refusal of %s takes nothing from this device, and is asked again later', async (whose, answer, permissions) => {
    const { wire, sync, status, later, held, count, exchange, accountant } = await aHolder();
    const through = wire.fetch;
    let refused = 0;
    const me = { ...accountant, is_superuser: whose.endsWith('everything'), permissions };
    wire.fetch = (input, init) => {
      if (permissions && String(input).endsWith('/users/me')) return Promise.resolve(Response.json(me));
      if (!/transaction(s|_matches)\?/.test(String(input))) return through(input, init);
      refused += 1;
      return Promise.resolve(answer());
    };
    await sync();
    await sync();
    // what somebody on the way refuses is a fault, and asked again whenever somebody wants it
    const isOnTheWay = whose === 'a proxy';
    expect([refused, await held('transaction_matches'), count()]).toEqual([isOnTheWay ? 4 : 2, 1, 402]);
    expect(status()?.problem ?? '').toMatch(isOnTheWay ? /It is tried again/ : /^$/);
    wire.fetch = through;
    await someTransactions(server.database.db, [transactionRow(exchange, { trx_date: new Date(testNow) })]);
    await later();
    expect([await held('transaction_matches'), count()]).toEqual([1, 403]);
  });

  test('[SY30] rows of a list go where the server says that the right is gone, the others stay, and they come back with the right', async () => {
    const { mayNot, sync, later, held, count, asked } = await aHolder();
    expect([await held('transaction_matches'), count()]).toEqual([1, 402]);
    await mayNot('transaction_match_read');
    await sync();
    expect([await held('transaction_matches'), count()]).toEqual([0, 402]);
    const before = asked('/transaction_matches');
    await sync();
    expect(asked('/transaction_matches')).toBe(before);
    await mayNot();
    await later();
    expect([await held('transaction_matches'), count()]).toEqual([1, 402]);
  });

  test('[SY30] transactions go to the last byte, and all come back with the right, however old they are', async () => {
    const { mayNot, sync, later, held, count, rows, entity } = await aHolder();
    await mayNot('transaction_read');
    await sync();
    expect([count(), await held('segments')]).toEqual([0, 0]);
    expect((await listed(rows, 'cold')).filter((record) => entitiesIn(record).includes(entity.id))).toEqual([]);
    expect([await held('entities'), await held('accounts')]).toEqual([1, 2]);
    await mayNot();
    await later();
    expect([count(), await held('transaction_matches')]).toEqual([402, 1]);
  });

  test('[SY30] of a client of whose entities one is refused the others stay, however often it is asked for again', async () => {
    const { wire, sync, later, count, grid, client, entity, accountant } = await aHolder();
    const { db } = server.database;
    const sister = await anEntity(db, { client_id: client.id });
    await someTransactions(db, [transactionRow(await anAccount(db, { entity_id: sister.id }), { trx_date: new Date(testNow - 90 * day) })]);
    await sync();
    expect(count()).toBe(403);
    const through = wire.fetch;
    const me = { ...accountant, permissions: { transaction_read: false } };
    let refused = 0;
    wire.fetch = (input, init) => {
      const asked = String(input);
      if (asked.endsWith('/users/me')) return Promise.resolve(Response.json(me));
      if (!asked.includes('/transactions?') || !asked.includes(entity.id)) return through(input, init);
      refused += 1;
      return Promise.resolve(refusal());
    };
    await sync();
    expect([refused, count()]).toEqual([1, 1]);
    const seen = grid.results.length;
    await later();
    await later();
    expect([refused, count(), grid.results.slice(seen).filter((result) => result.count !== 1).length]).toEqual([3, 1, 0]);
  });

  test('[SY30] rows of an entity that is in no list while those of another one go come back with the list, however old they are', async () => {
    const { wire, sync, count, client, entity, accountant } = await aHolder();
    const { db } = server.database;
    const sister = await anEntity(db, { client_id: client.id });
    const account = await anAccount(db, { entity_id: sister.id });
    // more than a refresh reads of what is old
    const old = Array.from({ length: 700 }, (_, index) =>
      transactionRow(account, { trx_date: new Date(testNow - (90 + index / 2) * day) }),
    );
    await someTransactions(db, old);
    await sync();
    const through = wire.fetch;
    let [isRefused, isListed] = [false, false];
    wire.fetch = async (input, init) => {
      const asked = String(input);
      if (asked.endsWith('/users/me')) return Response.json({ ...accountant, permissions: { transaction_read: false } });
      if (isRefused && asked.includes('/transactions?') && asked.includes(entity.id)) return refusal();
      const answer = await through(input, init);
      if (isListed || !asked.includes('/entities/?')) return answer;
      const rows = (await answer.json()) as { id: string }[];
      return Response.json(rows.filter(({ id }) => id !== sister.id));
    };
    await sync();
    expect(count()).toBe(1102);
    isRefused = true;
    await sync();
    expect(count()).toBe(0);
    isListed = true;
    await sync();
    expect(count()).toBe(700);
  });
});
