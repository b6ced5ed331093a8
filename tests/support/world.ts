import { randomBytes, scryptSync } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { PermissionKey } from '#contract/permissions.ts';
import { defaultRoles } from '#domain/permissions.ts';
import type { Db } from '#server/database/open.ts';
import { accountReconciliations } from '#server/database/tables/figures.ts';
import { accounts, clients, custodianTypes, custodians, entities, organizations } from '#server/database/tables/places.ts';
import { archivedAssets, custodianSecurities, securities, securityTypes } from '#server/database/tables/securities.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, entityAssignments, organizationMembers, roles, users } from '#server/database/tables/users.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { seedReference } from '#server/seed/reference.ts';
import { testNow, testPassword } from './server.ts';

// Builders: each writes one row with plain defaults and gives it back; tests name only what they are about.

let made = 0;
const next = () => {
  made += 1;
  return made;
};

/** What a password is stored as with the lowest cost there is: people sign in a thousand times here, and it is no secret. */
function cheapHash(password: string): string {
  const [N, r, p, salt] = [2, 8, 1, randomBytes(16)];
  return ['scrypt', N, r, p, salt.toString('base64'), scryptSync(password, salt, 32, { N, r, p }).toString('base64')].join('$');
}

const passwordHash = cheapHash(testPassword);

/** Rows every database has: types, roles, currencies. */
export const withReference = (db: Db) => seedReference(db);

export async function anOrganization(db: Db, values: Partial<typeof organizations.$inferInsert> = {}) {
  const row = { id: uuidv7(), name: `Organization ${next()}`, ...values };
  await db.insert(organizations).values(row);
  return row;
}

export async function aClient(db: Db, values: Partial<typeof clients.$inferInsert> & { organization_id: string }) {
  const row = { id: uuidv7(), client_name: `Client ${next()}`, ...values };
  await db.insert(clients).values(row);
  return row;
}

export async function anEntity(db: Db, values: Partial<typeof entities.$inferInsert> & { client_id: string }) {
  const row = { id: uuidv7(), entity_name: `Entity ${next()}`, ...values };
  await db.insert(entities).values(row);
  return row;
}

export async function aCustodian(db: Db, values: Partial<typeof custodians.$inferInsert> = {}) {
  await db.insert(custodianTypes).values({ id: 900, custodian_type_name: 'Test' }).onConflictDoNothing();
  const row = { id: uuidv7(), custodian_name: `Custodian ${next()}`, custodian_type_id: 900, ...values };
  await db.insert(custodians).values(row);
  return row;
}

export async function anAccount(db: Db, values: Partial<typeof accounts.$inferInsert> & { entity_id: string }) {
  const custodian_id = values.custodian_id ?? (await aCustodian(db)).id;
  const row = {
    id: uuidv7(),
    account_name: `Account ${next()}`,
    account_integration_type_id: 1,
    account_type_id: 1,
    ...values,
    custodian_id,
  };
  await db.insert(accounts).values(row);
  return row;
}

export async function aSecurity(db: Db, values: Partial<typeof securities.$inferInsert> = {}) {
  await db.insert(securityTypes).values({ id: 900, security_type_name: 'Test' }).onConflictDoNothing();
  const row = { id: uuidv7(), security_name: `Security ${next()}`, security_type_id: 900, ticker: `T${next()}`, ...values };
  await db.insert(securities).values(row);
  return row;
}

export async function aCustodianSecurity(db: Db, values: Partial<typeof custodianSecurities.$inferInsert> & { custodian_id: string }) {
  const row = { id: uuidv7(), symbol: `S${next()}`, ...values };
  await db.insert(custodianSecurities).values(row);
  return row;
}

type Account = Awaited<ReturnType<typeof anAccount>>;

/** A transaction of an account; a minute older than the one built before it unless told. */
export function transactionRow(account: Account, values: Partial<typeof transactions.$inferInsert> = {}): typeof transactions.$inferInsert {
  return {
    id: uuidv7(),
    account_id: account.id,
    entity_id: account.entity_id,
    custodian_id: account.custodian_id,
    trx_type_id: 1,
    trx_date: new Date(testNow - next() * 60_000),
    quantity: '1',
    price: '2',
    usd_value: '2',
    ...values,
  };
}

export async function aTransaction(db: Db, account: Account, values: Partial<typeof transactions.$inferInsert> = {}) {
  const row = transactionRow(account, values);
  await db.insert(transactions).values(row);
  return row;
}

export async function someTransactions(db: Db, rows: (typeof transactions.$inferInsert)[]): Promise<void> {
  for (let start = 0; start < rows.length; start += 500) await db.insert(transactions).values(rows.slice(start, start + 500));
}

/** A withdrawal and a deposit of one entity, proposed as one transfer. */
export async function aPendingMatch(db: Db, from: Account, to: Account, values: Partial<typeof transactions.$inferInsert> = {}) {
  const out = await aTransaction(db, from, { trx_type_id: 2, quantity: '1.5', match_state: 'PENDING', ...values });
  const into = await aTransaction(db, to, { trx_type_id: 1, quantity: '1.5', match_state: 'PENDING', ...values });
  const match = {
    id: uuidv7(),
    entity_id: from.entity_id,
    kind: 'transfer' as const,
    state: 'PENDING' as const,
    out_trx_id: out.id,
    in_trx_id: into.id,
    quantity_difference: '0',
    reason: 'unique',
    score: 20,
    source: 'engine' as const,
  };
  await db.insert(transactionMatches).values(match);
  return { out, into, match };
}

/** An asset a client keeps aside; not spam unless told. */
export async function anArchivedAsset(
  db: Db,
  values: Partial<typeof archivedAssets.$inferInsert> & Pick<typeof archivedAssets.$inferInsert, 'client_id' | 'security_id'>,
) {
  const row = { id: archivedAssetId(values.client_id, values.security_id), is_spam: false, ...values };
  await db.insert(archivedAssets).values(row);
  return row;
}

/** How an account stood at the end of a day; reconciled unless told. */
export async function aReconciliation(
  db: Db,
  values: Partial<typeof accountReconciliations.$inferInsert> & Pick<typeof accountReconciliations.$inferInsert, 'account_id' | 'end_date'>,
) {
  const row = { status: 'RECONCILED' as const, ...values };
  await db.insert(accountReconciliations).values(row);
  return row;
}

export interface UserValues {
  is_superuser?: boolean;
  is_enabled?: boolean;
  role?: 'administrator' | 'accountant' | 'bookkeeper' | 'reporter' | 'auditor';
  organizationIds?: string[];
  clientIds?: string[];
  entityIds?: string[];
}

/** A user who signs in with the tests' password. */
export async function aUser(db: Db, values: UserValues = {}) {
  const id = uuidv7();
  const row = {
    id,
    email: `user${next()}.${id.slice(-6)}@example.org`,
    name: 'Test User',
    is_superuser: values.is_superuser ?? false,
    is_enabled: values.is_enabled ?? true,
  };
  await db.insert(users).values({ ...row, password_hash: passwordHash });
  for (const organization_id of values.organizationIds ?? [])
    await db.insert(organizationMembers).values({ user_id: id, organization_id, role_id: values.role ?? 'accountant' });
  for (const client_id of values.clientIds ?? []) await db.insert(clientAssignments).values({ user_id: id, client_id });
  for (const entity_id of values.entityIds ?? []) await db.insert(entityAssignments).values({ user_id: id, entity_id });
  return row;
}

/** Gives a person the role of an accountant without some of its rights. */
export async function restrict(db: Db, user_id: string, ...rights: PermissionKey[]): Promise<void> {
  const id = uuidv7();
  const [accountant] = defaultRoles.filter((role) => role.id === 'accountant');
  const permissions = accountant?.permissions.filter((key) => !rights.includes(key)) ?? [];
  await db.insert(roles).values({ id, name: 'Restricted', sees_whole_organization: false, permissions });
  await db.update(organizationMembers).set({ role_id: id }).where(eq(organizationMembers.user_id, user_id));
}

/** The usual start: an organization with one client, one entity, two accounts, and an accountant assigned to the client. */
export async function anOffice(db: Db) {
  await withReference(db);
  const organization = await anOrganization(db);
  const client = await aClient(db, { organization_id: organization.id });
  const entity = await anEntity(db, { client_id: client.id });
  const [exchange, wallet] = [await anAccount(db, { entity_id: entity.id }), await anAccount(db, { entity_id: entity.id })];
  const accountant = await aUser(db, { role: 'accountant', organizationIds: [organization.id], clientIds: [client.id] });
  return { organization, client, entity, exchange, wallet, accountant };
}
