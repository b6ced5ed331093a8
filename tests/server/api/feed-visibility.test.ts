import { eq, sql } from 'drizzle-orm';
import fc from 'fast-check';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { feedNouns } from '#contract/feed.ts';
import type { PermissionKey } from '#contract/permissions.ts';
import { saveView } from '#contract/saved-views.ts';
import { rowsOf } from '#server/database/open.ts';
import { accounts, clients, entities, organizations } from '#server/database/tables/places.ts';
import { archivedAssets } from '#server/database/tables/securities.ts';
import { transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, entityAssignments, organizationMembers, roles, users } from '#server/database/tables/users.ts';
import { aDevice } from '#tests/support/feed.ts';
import { aCopy, listed } from '#tests/support/feed-copy.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import {
  aClient,
  anAccount,
  anArchivedAsset,
  anEntity,
  anOrganization,
  aPendingMatch,
  aSecurity,
  aTransaction,
  aUser,
  withReference,
} from '#tests/support/world.ts';

let server: TestServer;
beforeAll(async () => {
  server = await aServer();
  await withReference(server.database.db);
});
afterAll(() => server.close());

const db = () => server.database.db;

const reads: readonly PermissionKey[] = [
  'organization_read',
  'client_read',
  'entity_read',
  'account_read',
  'transaction_read',
  'transaction_match_read',
  'custodian_read',
  'security_read',
];

const personArbitrary = fc.record({
  is_superuser: fc.integer({ min: 0, max: 9 }).map((dice) => dice === 0),
  roles: fc.array(
    fc.record({ whole: fc.nat(3).map((dice) => dice === 0), permissions: fc.oneof(fc.constant([...reads]), fc.subarray([...reads])) }),
    {
      minLength: 2,
      maxLength: 2,
    },
  ),
  isMember: fc.array(
    fc.nat(4).map((dice) => dice !== 0),
    { minLength: 2, maxLength: 2 },
  ),
  clients: fc.subarray([0, 1, 2]),
  entities: fc.subarray([0, 1, 2, 3]),
});
type PersonPlan = typeof personArbitrary extends fc.Arbitrary<infer T> ? T : never;

type Place = {
  organizations: string[];
  clients: string[];
  entities: string[];
  accounts: Awaited<ReturnType<typeof anAccount>>[];
  emptyAccounts: string[];
};

/** Two organizations, three clients, four entities, a transfer and two more rows in each entity. */
async function aPlace(): Promise<Place> {
  const place: Place = { organizations: [], clients: [], entities: [], accounts: [], emptyAccounts: [] };
  for (let n = 0; n < 2; n += 1) place.organizations.push((await anOrganization(db())).id);
  for (const n of [0, 0, 1]) place.clients.push((await aClient(db(), { organization_id: place.organizations[n]! })).id);
  for (const n of [0, 0, 1, 2]) {
    const entity = (await anEntity(db(), { client_id: place.clients[n]! })).id;
    const [one, other] = [await anAccount(db(), { entity_id: entity }), await anAccount(db(), { entity_id: entity })];
    await aPendingMatch(db(), one, other);
    await aTransaction(db(), one);
    place.entities.push(entity);
    place.accounts.push(one, other);
    place.emptyAccounts.push((await anAccount(db(), { entity_id: entity, is_inactive: n === 1 })).id);
  }
  for (const client_id of place.clients) await anArchivedAsset(db(), { client_id, security_id: (await aSecurity(db())).id });
  // one with nothing in it
  for (const client_id of place.clients) place.entities.push((await anEntity(db(), { client_id })).id);
  return place;
}

async function aPerson(place: Place, plan: PersonPlan) {
  const user = await aUser(db(), { is_superuser: plan.is_superuser });
  const roleIds: string[] = [];
  for (const [n, { whole, permissions }] of plan.roles.entries()) {
    const id = uuidv7();
    roleIds.push(id);
    await db()
      .insert(roles)
      .values({ id, name: 'Test', sees_whole_organization: whole, permissions: [...permissions] });
    if (plan.isMember[n])
      await db().insert(organizationMembers).values({ user_id: user.id, organization_id: place.organizations[n]!, role_id: id });
  }
  for (const n of plan.clients) await db().insert(clientAssignments).values({ user_id: user.id, client_id: place.clients[n]! });
  for (const n of plan.entities) await db().insert(entityAssignments).values({ user_id: user.id, entity_id: place.entities[n]! });
  const device = await aDevice(server, user.email);
  await device.call(saveView, { id: uuidv7(), name: `Of ${user.id}`, list: 'transactions', search: '' });
  return { user, roleIds, device };
}
type Person = Awaited<ReturnType<typeof aPerson>>;

type OfficeEvent = (place: Place, people: readonly Person[], a: number, b: number) => Promise<unknown>;

/** What may happen to rows, each with two random numbers to choose by. */
const changesOfRows: readonly OfficeEvent[] = [
  ({ accounts: all }, _, a) => aTransaction(db(), all[a % all.length]!),
  ({ entities: all }, _, a, b) =>
    db()
      .update(transactions)
      .set({ description: `Changed ${b}` })
      .where(eq(transactions.entity_id, all[a % all.length]!)),
  ({ accounts: all }, _, a) =>
    db().execute(
      sql`delete from transactions t where account_id = ${all[a % all.length]!.id} and not exists (select from transaction_matches m where t.id in (m.out_trx_id, m.in_trx_id))`,
    ),
  ({ entities: all }, _, a) =>
    db().execute(sql`update transaction_matches set state = 'APPROVED' where entity_id = ${all[a % all.length]!}`),
  ({ entities: all }, _, a) => db().execute(sql`delete from transaction_matches where entity_id = ${all[a % all.length]!}`),
  ({ accounts: all }, _, a, b) =>
    db()
      .update(accounts)
      .set({ is_inactive: b % 2 === 0 })
      .where(eq(accounts.id, all[a % all.length]!.id)),
  async (place, _, a) => place.emptyAccounts.push((await anAccount(db(), { entity_id: place.entities[a % place.entities.length]! })).id),
  ({ emptyAccounts: all, entities: into }, _, a, b) =>
    db()
      .update(accounts)
      .set({ entity_id: into[b % into.length]! })
      .where(eq(accounts.id, all[a % all.length]!)),
  ({ emptyAccounts: all }, _, a) =>
    db()
      .delete(accounts)
      .where(eq(accounts.id, all[a % all.length]!)),
  async (place, _, a) => place.entities.push((await anEntity(db(), { client_id: place.clients[a % place.clients.length]! })).id),
  ({ entities: all, clients: into }, _, a, b) =>
    db()
      .update(entities)
      .set({ client_id: into[b % into.length]! })
      .where(eq(entities.id, all[a % all.length]!)),
  async (place) => {
    const added = await anEntity(db(), { client_id: place.clients[0]! });
    await db().delete(entities).where(eq(entities.id, added.id));
  },
  async (place, _, a) => {
    // one that was there a while: nothing is in it, and it goes with the assignments to it
    const empty = await rowsOf<{ id: string }>(
      db(),
      sql`select id::text as id from entities e where client_id in (select id from clients where organization_id = ${place.organizations[a % 2]!})
        and not exists (select from accounts where entity_id = e.id) and not exists (select from transactions where entity_id = e.id) order by id`,
    );
    const id = empty[0]?.id;
    if (id === undefined) return;
    place.entities = place.entities.filter((one) => one !== id);
    await db().delete(entityAssignments).where(eq(entityAssignments.entity_id, id));
    await db().delete(entities).where(eq(entities.id, id));
  },
  async (place, _, a) => place.clients.push((await aClient(db(), { organization_id: place.organizations[a % 2]! })).id),
  ({ clients: all, organizations: into }, _, a, b) =>
    db()
      .update(clients)
      .set({ organization_id: into[b % 2]! })
      .where(eq(clients.id, all[a % all.length]!)),
  ({ organizations: all }, _, a, b) =>
    db()
      .update(organizations)
      .set({ name: `Renamed ${b}` })
      .where(eq(organizations.id, all[a % 2]!)),
  () => aSecurity(db()),
  async ({ clients: all }, _, a, b) =>
    anArchivedAsset(db(), { client_id: all[a % all.length]!, security_id: (await aSecurity(db())).id, is_spam: b % 2 === 0 }),
  ({ clients: all }, _, a, b) =>
    db()
      .update(archivedAssets)
      .set({ is_spam: b % 2 === 0 })
      .where(eq(archivedAssets.client_id, all[a % all.length]!)),
  ({ clients: all }, _, a) =>
    db()
      .delete(archivedAssets)
      .where(eq(archivedAssets.client_id, all[a % all.length]!)),
  (_, people, a, b) =>
    people[a % people.length]!.device.call(saveView, {
      id: uuidv7(),
      name: `View ${a} ${b} ${uuidv7()}`,
      list: 'transactions',
      search: '',
    }),
];

/** What may happen to what people may see. */
const changesOfRights: readonly OfficeEvent[] = [
  ({ clients: all }, people, a, b) =>
    db()
      .insert(clientAssignments)
      .values({ user_id: people[a % people.length]!.user.id, client_id: all[b % all.length]! })
      .onConflictDoNothing(),
  (_, people, a) =>
    db()
      .delete(clientAssignments)
      .where(eq(clientAssignments.user_id, people[a % people.length]!.user.id)),
  ({ entities: all }, people, a, b) =>
    db()
      .insert(entityAssignments)
      .values({ user_id: people[a % people.length]!.user.id, entity_id: all[b % all.length]! })
      .onConflictDoNothing(),
  (_, people, a) =>
    db()
      .delete(entityAssignments)
      .where(eq(entityAssignments.user_id, people[a % people.length]!.user.id)),
  (_, people, a, b) =>
    db()
      .update(roles)
      .set({ permissions: reads.filter((_key, n) => (b >> n) % 2 === 0) })
      .where(eq(roles.id, people[a % people.length]!.roleIds[a % 2]!)),
  (_, people, a, b) =>
    db()
      .update(roles)
      .set({ sees_whole_organization: b % 2 === 0 })
      .where(eq(roles.id, people[a % people.length]!.roleIds[b % 2]!)),
  (_, people, a) =>
    db()
      .delete(organizationMembers)
      .where(eq(organizationMembers.user_id, people[a % people.length]!.user.id)),
  (_, people, a, b) =>
    db()
      .update(users)
      .set({ is_superuser: b % 4 === 0 })
      .where(eq(users.id, people[a % people.length]!.user.id)),
];

const scopesOf = (place: Place) => ['user', ...place.clients.map((id) => `client:${id}`), ...place.entities.map((id) => `entity:${id}`)];

describe('what the feed tells and what the lists show', () => {
  test('[FE19] for any person, what the feed tells of a change of everything is what the lists show, and no word of anything else', async () => {
    const property = fc.asyncProperty(fc.array(personArbitrary, { minLength: 3, maxLength: 3 }), async (plans) => {
      const place = await aPlace();
      const people: Person[] = [];
      for (const plan of plans) people.push(await aPerson(place, plan));
      const cursor = await people[0]!.device.now();
      for (const noun of feedNouns) await db().execute(sql`update ${sql.identifier(noun)} set version = version + 1`);
      for (const { device } of people) {
        const asked = scopesOf(place);
        const answer = await device.changes(cursor, asked);
        expect(answer.has_more).toBe(false);
        const isLost = (key: string): boolean => answer.scopes_lost.includes(key);
        const shown = await listed(
          device.call,
          asked.filter((key) => !isLost(key)),
        );
        // an entity is followed where its transactions may be read, a client where its accounts may be
        const lost = await listed(device.call, asked.filter(isLost));
        expect([lost.transactions.size, lost.accounts.size]).toEqual([0, 0]);
        const told = answer.changes.map((change) => `${change.op} ${change.noun} ${change.id}`);
        // superusers see the places of other runs, too; their rows are in scopes nobody asked for
        expect(told.sort()).toEqual(feedNouns.flatMap((noun) => [...shown[noun].keys()].map((id) => `put ${noun} ${id}`)).sort());
        for (const { noun, id, row } of answer.changes) expect(row).toEqual(shown[noun as (typeof feedNouns)[number]].get(id));
      }
    });
    await fc.assert(property, { numRuns: 8, endOnFailure: true });
  }, 300_000);

  test('[FE20] a copy that follows the feed holds what the lists show, whatever changes and whoever may see it', async () => {
    const event = fc.oneof(
      { weight: 7, arbitrary: fc.constantFrom(...changesOfRows) },
      { weight: 1, arbitrary: fc.constantFrom(...changesOfRights) },
    );
    const step = fc.tuple(event, fc.nat(255), fc.nat(255));
    const history = fc.array(step, { minLength: 20, maxLength: 40 });
    const property = fc.asyncProperty(fc.array(personArbitrary, { minLength: 2, maxLength: 2 }), history, async (plans, steps) => {
      const place = await aPlace();
      const people: Person[] = [];
      for (const plan of plans) people.push(await aPerson(place, plan));
      const copies = await Promise.all(people.map(({ device }) => aCopy(device.call, device.changes)));
      for (const [n, [happen, a, b]] of steps.entries()) {
        await happen(place, people, a, b);
        if (n % 5 !== 4 && n !== steps.length - 1) continue;
        for (const [who, copy] of copies.entries()) {
          await copy.follow();
          const { call } = people[who]!.device;
          expect(copy.held).toEqual(await listed(call, copy.scopes));
        }
      }
    });
    await fc.assert(property, { numRuns: 6, endOnFailure: true });
  }, 300_000);
});
