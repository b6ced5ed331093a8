import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getAccount, listAccounts } from '#contract/accounts.ts';
import { listCustodians } from '#contract/custodians.ts';
import { listClients } from '#contract/clients.ts';
import { getEntity, listEntities } from '#contract/entities.ts';
import { listOrganizations } from '#contract/organizations.ts';
import { listSecurities } from '#contract/securities.ts';
import { countTransactionMatches, listTransactionMatches, markTransfer } from '#contract/transaction-matches.ts';
import { listTransactions, selectTransactions } from '#contract/transactions.ts';
import { organizationMembers } from '#server/database/tables/users.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aClient, anAccount, anEntity, anOffice, anOrganization, aPendingMatch, aUser } from '#tests/support/world.ts';

let server: TestServer;
type Office = Awaited<ReturnType<typeof anOffice>>;
let own: Office;
let foreign: Office;
let foreignMatch: Awaited<ReturnType<typeof aPendingMatch>>;

beforeAll(async () => {
  server = await aServer();
  own = await anOffice(server.database.db);
  foreign = await anOffice(server.database.db);
  await aPendingMatch(server.database.db, own.exchange, own.wallet);
  foreignMatch = await aPendingMatch(server.database.db, foreign.exchange, foreign.wallet);
});
afterAll(() => server.close());

const since = '2020-01-01';

describe('visibility', () => {
  test('[VI1] every list holds the rows of the own organization and none of another', async () => {
    const { call } = await server.signedIn(own.accountant.email);
    expect((await call(listOrganizations, {})).map((row) => row.id)).toEqual([own.organization.id]);
    expect((await call(listClients, {})).map((row) => row.id)).toEqual([own.client.id]);
    expect((await call(listEntities, {})).map((row) => row.id)).toEqual([own.entity.id]);
    expect((await call(listAccounts, { client_id: own.client.id })).map((row) => row.id).sort()).toEqual(
      [own.exchange.id, own.wallet.id].sort(),
    );
    expect(await call(listTransactions, { entity_id: own.entity.id, start_date: since })).toHaveLength(2);
    expect(await call(listTransactionMatches, { entity_id: own.entity.id })).toHaveLength(1);
  });

  test('[VI2] asking by the id of another tenant finds nothing and changes nothing', async () => {
    const { call } = await server.signedIn(own.accountant.email);
    expect(await call(listClients, { organization_id: foreign.organization.id })).toEqual([]);
    expect(await call(listEntities, { client_id: foreign.client.id })).toEqual([]);
    expect(await call(listAccounts, { entity_id: foreign.entity.id })).toEqual([]);
    expect(await call(listAccounts, { custodian_id: foreign.exchange.custodian_id })).toEqual([]);
    expect(await call(listTransactions, { entity_id: foreign.entity.id, start_date: since })).toEqual([]);
    expect(await call(listTransactions, { account_id: foreign.exchange.id })).toEqual([]);
    expect(await call(listTransactions, { account_id: [foreign.exchange.id, foreign.wallet.id] })).toEqual([]);
    expect(await call(selectTransactions, { trx_id: foreignMatch.out.id })).toEqual([]);
    expect(await call(listTransactionMatches, { entity_id: foreign.entity.id })).toEqual([]);
    expect(await call(countTransactionMatches, { entity_id: foreign.entity.id })).toEqual({ count: 0 });
    await expect(call(getEntity, { id: foreign.entity.id })).rejects.toMatchObject({ status: 404 });
    await expect(call(getAccount, { id: foreign.exchange.id })).rejects.toMatchObject({ status: 404 });
    const mark = { trx_id: foreignMatch.out.id, counterpart_id: foreignMatch.into.id, is_transfer: true };
    await expect(call(markTransfer, mark)).rejects.toMatchObject({ status: 404 });
    const { call: theirs } = await server.signedIn(foreign.accountant.email);
    expect(await theirs(listTransactionMatches, { entity_id: foreign.entity.id })).toMatchObject([{ state: 'PENDING', version: 1 }]);
  });

  test('[VI3] inside one organization an accountant sees the assigned clients only', async () => {
    const { db } = server.database;
    const other = await aClient(db, { organization_id: own.organization.id });
    const hidden = await anEntity(db, { client_id: other.id });
    const hiddenAccount = await anAccount(db, { entity_id: hidden.id });
    const { call } = await server.signedIn(own.accountant.email);
    expect((await call(listClients, {})).map((row) => row.id)).toEqual([own.client.id]);
    expect((await call(listEntities, {})).map((row) => row.id)).toEqual([own.entity.id]);
    expect(await call(listAccounts, { entity_id: hidden.id })).toEqual([]);
    await expect(call(getAccount, { id: hiddenAccount.id })).rejects.toMatchObject({ status: 404 });
  });

  test('[VI4] a user assigned to one entity sees it, its client, and no sister entity', async () => {
    const { db } = server.database;
    const organization = await anOrganization(db);
    const client = await aClient(db, { organization_id: organization.id });
    const [mine, sister] = [await anEntity(db, { client_id: client.id }), await anEntity(db, { client_id: client.id })];
    const user = await aUser(db, { organizationIds: [organization.id], entityIds: [mine.id] });
    const { call } = await server.signedIn(user.email);
    expect((await call(listClients, {})).map((row) => row.id)).toEqual([client.id]);
    expect((await call(listEntities, {})).map((row) => row.id)).toEqual([mine.id]);
    await expect(call(getEntity, { id: sister.id })).rejects.toMatchObject({ status: 404 });
  });

  test('[VI5] an administrator sees the whole organization, a superuser every one', async () => {
    const { db } = server.database;
    const administrator = await aUser(db, { role: 'administrator', organizationIds: [own.organization.id] });
    const { call } = await server.signedIn(administrator.email);
    expect((await call(listClients, {})).length).toBeGreaterThanOrEqual(2);
    expect(await call(listEntities, { client_id: foreign.client.id })).toEqual([]);
    const superuser = await aUser(db, { is_superuser: true });
    const { call: every } = await server.signedIn(superuser.email);
    const organizations = (await every(listOrganizations, {})).map((row) => row.id);
    expect(organizations).toEqual(expect.arrayContaining([own.organization.id, foreign.organization.id]));
  });

  test('[VI6] a permission counts only in the organization whose role grants it', async () => {
    const { db } = server.database;
    const user = await aUser(db, { role: 'auditor', organizationIds: [own.organization.id], clientIds: [own.client.id] });
    const elsewhere = await anOffice(db);
    await db.insert(organizationMembers).values({ user_id: user.id, organization_id: elsewhere.organization.id, role_id: 'administrator' });
    const { call } = await server.signedIn(user.email);
    const [row] = await call(listTransactions, { entity_id: own.entity.id, start_date: since });
    await expect(call(markTransfer, { trx_id: row?.id ?? '', counterpart_id: null, is_transfer: true })).rejects.toMatchObject({
      status: 404,
    });
  });

  test('[VI7] an auditor reads and may change nothing', async () => {
    const auditor = await aUser(server.database.db, {
      role: 'auditor',
      organizationIds: [own.organization.id],
      clientIds: [own.client.id],
    });
    const { call } = await server.signedIn(auditor.email);
    const rows = await call(listTransactions, { entity_id: own.entity.id, start_date: since });
    expect(rows).toHaveLength(2);
    await expect(call(markTransfer, { trx_id: rows[0]?.id ?? '', counterpart_id: null, is_transfer: true })).rejects.toMatchObject({
      status: 403,
      detail: 'Permission denied',
    });
  });

  test('[VI8] custodians and securities are the same for everybody who may read them, and for nobody else', async () => {
    const { call } = await server.signedIn(own.accountant.email);
    expect((await call(listCustodians, { active: 'all' })).length).toBeGreaterThan(0);
    expect((await call(listSecurities, {})).length).toBeGreaterThan(0);
    const stranger = await aUser(server.database.db, {});
    const { call: nothing } = await server.signedIn(stranger.email);
    await expect(nothing(listCustodians, {})).rejects.toMatchObject({ status: 403 });
    await expect(nothing(listClients, {})).rejects.toMatchObject({ status: 403 });
  });
});
