import { eq, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAccounts } from '#contract/accounts.ts';
import {
  clientMessages,
  createClient,
  deleteClient,
  listAvailableEntities,
  listClientEntities,
  listClients,
  updateClient,
} from '#contract/clients.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { createEntity, deleteEntity, entityMessages, getEntity, listEntities, updateEntity } from '#contract/entities.ts';
import {
  createOrganization,
  deleteOrganization,
  getOrganizationIdForEntity,
  getOrganizationSettings,
  listOrganizations,
  organizationMessages,
  updateOrganization,
  updateOrganizationSettings,
} from '#contract/organizations.ts';
import { listTransactions } from '#contract/transactions.ts';
import { rowsOf } from '#server/database/open.ts';
import { organizations } from '#server/database/tables/places.ts';
import { entityFields as fields } from '#tests/support/entity-fields.ts';
import { databaseKind } from '#tests/support/database.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aClient, anAccount, anEntity, anOffice, anOrganization, aPendingMatch, aUser } from '#tests/support/world.ts';

let server: TestServer;
let office: Awaited<ReturnType<typeof anOffice>>;
let foreign: Awaited<ReturnType<typeof anOffice>>;
beforeAll(async () => {
  server = await aServer();
  office = await anOffice(server.database.db);
  foreign = await anOffice(server.database.db);
});
afterAll(() => server.close());

const asAccountant = () => server.signedIn(office.accountant.email);
const asPerson = async (values: Parameters<typeof aUser>[1]) =>
  server.signedIn((await aUser(server.database.db, { organizationIds: [office.organization.id], ...values })).email);
const aName = () => `Name ${uuidv7()}`;

const anEntityOf = (client_id: string, more: Partial<typeof fields> = {}) => ({
  id: uuidv7(),
  client_id,
  ...fields,
  entity_name: aName(),
  ...more,
});

describe('organizations', () => {
  test('[PL1] a superuser makes, changes and deletes one; a name is used once; one with clients stays', async () => {
    const { call } = await asPerson({ is_superuser: true, organizationIds: [] });
    const [id, name] = [uuidv7(), aName()];
    expect(await call(createOrganization, { id, name })).toMatchObject({ id, name, version: 1 });
    await expect(call(createOrganization, { id: uuidv7(), name: name.toUpperCase() })).rejects.toMatchObject({
      status: 409,
      message: organizationMessages.taken,
    });
    expect(await call(updateOrganization, { id, name: `${name} LLP` })).toMatchObject({ name: `${name} LLP`, version: 2 });
    const client = uuidv7();
    await call(createClient, { id: client, organization_id: id, client_name: 'Birch' });
    await expect(call(deleteOrganization, { id })).rejects.toMatchObject({ status: 409, message: organizationMessages.hasClients });
    await call(deleteClient, { id: client });
    await call(deleteOrganization, { id });
    expect((await call(listOrganizations, {})).map((row) => row.id)).not.toContain(id);
    await expect(call(deleteOrganization, { id })).rejects.toMatchObject({ status: 404 });
  });

  test('[PL2] nobody else makes or deletes one, and an administrator changes the own alone', async () => {
    const { call } = await asPerson({ role: 'administrator' });
    await expect(call(createOrganization, { id: uuidv7(), name: aName() })).rejects.toMatchObject({ status: 403 });
    await expect(call(deleteOrganization, { id: office.organization.id })).rejects.toMatchObject({ status: 403 });
    await expect(call(updateOrganization, { id: foreign.organization.id, name: aName() })).rejects.toMatchObject({ status: 404 });
    expect(await call(updateOrganization, { id: office.organization.id, name: aName() })).toMatchObject({ id: office.organization.id });
    const { call: accountant } = await asAccountant();
    await expect(accountant(updateOrganization, { id: office.organization.id, name: aName() })).rejects.toMatchObject({ status: 403 });
  });

  test('[PL3] its settings and the organization of an entity are told to who sees them', async () => {
    const { call } = await asAccountant();
    const [ours] = await call(listOrganizations, {});
    const { name, version } = ours!;
    expect(await call(getOrganizationSettings, { organization_id: office.organization.id })).toEqual({
      name,
      default_accounting_system_id: null,
      time_zone: null,
      reporting_currency: 'USD',
      version,
    });
    expect(await call(getOrganizationIdForEntity, { entity_id: office.entity.id })).toEqual({ organization_id: office.organization.id });
    await expect(call(getOrganizationSettings, { organization_id: foreign.organization.id })).rejects.toMatchObject({ status: 404 });
    await expect(call(getOrganizationIdForEntity, { entity_id: foreign.entity.id })).rejects.toMatchObject({ status: 404 });
  });
});

describe('the settings of an organization', () => {
  const settings = { default_accounting_system_id: 3, time_zone: 'CET' as const };

  test('[PL25] an administrator changes them with the name; they are told back, and what else is set stays', async () => {
    const { organization } = await anOffice(server.database.db);
    await server.database.db
      .update(organizations)
      .set({ settings: { logo: 'kept' } })
      .where(eq(organizations.id, organization.id));
    const { call } = await asPerson({ role: 'administrator', organizationIds: [organization.id] });
    const [organization_id, name] = [organization.id, aName()];
    const saved = await call(updateOrganizationSettings, { organization_id, name, ...settings });
    expect(saved).toEqual({ name, ...settings, reporting_currency: 'USD', version: 3 });
    expect(await call(getOrganizationSettings, { organization_id })).toEqual(saved);
    expect(await call(listOrganizations, {})).toMatchObject([{ id: organization_id, name }]);
    const [row] = await server.database.db.select().from(organizations).where(eq(organizations.id, organization_id));
    expect(row?.settings).toEqual({ logo: 'kept', ...settings });
  });

  test('[PL26] nobody else changes them, nor to what there is none of, nor over a version they did not see', async () => {
    const { organization, accountant } = await anOffice(server.database.db);
    const input = { organization_id: organization.id, name: organization.name, ...settings };
    const { call: reader } = await server.signedIn(accountant.email);
    await expect(reader(updateOrganizationSettings, input)).rejects.toMatchObject({ status: 403 });
    const { call: stranger } = await asPerson({ role: 'administrator' });
    await expect(stranger(updateOrganizationSettings, input)).rejects.toMatchObject({ status: 404 });
    const { call } = await asPerson({ role: 'administrator', organizationIds: [organization.id] });
    for (const wrong of [{ default_accounting_system_id: 99 }, { time_zone: 'Mars' as 'UTC' }, { name: ' ' }])
      await expect(call(updateOrganizationSettings, { ...input, ...wrong })).rejects.toMatchObject({ status: 422 });
    await expect(call(updateOrganizationSettings, { ...input, name: foreign.organization.name })).rejects.toMatchObject({ status: 409 });
    await call(updateOrganizationSettings, input, { ifVersion: 1 });
    await expect(call(updateOrganizationSettings, { ...input, time_zone: 'JST' }, { ifVersion: 1 })).rejects.toMatchObject({ status: 412 });
    expect(await call(getOrganizationSettings, { organization_id: organization.id })).toMatchObject({ time_zone: 'CET', version: 2 });
  });
});

describe('clients', () => {
  test('[PL4] who sees assigned clients only is assigned to the one they make, and who sees all is not', async () => {
    const { call } = await asAccountant();
    const input = { id: uuidv7(), organization_id: office.organization.id, client_name: aName() };
    expect(await call(createClient, input)).toMatchObject({ ...input, version: 1 });
    expect((await call(listClients, {})).map((row) => row.id)).toContain(input.id);
    const { call: colleague } = await asPerson({ role: 'accountant', clientIds: [office.client.id] });
    expect((await colleague(listClients, {})).map((row) => row.id)).not.toContain(input.id);
    const { call: administrator } = await asPerson({ role: 'administrator' });
    expect((await administrator(listClients, {})).map((row) => row.id)).toContain(input.id);
  });

  test('[PL5] none is made in, changed in or moved to another organization, nor under an id or a name that is taken', async () => {
    const { call } = await asAccountant();
    const client_name = aName();
    const organization_id = office.organization.id;
    await expect(call(createClient, { id: uuidv7(), organization_id: foreign.organization.id, client_name })).rejects.toMatchObject({
      status: 404,
    });
    await expect(call(updateClient, { id: foreign.client.id, client_name })).rejects.toMatchObject({ status: 404 });
    await expect(call(deleteClient, { id: foreign.client.id })).rejects.toMatchObject({ status: 404 });
    await expect(call(createClient, { id: foreign.client.id, organization_id, client_name })).rejects.toMatchObject({ status: 409 });
    const [one, other] = [uuidv7(), uuidv7()];
    await call(createClient, { id: one, organization_id, client_name });
    await expect(call(createClient, { id: one, organization_id, client_name: aName() })).rejects.toMatchObject({ status: 409 });
    const taken = { status: 409, message: clientMessages.taken };
    await expect(call(createClient, { id: other, organization_id, client_name: ` ${client_name.toUpperCase()} ` })).rejects.toMatchObject(
      taken,
    );
    await call(createClient, { id: other, organization_id, client_name: aName() });
    await expect(call(updateClient, { id: other, client_name })).rejects.toMatchObject(taken);
    // the same name as before is no other's
    expect(await call(updateClient, { id: one, organization_id, client_name })).toMatchObject({ version: 1 });
    await expect(call(updateClient, { id: one, organization_id: foreign.organization.id, client_name })).rejects.toMatchObject({
      status: 422,
      message: `${clientMessages.stays} (body.organization_id)`,
    });
  });

  test('[PL6] who sees a client by one of its entities alone does not change it', async () => {
    const { call } = await asPerson({ role: 'accountant', entityIds: [office.entity.id] });
    expect((await call(listClients, {})).map((row) => row.id)).toContain(office.client.id);
    await expect(call(updateClient, { id: office.client.id, client_name: aName() })).rejects.toMatchObject({ status: 404 });
    await expect(call(createEntity, anEntityOf(office.client.id))).rejects.toMatchObject({ status: 404 });
    expect(await call(updateEntity, { ...fields, id: office.entity.id, entity_name: aName() })).toMatchObject({ id: office.entity.id });
  });

  test('[PL7] a deleted client is out of sight with all that lies in it, whoever looks, and its name is free', async () => {
    const { db } = server.database;
    const gone = await anOffice(db);
    await aPendingMatch(db, gone.exchange, gone.wallet);
    const { call } = await server.signedIn(gone.accountant.email);
    const superuser = await asPerson({ is_superuser: true, organizationIds: [] });
    expect(await call(listTransactions, { entity_id: gone.entity.id, start_date: '2020-01-01' })).toHaveLength(2);
    await call(deleteClient, { id: gone.client.id });
    for (const sees of [call, superuser.call]) {
      expect((await sees(listClients, {})).map((row) => row.id)).not.toContain(gone.client.id);
      expect((await sees(listEntities, {})).map((row) => row.id)).not.toContain(gone.entity.id);
      expect(await sees(listAccounts, { client_id: gone.client.id })).toEqual([]);
      expect(await sees(listTransactions, { entity_id: gone.entity.id, start_date: '2020-01-01' })).toEqual([]);
      await expect(sees(getEntity, { id: gone.entity.id })).rejects.toMatchObject({ status: 404 });
    }
    const again = { id: uuidv7(), organization_id: gone.organization.id, client_name: gone.client.client_name };
    expect(await call(createClient, again)).toMatchObject(again);
  });
});

describe('lists', () => {
  test('[PL20] organizations and entities are by name, or by a field asked for: what is empty last, ties by id', async () => {
    const { db } = server.database;
    const group = aName();
    const [larch, alder] = [await anOrganization(db, { name: `${group} Larch` }), await anOrganization(db, { name: `${group} Alder` })];
    const client = await aClient(db, { organization_id: alder.id });
    const of = (entity_name: string, city: string | null) => anEntity(db, { client_id: client.id, entity_name, city });
    const [oak, elm, fir, yew] = [await of('Oak', 'Bern'), await of('Elm', null), await of('Fir', 'Aarau'), await of('Yew', 'Bern')];
    await anAccount(db, { entity_id: yew.id });
    const { call } = await asPerson({ is_superuser: true, organizationIds: [] });
    const organizations = async (order: Pick<InputOf<typeof listOrganizations>, 'order_by' | 'order_by_asc'>) =>
      (await call(listOrganizations, { name: group, ...order })).map((row) => row.id);
    const entities = async (order: Pick<InputOf<typeof listEntities>, 'order_by' | 'order_by_asc'>) =>
      (await call(listEntities, { client_id: client.id, ...order })).map((row) => row.id);
    expect(await organizations({})).toEqual([alder.id, larch.id]);
    expect(await organizations({ order_by: 'name', order_by_asc: false })).toEqual([larch.id, alder.id]);
    expect(await organizations({ order_by: 'id' })).toEqual([larch.id, alder.id]);
    expect(await entities({})).toEqual([elm.id, fir.id, oak.id, yew.id]);
    expect(await entities({ order_by: 'city' })).toEqual([fir.id, oak.id, yew.id, elm.id]);
    expect(await entities({ order_by: 'city', order_by_asc: false })).toEqual([oak.id, yew.id, fir.id, elm.id]);
    expect((await entities({ order_by: 'active_accounts', order_by_asc: false }))[0]).toBe(yew.id);
    await expect(organizations({ order_by: 'settings' as 'id' })).rejects.toMatchObject({
      status: 422,
      message: 'Expected one of id, name (query.order_by)',
    });
    await expect(entities({ order_by: 'deleted_at' as 'id' })).rejects.toMatchObject({ status: 422 });
  });

  test('[PL35] one organization and one client are found by id, by who sees them', async () => {
    const { db } = server.database;
    const [office, foreign] = [await anOffice(db), await anOffice(db)];
    const { call } = await asPerson({ role: 'administrator', organizationIds: [office.organization.id] });
    const ids = (rows: readonly { id: string }[]) => rows.map(({ id }) => id);
    await aClient(db, { organization_id: office.organization.id });
    expect(ids(await call(listClients, { id: office.client.id }))).toEqual([office.client.id]);
    expect(ids(await call(listOrganizations, { id: office.organization.id }))).toEqual([office.organization.id]);
    expect(await call(listClients, { id: foreign.client.id })).toEqual([]);
    expect(await call(listOrganizations, { id: foreign.organization.id })).toEqual([]);
  });
});

describe('entities', () => {
  test('[PL8] one is made, changed and deleted by who sees its client whole; a name is used once per client', async () => {
    const { call } = await asAccountant();
    const input = anEntityOf(office.client.id, { accounting_system_id: 3, fund_id: 'F-7' });
    expect(await call(createEntity, input)).toMatchObject({
      ...input,
      organization_id: office.organization.id,
      active_accounts: 0,
      version: 1,
    });
    const taken = { status: 409, message: entityMessages.taken };
    await expect(call(createEntity, anEntityOf(office.client.id, { entity_name: input.entity_name }))).rejects.toMatchObject(taken);
    const { client_id: _of, ...change } = { ...input, city: ' Zürich ', zip_code: '', active: false };
    expect(await call(updateEntity, change)).toMatchObject({ city: 'Zürich', zip_code: null, active: false, version: 2 });
    await call(deleteEntity, { id: input.id });
    await expect(call(getEntity, { id: input.id })).rejects.toMatchObject({ status: 404 });
    // one that is gone already is fine
    expect(await call(deleteEntity, { id: input.id })).toEqual({});
    await expect(call(createEntity, anEntityOf(foreign.client.id))).rejects.toMatchObject({ status: 404 });
    await expect(call(updateEntity, { ...fields, id: foreign.entity.id })).rejects.toMatchObject({ status: 404 });
    await expect(call(deleteEntity, { id: foreign.entity.id })).rejects.toMatchObject({ status: 404 });
  });

  test('[PL9] masked, empty and over-long values and unknown systems are refused in words; whatever else people write is kept to the letter', async () => {
    const { call } = await asAccountant();
    const refusedWith = async (more: Partial<typeof fields>): Promise<string> =>
      call(createEntity, anEntityOf(office.client.id, more)).then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    expect(await refusedWith({ entity_name: 'Acc***12' })).toMatch(/^Entity Name is masked/);
    expect(await refusedWith({ entity_name: ' \u200b ' })).toMatch(/^Entity Name is required/);
    expect(await refusedWith({ entity_name: 'x'.repeat(201) })).toMatch(/^Entity Name has at most 200 characters/);
    expect(await refusedWith({ entity_name: 'two\nlines' })).toMatch(/^Entity Name is one line of text/);
    expect(await refusedWith({ accounting_system_id: 99 })).toMatch(/^There is no such accounting system/);
    for (const entity_name of ['🌲 Cedar', 'צוות השקעות', '<script>alert(1)</script>', "O'Neil; drop table entities"]) {
      const input = anEntityOf(office.client.id, { entity_name });
      expect(await call(createEntity, input)).toMatchObject({ entity_name });
    }
  });

  test('[PL10] as choices they are told by id and name, of one client or of all one sees', async () => {
    const { db } = server.database;
    const client = await aClient(db, { organization_id: office.organization.id });
    const entity = await anEntity(db, { client_id: client.id });
    const { call } = await asPerson({ role: 'auditor', clientIds: [client.id] });
    const choices = [{ id: entity.id, label: entity.entity_name }];
    expect(await call(listAvailableEntities, { client_id: client.id })).toEqual(choices);
    expect(await call(listClientEntities, {})).toEqual(choices);
    expect(await call(listAvailableEntities, { client_id: office.client.id })).toEqual([]);
  });

  test('[PL11] a change made on another version is refused, with the row as it is', async () => {
    const { call } = await asAccountant();
    const input = anEntityOf(office.client.id);
    await call(createEntity, input);
    const { client_id: _of, ...change } = { ...input, city: 'Basel' };
    await call(updateEntity, change, { ifVersion: 1 });
    await expect(call(updateEntity, { ...change, city: 'Bern' }, { ifVersion: 1 })).rejects.toMatchObject({
      status: 412,
      beside: { current: { city: 'Basel', version: 2 } },
    });
    await expect(call(createEntity, input, { ifVersion: 0 })).rejects.toMatchObject({ status: 412 });
  });
});

test.runIf(databaseKind === 'postgres')(
  '[PL44] no client is made in an organization that is being deleted, be it by a superuser',
  async () => {
    const { db } = server.database;
    const organization = await anOrganization(db);
    const { call } = await server.signedIn((await aUser(db, { is_superuser: true })).email);
    const waiting = async () =>
      (await rowsOf(db, sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).length;
    const { made } = await db.transaction(async (tx) => {
      await tx
        .update(organizations)
        .set({ deleted_at: new Date(server.clock.now()) })
        .where(eq(organizations.id, organization.id));
      const making = call(createClient, { id: uuidv7(), organization_id: organization.id, client_name: 'Late' });
      await expect.poll(waiting).toBe(1);
      return { made: Promise.allSettled([making]) };
    });
    expect(await made).toMatchObject([{ status: 'rejected', reason: { code: 'not_found' } }]);
  },
);
