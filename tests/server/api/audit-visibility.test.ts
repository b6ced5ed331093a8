import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditPage, type AuditEntry, listAuditEntries, listAuditPeople } from '#contract/audit.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Db } from '#server/database/open.ts';
import { actAs } from '#server/repositories/audit.ts';
import { accounts, clients, entities } from '#server/database/tables/places.ts';
import { archivedAssets } from '#server/database/tables/securities.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, organizationMembers, users } from '#server/database/tables/users.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import {
  aClient,
  aCustodianSecurity,
  anAccount,
  anEntity,
  anOffice,
  aPendingMatch,
  aSecurity,
  aTransaction,
  aUser,
} from '#tests/support/world.ts';

let server: TestServer;
let db: Db;
type Office = Awaited<ReturnType<typeof anOffice>>;
let own: Office;
let foreign: Office;
/** A client of the own organization that nobody is assigned to. */
let sister: { client: { id: string }; entity: { id: string } };

beforeAll(async () => {
  server = await aServer();
  ({ db } = server.database);
  own = await anOffice(db);
  foreign = await anOffice(db);
  const client = await aClient(db, { organization_id: own.organization.id });
  sister = { client, entity: await anEntity(db, { client_id: client.id }) };
});
afterAll(() => server.close());

const roleIn = (office: Office) => ({ organizationIds: [office.organization.id] });

async function seenBy(email: string, filter: InputOf<typeof listAuditEntries> = {}): Promise<AuditEntry[]> {
  const { call } = await server.signedIn(email);
  return call(listAuditEntries, { ...filter, limit: auditPage.max });
}

const rowsOf = (entries: readonly AuditEntry[]) => [...new Set(entries.map(({ row_id }) => row_id))];

describe('who reads what of the audit trail', () => {
  test('[AU12] without the key nobody reads it, nor without a session', async () => {
    const reporter = await aUser(db, { role: 'reporter', ...roleIn(own), clientIds: [own.client.id] });
    await expect(seenBy(reporter.email)).rejects.toMatchObject({ status: 403 });
    const { call } = await server.signedIn(reporter.email);
    await expect(call(listAuditPeople, {})).rejects.toMatchObject({ status: 403 });
    await expect(server.anyone().call(listAuditEntries, {})).rejects.toMatchObject({ status: 401 });
  });

  test('[AU13] nothing of another tenant is read, by no filter', async () => {
    const administrator = await aUser(db, { role: 'administrator', ...roleIn(own) });
    for (const { email } of [administrator, own.accountant]) {
      const entries = await seenBy(email);
      expect(entries.length).toBeGreaterThan(0);
      expect(new Set(entries.map(({ organization_id, noun }) => (noun === 'users' ? own.organization.id : organization_id)))).toEqual(
        new Set([own.organization.id]),
      );
      expect(await seenBy(email, { organization_id: foreign.organization.id })).toEqual([]);
      expect(await seenBy(email, { client_id: foreign.client.id })).toEqual([]);
      expect(await seenBy(email, { entity_id: foreign.entity.id })).toEqual([]);
      expect(await seenBy(email, { row_id: foreign.entity.id })).toEqual([]);
      expect(await seenBy(email, { row_id: foreign.accountant.id })).toEqual([]);
      expect(await seenBy(email, { user_id: foreign.accountant.id })).toEqual([]);
    }
  });

  test('[AU14] whoever is assigned reads of their clients and entities, and of no other', async () => {
    const ofClient = rowsOf(await seenBy(own.accountant.email));
    expect(ofClient).toEqual(expect.arrayContaining([own.client.id, own.entity.id, own.exchange.id]));
    for (const hidden of [sister.client.id, sister.entity.id, own.organization.id]) expect(ofClient).not.toContain(hidden);

    const other = await anEntity(db, { client_id: own.client.id });
    const auditor = await aUser(db, { role: 'auditor', ...roleIn(own), entityIds: [own.entity.id] });
    const ofEntity = rowsOf(await seenBy(auditor.email));
    expect(ofEntity).toEqual(expect.arrayContaining([own.client.id, own.entity.id, own.exchange.id, `${auditor.id} ${own.entity.id}`]));
    expect(ofEntity).not.toContain(other.id);
    expect(await seenBy(auditor.email, { entity_id: other.id })).toEqual([]);
  });

  test('[AU15] whoever sees an organization whole reads all of it, also of a client that was deleted', async () => {
    const administrator = await aUser(db, { role: 'administrator', ...roleIn(own) });
    const gone = await aClient(db, { organization_id: own.organization.id, client_name: 'Gone' });
    const entity = await anEntity(db, { client_id: gone.id, entity_name: 'Gone with it' });
    for (const table of [clients, entities])
      await db
        .update(table)
        .set({ deleted_at: new Date() })
        .where(eq(table.id, table === clients ? gone.id : entity.id));
    const entries = await seenBy(administrator.email);
    expect(rowsOf(entries)).toEqual(
      expect.arrayContaining([own.organization.id, sister.client.id, `${own.accountant.id} ${own.organization.id}`, gone.id, entity.id]),
    );
    expect(await seenBy(administrator.email, { row_id: entity.id })).toMatchObject([
      { action: 'delete', client_name: 'Gone', entity_name: 'Gone with it' },
      { action: 'create' },
    ]);
  });

  test('[AU16] of users read those who see whole an organization of theirs; of roles and securities superusers alone', async () => {
    const administrator = await aUser(db, { role: 'administrator', ...roleIn(own) });
    const superuser = await aUser(db, { is_superuser: true });
    const security = await aSecurity(db);
    const about = (email: string, rowId: string) => seenBy(email, { row_id: rowId });
    expect(await about(administrator.email, own.accountant.id)).toMatchObject([{ noun: 'users', title: own.accountant.email }]);
    expect(await about(own.accountant.email, own.accountant.id)).toEqual([]);
    expect(await about(administrator.email, foreign.accountant.id)).toEqual([]);
    for (const hidden of ['auditor', security.id]) {
      expect(await about(administrator.email, hidden)).toEqual([]);
      expect(await about(superuser.email, hidden)).toHaveLength(1);
    }
    expect(rowsOf(await seenBy(superuser.email, { noun: 'organizations' }))).toEqual(
      expect.arrayContaining([own.organization.id, foreign.organization.id]),
    );
  });

  test('[AU36] who changed a person while they worked for others alone is not named to those they came to work for since', async () => {
    const administrator = await aUser(db, { role: 'administrator', ...roleIn(own) });
    const former = await aUser(db, { role: 'administrator', ...roleIn(foreign) });
    const superuser = await aUser(db, { is_superuser: true });
    const person = await aUser(db, { role: 'reporter', ...roleIn(foreign) });
    const renameBy = (actor: { id: string }, name: string) =>
      db.transaction(async (tx) => {
        await actAs(tx, actor.id);
        await tx.update(users).set({ name }).where(eq(users.id, person.id));
      });
    await renameBy(former, 'Then');
    await db.insert(organizationMembers).values({ user_id: person.id, organization_id: own.organization.id, role_id: 'reporter' });
    await renameBy(administrator, 'Now');
    await renameBy(superuser, 'Always');
    const actorsSeenBy = async (email: string) => {
      const entries = await seenBy(email, { row_id: person.id, action: 'update' });
      return entries.map(({ user_id, user_email }) => [user_id, user_email]).reverse();
    };
    const named = [former, administrator, superuser].map(({ id, email }) => [id, email]);
    expect(await actorsSeenBy(superuser.email)).toEqual(named);
    expect(await actorsSeenBy(administrator.email)).toEqual([[former.id, null], ...named.slice(1)]);
    expect(await actorsSeenBy(former.email)).toEqual([named[0], [administrator.id, null], named[2]]);
  });

  test('[AU17] the key counts only in the organization whose role grants it', async () => {
    const user = await aUser(db, { role: 'reporter', ...roleIn(own), clientIds: [own.client.id] });
    await db.insert(organizationMembers).values({ user_id: user.id, organization_id: foreign.organization.id, role_id: 'auditor' });
    expect(await seenBy(user.email, { client_id: own.client.id })).toEqual([]);
    await db.insert(clientAssignments).values({ user_id: user.id, client_id: foreign.client.id });
    expect(rowsOf(await seenBy(user.email))).toContain(foreign.entity.id);
  });

  test('[AU18] an entry says who, where and what in names, also of a row that is gone', async () => {
    const superuser = await aUser(db, { is_superuser: true });
    const titled = async (rowId: string) => (await seenBy(superuser.email, { row_id: rowId }))[0]?.title;
    const security = await aSecurity(db, { ticker: 'TITLE' });
    const symbol = await aCustodianSecurity(db, { custodian_id: own.exchange.custodian_id, symbol: 'XTITLE' });
    const { out, match } = await aPendingMatch(db, own.exchange, own.wallet, { quantity: '1.500', security_id: security.id });
    const unknown = await aTransaction(db, own.exchange, { quantity: '7', custodian_security_id: symbol.id });
    const asset = { id: uuidv7(), client_id: own.client.id, security_id: security.id, is_spam: true };
    await db.insert(archivedAssets).values(asset);
    await db.transaction(async (tx) => {
      await tx.execute(sql`select set_config('tieout.user', ${own.accountant.id}, true)`);
      await tx.update(transactions).set({ description: 'New' }).where(eq(transactions.entity_id, own.entity.id));
    });
    const account = await anAccount(db, { entity_id: own.entity.id, account_name: 'Short-lived' });
    await db.delete(accounts).where(eq(accounts.id, account.id));
    expect(
      await Promise.all([out.id, unknown.id, match.id, asset.id, symbol.id, account.id, 'auditor'].map((id) => titled(id ?? ''))),
    ).toEqual(['1.5 TITLE', '7 XTITLE', '1.5 TITLE', 'TITLE', 'XTITLE', 'Short-lived', 'Auditor']);
    expect(await titled(`${own.accountant.id} ${own.client.id}`)).toBe(own.accountant.email);
    expect((await seenBy(superuser.email, { row_id: out.id }))[0]).toMatchObject({
      user_id: own.accountant.id,
      user_email: own.accountant.email,
      client_id: own.client.id,
      client_name: own.client.client_name,
      entity_name: own.entity.entity_name,
      noun: 'transactions',
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
  });

  test('[AU19] who may have made changes are the members of the organizations one reads of', async () => {
    const { call } = await server.signedIn(own.accountant.email);
    const emails = (await call(listAuditPeople, {})).map(({ email }) => email);
    expect(emails).toContain(own.accountant.email);
    expect(emails).not.toContain(foreign.accountant.email);
    const superuser = await aUser(db, { is_superuser: true });
    const { call: every } = await server.signedIn(superuser.email);
    expect((await every(listAuditPeople, {})).map(({ email }) => email)).toEqual(
      expect.arrayContaining([own.accountant.email, foreign.accountant.email, superuser.email]),
    );
  });
});
