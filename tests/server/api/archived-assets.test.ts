import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { archiveAsset, archivedAssetMessages, listArchivedAssets, unarchiveAsset } from '#contract/archived-assets.ts';
import { listAuditEntries } from '#contract/audit.ts';
import { listEntityBalances } from '#contract/balances.ts';
import { listChanges, hello } from '#contract/feed.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { entryWords } from '#domain/audit-words.ts';
import { settled } from '#tests/support/feed.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aClient, anArchivedAsset, anOffice, aSecurity, aTransaction, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let foreign: Awaited<ReturnType<typeof anOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  foreign = await anOffice(server.database.db);
});
afterAll(() => server.close());

const db = () => server.database.db;
const asAccountant = () => server.signedIn(office.accountant.email);
const asRole = async (role: 'auditor' | 'reporter' | 'bookkeeper') =>
  server.signedIn((await aUser(db(), { role, organizationIds: [office.organization.id], clientIds: [office.client.id] })).email);

/** What archives a new security for a client. */
async function anInput(client_id = office.client.id, is_spam = false) {
  const security = await aSecurity(db());
  return { id: archivedAssetId(client_id, security.id), client_id, security_id: security.id, is_spam };
}

test('[AA1] an asset of a client is archived, made spam, and shown again; the second time is as good as the first', async () => {
  const { call } = await asAccountant();
  const input = await anInput();
  expect(await call(archiveAsset, input)).toEqual({ ...input, version: 1 });
  expect(await call(archiveAsset, { ...input, is_spam: true })).toEqual({ ...input, is_spam: true, version: 2 });
  expect(await call(listArchivedAssets, { client_id: office.client.id })).toContainEqual({ ...input, is_spam: true, version: 2 });
  await call(unarchiveAsset, { id: input.id });
  await call(unarchiveAsset, { id: input.id });
  expect((await call(listArchivedAssets, {})).map(({ id }) => id)).not.toContain(input.id);
});

test('[AA2] who may not change clients reads what is archived and changes nothing of it', async () => {
  const kept = await anArchivedAsset(db(), { client_id: office.client.id, security_id: (await aSecurity(db())).id });
  for (const role of ['auditor', 'reporter'] as const) {
    const { call } = await asRole(role);
    expect((await call(listArchivedAssets, {})).map(({ id }) => id)).toContain(kept.id);
    await expect(call(archiveAsset, await anInput())).rejects.toMatchObject({ status: 403 });
    await expect(call(unarchiveAsset, { id: kept.id })).rejects.toMatchObject({ status: 403 });
  }
  const { call } = await asRole('bookkeeper');
  await call(unarchiveAsset, { id: kept.id });
});

test('[AA3] what a client archives is told of and changed by whoever sees the client whole', async () => {
  const there = await anArchivedAsset(db(), { client_id: foreign.client.id, security_id: (await aSecurity(db())).id });
  const { call } = await asAccountant();
  expect((await call(listArchivedAssets, {})).map(({ id }) => id)).not.toContain(there.id);
  await expect(call(archiveAsset, { ...there, is_spam: true })).rejects.toMatchObject({ status: 404 });
  // one that is not to be seen is as good as gone
  await call(unarchiveAsset, { id: there.id });
  const { call: theirs } = await server.signedIn(foreign.accountant.email);
  expect((await theirs(listArchivedAssets, {})).map(({ id }) => id)).toContain(there.id);

  const part = await server.signedIn(
    (await aUser(db(), { organizationIds: [office.organization.id], entityIds: [office.entity.id] })).email,
  );
  const kept = await anArchivedAsset(db(), { client_id: office.client.id, security_id: (await aSecurity(db())).id });
  expect((await part.call(listArchivedAssets, {})).map(({ id }) => id)).toContain(kept.id);
  await expect(part.call(archiveAsset, { ...kept, is_spam: true })).rejects.toMatchObject({ status: 404 });
  await expect(part.call(unarchiveAsset, { id: kept.id })).rejects.toMatchObject({ status: 404 });
});

test('[AA4] an id stands for one client and one asset, and nobody takes that of another', async () => {
  const { call } = await asAccountant();
  const input = await anInput();
  for (const id of [uuidv7(), archivedAssetId(foreign.client.id, input.security_id)])
    await expect(call(archiveAsset, { ...input, id })).rejects.toMatchObject({
      status: 422,
      message: expect.stringContaining(archivedAssetMessages.otherId),
    });
  const held = await anArchivedAsset(db(), { ...(await anInput()), id: uuidv7() });
  const derived = archivedAssetId(held.client_id, held.security_id);
  await expect(call(archiveAsset, { ...held, id: derived })).rejects.toMatchObject({ status: 409, message: archivedAssetMessages.taken });
  expect(await call(archiveAsset, { ...held, is_spam: true })).toMatchObject({ id: held.id, is_spam: true });
  const nowhere = uuidv7();
  await expect(call(archiveAsset, { ...input, id: archivedAssetId(input.client_id, nowhere), security_id: nowhere })).rejects.toMatchObject(
    { status: 422, message: expect.stringContaining(archivedAssetMessages.unknown) },
  );
});

test('[AA16] of two who archive one asset at once, each bound to none being archived, one does', async () => {
  const { call } = await asAccountant();
  const input = await anInput();
  const both = await Promise.allSettled([true, false].map((is_spam) => call(archiveAsset, { ...input, is_spam }, { ifVersion: 0 })));
  expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(both.find(({ status }) => status === 'rejected')).toMatchObject({ reason: { code: 'stale_version' } });
  expect((await call(listArchivedAssets, { id: input.id }))[0]).toMatchObject({ version: 1 });
});

test('[AA5] the feed tells of it in the order it happened, and an id used anew goes on counting', async () => {
  const { call } = await asAccountant();
  await settled(db());
  const { server_gen } = await call(hello, {});
  const ask = (cursor: string | null) => call(listChanges, { protocol: 1, device_id: 'aa5', server_gen, cursor, scopes: ['user'] });
  const told = async (cursor: string) => {
    await settled(db());
    const answer = await ask(cursor);
    return { cursor: answer.cursor, changes: answer.changes.filter(({ noun }) => noun === 'archived_assets') };
  };
  const input = await anInput();
  const { cursor } = await ask(null);
  await call(archiveAsset, input);
  const put = await told(cursor);
  expect(put.changes).toMatchObject([{ op: 'put', id: input.id, version: 1, row: input }]);
  await call(unarchiveAsset, { id: input.id });
  const gone = await told(put.cursor);
  expect(gone.changes).toMatchObject([{ op: 'del', id: input.id, version: 2 }]);
  expect(await call(archiveAsset, input)).toMatchObject({ version: 3 });

  const { call: theirs } = await server.signedIn(foreign.accountant.email);
  const answer = await theirs(listChanges, { protocol: 1, device_id: 'aa5', server_gen, cursor, scopes: ['user'] });
  expect(JSON.stringify(answer)).not.toContain(input.id);
});

test('[AA6] the audit trail tells in words who archived, marked as spam and unarchived what', async () => {
  const { call } = await asAccountant();
  const security = await aSecurity(db());
  const input = {
    id: archivedAssetId(office.client.id, security.id),
    client_id: office.client.id,
    security_id: security.id,
    is_spam: false,
  };
  await call(archiveAsset, input);
  await call(archiveAsset, { ...input, is_spam: true });
  await call(archiveAsset, input);
  await call(unarchiveAsset, { id: input.id });
  await call(archiveAsset, { ...input, is_spam: true });
  const entries = await (await asRole('auditor')).call(listAuditEntries, { row_id: input.id });
  expect(entries.map((entry) => [entry.user_email, entryWords(entry)])).toEqual(
    [
      `Marked ${security.ticker} as spam`,
      `Unarchived asset ${security.ticker}`,
      `Archived asset ${security.ticker}`,
      `Marked ${security.ticker} as spam`,
      `Archived asset ${security.ticker}`,
    ].map((words) => [office.accountant.email, words]),
  );
});

test('[AA7] what a client archived is left out of the balances of its entities, and told with its word where asked for', async () => {
  const [kept, spam, shown] = [await aSecurity(db()), await aSecurity(db()), await aSecurity(db())];
  for (const { id } of [kept, spam, shown]) await aTransaction(db(), office.exchange, { security_id: id });
  const other = await aClient(db(), { organization_id: office.organization.id });
  await anArchivedAsset(db(), { client_id: office.client.id, security_id: kept.id });
  await anArchivedAsset(db(), { client_id: office.client.id, security_id: spam.id, is_spam: true });
  await anArchivedAsset(db(), { client_id: other.id, security_id: shown.id });
  const { call } = await asAccountant();
  const balances = async (include_archived?: boolean) =>
    Object.fromEntries(
      (await call(listEntityBalances, { id: office.entity.id, ...(include_archived ? { include_archived } : {}) })).map((row) => [
        row.security_id,
        row.archived,
      ]),
    );
  expect(await balances()).toEqual({ [shown.id]: null });
  expect(await balances(true)).toEqual({ [shown.id]: null, [kept.id]: 'archived', [spam.id]: 'spam' });
});
