import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, test } from 'vitest';
import type { MutationInput } from '#contract/mutations.ts';
import { deleteView, listSavedViews, type SavedView, saveView } from '#contract/saved-views.ts';
import { markTransfer } from '#contract/transaction-matches.ts';
import type { Transaction } from '#contract/transactions.ts';
import { movedText } from '#contract/errors.ts';
import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discard, retry } from '#replica/decisions.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { savedViewsOf } from '#replica/saved-views.ts';
import { savedViews } from '#server/database/tables/saved-views.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { aFlow } from '#tests/support/flow.ts';
import { aGrid, type EngineOptions, type Speaks } from '#tests/support/engine.ts';
import { testNow } from '#tests/support/server.ts';
import { listed } from '#tests/support/stored.ts';
import { anOffice, aPendingMatch } from '#tests/support/world.ts';

const { server, browsers } = aFlow();

/** A laptop whose person has one view and one pending match; `call` is somebody else's hand. */
async function aLaptop(speaks: Speaks, options: EngineOptions = {}) {
  const office = await anOffice(server.database.db);
  const pair = await aPendingMatch(server.database.db, office.exchange, office.wallet, { trx_date: new Date(testNow - 3_600_000) });
  const browser = await browsers.signIn(office.accountant.email, '', speaks);
  const id = uuidv7();
  await browser.call(saveView, { id, name: 'Was', list: 'transactions', search: 'q=was' });
  const device = await browser.startSynced(options);
  const page = await browser.aPage();
  const grid = await aGrid(device.engine, office.client.id);
  const add = async <N extends 'saveView' | 'deleteView'>(name: N, input: MutationInput<N>) => {
    const seen = (await savedViewsOf(page, 'transactions')).find((view) => view.id === id) ?? null;
    await enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: null, entityId: null, seen });
  };
  const waiting = async () => (await pendingMutations(page.outbox)).map(({ state }) => state);
  const trx = async (of: string): Promise<Transaction> => {
    const [row] = await server.database.db.select().from(transactions).where(eq(transactions.id, of));
    return row as unknown as Transaction;
  };
  /** Somebody corrects a transaction. */
  const correct = (of: string, change: object) =>
    server.database.db
      .update(transactions)
      .set({ ...change, version: sql`${transactions.version} + 1` })
      .where(eq(transactions.id, of));
  const lookAtRow = async (of = pair.out.id) => {
    await expect.poll(async () => (await grid.rows()).some((row) => row.id === of)).toBe(true);
    return (await grid.rows()).find((row) => row.id === of)!;
  };
  return {
    ...office,
    ...pair,
    ...browser,
    ...device,
    id,
    page,
    waiting,
    trx,
    correct,
    save: (name: string, search = 'q=was') => add('saveView', { id, name, list: 'transactions', search }),
    remove: () => add('deleteView', { id }),
    theirs: (name: string, search = 'q=was') => browser.call(saveView, { id, name, list: 'transactions', search }),
    stored: async () => (await browser.call(listSavedViews, {})).map(({ name, search }) => [name, search]),
    first: async () => (await pendingMutations(page.outbox))[0]!,
    receipts: async () => (await listed(page.outbox, 'receipts')).map(({ outcome, is_met }) => (is_met ? 'met' : outcome)),
    lookAtRow,
    mark: async (is_transfer: boolean) => {
      const seen = await lookAtRow();
      const input = { trx_id: pair.out.id!, counterpart_id: pair.into.id!, is_transfer };
      await enqueue(page.outbox, {
        id: uuidv7(),
        name: 'markTransfer',
        input,
        title: 'Mark',
        now: testNow,
        clientId: office.client.id,
        entityId: office.entity.id,
        seen,
        ...((await waiting()).length === 0 ? { restsOn: await lookAtRow(pair.into.id) } : {}),
      });
    },
    /** Sends until nothing changes any more. */
    settle: async (states: string[]) => {
      await expect
        .poll(async () => {
          await device.sync();
          return waiting();
        })
        .toEqual(states);
    },
  };
}

describe.each([
  ['that compares versions', 'feed' as const],
  ['that is read first', 'specification' as const],
])('on a server %s', (_what, speaks) => {
  test('[CF19] what either side alone changed merges by itself', async () => {
    const { wire, save, theirs, settle, stored, receipts } = await aLaptop(speaks);
    wire.cut();
    await save('Mine');
    await theirs('Was', 'q=theirs');
    wire.mend();
    await settle([]);
    expect([await stored(), await receipts()]).toEqual([[['Mine', 'q=theirs']], ['accepted']]);
  });

  test('[CF20] what both changed waits for the person: theirs is not written over, mine stays in sight', async () => {
    const { wire, save, theirs, settle, stored, page, first, receipts } = await aLaptop(speaks);
    wire.cut();
    await save('Mine', 'q=mine');
    await theirs('Theirs', 'q=theirs');
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toEqual([['Theirs', 'q=theirs']]);
    expect(await savedViewsOf(page, 'transactions')).toMatchObject([{ name: 'Mine', pending: { state: 'conflict' } }]);
    await keepMine(page.outbox, await first(), ['search']);
    await settle([]);
    expect([await stored(), await receipts()]).toEqual([[['Mine', 'q=theirs']], ['accepted']]);
  });

  test('[CF20] what both changed is let go of where the person takes theirs', async () => {
    const { wire, save, theirs, settle, stored, page, first, receipts } = await aLaptop(speaks);
    wire.cut();
    await save('Mine');
    await theirs('Theirs');
    wire.mend();
    await settle(['conflict']);
    await takeTheirs(page.outbox, await first(), testNow);
    await settle([]);
    expect([await stored(), await receipts()]).toEqual([[['Theirs', 'q=was']], ['theirs']]);
    await expect.poll(async () => (await savedViewsOf(page, 'transactions')).map(({ name }) => name)).toEqual(['Theirs']);
  });

  test('[CF21] what somebody else deleted is not made again unseen', async () => {
    const { wire, save, settle, stored, call, id, page, first } = await aLaptop(speaks);
    wire.cut();
    await save('Mine');
    await call(deleteView, { id });
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toEqual([]);
    await keepMine(page.outbox, await first());
    await settle([]);
    expect(await stored()).toEqual([['Mine', 'q=was']]);
  });

  test('[CF21] nor is what somebody else changed deleted unseen', async () => {
    const { wire, remove, theirs, settle, stored, page, first } = await aLaptop(speaks);
    wire.cut();
    await remove();
    await theirs('Theirs');
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toEqual([['Theirs', 'q=was']]);
    await keepMine(page.outbox, await first());
    await settle([]);
    expect(await stored()).toEqual([]);
  });

  test('[CF22] what both made the same is accepted, and done once', async () => {
    const { wire, sync, save, remove, theirs, settle, call, id, receipts, page, stored } = await aLaptop(speaks);
    /** From here on nothing is sent: a round that began before may. */
    const leave = async () => {
      wire.cut();
      await sync();
    };
    await leave();
    await save('Same', 'q=same');
    const { version } = await theirs('Same', 'q=same');
    wire.mend();
    await settle([]);
    expect((await call(listSavedViews, {}))[0]?.version).toBe(version);
    await leave();
    await remove();
    await call(deleteView, { id });
    wire.mend();
    await settle([]);
    expect([await receipts(), await stored(), await savedViewsOf(page, 'transactions')]).toEqual([['met', 'met'], [], []]);
  });

  test('[CF22] nor is it done twice where an attempt never arrived: it is sent under its key, and deletes nothing', async () => {
    const { wire, remove, settle, call, id, receipts, stored } = await aLaptop(speaks);
    wire.answerOnce('DELETE', `/saved_views/${id}`, async () => {
      await call(deleteView, { id });
      throw new TypeError('network');
    });
    await remove();
    await settle([]);
    expect([await receipts(), await stored()]).toEqual([['accepted'], []]);
    expect(wire.requests.filter((request) => request.startsWith('DELETE ')).length).toBeGreaterThan(1);
  });

  test('[CF23] a decision about a match never merges: the person says which holds', async () => {
    const { mark, wire, settle, call, out, into, trx, first, page, receipts } = await aLaptop(speaks);
    wire.cut();
    await mark(true);
    await call(markTransfer, { trx_id: out.id!, counterpart_id: into.id!, is_transfer: false });
    wire.mend();
    await settle(['conflict']);
    expect(await trx(out.id!)).toMatchObject({ match_state: 'REJECTED' });
    expect(await first()).toMatchObject({ base: { fields: { match_state: 'PENDING' } }, theirs: { fields: { match_state: 'REJECTED' } } });
    await keepMine(page.outbox, await first());
    await settle([]);
    expect([await trx(out.id!), await receipts()]).toMatchObject([{ match_state: 'APPROVED' }, ['accepted']]);
  });

  test('[CF23] nor where the amount it rests on was corrected; what it does not rest on is no matter', async () => {
    const { mark, wire, settle, out, trx, first, page, correct } = await aLaptop(speaks);
    wire.cut();
    await mark(true);
    await correct(out.id!, { quantity: '99' });
    wire.mend();
    await settle(['conflict']);
    expect(await trx(out.id!)).toMatchObject({ match_state: 'PENDING' });
    await takeTheirs(page.outbox, await first(), testNow);

    await settle([]);
    wire.cut();
    await mark(true);
    await correct(out.id!, { description: 'corrected' });
    wire.mend();
    await settle([]);
    expect(await trx(out.id!)).toMatchObject({ match_state: 'APPROVED' });
  });

  test('[CF42] nor where the other row of the pair was corrected, or decided about: it is refused, and made where the person tries it again', async () => {
    const { mark, wire, settle, into, out, trx, first, page, correct } = await aLaptop(speaks);
    for (const to of [{ match_state: 'APPROVED' as const }, { match_state: 'PENDING' as const, quantity: '99' }]) {
      wire.cut();
      await mark(true);
      await correct(into.id!, to);
      wire.mend();
      await settle(['refused']);
      expect([(await trx(out.id!)).match_state, (await first()).error?.detail]).toEqual(['PENDING', movedText]);
      await discard(page.outbox, (await first()).seq, testNow);
      await settle([]);
    }
    wire.cut();
    await mark(true);
    await correct(into.id!, { description: 'corrected' });
    wire.mend();
    await settle([]);
    expect((await trx(out.id!)).match_state).toBe('APPROVED');

    wire.cut();
    await mark(false);
    await correct(into.id!, { quantity: '98' });
    wire.mend();
    await settle(['refused']);
    await retry(page.outbox, (await first()).seq);
    await settle([]);
    expect((await trx(out.id!)).match_state).toBe('REJECTED');
  });

  test('[CF24] an edit whose answer was lost is no conflict with itself, and has its effect once', async () => {
    const { mark, save, wire, settle, id, trx, out, receipts, stored, call } = await aLaptop(speaks);
    wire.loseAnswerOf('PUT', '/transaction_matches/transfer');
    wire.loseAnswerOf('PUT', `/saved_views/${id}`);
    await mark(true);
    await save('Mine');
    await settle([]);
    expect([(await trx(out.id!)).version, await stored(), (await call(listSavedViews, {}))[0]?.version]).toEqual([
      2,
      [['Mine', 'q=was']],
      2,
    ]);
    expect((await receipts()).every((outcome) => outcome === 'accepted' || outcome === 'met')).toBe(true);
  });

  test('[CF25] an edit behind one of ours is no conflict with that, and merges what came between', async () => {
    const { mark, save, remove, theirs, wire, settle, stored, trx, out, waiting, id } = await aLaptop(speaks);
    wire.cut();
    await mark(true);
    await mark(false);
    wire.mend();
    await settle([]);
    expect((await trx(out.id!)).match_state).toBe('REJECTED');

    wire.loseAnswerOf('PUT', `/saved_views/${id}`, wire.cut);
    await save('Mine');
    await expect.poll(waiting).toEqual(['uncertain']);
    await save('Mine, too');
    await theirs('Mine', 'q=theirs');
    wire.mend();
    await settle([]);
    expect(await stored()).toEqual([['Mine, too', 'q=theirs']]);
    await remove();
    await settle([]);
    expect(await stored()).toEqual([]);
  });

  test('[CF30] a row that an edit made while somebody looked at it is no conflict with that, and what came between is seen', async () => {
    const { wire, settle, stored, page, call } = await aLaptop(speaks);
    const make = async (id: string, name: string) => {
      await add('saveView', { id, name, list: 'transactions', search: '' }, null);
      const seen = (await savedViewsOf(page, 'transactions')).find((view) => view.id === id)!;
      expect(seen).toMatchObject({ name, version: 0 });
      await settle([]);
      return seen;
    };
    const add = <N extends 'saveView' | 'deleteView'>(name: N, input: MutationInput<N>, seen: SavedView | null) =>
      enqueue(page.outbox, { id: uuidv7(), name, input, title: name, now: testNow, clientId: null, entityId: null, seen });
    const [kept, gone, met] = [uuidv7(), uuidv7(), uuidv7()];
    const seen = await make(kept, 'Kept');
    await add('saveView', { id: kept, name: 'Kept, too', list: 'transactions', search: '' }, seen);
    await add('deleteView', { id: gone }, await make(gone, 'Gone'));
    await settle([]);
    expect(await stored()).toEqual(expect.arrayContaining([['Kept, too', '']]));
    expect((await stored()).map(([name]) => name)).not.toContain('Gone');
    const seenBefore = await make(met, 'Met');
    wire.cut();
    await add('deleteView', { id: met }, seenBefore);
    await call(saveView, { id: met, name: 'Met', list: 'transactions', search: 'q=theirs' });
    wire.mend();
    await settle(['conflict']);
    expect(await stored()).toEqual(expect.arrayContaining([['Met', 'q=theirs']]));
  });

  test('[CF26] without what the person saw, as edits of the first builds are, nothing is compared', async () => {
    const { wire, theirs, settle, stored, id, page } = await aLaptop(speaks);
    wire.cut();
    const input = { id, name: 'Mine', list: 'transactions' as const, search: 'q=mine' };
    await enqueue(page.outbox, { id: uuidv7(), name: 'saveView', input, title: 'Save', now: testNow, clientId: null, entityId: null });
    await theirs('Theirs');
    wire.mend();
    await settle([]);
    expect(await stored()).toEqual([['Mine', 'q=mine']]);
  });
});

/** A backup in which the same versions of the view and the row say something else. */
async function restoreBackup({ id, out }: { id: string; out: { id?: string } }): Promise<void> {
  await server.database.db.transaction(async (tx) => {
    // without the triggers that number versions
    await tx.execute(sql`set local session_replication_role = replica`);
    await tx.execute(sql`update feed_state set server_gen = gen_random_uuid()`);
    await tx.update(savedViews).set({ name: 'Restored', version: 1 }).where(eq(savedViews.id, id));
    await tx.update(transactions).set({ match_state: 'REJECTED' }).where(eq(transactions.id, out.id!));
  });
}

test('[CF37] a decision whose answer was lost by a server that compares versions only now is no conflict with itself', async () => {
  const { mark, wire, start, session, engine, until, waiting, trx, out, receipts } = await aLaptop('specification');
  wire.loseAnswerOf('PUT', '/transaction_matches/transfer', wire.cut);
  await mark(true);
  await until(({ phase }) => phase === 'offline');
  await engine.close(session.userId);
  wire.speak('feed');
  wire.mend();
  await start().engine.open(session);
  await expect.poll(waiting).toEqual([]);
  expect([await trx(out.id!), await receipts()]).toMatchObject([{ match_state: 'APPROVED', version: 2 }, ['accepted']]);
});

test('[CF38] what somebody changes after an edit was compared is not written over, also where the feed cannot be begun', async () => {
  const { save, theirs, wire, call, start, session, engine, waiting, stored, id } = await aLaptop('specification');
  wire.cut();
  await save('Mine');
  await engine.close(session.userId);
  wire.speak('feed');
  wire.mend();
  wire.answerOnce('POST', '/sync/v1/changes', () => Response.json({ detail: 'fault' }, { status: 500 }));
  wire.answerOnce('PUT', `/saved_views/${id}`, async () => {
    const [current] = await call(listSavedViews, {});
    await theirs('Theirs');
    return Response.json({ detail: 'The row was changed meanwhile', current }, { status: 412 });
  });
  await start().engine.open(session);
  await expect.poll(waiting).toEqual(['conflict']);
  expect(await stored()).toEqual([['Theirs', 'q=was']]);
});

test('[CF29] versions of another database are no proof: an edit on one of them is compared with what is there', async () => {
  const { wire, save, settle, stored, id, out } = await aLaptop('feed');
  wire.cut();
  await save('Mine');
  await restoreBackup({ id, out });
  wire.mend();
  await settle(['conflict']);
  expect(await stored()).toEqual([['Restored', 'q=was']]);
});

test('[CF29] nor are they where a worker that begins after it cannot read what changed, and sends all the same', async () => {
  const { wire, save, waiting, stored, id, out, engine, session, start } = await aLaptop('feed');
  wire.cut();
  await save('Mine');
  await engine.close(session.userId);
  await restoreBackup({ id, out });
  wire.mend();
  wire.answerOnce('POST', '/sync/v1/changes', () => Response.json({ detail: 'fault' }, { status: 500 }));
  const next = start();
  await next.engine.open(session);
  await expect.poll(waiting).toEqual(['conflict']);
  expect(await stored()).toEqual([['Restored', 'q=was']]);
});

test('[CF31] nor are they where the form was open while the copy was read anew from the other database', async () => {
  const { wire, page, sync, settle, stored, trx, id, out, into, client, entity, lookAtRow } = await aLaptop('feed');
  const edit = { now: testNow, clientId: client.id, entityId: entity.id };
  const view = (await savedViewsOf(page, 'transactions')).find((each) => each.id === id)!;
  const row = await lookAtRow();
  expect([view.version, row.match_state]).toEqual([1, 'PENDING']);
  await restoreBackup({ id, out });
  await expect
    .poll(async () => {
      await sync();
      return (await savedViewsOf(page, 'transactions')).map(({ name }) => name);
    })
    .toEqual(['Restored']);
  wire.cut();
  const changed = { id, name: 'Mine', list: 'transactions' as const, search: 'q=was' };
  const mark = { trx_id: out.id!, counterpart_id: into.id!, is_transfer: true };
  await enqueue(page.outbox, { ...edit, id: uuidv7(), name: 'saveView', input: changed, title: 'Save', seen: view });
  await enqueue(page.outbox, { ...edit, id: uuidv7(), name: 'markTransfer', input: mark, title: 'Mark', seen: row });
  wire.mend();
  await settle(['conflict', 'conflict']);
  expect(await stored()).toEqual([['Restored', 'q=was']]);
  expect((await trx(out.id!)).match_state).toBe('REJECTED');
});

test('[OB18] an edit the server would not take of an old build goes on with the next, and nothing is lost', async () => {
  const { wire, save, settle, stored, engine, session, start, id } = await aLaptop('feed', { build: 'one' });
  wire.answerOnce('PUT', `/saved_views/${id}`, () => Response.json({ detail: 'CLIENT_TOO_OLD' }, { status: 426 }));
  await save('Mine');
  await settle(['paused_update']);
  expect(await stored()).toEqual([['Was', 'q=was']]);
  await engine.close(session.userId);
  const next = start({ build: 'two' });
  await next.engine.open(session);
  await next.sync();
  await expect.poll(stored).toEqual([['Mine', 'q=was']]);
});
