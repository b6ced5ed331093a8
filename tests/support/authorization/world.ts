import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { feedProtocol, hello, listChanges } from '#contract/feed.ts';
import type { TaskKind } from '#contract/jobs.ts';
import { nameKey } from '#domain/name-key.ts';
import type { Db } from '#server/database/open.ts';
import { clients, entities, organizations } from '#server/database/tables/places.ts';
import { savedViews } from '#server/database/tables/saved-views.ts';
import { sessions } from '#server/database/tables/sign-ins.ts';
import { ticketAttachments, tickets } from '#server/database/tables/tickets.ts';
import { rawData } from '#server/database/tables/transactions.ts';
import { clientAssignments, entityAssignments, organizationMembers } from '#server/database/tables/users.ts';
import { queueTask, type TaskPlace } from '#server/repositories/worker-tasks.ts';
import { settled } from '#tests/support/feed.ts';
import { pngBytes } from '#tests/support/images.ts';
import { type CookieJar, type TestServer, testNow } from '#tests/support/server.ts';
import {
  aClient,
  anAccount,
  anArchivedAsset,
  aSecurity,
  anEntity,
  anOrganization,
  aPendingMatch,
  aUser,
  withReference,
} from '#tests/support/world.ts';
import {
  deletedHomes,
  type Home,
  type OrganizationName,
  organizationNames,
  type Person,
  people,
  type PersonName,
  personNames,
} from './people.ts';

async function aRawRow(db: Db, account_id: string) {
  const [id, natural_key, content_hash] = [uuidv7(), uuidv7(), uuidv7()];
  const row = { id, account_id, natural_key, content_hash, source: 'csv:test', parser_version: 1, payload: {}, status: 'PROCESSED' };
  await db.insert(rawData).values(row);
  return row;
}

async function aView(db: Db, user_id: string, name: string) {
  const row = { id: uuidv7(), list: 'transactions' as const, name, search: 'unpriced=only' };
  await db.insert(savedViews).values({ ...row, user_id, name_key: nameKey(name), updated_at: new Date(testNow) });
  return row;
}

/** A task of each kind of place, told by what it is about. */
const aTask = (db: Db, kind: TaskKind, subject: string, place: TaskPlace) =>
  queueTask(db, { kind, subject_ids: [subject], place, created_by: null }, testNow);

/** What somebody reported: one ticket with a screenshot and one without. */
async function someTickets(db: Db, writer: { id: string; email: string }) {
  const memberships = db
    .select({ id: organizationMembers.organization_id })
    .from(organizationMembers)
    .where(eq(organizationMembers.user_id, writer.id));
  const row = {
    headline: 'Totals differ',
    description: 'Off by one',
    priority: 'low' as const,
    reporter: writer.email,
    created_by: writer.id,
  };
  const [id, bare] = [uuidv7(), uuidv7()];
  const organization_ids = (await memberships).map((member) => member.id);
  await db.insert(tickets).values([id, bare].map((each) => ({ ...row, id: each, organization_ids })));
  const file = { file_name: 'shot.png', mime_type: 'image/png' as const, content: pngBytes };
  await db.insert(ticketAttachments).values({ ...file, ticket_id: id, created_by: writer.id });
  return { id, bare, reporter: writer.email };
}

/** The entities of an organization by home. Those beyond two clients of two entities each were deleted. */
const entityHomes: Readonly<Record<OrganizationName, readonly Home[]>> = {
  own: ['own/1/1', 'own/1/2', 'own/1/3', 'own/2/1', 'own/2/2', 'own/3/1'],
  foreign: ['foreign/1/1', 'foreign/1/2', 'foreign/2/1', 'foreign/2/2'],
  emptied: ['emptied/1/1'],
  deleted: ['deleted/1/1'],
};

/** An organization with its clients and entities, something of everything in every entity, and where each row lies by its id. */
async function placesOf(db: Db, name: OrganizationName, homes: Map<string, Home>) {
  const places = [];
  const organization = await anOrganization(db);
  homes.set(organization.id, name);
  const member = await aUser(db, { role: 'reporter', organizationIds: [organization.id] });
  if (!deletedHomes.includes(name)) homes.set(member.id, name);
  await aTask(db, 'reports', `report of ${organization.id}`, { organization_id: organization.id });
  const clientsAt = new Map<Home, Awaited<ReturnType<typeof aClient>>>();
  const archivedAt = new Map<Home, Awaited<ReturnType<typeof anArchivedAsset>>>();
  for (const home of entityHomes[name]) {
    const atClient = home.slice(0, home.lastIndexOf('/'));
    const client = clientsAt.get(atClient) ?? (await aClient(db, { organization_id: organization.id }));
    if (!clientsAt.has(atClient)) await aTask(db, 'exports', `batch of ${client.id}`, { client_id: client.id });
    clientsAt.set(atClient, client);
    homes.set(client.id, atClient);
    const archived =
      archivedAt.get(atClient) ?? (await anArchivedAsset(db, { client_id: client.id, security_id: (await aSecurity(db)).id }));
    archivedAt.set(atClient, archived);
    homes.set(archived.id, atClient);
    const entity = await anEntity(db, { client_id: client.id });
    const account = await anAccount(db, { entity_id: entity.id, currency: 'USD' });
    const wallet = await anAccount(db, { entity_id: entity.id });
    const { out, into, match } = await aPendingMatch(db, account, wallet);
    const raw = await aRawRow(db, account.id);
    await aTask(db, 'reconciliation', account.id, { entity_id: entity.id });
    for (const row of [entity, account, wallet, out, into, match, raw]) homes.set(row.id, home);
    places.push({ home, organization, member, client, archived, entity, account, wallet, out, into, match, raw });
  }
  return places;
}

/** Deletes what lies at a home as the product does: one row is marked. */
async function deletePlace(db: Db, home: Home, { organization, client, entity }: Place): Promise<void> {
  const gone = { deleted_at: new Date(testNow) };
  const depth = home.split('/').length;
  if (depth === 1) await db.update(organizations).set(gone).where(eq(organizations.id, organization.id));
  if (depth === 2) await db.update(clients).set(gone).where(eq(clients.id, client.id));
  if (depth === 3) await db.update(entities).set(gone).where(eq(entities.id, entity.id));
}

type Place = Awaited<ReturnType<typeof placesOf>>[number];

/** Somebody who can sign in, with their roles, their assignments and a saved view. */
async function aPerson(db: Db, { is_superuser, roles, whole }: Person, at: (home: Home) => Place) {
  const user = await aUser(db, { is_superuser: is_superuser === true });
  for (const [organization, role_id] of Object.entries(roles))
    await db.insert(organizationMembers).values({ user_id: user.id, organization_id: at(organization).organization.id, role_id });
  for (const home of is_superuser ? [] : whole) {
    const [depth, { client, entity }] = [home.split('/').length, at(home)];
    if (depth === 2) await db.insert(clientAssignments).values({ user_id: user.id, client_id: client.id });
    if (depth === 3) await db.insert(entityAssignments).values({ user_id: user.id, entity_id: entity.id });
  }
  return { ...user, view: await aView(db, user.id, 'Month end'), ticket: await someTickets(db, user) };
}

type Asker = Awaited<ReturnType<typeof aPerson>>;

/** What a call is asked about: a place with all that lies there, a view, who asks, somebody else, and the feed before anything was there. */
export interface Target extends Place {
  /** The entity that all who are assigned anything may see, to bring together with the target. */
  first: Place;
  view: Asker['view'];
  ticket: Asker['ticket'];
  asker: Asker;
  colleague: Asker;
  feed: { protocol: number; device_id: string; server_gen: string; cursor: string };
}

/** Everybody and everything the table is about. */
export async function authorizationWorld(server: TestServer) {
  const { db } = server.database;
  await withReference(db);
  const { call } = await server.signedIn((await aUser(db, { is_superuser: true })).email);
  const device = { protocol: feedProtocol.current, device_id: 'matrix', server_gen: (await call(hello, {})).server_gen };
  const { cursor } = await call(listChanges, { ...device, cursor: null, scopes: [] });
  const feed = { ...device, cursor };

  const homes = new Map<string, Home>();
  const places: Place[] = [];
  for (const name of organizationNames) places.push(...(await placesOf(db, name, homes)));
  const at = (home: Home): Place => {
    const place = places.find((one) => `${one.home}/`.startsWith(`${home}/`)) ?? places[0];
    if (!place) throw new Error('There is no place');
    return place;
  };

  // somebody of the first client whom no column is about; who is not signed in knows what they know
  const colleague = await aPerson(db, people.accountant, at);
  homes.set(colleague.view.id, 'of/colleague');
  const stranger = await aPerson(db, { roles: { foreign: 'accountant' }, whole: ['foreign/1'] }, at);
  homes.set(stranger.view.id, 'of/stranger');
  const writers = new Map([
    ['colleague', colleague],
    ['stranger', stranger],
  ]);
  const askers = new Map<PersonName, { asker: Asker; jar: CookieJar }>();
  for (const name of personNames) {
    if (name === 'nobody') continue;
    const asker = await aPerson(db, people[name], at);
    homes.set(asker.view.id, `of/${name}`);
    writers.set(name, asker);
    askers.set(name, { asker, jar: (await server.signedIn(asker.email)).jar });
  }
  const open = await db.select({ id: sessions.id, user_id: sessions.user_id }).from(sessions);
  for (const { id, user_id } of open) {
    const owner = [...askers].find(([, { asker }]) => asker.id === user_id)?.[0];
    if (owner) homes.set(id, `of/${owner}`);
  }
  for (const [writer, { ticket }] of writers) for (const id of [ticket.id, ticket.bare]) homes.set(id, `ticket/${writer}`);
  // an organization is deleted once its clients are
  for (const home of [...deletedHomes, 'deleted/1']) await deletePlace(db, home, at(home));
  await settled(db);
  return {
    homes,
    /** The cookies of a person's browser, as they were at the start. */
    browserOf: (name: PersonName): CookieJar => new Map(askers.get(name)?.jar),
    targetOf(name: PersonName, home: Home): Target {
      const asker = askers.get(name)?.asker ?? colleague;
      const { ticket } = { 'ticket/colleague': colleague, 'ticket/stranger': stranger }[home] ?? asker;
      return {
        ...at(home),
        first: at('own/1/1'),
        view: home === 'of/colleague' ? colleague.view : asker.view,
        ticket,
        asker,
        colleague,
        feed,
      };
    },
  };
}

export type AuthorizationWorld = Awaited<ReturnType<typeof authorizationWorld>>;
