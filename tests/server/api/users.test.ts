import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { inviteUser } from '#contract/invitations.ts';
import { permissionKeys } from '#contract/permissions.ts';
import { listPermissions, listRoles } from '#contract/roles.ts';
import { getMe, refreshToken } from '#contract/session.ts';
import { assignUser, createUser, listUserClients, listUsers, setUserRole, updateUser, userMessages } from '#contract/users.ts';
import { defaultRoles } from '#domain/permissions.ts';
import { roles, users } from '#server/database/tables/users.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anAdministeredOffice, newUser, takeUp, userSeenBy } from '#tests/support/users.ts';
import { aClient, anEntity, anOrganization, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anAdministeredOffice>>;
let foreign: Awaited<ReturnType<typeof anAdministeredOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anAdministeredOffice(server);
  foreign = await anAdministeredOffice(server);
});
afterAll(() => server.close());

const none = { assign_clients: [], unassign_clients: [], assign_entities: [], unassign_entities: [] };
const aMember = (values: Parameters<typeof aUser>[1] = {}) =>
  aUser(server.database.db, { organizationIds: [office.organization.id], ...values });
const aSuperuser = async () => server.signedIn((await aUser(server.database.db, { is_superuser: true })).email);

describe('the list of users', () => {
  test('[US1] one sees the people of the own organizations alone, and of them only what lies in those', async () => {
    const both = await aMember({
      organizationIds: [office.organization.id, foreign.organization.id],
      clientIds: [office.client.id, foreign.client.id],
    });
    const seen = await office.call(listUsers, {});
    expect(seen.map(({ id }) => id)).toEqual(expect.arrayContaining([office.accountant.id, office.administrator.id, both.id]));
    expect(seen.map(({ id }) => id)).not.toContain(foreign.accountant.id);
    expect(seen.find(({ id }) => id === both.id)).toMatchObject({
      memberships: [{ organization_id: office.organization.id, role_id: 'accountant' }],
      client_ids: [office.client.id],
      is_administered: false,
    });
    expect(JSON.stringify(seen)).not.toContain(foreign.organization.id);
    expect(JSON.stringify(seen)).not.toMatch(/password|token|hash/);
    expect(await office.call(listUsers, { organization_id: foreign.organization.id })).toEqual([]);
    const accountant = await server.signedIn(office.accountant.email);
    expect((await accountant.call(listUsers, {})).map(({ id }) => id)).not.toContain(foreign.accountant.id);
  });

  test('[US2] it is narrowed by a part of the e-mail in any case and by who is enabled, all unless told, and comes in pages', async () => {
    const gone = await aMember({ is_enabled: false });
    const ids = async (query: object) => (await office.call(listUsers, query)).map(({ id }) => id);
    expect(await ids({ email: gone.email.toUpperCase().slice(0, -4) })).toEqual([gone.id]);
    expect(await ids({ email: '%' })).toEqual([]);
    expect(await ids({})).toContain(gone.id);
    expect(await ids({ user_enabled: 'all' })).toContain(gone.id);
    expect(await ids({ user_enabled: 'false' })).toEqual([gone.id]);
    expect(await ids({ user_enabled: true })).not.toContain(gone.id);
    const all = await office.call(listUsers, { order_by: 'email' });
    const paged = [...(await office.call(listUsers, { limit: 2 })), ...(await office.call(listUsers, { skip: 2 }))];
    expect(paged).toEqual(all);
    await expect(office.call(listUsers, { user_enabled: 'maybe' as 'all' })).rejects.toMatchObject({ status: 422 });
  });

  test('[US3] it tells the day of the last sign-in', async () => {
    const user = await aMember();
    expect((await userSeenBy(office.call, user.id))?.last_sign_in_on).toBeNull();
    await server.signedIn(user.email);
    const seen = await userSeenBy(office.call, user.id);
    expect(seen?.last_sign_in_on).toBe(new Date(server.clock.now()).toISOString().slice(0, 10));
    await server.signedIn(user.email);
    expect((await userSeenBy(office.call, user.id))?.version).toBe(seen?.version);
  });
});

describe('roles and permissions', () => {
  test('[US4] roles are told by name, and what they grant key by key, for some roles or for a person', async () => {
    const { call } = await server.signedIn(office.accountant.email);
    const names = (await call(listRoles, {})).map(({ name }) => name);
    expect(names.slice().sort()).toEqual(defaultRoles.map(({ name }) => name).sort());
    expect(names[0]).toBe('Administrator');
    expect((await call(listRoles, { query: 'AUDIT' })).map(({ id }) => id)).toEqual(['auditor']);
    const all = await call(listPermissions, {});
    expect(all.map(({ id }) => id)).toEqual(permissionKeys);
    for (const { id, permissions } of defaultRoles) {
      const granted = all.filter(({ roles: by }) => by.includes(id)).map((permission) => permission.id);
      expect(granted.sort()).toEqual([...permissions].sort());
      expect((await call(listPermissions, { roles: [id] })).map((permission) => permission.id).sort()).toEqual([...permissions].sort());
    }
    const own = await call(listPermissions, { user_id: office.accountant.id });
    expect(own.every(({ roles: by }) => by.join() === 'accountant')).toBe(true);
    const held = Object.entries((await call(getMe, {})).permissions).flatMap(([key, isHeld]) => (isHeld ? [key] : []));
    expect(own.map(({ id }) => id).sort()).toEqual(held.sort());
    expect(await call(listPermissions, { user_id: office.accountant.id, roles: ['auditor'] })).toEqual([]);
    await expect(call(listPermissions, { user_id: foreign.accountant.id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('making and changing users', () => {
  test('[US5] an administrator makes a person with a role in the own organization; an address is one person whatever its case', async () => {
    const made = newUser(office.organization.id, { email: `Mixed.${uuidv7()}@Example.org` });
    const user = await office.call(createUser, made);
    expect(user).toMatchObject({
      id: made.id,
      email: made.email.toLowerCase(),
      is_enabled: true,
      is_superuser: false,
      is_administered: true,
      memberships: [{ organization_id: office.organization.id, role_id: 'accountant' }],
      last_sign_in_on: null,
      invited_until: null,
    });
    for (const email of [made.email.toUpperCase(), ` ${made.email} `]) {
      await expect(office.call(createUser, newUser(office.organization.id, { email }))).rejects.toMatchObject({
        status: 409,
        message: userMessages.taken,
      });
    }
    await expect(office.call(createUser, { ...newUser(office.organization.id), id: made.id })).rejects.toMatchObject({ status: 409 });
    for (const email of ['', 'nobody', 'a@b', 'a\0@example.org', `${'a'.repeat(330)}@example.org`])
      await expect(office.call(createUser, newUser(office.organization.id, { email }))).rejects.toMatchObject({ status: 422 });
  });

  test('[US6] nobody makes a person, or gives a role, in an organization they do not administer, nor a role that may do more than they', async () => {
    const { call } = office;
    await expect(call(createUser, newUser(foreign.organization.id))).rejects.toMatchObject({ status: 404 });
    const member = await aMember();
    const give = (id: string, organization_id: string, role_id: string) => call(setUserRole, { id, organization_id, role_id });
    await expect(give(member.id, foreign.organization.id, 'auditor')).rejects.toMatchObject({ status: 404 });
    await expect(give(foreign.accountant.id, office.organization.id, 'auditor')).rejects.toMatchObject({ status: 404 });
    await expect(give(member.id, office.organization.id, 'owner')).rejects.toMatchObject({ status: 422 });
    const auditor = await server.signedIn((await aMember({ role: 'auditor' })).email);
    await expect(
      auditor.call(setUserRole, { id: member.id, organization_id: office.organization.id, role_id: 'administrator' }),
    ).rejects.toMatchObject({
      status: 403,
    });

    // somebody who administers users and may do little else
    await server.database.db
      .insert(roles)
      .values({ id: 'people', name: 'People', sees_whole_organization: false, permissions: ['user_read', 'user_write', 'client_read'] })
      .onConflictDoNothing();
    const person = await aMember();
    await call(setUserRole, { id: person.id, organization_id: office.organization.id, role_id: 'people' });
    const people = await server.signedIn(person.email);
    const tooMuch = { status: 409, message: userMessages.tooMuch };
    await expect(
      people.call(setUserRole, { id: member.id, organization_id: office.organization.id, role_id: 'administrator' }),
    ).rejects.toMatchObject(tooMuch);
    await expect(
      people.call(setUserRole, { id: office.administrator.id, organization_id: office.organization.id, role_id: 'people' }),
    ).rejects.toMatchObject(tooMuch);
    await expect(people.call(createUser, newUser(office.organization.id, { role_id: 'auditor' }))).rejects.toMatchObject(tooMuch);
    // nor the account of one who may do as little, but with clients that they do not see
    const colleague = await aMember({ clientIds: [office.client.id] });
    await call(setUserRole, { id: colleague.id, organization_id: office.organization.id, role_id: 'people' });
    for (const { id } of [office.administrator, colleague])
      await expect(people.call(updateUser, { id, name: null, is_enabled: false })).rejects.toMatchObject({
        status: 409,
        message: userMessages.elsewhere,
      });
    await call(setUserRole, { id: person.id, organization_id: office.organization.id, role_id: null });
  });

  test('[US7] an account is changed by who administers all its organizations; a superuser by a superuser, whom no call makes', async () => {
    const both = await aMember({ organizationIds: [office.organization.id, foreign.organization.id] });
    const superuser = await aMember({ is_superuser: true });
    for (const { id } of [both, superuser]) {
      await expect(office.call(updateUser, { id, name: 'Renamed', is_enabled: false })).rejects.toMatchObject({
        status: 409,
        message: userMessages.elsewhere,
      });
    }
    await expect(office.call(updateUser, { id: foreign.accountant.id, name: null, is_enabled: false })).rejects.toMatchObject({
      status: 404,
    });
    const { call } = await aSuperuser();
    expect(await call(updateUser, { id: both.id, name: 'Renamed', is_enabled: false })).toMatchObject({
      name: 'Renamed',
      is_enabled: false,
    });
    const sly = { id: office.accountant.id, name: 'Test User', is_enabled: true, is_superuser: true };
    expect(await office.call(updateUser, sly)).toMatchObject({ is_superuser: false });
    expect(await office.call(createUser, { ...newUser(office.organization.id), is_superuser: true } as never)).toMatchObject({
      is_superuser: false,
    });
  });

  test('[US8] who is disabled is signed out at once, and neither signs in nor refreshes, before and after being enabled again', async () => {
    const user = await aMember();
    const browser = await server.signedIn(user.email);
    await office.call(updateUser, { id: user.id, name: user.name, is_enabled: false });
    await expect(browser.call(getMe, {})).rejects.toMatchObject({ status: 401 });
    await expect(browser.call(refreshToken, {})).rejects.toMatchObject({ status: 401 });
    await expect(server.signedIn(user.email)).rejects.toMatchObject({ status: 401, message: 'Invalid credentials' });
    await office.call(updateUser, { id: user.id, name: user.name, is_enabled: true });
    await expect(browser.call(getMe, {})).rejects.toMatchObject({ status: 401 });
    await expect(browser.call(refreshToken, {})).rejects.toMatchObject({ status: 401 });
    expect((await (await server.signedIn(user.email)).call(getMe, {})).id).toBe(user.id);
  });

  test('[US9] nobody disables themselves or takes their own administration away, and the last administrator of an organization stays', async () => {
    const alone = await anAdministeredOffice(server);
    const [me, of] = [alone.administrator, alone.organization.id];
    await expect(alone.call(updateUser, { id: me.id, name: null, is_enabled: false })).rejects.toMatchObject({
      message: userMessages.yourself,
    });
    for (const role_id of ['accountant', null]) {
      await expect(alone.call(setUserRole, { id: me.id, organization_id: of, role_id })).rejects.toMatchObject({
        message: userMessages.ownRole,
      });
    }
    const { call } = await aSuperuser();
    const last = { status: 409, message: userMessages.lastAdministrator };
    await expect(call(updateUser, { id: me.id, name: null, is_enabled: false })).rejects.toMatchObject(last);
    await expect(call(setUserRole, { id: me.id, organization_id: of, role_id: 'auditor' })).rejects.toMatchObject(last);
    await expect(call(setUserRole, { id: me.id, organization_id: of, role_id: null })).rejects.toMatchObject(last);
    // one who is disabled administers nothing
    await aUser(server.database.db, { role: 'administrator', organizationIds: [of], is_enabled: false });
    await expect(call(setUserRole, { id: me.id, organization_id: of, role_id: 'auditor' })).rejects.toMatchObject(last);
    const other = await aUser(server.database.db, { role: 'administrator', organizationIds: [of] });
    // of the two at once one goes
    const asOther = await server.signedIn(other.email);
    const both = await Promise.allSettled([
      alone.call(setUserRole, { id: other.id, organization_id: of, role_id: 'auditor' }),
      asOther.call(setUserRole, { id: me.id, organization_id: of, role_id: 'auditor' }),
    ]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('[US33] of two superusers who disable each other at once one stays', async () => {
    const small = await aServer();
    try {
      const two = await Promise.all([0, 1].map(() => aUser(small.database.db, { is_superuser: true })));
      const [a, b] = await Promise.all(two.map(({ email }) => small.signedIn(email)));
      const disable = (browser: typeof a, at: number) =>
        browser?.call(updateUser, { id: two[at]?.id ?? '', name: null, is_enabled: false });
      await Promise.allSettled([disable(a, 1), disable(b, 0)]);
      const left = await small.database.db.select().from(users).where(eq(users.is_enabled, true));
      expect(left).toHaveLength(1);
    } finally {
      await small.close();
    }
  });

  test('[US34] who comes from an organization of other administrators chooses a password anew', async () => {
    const { call } = await aSuperuser();
    const organizations = { own: office.organization.id, foreign: foreign.organization.id };
    const join = (id: string, organization_id: string) => call(setUserRole, { id, organization_id, role_id: 'auditor' });
    const newcomer = await aMember({ organizationIds: [organizations.foreign] });
    const browser = await server.signedIn(newcomer.email);
    const { token } = await foreign.call(inviteUser, { id: newcomer.id });
    await join(newcomer.id, organizations.own);
    await expect(browser.call(getMe, {})).rejects.toMatchObject({ status: 401 });
    await expect(server.signedIn(newcomer.email)).rejects.toMatchObject({ status: 401 });
    await expect(takeUp(server, token)).rejects.toMatchObject({ status: 422 });

    // whoever administers both may have chosen it before and may now
    const near = await anOrganization(server.database.db);
    await join(foreign.administrator.id, near.id);
    await call(setUserRole, { id: foreign.administrator.id, organization_id: near.id, role_id: 'administrator' });
    const known = await aUser(server.database.db, { organizationIds: [organizations.foreign] });
    await join(known.id, near.id);
    expect((await (await server.signedIn(known.email)).call(getMe, {})).id).toBe(known.id);
  });

  test('[US10] who leaves an organization loses what was assigned to them there and nothing else', async () => {
    const user = await aMember({
      organizationIds: [office.organization.id, foreign.organization.id],
      clientIds: [office.client.id, foreign.client.id],
      entityIds: [office.entity.id],
    });
    const { call } = await aSuperuser();
    const left = await office.call(setUserRole, { id: user.id, organization_id: office.organization.id, role_id: null });
    expect(left).toMatchObject({ memberships: [], client_ids: [], entity_ids: [], is_administered: false });
    expect(await userSeenBy(call, user.id)).toMatchObject({
      memberships: [{ organization_id: foreign.organization.id, role_id: 'accountant' }],
      client_ids: [foreign.client.id],
      entity_ids: [],
    });
    expect(await userSeenBy(office.call, user.id)).toBeUndefined();
  });
});

describe('assigning', () => {
  test('[US11] clients and entities are assigned and taken away at once, and seen at once', async () => {
    const [client, other] = [office.client, await aClient(server.database.db, { organization_id: office.organization.id })];
    const entity = await anEntity(server.database.db, { client_id: other.id });
    await anEntity(server.database.db, { client_id: other.id });
    const user = await aMember();
    const { call } = await server.signedIn(user.email);
    expect(await call(listClients, {})).toEqual([]);
    const assigned = await office.call(assignUser, { id: user.id, ...none, assign_clients: [client.id], assign_entities: [entity.id] });
    expect(assigned).toMatchObject({ client_ids: [client.id], entity_ids: [entity.id] });
    expect((await call(listClients, {})).map(({ id }) => id).sort()).toEqual([client.id, other.id].sort());
    expect((await call(listEntities, { client_id: other.id })).map(({ id }) => id)).toEqual([entity.id]);
    expect(await office.call(listUserClients, { id: user.id })).toEqual({
      [client.id]: expect.objectContaining({ is_assigned: true, is_seen_by_role: false, entities: [] }),
      [other.id]: expect.objectContaining({
        client_name: other.client_name,
        is_assigned: false,
        entities: [{ id: entity.id, label: entity.entity_name }],
      }),
    });
    await office.call(assignUser, { id: user.id, ...none, unassign_clients: [client.id], unassign_entities: [entity.id] });
    expect(await call(listClients, {})).toEqual([]);
    expect(await office.call(listUserClients, { id: user.id })).toEqual({});
    expect(await office.call(listUserClients, { id: office.administrator.id })).toMatchObject({ [client.id]: { is_seen_by_role: true } });
  });

  test('[US12] nothing of another organization is assigned, nor to its people, and of what is refused nothing is done', async () => {
    const user = await aMember();
    const assign = (id: string, what: Partial<typeof none>) => office.call(assignUser, { id, ...none, ...what });
    for (const what of [
      { assign_clients: [office.client.id, foreign.client.id] },
      { assign_clients: [office.client.id], unassign_clients: [foreign.client.id] },
      { assign_clients: [office.client.id], assign_entities: [foreign.entity.id] },
      { assign_clients: [office.client.id], unassign_entities: [uuidv7()] },
    ]) {
      await expect(assign(user.id, what as Partial<typeof none>)).rejects.toMatchObject({ status: 404 });
    }
    expect(await userSeenBy(office.call, user.id)).toMatchObject({ client_ids: [], entity_ids: [] });
    await expect(assign(foreign.accountant.id, { assign_clients: [office.client.id] as never[] })).rejects.toMatchObject({ status: 404 });
    const { call } = await aSuperuser();
    await expect(call(assignUser, { id: user.id, ...none, assign_clients: [foreign.client.id] })).rejects.toMatchObject({
      status: 409,
      message: userMessages.notThere,
    });
    await expect(office.call(listUserClients, { id: foreign.accountant.id })).rejects.toMatchObject({ status: 404 });
    const accountant = await server.signedIn(office.accountant.email);
    await expect(accountant.call(assignUser, { id: user.id, ...none, assign_clients: [office.client.id] })).rejects.toMatchObject({
      status: 403,
    });
  });

  test('[US13] a change of a user made on another version is refused, with the row as it is', async () => {
    const user = await aMember();
    const { version = 0 } = (await userSeenBy(office.call, user.id)) ?? {};
    const stale = { ifVersion: version };
    await office.call(assignUser, { id: user.id, ...none, assign_clients: [office.client.id] }, stale);
    const refused = { status: 412, beside: { current: expect.objectContaining({ id: user.id, client_ids: [office.client.id] }) } };
    await expect(office.call(updateUser, { id: user.id, name: 'Late', is_enabled: true }, stale)).rejects.toMatchObject(refused);
    await expect(
      office.call(setUserRole, { id: user.id, organization_id: office.organization.id, role_id: 'auditor' }, stale),
    ).rejects.toMatchObject(refused);
    await expect(office.call(assignUser, { id: user.id, ...none }, stale)).rejects.toMatchObject(refused);
    await expect(office.call(createUser, newUser(office.organization.id), { ifVersion: 3 })).rejects.toMatchObject({ status: 412 });
  });

  test('[US14] an organization that is deleted is no reason to see or to spare anybody', async () => {
    const organization = await anOrganization(server.database.db, { deleted_at: new Date(server.clock.now()) });
    const user = await aMember({ organizationIds: [office.organization.id, organization.id] });
    expect(await userSeenBy(office.call, user.id)).toMatchObject({ is_administered: true });
    const gone = await aUser(server.database.db, { organizationIds: [organization.id], role: 'administrator' });
    const { call } = await server.signedIn(gone.email);
    await expect(call(listUsers, {})).rejects.toMatchObject({ status: 403 });
    expect(await userSeenBy(office.call, gone.id)).toBeUndefined();
  });
});
