import { eq, inArray, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listArchivedAssets } from '#contract/archived-assets.ts';
import { listAccounts } from '#contract/accounts.ts';
import { type FeedAnswer, type Hello, listSizes } from '#contract/feed.ts';
import { listEntities } from '#contract/entities.ts';
import { deleteView, saveView } from '#contract/saved-views.ts';
import { listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { listTransactions } from '#contract/transactions.ts';
import { feedState } from '#server/database/tables/feed.ts';
import { accounts, entities, organizations } from '#server/database/tables/places.ts';
import { securities } from '#server/database/tables/securities.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { aDevice, inWords } from '#tests/support/feed.ts';
import { aServer, type TestServer, testNow } from '#tests/support/server.ts';
import {
  aClient,
  anAccount,
  anArchivedAsset,
  anEntity,
  anOffice,
  aPendingMatch,
  aSecurity,
  aTransaction,
  aUser,
} from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let device: Awaited<ReturnType<typeof aDevice>>;
let scopes: string[];

beforeAll(async () => {
  server = await aServer();
});
beforeEach(async () => {
  office = await anOffice(server.database.db);
  device = await aDevice(server, office.accountant.email);
  scopes = ['user', `client:${office.client.id}`, `entity:${office.entity.id}`];
});
afterAll(() => server.close());

const db = () => server.database.db;
const all = '2000-01-01';

describe('the feed', () => {
  test('[FE1] hello says which database this is, how far back it reaches, and what the server can do', async () => {
    const answer = await device.hello();
    const [state] = await db().select().from(feedState);
    expect(answer.json()).toEqual({
      protocol: 1,
      server_gen: state?.server_gen,
      server_time: new Date(testNow).toISOString(),
      min_client: 1,
      perm_version: expect.any(Number),
      floor: expect.stringMatching(/^\d+\.\d+$/),
      max_limit: 5000,
      caps: ['changes', 'idempotency', 'client_ids', 'if_match', 'sizes', 'devices'],
    });
    // a database calls itself the same until an operator says otherwise
    expect((await device.hello()).json<Hello>().server_gen).toBe(state?.server_gen);
  });

  test('[FE39] it counts the transactions of each entity one may read, and of no other', async () => {
    const foreign = await anOffice(db());
    const empty = await anEntity(db(), { client_id: office.client.id });
    for (const account of [office.exchange, office.exchange, foreign.exchange]) await aTransaction(db(), account);
    const sizes = await device.call(listSizes, {});
    expect(sizes.toSorted((a, b) => b.transactions - a.transactions)).toEqual([
      { entity_id: office.entity.id, transactions: 2 },
      { entity_id: empty.id, transactions: 0 },
    ]);
  });

  test('[FE2] without a cursor the present one comes and no changes; from it on a change is told once', async () => {
    await aTransaction(db(), office.exchange);
    const from = await device.changes(null, scopes);
    expect(from).toMatchObject({ has_more: false, changes: [], acks: [], scopes_gained: [], scopes_lost: [] });
    const row = await aTransaction(db(), office.exchange);
    const next = await device.changes(from.cursor, scopes);
    expect(inWords(next)).toEqual([`put transactions ${row.id}`]);
    expect((await device.changes(next.cursor, scopes)).changes).toEqual([]);
    // nothing is used up by asking
    expect(inWords(await device.changes(from.cursor, scopes))).toEqual(inWords(next));
  });

  test('[FE3] every noun is told of, and the row of a put is the row its list answers', async () => {
    const { cursor } = await device.changes(null, scopes);
    const security = await aSecurity(db());
    await db().update(organizations).set({ name: 'Renamed' }).where(eq(organizations.id, office.organization.id));
    const archived = await anArchivedAsset(db(), { client_id: office.client.id, security_id: security.id });
    const sister = await anEntity(db(), { client_id: office.client.id });
    const account = await anAccount(db(), { entity_id: office.entity.id, is_inactive: true });
    const { match, out } = await aPendingMatch(db(), office.exchange, office.wallet);
    const view = await device.call(saveView, { id: uuidv7(), name: 'Mine', list: 'transactions', search: 'q=1' });
    const { changes } = await device.changes(cursor, scopes);
    const put = (noun: string) => changes.filter((change) => change.noun === noun);
    const nouns = [
      'organizations',
      'entities',
      'archived_assets',
      'custodians',
      'securities',
      'saved_views',
      'accounts',
      'transactions',
      'transaction_matches',
      'entity_worklists',
      'value_histories',
    ];
    expect(new Set(changes.map((change) => change.noun))).toEqual(new Set(nouns));
    expect(changes.every((change) => change.op === 'put' && change.version === change.row?.version)).toBe(true);
    expect(put('saved_views')).toEqual([{ scope: 'user', noun: 'saved_views', id: view.id, op: 'put', version: 1, row: view }]);
    expect(put('archived_assets')).toMatchObject([{ scope: 'user', id: archived.id }]);
    expect(put('archived_assets')[0]?.row).toEqual((await device.call(listArchivedAssets, { id: archived.id }))[0]);
    const [inactive] = await device.call(listAccounts, { entity_id: office.entity.id, is_inactive: true });
    expect(put('accounts')).toMatchObject([{ scope: `client:${office.client.id}`, id: account.id }]);
    expect(put('accounts')[0]?.row).toEqual(inactive);
    const listed = await device.call(listTransactions, { entity_id: office.entity.id, start_date: all });
    expect(put('transactions').find((change) => change.id === out.id)?.row).toEqual(listed.find((row) => row.id === out.id));
    const [listedMatch] = await device.call(listTransactionMatches, { entity_id: office.entity.id });
    expect(put('transaction_matches')).toMatchObject([{ scope: `entity:${office.entity.id}`, id: match.id }]);
    expect(put('transaction_matches')[0]?.row).toEqual(listedMatch);
    const listedEntities = await device.call(listEntities, {});
    expect(put('entities').map((change) => change.row)).toEqual(
      expect.arrayContaining([office.entity.id, sister.id].map((id) => listedEntities.find((row) => row.id === id))),
    );
    expect(put('securities').map((change) => change.id)).toEqual([security.id]);
  });

  test('[FE4] several changes of one row in a page are one, as the row is now; the order is that of the commits', async () => {
    const [first, second] = [await aTransaction(db(), office.exchange), await aTransaction(db(), office.exchange)];
    const { cursor } = await device.changes(null, scopes);
    for (const description of ['a', 'b', 'c']) await db().update(transactions).set({ description }).where(eq(transactions.id, first.id));
    await db().update(transactions).set({ description: 'd' }).where(eq(transactions.id, second.id));
    await db().update(transactions).set({ description: 'e' }).where(eq(transactions.id, first.id));
    const { changes } = await device.changes(cursor, scopes);
    expect(changes.map(({ id, version, row }) => [id, version, row?.description])).toEqual([
      [second.id, 2, 'd'],
      [first.id, 5, 'e'],
    ]);
  });

  test('[FE5] a deleted row is a del newer than any version of it', async () => {
    const row = await aTransaction(db(), office.exchange);
    const [kept] = await db().update(transactions).set({ description: 'x' }).where(eq(transactions.id, row.id)).returning();
    const { cursor } = await device.changes(null, scopes);
    await db().delete(transactions).where(eq(transactions.id, row.id));
    const { changes } = await device.changes(cursor, scopes);
    expect(changes).toEqual([
      { scope: `entity:${office.entity.id}`, noun: 'transactions', id: row.id, op: 'del', version: (kept?.version ?? 0) + 1 },
    ]);
    // a place that is gone is told to those who saw all there was around it
    const empty = await anEntity(db(), { client_id: office.client.id });
    const before = await device.changes(null, scopes);
    await db().delete(entities).where(eq(entities.id, empty.id));
    const gone = { id: empty.id, op: 'del', version: 2 };
    const ofClient = `client:${office.client.id}`;
    expect((await device.changes(before.cursor, scopes)).changes).toEqual([
      { scope: ofClient, noun: 'entity_worklists', ...gone },
      { scope: ofClient, noun: 'value_histories', ...gone },
      { scope: 'user', noun: 'entities', ...gone },
    ]);
  });

  test('[FE6] a row that went where the person or the question does not reach is out, and put where it reaches', async () => {
    const sister = await anEntity(db(), { client_id: office.client.id });
    const elsewhere = await anEntity(db(), { client_id: (await aClient(db(), { organization_id: office.organization.id })).id });
    const [own, lost] = [await anAccount(db(), { entity_id: office.entity.id }), await anAccount(db(), { entity_id: office.entity.id })];
    const asked = [...scopes, `entity:${sister.id}`];
    const { cursor } = await device.changes(null, asked);
    await db().update(accounts).set({ entity_id: sister.id }).where(eq(accounts.id, own.id));
    await db().update(accounts).set({ entity_id: elsewhere.id }).where(eq(accounts.id, lost.id));
    const { changes } = await device.changes(cursor, asked);
    expect(changes.filter((change) => change.noun === 'accounts').map(({ op, id, scope }) => [op, id, scope])).toEqual([
      ['put', own.id, `client:${office.client.id}`],
      ['out', lost.id, `client:${office.client.id}`],
    ]);
    // a row that went to a scope one may see but did not ask for
    const row = await aTransaction(db(), office.exchange);
    const before = await device.changes(null, asked);
    const place = { account_id: own.id, entity_id: sister.id, custodian_id: own.custodian_id };
    await db().update(transactions).set(place).where(eq(transactions.id, row.id));
    expect(inWords(await device.changes(before.cursor, scopes))).toEqual([`out transactions ${row.id}`]);
    expect((await device.changes(before.cursor, asked)).changes).toMatchObject([{ op: 'put', id: row.id, scope: `entity:${sister.id}` }]);
  });

  test('[FE7] pages hold at most what was asked for and follow one another without a gap or a repeat', async () => {
    const { cursor } = await device.changes(null, scopes);
    const rows = [];
    for (let made = 0; made < 7; made += 1) rows.push((await aTransaction(db(), office.exchange)).id);
    await db().update(transactions).set({ description: 'all at once' }).where(inArray(transactions.id, rows));
    const pages: string[][] = [];
    let at = cursor;
    for (let more = true; more; ) {
      const page = await device.changes(at, scopes, 4);
      pages.push(page.changes.map((change) => change.id));
      [at, more] = [page.cursor, page.has_more];
    }
    expect(pages.map((page) => page.length)).toEqual([4, 3, 4, 3]);
    expect(pages.flat().sort()).toEqual([...rows, ...rows].sort());
  });

  test('[FE38] a page ends with a whole change, unless that alone is larger than a page', async () => {
    const { out, into } = await aPendingMatch(db(), office.exchange, office.wallet);
    const scopes = [`entity:${office.entity.id}`];
    const { cursor } = await device.changes(null, scopes);
    const before = await aTransaction(db(), office.exchange);
    const match = await device.call(markTransfer, { trx_id: out.id!, counterpart_id: into.id!, is_transfer: true });
    const first = await device.changes(cursor, scopes, 3);
    expect([inWords(first), first.has_more]).toEqual([[`put transactions ${before.id}`], true]);
    const second = await device.changes(first.cursor, scopes, 3);
    const marked = [out.id, into.id, match.id].toSorted();
    expect([second.changes.map(({ id }) => id).toSorted(), second.has_more]).toEqual([marked, false]);
    const parts = await device.changes(first.cursor, scopes, 2);
    const rest = await device.changes(parts.cursor, scopes, 2);
    expect([...parts.changes, ...rest.changes].map(({ id }) => id).toSorted()).toEqual(marked);
    expect([parts.changes.length, parts.has_more, rest.has_more]).toEqual([2, true, false]);
  });

  test('[FE8] a transaction that commits late is told of, though a later one was read before it', async () => {
    const { cursor } = await device.changes(null, scopes);
    let late = '';
    if (server.database.kind === 'postgres') {
      let go: () => void = () => undefined;
      let begun: () => void = () => undefined;
      const isBegun = new Promise<void>((resolve) => (begun = resolve));
      const isTime = new Promise<void>((resolve) => (go = resolve));
      const slow = db().transaction(async (tx) => {
        late = (await aTransaction(tx, office.exchange)).id;
        begun();
        await isTime;
      });
      await isBegun;
      const quick = await aTransaction(db(), office.exchange);
      const early = (await device.ask({ cursor, scopes })).json<FeedAnswer>();
      go();
      await slow;
      // what is newer than the one that still ran waited for it
      expect(early.changes).toEqual([]);
      expect(inWords(await device.changes(early.cursor, scopes)).sort()).toEqual(
        [`put transactions ${late}`, `put transactions ${quick.id}`].sort(),
      );
    } else {
      // one connection: no transaction can be overtaken, so the order of commits is the order of the log
      await db().transaction(async (tx) => {
        late = (await aTransaction(tx, office.exchange)).id;
      });
      const quick = await aTransaction(db(), office.exchange);
      expect(inWords(await device.changes(cursor, scopes))).toEqual([`put transactions ${late}`, `put transactions ${quick.id}`]);
    }
  });

  test('[FE9] what was rolled back is told to nobody', async () => {
    const { cursor } = await device.changes(null, scopes);
    const undone = db().transaction(async (tx) => {
      await aTransaction(tx, office.exchange);
      throw new Error('changed my mind');
    });
    await expect(undone).rejects.toThrow();
    expect((await device.changes(cursor, scopes)).changes).toEqual([]);
  });

  test('[FE10] every changed row has a newer version, also where the statement did not think of it', async () => {
    const [row, security] = [await aTransaction(db(), office.exchange), await aSecurity(db())];
    await db()
      .execute(sql`update transactions set memo_free = 1 where false`)
      .catch(() => undefined);
    const [once] = await db().update(transactions).set({ description: 'x' }).where(eq(transactions.id, row.id)).returning();
    const [same] = await db().update(transactions).set({ description: 'x' }).where(eq(transactions.id, row.id)).returning();
    const [own] = await db().update(transactions).set({ description: 'y', version: 9 }).where(eq(transactions.id, row.id)).returning();
    expect([once?.version, same?.version, own?.version]).toEqual([2, 2, 9]);
    const [renamed] = await db().update(securities).set({ security_name: 'x' }).where(eq(securities.id, security.id)).returning();
    expect(renamed?.version).toBe(2);
  });

  test('[FE11] an entity is told of when its count of accounts changes, and accounts when their entity goes to another client', async () => {
    const { cursor } = await device.changes(null, scopes);
    await db().update(accounts).set({ is_inactive: true }).where(eq(accounts.id, office.wallet.id));
    const counted = await device.changes(cursor, scopes);
    expect(counted.changes.find((change) => change.noun === 'entities')?.row).toMatchObject({ active_accounts: 1, inactive_accounts: 1 });
    await db().delete(accounts).where(eq(accounts.id, office.wallet.id));
    const fewer = await device.changes(counted.cursor, scopes);
    expect(fewer.changes.find((change) => change.noun === 'entities')?.row).toMatchObject({ active_accounts: 1, inactive_accounts: 0 });
    const sibling = await anAccount(db(), { entity_id: office.entity.id });
    const admin = await aDevice(server, (await aUser(db(), { role: 'administrator', organizationIds: [office.organization.id] })).email);
    const other = await aClient(db(), { organization_id: office.organization.id });
    const asked = [...scopes, `client:${other.id}`];
    const before = await admin.now();
    await db().update(entities).set({ client_id: other.id }).where(eq(entities.id, office.entity.id));
    const { changes } = await admin.changes(before, asked);
    const moved = changes.filter((change) => change.noun === 'accounts');
    expect(moved.map(({ op, id, scope, row }) => [op, id, scope, row?.client_id]).sort()).toEqual(
      [office.exchange.id, sibling.id].map((id) => ['put', id, `client:${other.id}`, other.id]).sort(),
    );
    // who asks for the new place alone gets them, who asks for the old one alone loses them
    const put = inWords(await admin.changes(before, [`client:${other.id}`]));
    const figures = ['entity_worklists', 'value_histories'].map((noun) => `put ${noun} ${office.entity.id}`);
    expect(put.filter((line) => !line.includes(' accounts ')).sort()).toEqual(figures);
    expect(put.filter((line) => line.includes(' accounts ')).sort()).toEqual(
      [office.exchange.id, sibling.id].map((id) => `put accounts ${id}`).sort(),
    );
    expect(
      inWords(await admin.changes(before, scopes))
        .sort()
        .filter((line) => line.includes(' accounts ')),
    ).toEqual([office.exchange.id, sibling.id].map((id) => `out accounts ${id}`).sort());
  });

  test('[FE12] a view saved again under the id of a deleted one is newer than its deletion', async () => {
    const id = uuidv7();
    await device.call(saveView, { id, name: 'Mine', list: 'transactions', search: '' });
    const { cursor } = await device.changes(null, scopes);
    await device.call(deleteView, { id });
    const gone = await device.changes(cursor, scopes);
    expect(gone.changes).toEqual([{ scope: 'user', noun: 'saved_views', id, op: 'del', version: 2 }]);
    expect(await device.call(saveView, { id, name: 'Mine', list: 'transactions', search: '' })).toMatchObject({ version: 3 });
    expect((await device.changes(gone.cursor, scopes)).changes).toMatchObject([{ op: 'put', id, version: 3 }]);
  });

  test('[FE13] a person learns nothing of the views of another, whatever scopes they ask for', async () => {
    const other = await aUser(db(), { is_superuser: true });
    const theirs = await aDevice(server, other.email);
    const asked = ['user', `user:${office.accountant.id}`, `saved_views:${office.accountant.id}`];
    const before = await theirs.now();
    const view = await device.call(saveView, { id: uuidv7(), name: 'Mine', list: 'transactions', search: 'account=secret' });
    await device.call(deleteView, { id: view.id });
    expect((await theirs.changes(before, asked)).changes).toEqual([]);
    expect(inWords(await device.changes(before, ['user']))).toEqual([`del saved_views ${view.id}`]);
  });
});
