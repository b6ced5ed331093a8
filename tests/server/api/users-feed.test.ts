import { afterAll, beforeAll, expect, test } from 'vitest';
import { feedProtocol, hello, listChanges } from '#contract/feed.ts';
import { inviteUser } from '#contract/invitations.ts';
import { deleteOrganization } from '#contract/organizations.ts';
import { assignUser, setUserRole, updateUser } from '#contract/users.ts';
import { settled } from '#tests/support/feed.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAdministeredOffice, userSeenBy } from '#tests/support/users.ts';
import { anOrganization, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anAdministeredOffice>>;
let foreign: Awaited<ReturnType<typeof anAdministeredOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anAdministeredOffice(server);
  foreign = await anAdministeredOffice(server);
});
afterAll(() => server.close());

type Call = typeof office.call;

/** What the feed tells somebody of people from now on. */
async function aListener(call: Call) {
  const { server_gen } = await call(hello, {});
  const ask = async (cursor: string | null) => {
    await settled(server.database.db);
    return call(listChanges, { protocol: feedProtocol.current, device_id: 'd', server_gen, cursor, scopes: ['user'] });
  };
  let { cursor } = await ask(null);
  return async () => {
    const answer = await ask(cursor);
    cursor = answer.cursor;
    return answer.changes.filter(({ noun }) => noun === 'users');
  };
}

test('[US23] the feed tells of people to who sees them, of who left an organization there, and of nobody elsewhere', async () => {
  const { db } = server.database;
  const user = await aUser(db, { organizationIds: [office.organization.id, foreign.organization.id] });
  const [here, there] = [await aListener(office.call), await aListener(foreign.call)];
  await office.call(assignUser, { id: user.id, assign_clients: [office.client.id] });
  const [assigned] = await here();
  expect(assigned).toMatchObject({ id: user.id, op: 'put', row: { client_ids: [office.client.id] } });
  expect(assigned?.row).toEqual(await userSeenBy(office.call, user.id));
  // elsewhere the row is in another version, and tells nothing of it
  expect(await there()).toMatchObject([{ id: user.id, row: { client_ids: [], version: assigned?.version } }]);

  await office.call(setUserRole, { id: user.id, organization_id: office.organization.id, role_id: null });
  const [left] = await here();
  expect(left).toMatchObject({ id: user.id, op: 'out' });
  expect(left).not.toHaveProperty('row');
  expect((await there()).map(({ op }) => op)).toEqual(['put']);

  await foreign.call(updateUser, { id: user.id, name: 'Renamed', is_enabled: false });
  await foreign.call(updateUser, { id: user.id, name: 'Renamed', is_enabled: true });
  await foreign.call(inviteUser, { id: user.id });
  expect(await here()).toEqual([]);
  expect(await there()).toMatchObject([{ row: { name: 'Renamed', invited_until: expect.any(String) } }]);

  // who comes back is in a newer version than who left
  const superuser = await server.signedIn((await aUser(db, { is_superuser: true })).email);
  await superuser.call(setUserRole, { id: user.id, organization_id: office.organization.id, role_id: 'auditor' });
  const [back] = await here();
  expect(back).toMatchObject({ op: 'put', row: { memberships: [{ role_id: 'auditor' }] } });
  expect(back?.version).toBeGreaterThan(left?.version ?? Infinity);
});

test('[US23] who worked for an organization that is deleted sees its people no more, and is told to look again', async () => {
  const { db } = server.database;
  const organization = await anOrganization(db);
  const user = await aUser(db, { role: 'administrator', organizationIds: [organization.id, office.organization.id] });
  const before = await (await server.signedIn(user.email)).call(hello, {});
  const superuser = await server.signedIn((await aUser(db, { is_superuser: true })).email);
  await superuser.call(deleteOrganization, { id: organization.id });
  const after = await (await server.signedIn(user.email)).call(hello, {});
  expect(after.perm_version).toBeGreaterThan(before.perm_version);
});
