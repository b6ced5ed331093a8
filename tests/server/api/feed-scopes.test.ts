import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { accounts, entities } from '#server/database/tables/places.ts';
import { clientAssignments, entityAssignments, organizationMembers, roles, users } from '#server/database/tables/users.ts';
import { aDevice } from '#tests/support/feed.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAccount, anEntity, anOffice, aTransaction, aUser, withReference } from '#tests/support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
  await withReference(server.database.db);
});
afterAll(() => server.close());

const db = () => server.database.db;

describe('scopes', () => {
  test('[FE21] scopes one may see and did not ask for are told with their parent, those asked for and not to be seen as lost', async () => {
    const office = await anOffice(db());
    const other = await anOffice(db());
    const device = await aDevice(server, office.accountant.email);
    const [client, entity] = [`client:${office.client.id}`, `entity:${office.entity.id}`];
    const first = await device.changes(null, ['user']);
    expect(first.scopes_gained).toEqual([
      { key: client, parent: 'user' },
      { key: entity, parent: client },
    ]);
    const foreign = [`client:${other.client.id}`, `entity:${other.entity.id}`, 'entity:nonsense', `entity:${uuidv7()}`];
    const asked = await device.changes(first.cursor, ['user', client, entity, ...foreign]);
    expect([asked.scopes_gained, asked.scopes_lost]).toEqual([[], foreign]);
    await db().delete(clientAssignments).where(eq(clientAssignments.user_id, office.accountant.id));
    const after = await device.changes(first.cursor, ['user', client, entity]);
    expect([after.scopes_lost, after.perm_version > first.perm_version]).toEqual([[client, entity], true]);
  });

  test('[FE22] somebody assigned to one entity learns nothing of the accounts of its sisters, though they share a client', async () => {
    const office = await anOffice(db());
    const sister = await anEntity(db(), { client_id: office.client.id });
    const user = await aUser(db(), { organizationIds: [office.organization.id], entityIds: [office.entity.id] });
    const device = await aDevice(server, user.email);
    const cursor = await device.now();
    const hidden = await anAccount(db(), { entity_id: sister.id, custodian_id: office.exchange.custodian_id });
    await db().update(entities).set({ city: 'Berne' }).where(eq(entities.id, sister.id));
    await db().delete(accounts).where(eq(accounts.id, hidden.id));
    await db().update(accounts).set({ account_name: 'Mine' }).where(eq(accounts.id, office.wallet.id));
    const { changes } = await device.changes(cursor, ['user', `client:${office.client.id}`, `entity:${sister.id}`]);
    expect(changes.map((change) => change.id)).toEqual([office.wallet.id]);
  });
});

describe('the version of permissions', () => {
  test('[FE23] the version of permissions grows with every change of what a person may see or do, for that person, and with nothing else', async () => {
    const office = await anOffice(db());
    const { id: user_id, email } = office.accountant;
    const device = await aDevice(server, email);
    const bystander = await aDevice(server, (await aUser(db())).email);
    const version = async (of = device) => Number((await of.hello()).json<{ perm_version: number }>().perm_version);
    const roleId = uuidv7();
    await db()
      .insert(roles)
      .values({ id: roleId, name: 'Own', sees_whole_organization: false, permissions: ['client_read', 'entity_read'] });
    const ofBystander = await version(bystander);
    const changes: [string, () => Promise<unknown>][] = [
      ['another role', () => db().update(organizationMembers).set({ role_id: roleId }).where(eq(organizationMembers.user_id, user_id))],
      [
        'permissions of the role',
        () =>
          db()
            .update(roles)
            .set({ permissions: ['client_read'] })
            .where(eq(roles.id, roleId)),
      ],
      ['the whole organization', () => db().update(roles).set({ sees_whole_organization: true }).where(eq(roles.id, roleId))],
      ['a client less', () => db().delete(clientAssignments).where(eq(clientAssignments.user_id, user_id))],
      ['a client more', () => db().insert(clientAssignments).values({ user_id, client_id: office.client.id })],
      ['an entity more', () => db().insert(entityAssignments).values({ user_id, entity_id: office.entity.id })],
      ['an entity less', () => db().delete(entityAssignments).where(eq(entityAssignments.user_id, user_id))],
      ['a superuser', () => db().update(users).set({ is_superuser: true }).where(eq(users.id, user_id))],
      ['no member', () => db().delete(organizationMembers).where(eq(organizationMembers.user_id, user_id))],
    ];
    for (const [what, change] of changes) {
      const before = await version();
      await change();
      expect([what, (await version()) > before]).toEqual([what, true]);
    }
    const last = await version();
    await db().update(users).set({ name: 'Renamed' }).where(eq(users.id, user_id));
    await db().update(roles).set({ name: 'Renamed' }).where(eq(roles.id, roleId));
    await aTransaction(db(), office.exchange);
    expect([await version(), await version(bystander)]).toEqual([last, ofBystander]);
  });

  test('[FE24] the version of permissions is on every answer to somebody signed in, refusals included, and on no other', async () => {
    const office = await anOffice(db());
    const device = await aDevice(server, office.accountant.email);
    const { perm_version } = (await device.hello()).json<{ perm_version: number }>();
    const { cookie } = device;
    for (const url of ['/api/users/me', '/api/clients', '/api/entities/nowhere', '/api/accounts'])
      expect([url, (await server.app.inject({ url, headers: { cookie } })).headers['x-perm-version']]).toEqual([url, String(perm_version)]);
    const stranger = await server.app.inject({ url: '/api/clients' });
    expect([stranger.statusCode, stranger.headers['x-perm-version']]).toEqual([401, undefined]);
  });
});
