import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { movedText } from '#contract/errors.ts';
import { hello } from '#contract/feed.ts';
import { archiveAsset, unarchiveAsset } from '#contract/archived-assets.ts';
import { updateOrganizationSettings } from '#contract/organizations.ts';
import { deleteView, listSavedViews, saveView } from '#contract/saved-views.ts';
import { markTransfer } from '#contract/transaction-matches.ts';
import { selectTransactions } from '#contract/transactions.ts';
import { assignUser, createUser, setUserRole, updateUser } from '#contract/users.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { forgetChanges } from '#server/repositories/change-log.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anOffice, aPendingMatch, aSecurity, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let me: Awaited<ReturnType<typeof aPerson>>;

async function aPerson(email: string) {
  const { call, jar } = await server.signedIn(email);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const send = async (method: 'PUT' | 'DELETE', url: string, body: object | undefined, headers: Record<string, string>) => {
    const answer = await server.app.inject({
      method,
      url: `/api${url}`,
      headers: { cookie, ...headers },
      ...(body === undefined ? {} : { payload: body }),
    });
    return {
      status: answer.statusCode,
      body: answer.json<Record<string, unknown>>(),
      isReplayed: answer.headers['idempotent-replayed'] === 'true',
    };
  };
  const bound = (version: number | string | undefined, key?: string, generation?: string): Record<string, string> => ({
    ...(generation === undefined ? {} : { 'x-server-gen': generation }),
    ...(version === undefined ? {} : { 'if-match': typeof version === 'number' ? `"${version}"` : version }),
    ...(key === undefined ? {} : { 'idempotency-key': key }),
  });
  return {
    call,
    save: (id: string, name: string, version?: number | string, key?: string, generation?: string) =>
      send('PUT', `/saved_views/${id}`, { name, list: 'transactions', search: '' }, bound(version, key, generation)),
    remove: (id: string, version?: number, key?: string) => send('DELETE', `/saved_views/${id}`, undefined, bound(version, key)),
    mark: (trx_id: string, is_transfer: boolean, version?: number, counterpart_id: string | null = null, other?: number) =>
      send(
        'PUT',
        '/transaction_matches/transfer',
        { trx_id, counterpart_id, is_transfer },
        {
          ...bound(version),
          ...(other === undefined ? {} : { 'x-rests-on': `"${other}"` }),
        },
      ),
    names: async () => (await call(listSavedViews, {})).map(({ name }) => name),
  };
}

beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  me = await aPerson(office.accountant.email);
});
afterAll(() => server.close());

describe('If-Match', () => {
  test('[CF1] an edit bound to the version of its row is made; bound to another it is refused, changes nothing and says the row', async () => {
    const id = uuidv7();
    await me.save(id, 'One');
    expect(await me.save(id, 'Two', 1)).toMatchObject({ status: 200, body: { name: 'Two', version: 2 } });
    const { status, body } = await me.save(id, 'Three', 1);
    expect([status, body]).toEqual([
      412,
      { detail: 'The row was changed meanwhile', current: expect.objectContaining({ id, name: 'Two', list: 'transactions', version: 2 }) },
    ]);
    expect(await me.remove(id, 1)).toMatchObject({ status: 412, body: { current: { name: 'Two' } } });
    expect(await me.names()).toEqual(['Two']);
    expect((await me.remove(id, 2)).status).toBe(200);
    expect(await me.names()).toEqual([]);
  });

  test('[CF1] a decision about a match is bound to the row it is about', async () => {
    const { out, into } = await aPendingMatch(server.database.db, office.exchange, office.wallet);
    expect((await me.mark(out.id!, false, 1, into.id)).status).toBe(200);
    const stale = await me.mark(out.id!, true, 1, into.id);
    expect(stale).toMatchObject({ status: 412, body: { current: { id: out.id, match_state: 'REJECTED', version: 2 } } });
    // the row is told as its list tells it
    expect(stale.body.current).toEqual((await me.call(selectTransactions, { trx_id: out.id! }))[0]);
    expect((await me.mark(out.id!, true, 2, into.id)).status).toBe(200);
  });

  test('[CF42] a decision about a pair is bound to the other row, too: as somebody else left it meanwhile it is told', async () => {
    const { db } = server.database;
    const { out, into } = await aPendingMatch(db, office.exchange, office.wallet);
    await db.update(transactions).set({ quantity: '99', version: 2 }).where(eq(transactions.id, into.id!));
    const late = await me.mark(out.id!, true, 1, into.id!, 1);
    expect(late).toMatchObject({ status: 409, body: { detail: movedText, rests_on: { id: into.id, quantity: '99', version: 2 } } });
    expect((await me.call(selectTransactions, { trx_id: out.id! }))[0]).toMatchObject({ match_state: 'PENDING', version: 1 });
    expect((await me.mark(out.id!, true, 1, into.id!, 2)).status).toBe(200);
    expect((await me.mark(out.id!, false, 2, into.id!)).status).toBe(200);
  });

  test('[CF2] "0" is no row: what was made meanwhile is not written over, and what was deleted is said to be none', async () => {
    const id = uuidv7();
    expect((await me.save(id, 'Made', 0)).status).toBe(200);
    expect(await me.save(id, 'Made again', 0)).toMatchObject({ status: 412, body: { current: { name: 'Made', version: 1 } } });
    await me.remove(id);
    expect((await me.save(id, 'Late', 1)).body).toMatchObject({ current: null });
    expect((await me.remove(id, 1)).body).toMatchObject({ current: null });
    expect(await me.names()).toEqual([]);
    // made anew under its id it is in no version it was ever in before
    expect((await me.save(id, 'Anew', 0)).status).toBe(200);
    expect((await me.save(id, 'Late', 1)).status).toBe(412);
    await me.remove(id);
  });

  test('[CF33] what is made anew under its id is in no version it was ever in, however long ago the server forgot what changed', async () => {
    const { db } = server.database;
    const id = uuidv7();
    await me.save(id, 'Made', 0);
    await me.save(id, 'Changed', 1);
    await me.remove(id, 2);
    const asset = { client_id: office.client.id, security_id: (await aSecurity(db)).id };
    const archived = { id: archivedAssetId(asset.client_id, asset.security_id), ...asset, is_spam: false };
    const { version } = await me.call(archiveAsset, archived);
    await me.call(unarchiveAsset, { id: archived.id });
    await forgetChanges(db, new Date(Date.now() + 60_000));
    expect((await me.save(id, 'Anew', 0)).body.version).toBeGreaterThan(2);
    expect((await me.save(id, 'Late', 1)).status).toBe(412);
    expect((await me.call(archiveAsset, archived)).version).toBeGreaterThan(version);
    await me.remove(id);
  });

  test('[CF3] without the header nothing is compared; what is no version is refused in plain words', async () => {
    const id = uuidv7();
    await me.save(id, 'One');
    expect((await me.save(id, 'Two')).status).toBe(200);
    for (const header of ['*', '2', 'W/"2"', '"x"', '"2", "3"']) {
      const { status, body } = await me.save(id, 'Three', header);
      expect([header, status, body.detail]).toEqual([
        header,
        422,
        [{ loc: ['header', 'If-Match'], msg: 'Give one version of the row, such as "3"', type: 'invalid_version' }],
      ]);
    }
    expect(await me.names()).toEqual(['Two']);
    await me.remove(id);
  });

  test('[CF28] a version of another database is refused: what is there now says nothing about it', async () => {
    const id = uuidv7();
    const { server_gen } = await me.call(hello, {});
    await me.save(id, 'One', 0, undefined, server_gen);
    const refused = await me.save(id, 'Two', 1, undefined, uuidv7());
    expect([refused.status, refused.body]).toEqual([409, { detail: 'GENERATION_CHANGED' }]);
    expect(await me.names()).toEqual(['One']);
    expect((await me.save(id, 'Two', 1, undefined, server_gen)).status).toBe(200);
    await me.remove(id);
  });

  test('[CF4] a key that had its effect gets its answer again whatever became of the row; a refused one is free', async () => {
    const [id, key] = [uuidv7(), uuidv7()];
    const first = await me.save(id, 'One', 0, key);
    await me.save(id, 'Two');
    expect(await me.save(id, 'One', 0, key)).toEqual({ ...first, isReplayed: true });
    expect(await me.names()).toEqual(['Two']);
    const other = uuidv7();
    expect((await me.save(id, 'Three', 1, other)).status).toBe(412);
    expect((await me.save(id, 'Merged', 2, other)).status).toBe(200);
    await me.remove(id);
  });

  test('[CF5] of many edits bound to one version at once one is made', async () => {
    const id = uuidv7();
    const made = await Promise.all(Array.from({ length: 6 }, (_, at) => me.save(id, `Made ${at}`, 0)));
    expect(made.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    const changed = await Promise.all(Array.from({ length: 6 }, (_, at) => (at % 2 ? me.remove(id, 1) : me.save(id, `Changed ${at}`, 1))));
    expect(changed.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
    await me.remove(id);

    const { out, into } = await aPendingMatch(server.database.db, office.exchange, office.wallet);
    const marks = await Promise.all(Array.from({ length: 6 }, (_, at) => me.mark(out.id!, at % 2 === 0, 1, at < 3 ? into.id! : null)));
    expect(marks.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412, 412, 412]);
  });

  test('[CF6] what one may not see counts as no row', async () => {
    const id = uuidv7();
    await me.save(id, 'Mine');
    const other = await aPerson((await aUser(server.database.db)).email);
    expect((await other.save(id, 'Theirs', 1)).body).toMatchObject({ current: null });
    expect((await other.save(id, 'Theirs', 0)).status).toBe(200);
    expect(await me.names()).toEqual(['Mine']);
    const foreign = await anOffice(server.database.db);
    const { out } = await aPendingMatch(server.database.db, foreign.exchange, foreign.wallet);
    expect(await me.mark(out.id!, true, 1)).toMatchObject({ status: 412, body: { current: null } });
    expect((await me.mark(out.id!, true, 0)).status).toBe(404);
  });

  test('[CF7] the greeting and the OpenAPI document tell which calls take it', async () => {
    expect((await me.call(hello, {})).caps).toContain('if_match');
    interface Operation {
      operationId: string;
      parameters: { name: string; in: string; required: boolean }[];
      responses: Record<string, unknown>;
    }
    const document = (await server.app.inject({ url: '/api/openapi.json' })).json<{ paths: Record<string, Record<string, Operation>> }>();
    const taking = Object.values(document.paths)
      .flatMap((path) => Object.values(path))
      .filter(({ parameters }) => parameters.some((one) => one.name === 'If-Match' && one.in === 'header' && !one.required));
    const places = ['Organization', 'Client', 'Entity'].flatMap((noun) => [`create${noun}`, `update${noun}`, `delete${noun}`]);
    expect(taking.map(({ operationId }) => operationId).sort()).toEqual(
      [
        ...[archiveAsset, deleteView, markTransfer, saveView, unarchiveAsset, updateOrganizationSettings].map(({ name }) => name),
        ...[createUser, updateUser, setUserRole, assignUser].map(({ name }) => name),
        ...places,
      ].sort(),
    );
    for (const { responses } of taking) expect(responses).toHaveProperty('412.content');
  });
});
