import { setImmediate } from 'node:timers/promises';
import { getTableColumns, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import { type Db, rowsOf } from '#server/database/open.ts';
import { accountReconciliations, accountSyncs, accountValues, entityValues } from '#server/database/tables/figures.ts';
import { accounts, clients, entities, organizations } from '#server/database/tables/places.ts';
import { custodianSecurities } from '#server/database/tables/securities.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { clientAssignments, organizationMembers, users } from '#server/database/tables/users.ts';
import { demoAccountant, demoAdministrator, demoUsers } from './demo-users.ts';
import { openWorld, type World, type WorldOptions } from './demo-world.ts';
import { seedReference } from './reference.ts';

export { demoUsers };

export interface DemoOptions extends WorldOptions {
  hashPassword: (password: string) => Promise<string>;
  /** Called after every chunk, with the transactions inserted so far. */
  onProgress?: (done: number, total: number) => void;
}

/** Any number; two servers that start on one database at once take turns by it. */
const seedLock = 7_272_012;

type Scalar = string | number | boolean | null;

/** One value of an array as PostgreSQL reads it in text. */
function element(value: Scalar): string {
  if (value === null) return 'NULL';
  const text = String(value);
  return /["\\]/.test(text) ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;
}

/** Inserts rows by one statement with one array per column, which beats one JSON by a fifth; the keys of the first row name the columns. */
async function insertRows<Row extends { [Key in keyof Row]: Scalar }>(db: Db, table: PgTable, rows: readonly Row[]): Promise<void> {
  const [first] = rows;
  if (!first) return;
  const types = getTableColumns(table);
  const keys = Object.keys(first) as (keyof Row & string)[];
  const arrays = keys.map((key) => {
    const literal = `{${rows.map((row) => element(row[key])).join(',')}}`;
    return sql`${literal}::${sql.raw(types[key]?.getSQLType() ?? 'text')}[]`;
  });
  await db.execute(sql`insert into ${table} (${sql.raw(keys.join(', '))}) select * from unnest(${sql.join(arrays, sql`, `)})`);
}

async function insertPlaces(db: Db, world: World): Promise<void> {
  await db.insert(organizations).values(world.organizations);
  await db.insert(clients).values(world.clients);
  await db.insert(entities).values(world.entities);
  await db.insert(accounts).values(world.accounts);
  await db.insert(custodianSecurities).values(world.symbols);
}

async function insertFigures(db: Db, { figures }: World): Promise<void> {
  await insertRows(db, accountValues, figures.accountValues);
  await insertRows(db, entityValues, figures.entityValues);
  await insertRows(db, accountReconciliations, figures.reconciliations);
  await insertRows(db, accountSyncs, figures.syncs);
}

async function insertUsers(db: Db, hashes: readonly string[]): Promise<void> {
  await db
    .insert(users)
    .values(demoUsers.map(({ id, email, name, is_superuser }, i) => ({ id, email, name, is_superuser, password_hash: hashes[i] ?? null })));
  const members = demoUsers.flatMap(({ id, organizations, roleId }) =>
    organizations.map((organization) => ({ user_id: id, organization_id: organization, role_id: roleId })),
  );
  await db.insert(organizationMembers).values(members);
  const assignments = demoUsers.flatMap(({ id, clients }) => clients.map((client) => ({ user_id: id, client_id: client })));
  await db.insert(clientAssignments).values(assignments);
}

/** Says of every decided match who decided it. */
async function signDecisions(db: Db): Promise<void> {
  const assigned = sql`select entities.id from entities join client_assignments using (client_id) where user_id = ${demoAccountant.id}::uuid`;
  await db.execute(sql`
    update transaction_matches
    set decided_by = case when entity_id in (${assigned}) then ${demoAccountant.id}::uuid else ${demoAdministrator.id}::uuid end
    where decided_at is not null`);
}

/** Whether people work in this database already. Places without people are nobody's demo and not ours to add to. */
async function isInUse(db: Db): Promise<boolean> {
  const [found] = await rowsOf<{ users: boolean; places: boolean }>(
    db,
    sql`select exists (select from users) as users, exists (select from organizations) as places`,
  );
  if (found?.places && !found.users) throw new Error('The database has organizations but no users: demo data is never added to such rows');
  return found?.users ?? true;
}

/**
 * Fills an empty database with the demo. A database that has a user is somebody's, and stays as it is.
 *
 * Everything is one transaction: a seed that is cut short, by a crash or by `onProgress` throwing, leaves nothing behind,
 * so no start can take half a demo for a whole one and nothing ever has to be wiped. The rows come in chunks, so memory
 * stays level, and the event loop runs between them; but the embedded database answers nobody else until the end.
 * @returns whether the demo was written.
 */
export async function seedDemo(db: Db, options: DemoOptions): Promise<boolean> {
  if (await isInUse(db)) return false;
  const hashes: string[] = [];
  for (const { password } of demoUsers) hashes.push(await options.hashPassword(password));
  return db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${seedLock})`);
    if (await isInUse(tx)) return false;
    // nobody has a cursor in a database nobody could sign in to: no device needs to be told of these rows one by one
    await tx.execute(sql`set local tieout.feed = 'off'`);
    const world = openWorld(options);
    await seedReference(tx);
    await insertPlaces(tx, world);
    await insertFigures(tx, world);
    let done = 0;
    for (const chunk of world.chunks()) {
      await insertRows(tx, transactions, chunk.transactions);
      await insertRows(tx, transactionMatches, chunk.matches);
      done += chunk.transactions.length;
      options.onProgress?.(done, options.transactions);
      await setImmediate();
    }
    await insertUsers(tx, hashes);
    await signDecisions(tx);
    // the embedded database has nobody who would do it later
    await tx.execute(
      sql`analyze transactions (id, account_id, entity_id, trx_date, trx_type_id), transaction_matches, accounts, entity_values, account_reconciliations`,
    );
    return true;
  });
}
