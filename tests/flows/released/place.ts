import type { ApiCall } from '#api-client/call.ts';
import { mutationCalls } from '#contract/mutation-calls.ts';
import type { MutationName } from '#contract/mutations.ts';
import { hashPassword } from '#server/passwords.ts';
import type { Db } from '#server/database/open.ts';
import { custodians } from '#server/database/tables/places.ts';
import { securities } from '#server/database/tables/securities.ts';
import { transactionMatches } from '#server/database/tables/transactions.ts';
import { clientAssignments, organizationMembers, users } from '#server/database/tables/users.ts';
import { testNow, testPassword } from '#tests/support/server.ts';
import { aClient, aCustodian, anAccount, anEntity, anOrganization, aSecurity, aTransaction, withReference } from '#tests/support/world.ts';

/** An id that is the same in every fixture. */
export const fixedId = (no: number): string => `00000000-0000-7000-8000-${String(no).padStart(12, '0')}`;

/** The rows that the edits of a fixture are about, by id. */
export const places = {
  person: fixedId(1),
  colleague: fixedId(2),
  organization: fixedId(10),
  renamedOrganization: fixedId(11),
  emptyOrganization: fixedId(12),
  client: fixedId(20),
  renamedClient: fixedId(21),
  entity: fixedId(30),
  changedEntity: fixedId(31),
  closedEntity: fixedId(32),
  custodian: fixedId(40),
  security: fixedId(50),
  otherSecurity: fixedId(51),
  disputedView: fixedId(60),
  deletedView: fixedId(61),
  /** By the rule of its id: the client's other security, and the first. */
  archived: '5a20dd15-7ff8-5d59-8d9a-87e32b7ba3a5',
  toArchive: 'b95385a3-3793-5797-b516-4026baa2fae9',
} as const;

export const personEmail = 'person@example.org';
export const colleagueEmail = 'colleague@example.org';

/** The colleague once the edits of a fixture about them are made. */
export const colleagueAfter = {
  name: 'Renamed',
  memberships: [{ organization_id: places.organization, role_id: 'auditor' }],
  client_ids: [places.client, places.renamedClient],
};

/** How many pairs wait to be marked as transfers. */
export const pairCount = 14;

/** One of the pairs. */
export const pairOf = (no: number) => ({ out: fixedId(200 + no), into: fixedId(300 + no), match: fixedId(400 + no) });

/** The rows at the server as the builds that made the fixtures had them. */
export async function aReleasedPlace(db: Db): Promise<void> {
  await withReference(db);
  // the many there are in every database are told by none of the edits
  await db.delete(securities);
  await db.delete(custodians);
  const { organization, client } = places;
  await anOrganization(db, { id: organization, name: 'Office' });
  await anOrganization(db, { id: places.renamedOrganization, name: 'Organization' });
  await anOrganization(db, { id: places.emptyOrganization, name: 'Empty' });
  await aClient(db, { id: client, organization_id: organization, client_name: 'Client' });
  await aClient(db, { id: places.renamedClient, organization_id: organization, client_name: 'Other' });
  await anEntity(db, { id: places.entity, client_id: client, entity_name: 'Entity' });
  await anEntity(db, { id: places.changedEntity, client_id: client, entity_name: 'Changed' });
  await anEntity(db, { id: places.closedEntity, client_id: client, entity_name: 'Closed' });
  await aCustodian(db, { id: places.custodian, custodian_name: 'Custodian' });
  await aSecurity(db, { id: places.security, security_name: 'One', ticker: 'ONE' });
  await aSecurity(db, { id: places.otherSecurity, security_name: 'Two', ticker: 'TWO' });
  await somePairs(db);
  await db.insert(users).values({
    id: places.person,
    email: personEmail,
    name: 'Person',
    is_superuser: true,
    password_hash: await hashPassword(testPassword),
  });
  await db.insert(users).values({ id: places.colleague, email: colleagueEmail, name: 'Colleague', password_hash: '' });
  await db.insert(organizationMembers).values({ user_id: places.colleague, organization_id: organization, role_id: 'accountant' });
  await db.insert(clientAssignments).values({ user_id: places.colleague, client_id: client });
}

/** What the person had done there, as far as a build knows of it. */
const done: [MutationName, Record<string, unknown>][] = [
  ['saveView', { id: places.disputedView, list: 'transactions', name: 'Quarter', search: '' }],
  ['saveView', { id: places.disputedView, list: 'transactions', name: 'Third quarter', search: '' }],
  ['saveView', { id: places.deletedView, list: 'transactions', name: 'Old', search: '' }],
  ['archiveAsset', { id: places.archived, client_id: places.client, security_id: places.otherSecurity, is_spam: false }],
];

export async function doneBefore(call: ApiCall): Promise<void> {
  for (const [name, input] of done) if (Object.hasOwn(mutationCalls, name)) await call(mutationCalls[name].endpoint, input);
}

async function somePairs(db: Db): Promise<void> {
  const account = { custodian_id: places.custodian, entity_id: places.entity };
  const [from, to] = [await anAccount(db, { ...account, id: fixedId(41) }), await anAccount(db, { ...account, id: fixedId(42) })];
  for (let no = 0; no < pairCount; no += 1) {
    const { out, into, match } = pairOf(no);
    const leg = { trx_date: new Date(testNow - no * 60_000), quantity: '1.5', match_state: 'PENDING' as const };
    await aTransaction(db, from, { ...leg, id: out, trx_type_id: 2 });
    await aTransaction(db, to, { ...leg, id: into });
    await db.insert(transactionMatches).values({
      id: match,
      entity_id: places.entity,
      kind: 'transfer',
      state: 'PENDING',
      out_trx_id: out,
      in_trx_id: into,
      quantity_difference: '0',
      reason: 'unique',
      score: 20,
      source: 'engine',
    });
  }
}
