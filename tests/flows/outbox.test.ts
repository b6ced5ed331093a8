import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import { login, logout } from '#contract/session.ts';
import { matchesOfTransaction } from '#replica/nouns.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, deleteRows, type Replica } from '#replica/open.ts';
import { purgedTables } from '#replica/purge.ts';
import { discard, retry } from '#replica/decisions.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid, type Speaks } from '#tests/support/engine.ts';
import { testNow, testPassword } from '#tests/support/server.ts';
import { anOffice, aPendingMatch, aTransaction } from '#tests/support/world.ts';
import { listed, planted } from '#tests/support/stored.ts';

const { server, browsers } = aFlow();

/** One pending match, pulled to a browser; `page` is what a tab holds, beside the engine. */
async function aClientWithOnePendingMatch(speaks: Speaks = 'feed', ageMs = 3_600_000) {
  const office = await anOffice(server.database.db);
  const pair = await aPendingMatch(server.database.db, office.exchange, office.wallet, { trx_date: new Date(testNow - ageMs) });
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const device = await browser.startSynced();
  const page = await browser.aPage();
  const mark = (is_transfer: boolean, changes: Partial<{ trx_id: string; counterpart_id: string | null }> = {}) =>
    enqueue(page.outbox, {
      id: uuidv7(),
      name: 'markTransfer',
      input: { trx_id: pair.out.id!, counterpart_id: pair.into.id!, is_transfer, ...changes },
      title: 'Mark transfer',
      now: testNow,
      clientId: office.client.id,
      entityId: office.entity.id,
    });
  return { ...office, ...pair, ...browser, ...device, device, page, mark };
}

const stored = async (id: string) => (await server.database.db.select().from(transactions).where(eq(transactions.id, id)))[0];
const isDrained = (page: Replica) => async () => (await pendingMutations(page.outbox)).length === 0;

describe('the outbox', () => {
  test('[OB1] an edit made offline shows at once, survives a restart, and reaches the server once it is back', async () => {
    const { wire, mark, page, engine, client, out, into, start, session } = await aClientWithOnePendingMatch();
    wire.cut();
    await mark(true);
    const grid = await aGrid(engine, client.id);
    await grid.until(() => true);
    const shown = async (ask: typeof grid) => (await ask.rows()).map((row) => [row.match_state, row.pending?.state ?? null]);
    // queued, or tried and without an answer: either way it waits for the network
    const waits = ['APPROVED', expect.stringMatching(/queued|sending|uncertain/)];
    await expect.poll(() => shown(grid)).toEqual([waits, waits]);
    expect((await matchesOfTransaction(page, out.id!))[0]?.state).toBe('APPROVED');
    await engine.close(session.userId);

    const later = start();
    await later.engine.open(session);
    expect((await later.sync()).phase).toBe('offline');
    const again = await aGrid(later.engine, client.id);
    await expect.poll(async () => (await again.rows()).map((row) => row.match_state)).toEqual(['APPROVED', 'APPROVED']);
    expect((await stored(out.id!))?.match_state).toBe('PENDING');

    wire.mend();
    await later.sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect([(await stored(out.id!))?.match_state, (await stored(into.id!))?.match_state]).toEqual(['APPROVED', 'APPROVED']);
    await expect
      .poll(() => shown(again))
      .toEqual([
        ['APPROVED', null],
        ['APPROVED', null],
      ]);
    expect(await listed(page.outbox, 'receipts')).toMatchObject([{ outcome: 'accepted', title: 'Mark transfer' }]);
  });

  test.each([
    ['in a list or the feed', /^(GET|POST) /],
    ['at an edit', /^PUT /],
  ])('[SY31] a server that asks to wait is asked nothing more before that, whoever wants it: it said so %s', async (_, met) => {
    const { wire, mark, page, engine, sync, status } = await aClientWithOnePendingMatch();
    const through = wire.fetch;
    const refused: string[] = [];
    let isOver = false;
    wire.fetch = (input, init) => {
      const asked = `${init?.method ?? 'GET'} ${String(input)}`;
      if (isOver || (refused.length === 0 && !met.test(asked))) return through(input, init);
      refused.push(asked);
      return Promise.resolve(Response.json({ detail: 'Request was throttled' }, { status: 429, headers: { 'retry-after': '40' } }));
    };
    await mark(true);
    await expect.poll(async () => (await sync()).problem).toContain('The server asked to wait');
    // whether it means all of it says how it answers when it is asked how it is
    expect(refused.filter((asked) => asked.endsWith('/diagnosis'))).toHaveLength(1);
    const before = refused.length;
    await mark(true, { counterpart_id: null });
    await engine.wakeUp();
    await engine.sendNow();
    await sync();
    expect([refused.slice(before), status()?.phase]).toEqual([[], 'idle']);
    isOver = true;
    server.clock.advance(41_000);
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect(status()?.problem).toBe(null);
  });

  test('[SE54] who is signed out is told so, and what waits for that goes on with the next session, whatever else fails meanwhile', async () => {
    const { wire, mark, page, engine, session, sync } = await aClientWithOnePendingMatch();
    const through = wire.fetch;
    const answers: [RegExp, number, string][] = [
      [/^POST .*\/sync\/v1\/changes/, 500, 'Internal server error'],
      [/^PUT /, 401, 'Invalid token'],
      [/refresh_token/, 401, 'No access token'],
    ];
    wire.fetch = (input, init) => {
      const asked = `${init?.method ?? 'GET'} ${String(input)}`;
      const [, status, detail] = answers.find(([path]) => path.test(asked)) ?? [];
      return status === undefined ? through(input, init) : Promise.resolve(Response.json({ detail }, { status }));
    };
    await mark(true);
    await expect.poll(async () => (await sync()).phase).toBe('signed_out');
    await sync();
    expect((await sync()).phase).toBe('signed_out');
    expect(await pendingMutations(page.outbox)).toMatchObject([{ state: 'paused_auth' }]);
    wire.fetch = through;
    await engine.open(session);
    await expect.poll(isDrained(page)).toBe(true);
  });

  test.each([
    ['in the feed or a list', /^(GET|POST) /],
    ['at an edit', /^PUT /],
  ])('[SE61] who has just signed in again is not told that the session is over by an answer that was late: it came %s', async (_, met) => {
    const { wire, mark, page, engine, session } = await aClientWithOnePendingMatch();
    const through = wire.fetch;
    const over = (detail: string): Response => Response.json({ detail }, { status: 401 });
    let release = (): void => undefined;
    const late = new Promise<void>((resolve) => {
      release = resolve;
    });
    let [isOver, isRenewing] = [false, false];
    wire.fetch = async (input, init) => {
      const asked = `${init?.method ?? 'GET'} ${String(input)}`;
      if (!isRenewing && asked.includes('refresh_token')) {
        isRenewing = true;
        await late;
        return over('No access token');
      }
      if (isOver || !met.test(asked)) return through(input, init);
      isOver = true;
      return over('Invalid token');
    };
    const phases: string[] = [];
    await engine.watchStatus('phases', ({ phase }) => void phases.push(phase));
    await mark(true);
    await expect.poll(() => isRenewing).toBe(true);
    await engine.open(session);
    release();
    await expect.poll(isDrained(page)).toBe(true);
    await expect.poll(() => phases.at(-1)).toBe('idle');
    expect(phases).not.toContain('signed_out');
  });

  test.each<Speaks>(['feed', 'specification'])(
    '[OB42] what an edit left that was accepted before the power failed is read again at the next start, whatever the age of the copy: %s',
    async (speaks) => {
      const { mark, page, engine, session, sync, start, client, wire } = await aClientWithOnePendingMatch(speaks, 200 * 86_400_000);
      const tables = [...purgedTables, 'gone'] as const;
      const before = await Promise.all(tables.map(async (table) => ({ table, rows: await listed(page.rows, table) })));
      await mark(true);
      await sync();
      await expect.poll(isDrained(page)).toBe(true);
      await engine.close(session.userId);
      // the outbox was on the disk, and of the copy nothing yet
      await page.rows.write([...tables], async (tx) => {
        for (const { table, rows } of before) {
          await tx.removeAll(table);
          await tx.putMany(table, rows as never);
        }
      });
      wire.requests.splice(0);
      // however long it was off
      server.clock.advance(3_600_000);
      const later = start();
      await later.engine.open(session);
      const grid = await aGrid(later.engine, client.id);
      await expect.poll(async () => (await grid.rows()).map((row) => row.match_state)).toEqual(['APPROVED', 'APPROVED']);
      // of many older rows a refresh reads a few
      const isAsked = wire.requests.some((request) => request.startsWith('GET /transactions/select'));
      expect(isAsked).toBe(speaks === 'specification');
      await expect.poll(async () => (await listed(page.rows, 'transaction_matches')).map(({ state }) => state)).toEqual(['APPROVED']);
    },
  );

  test('[OB2] an edit whose answer was lost is sent again under its key and has its effect once', async () => {
    const { wire, mark, page, sync, out } = await aClientWithOnePendingMatch();
    wire.loseAnswerOf('PUT', '/transaction_matches/transfer');
    await mark(true);
    await sync();
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect(wire.requests.filter((request) => request.startsWith('PUT /transaction_matches'))).toHaveLength(2);
    expect((await stored(out.id!))?.version).toBe(2);
  });

  test('[OB3] a refusal is kept with its reason, the row shows what the server holds, and the person decides', async () => {
    const { mark, page, engine, sync, client, out, exchange } = await aClientWithOnePendingMatch();
    const sameAccount = await aTransaction(server.database.db, exchange, { trx_type_id: 1 });
    await mark(true, { counterpart_id: sameAccount.id! });
    await sync();
    await expect.poll(async () => (await pendingMutations(page.outbox))[0]?.state).toBe('refused');
    const [refused] = await pendingMutations(page.outbox);
    expect(refused?.error).toMatchObject({ code: 'invalid', detail: expect.stringContaining('one account') });
    const grid = await aGrid(engine, client.id);
    await expect
      .poll(async () => (await grid.rows()).find((row) => row.id === out.id))
      .toMatchObject({ match_state: 'PENDING', pending: { state: 'refused', detail: expect.stringContaining('one account') } });
    await retry(page.outbox, refused!.seq);
    await sync();
    await expect.poll(async () => (await pendingMutations(page.outbox))[0]?.state).toBe('refused');
    expect(await discard(page.outbox, refused!.seq, testNow)).toBe('discarded');
    expect(await pendingMutations(page.outbox)).toEqual([]);
    expect(await listed(page.outbox, 'receipts')).toMatchObject([{ outcome: 'discarded' }]);
  });

  test('[OB4] edits of one row reach the server in the order they were made', async () => {
    const { wire, mark, page, sync, out } = await aClientWithOnePendingMatch();
    wire.cut();
    await mark(true);
    await mark(false);
    await mark(true);
    await mark(false);
    wire.mend();
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect((await stored(out.id!))?.match_state).toBe('REJECTED');
  });

  test('[OB5] a refused edit holds back its own lane and no other', async () => {
    const { mark, page, sync, out, into, exchange, wallet } = await aClientWithOnePendingMatch();
    const sameAccount = await aTransaction(server.database.db, exchange, { trx_type_id: 1 });
    await mark(true, { counterpart_id: sameAccount.id! });
    await mark(true);
    const other = await aTransaction(server.database.db, wallet, { trx_type_id: 2 });
    await mark(true, { trx_id: other.id!, counterpart_id: null });
    await sync();
    await expect.poll(async () => (await pendingMutations(page.outbox)).map((edit) => edit.state)).toEqual(['refused', 'queued']);
    expect((await stored(other.id!))?.match_state).toBe('APPROVED');
    expect([(await stored(out.id!))?.match_state, (await stored(into.id!))?.match_state]).toEqual(['PENDING', 'PENDING']);
  });

  test('[OB6] an ended session pauses the outbox and loses nothing; signing in again sends it', async () => {
    const { mark, page, engine, sync, call, session, out, accountant, device } = await aClientWithOnePendingMatch();
    await call(logout, {});
    await mark(true);
    expect((await sync()).phase).toBe('signed_out');
    expect((await sync()).phase).toBe('signed_out');
    await expect.poll(async () => (await pendingMutations(page.outbox))[0]?.state).toBe('paused_auth');
    await call(login, { email: accountant.email, password: testPassword });
    await engine.open(session);
    await device.sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect((await stored(out.id!))?.match_state).toBe('APPROVED');
  });

  test('[OB7] what a killed worker was sending is sent again by the next, once', async () => {
    const { wire, mark, page, engine, start, session, out } = await aClientWithOnePendingMatch();
    await engine.close(session.userId);
    await mark(true);
    const [edit] = await pendingMutations(page.outbox);
    await planted(page.outbox, 'mutations', [{ ...edit!, state: 'sending' }]);
    const next = start();
    await next.engine.open(session);
    await next.sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect(wire.requests.filter((request) => request.startsWith('PUT /transaction_matches'))).toHaveLength(1);
    expect((await stored(out.id!))?.version).toBe(2);
  });

  test('[OB8] a decision of another person arrives, and the pair shows what the server holds', async () => {
    const { call, engine, client, sync, out, match, page } = await aClientWithOnePendingMatch();
    const { markTransfer } = await import('#contract/transaction-matches.ts');
    await call(markTransfer, { trx_id: out.id!, counterpart_id: null, is_transfer: false });
    await sync();
    const grid = await aGrid(engine, client.id);
    await expect.poll(async () => (await grid.rows()).map((row) => row.match_state).sort()).toEqual(['REJECTED', null]);
    expect((await server.database.db.select().from(transactionMatches).where(eq(transactionMatches.id, match.id)))[0]?.state).toBe(
      'REJECTED',
    );
    expect((await matchesOfTransaction(page, out.id!)).map((one) => one.state)).toEqual(['REJECTED', 'REJECTED']);
  });

  test('[OB15] an edit whose row arrives after it shows on the row, and a correction from the server shows beneath it', async () => {
    const { mark, wire, engine, sync, client, out, session, page, start } = await aClientWithOnePendingMatch();
    wire.cut();
    await mark(true);
    await engine.close(session.userId);
    closeReplica(page);
    await deleteRows(browserStores, session.userId);
    const next = start();
    wire.mend();
    wire.answerOnce('PUT', '/transaction_matches/transfer', () => Response.json({ detail: 'later' }, { status: 503 }));
    await server.database.db.update(transactions).set({ quantity: '99', version: 7 }).where(eq(transactions.id, out.id!));
    await next.engine.open(session);
    const grid = await aGrid(next.engine, client.id);
    await expect
      .poll(async () => (await grid.rows()).find((row) => row.id === out.id))
      .toMatchObject({ match_state: 'APPROVED', quantity: '99' });
    expect(sync).toBeTypeOf('function');
  });

  test('[OB22] an edit to which no answer came is sent again once the server answers anything, however long it was to wait', async () => {
    const { wire, mark, page, sync } = await aClientWithOnePendingMatch();
    wire.answerOnce('PUT', '/transaction_matches/transfer', () => {
      throw new TypeError('network');
    });
    await mark(true);
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect(wire.requests.filter((request) => request.startsWith('PUT /transaction_matches'))).toHaveLength(2);
  });

  test('[OB23] what edits changed is read back together, and one that no longer may be seen holds up no other', async () => {
    const { wire, page, sync, client, entity, exchange } = await aClientWithOnePendingMatch();
    const rows: { id?: string }[] = [];
    for (let no = 0; no < 9; no += 1) rows.push(await aTransaction(server.database.db, exchange, { trx_type_id: 2 }));
    await sync();
    const markAll = async (is_transfer: boolean) => {
      wire.cut();
      for (const { id } of rows)
        await enqueue(page.outbox, {
          id: uuidv7(),
          name: 'markTransfer',
          input: { trx_id: id!, counterpart_id: null, is_transfer },
          title: 'Mark transfer',
          now: testNow,
          clientId: client.id,
          entityId: entity.id,
        });
      wire.mend();
    };
    const asked = () => wire.requests.filter((request) => request.startsWith('GET /transactions/select')).length;
    await markAll(true);
    // the others are accepted while the first are read back
    wire.answerOnce('GET', '/transactions/select', async () => {
      await expect.poll(async () => (await pendingMutations(page.outbox)).every(({ state }) => state === 'acked')).toBe(true);
      return null;
    });
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect(asked()).toBeLessThan(rows.length);
    // who asks for many rows is refused for one of them
    await markAll(false);
    wire.answerOnce('GET', '/transactions/select', () => Response.json({ detail: 'Permission denied' }, { status: 403 }));
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    const outcomes = (await listed(page.outbox, 'receipts')).map(({ outcome }) => outcome);
    expect(outcomes).toEqual([...rows, ...rows].map(() => 'accepted'));
  });

  test('[OB16] an edit whose outcome could not be written is not stuck on its way', async () => {
    const { mark, page, sync, wire, out } = await aClientWithOnePendingMatch();
    wire.cut();
    await mark(true);
    await sync();
    const [edit] = await pendingMutations(page.outbox);
    await planted(page.outbox, 'mutations', [{ ...edit!, state: 'sending' }]);
    wire.mend();
    await sync();
    await expect.poll(isDrained(page)).toBe(true);
    expect((await stored(out.id!))?.version).toBe(2);
  });

  test('[OB31] what an edit left is held though its entity is in no list for the moment, as long as its rows are here', async () => {
    const { mark, page, engine, client, entity, out } = await aClientWithOnePendingMatch();
    // a list was read while nobody was to see it, and the next one brings it again before its rows are let go of
    const [row] = (await listed(page.rows, 'entities')).filter(({ id }) => id === entity.id);
    await page.rows.write(['entities'], (tx) => tx.remove('entities', entity.id));
    await mark(true);
    await engine.sendNow();
    await expect.poll(isDrained(page)).toBe(true);
    await planted(page.rows, 'entities', [row!]);
    expect((await matchesOfTransaction(page, out.id!)).map(({ state }) => state)).toEqual(['APPROVED']);
    const grid = await aGrid(engine, client.id);
    await expect.poll(async () => (await grid.rows()).map((each) => each.match_state)).toEqual(['APPROVED', 'APPROVED']);
  });
});
