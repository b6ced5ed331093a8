import { readdirSync } from 'node:fs';
import { eq, getTableColumns, getTableName, is, sql } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditedNoun, auditedNouns } from '#contract/audit.ts';
import { saveView } from '#contract/saved-views.ts';
import { markTransfer } from '#contract/transaction-matches.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { auditEntries } from '#server/database/tables/audit-entries.ts';
import { clients, entities } from '#server/database/tables/places.ts';
import { archivedAssets } from '#server/database/tables/securities.ts';
import { transactionMatches, transactions } from '#server/database/tables/transactions.ts';
import { deviceRemovals } from '#server/database/tables/sign-ins.ts';
import { roles, userInvitations, users } from '#server/database/tables/users.ts';
import { allEntries, entriesOfRow } from '#tests/support/audit.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import {
  aClient,
  aCustodian,
  aCustodianSecurity,
  anAccount,
  anEntity,
  anOffice,
  anOrganization,
  aPendingMatch,
  aSecurity,
  aTransaction,
  aUser,
} from '#tests/support/world.ts';

let server: TestServer;
let db: Db;
let office: Awaited<ReturnType<typeof anOffice>>;

beforeAll(async () => {
  server = await aServer();
  ({ db } = server.database);
  office = await anOffice(db);
});
afterAll(() => server.close());

const tablesFolder = new URL('../../../src/server/database/tables/', import.meta.url);
const modules = await Promise.all(
  readdirSync(tablesFolder).map(async (name) => (await import(new URL(name, tablesFolder).href)) as Record<string, unknown>),
);
/** Every table there is. */
const tables = modules.flatMap((module) => Object.values(module).filter((value) => is(value, PgTable)));

/** Tables whose changes are not told one by one, and why. */
const untold: Readonly<Record<string, string>> = {
  accounting_systems: 'reference rows, written at a start',
  allocation_methods: 'reference rows, written at a start',
  custodian_types: 'reference rows, written at a start',
  security_types: 'reference rows, written at a start',
  account_values: 'worked out from other rows',
  entity_values: 'worked out from other rows',
  account_reconciliations: 'worked out from other rows',
  account_syncs: 'worked out from other rows',
  entity_worklists: 'counted from other rows',
  value_histories: 'counted from other rows',
  raw_data: 'append-only, and tells of imports itself',
  saved_views: 'a person alone sees them',
  tickets: 'never changed, and tell themselves who wrote them; not for everybody who reads the trail',
  ticket_attachments: 'the same',
  user_identities: 'written by signing in',
  oauth_attempts: 'sign-ins under way',
  sessions: 'sign-ins',
  session_tokens: 'sign-ins',
  idempotency: 'answers',
  devices: 'told by browsers of themselves',
  cron_jobs: 'written by the server itself, and tells how it went',
  worker_tasks: 'tells itself who asked for it and how it went',
  audit_entries: 'the trail',
  change_log: 'the feed',
  feed_state: 'the feed',
};

interface Change {
  /** Makes a row in the office; gives its id as the trail has it, and the row to find it by. */
  make: () => Promise<{ rowId: string; where: string }>;
  change: string;
  /** What differs by that. */
  field: string;
  place: 'none' | 'organization' | 'client' | 'entity';
}

const made = async (row: Promise<{ id: string }>) => {
  const { id } = await row;
  return { rowId: id, where: `id = '${id}'` };
};

async function aMember() {
  const user = await aUser(db, { organizationIds: [office.organization.id] });
  const { id } = office.organization;
  return { rowId: `${user.id} ${id}`, where: `user_id = '${user.id}' and organization_id = '${id}'` };
}

async function anInvitation() {
  const { id } = await aUser(db);
  await db.insert(userInvitations).values({ user_id: id, token_hash: uuidv7(), made_by: id, expires_at: new Date() });
  return { rowId: id, where: `user_id = '${id}'` };
}

async function aRemoval() {
  const [{ id: user_id }, id] = [await aUser(db), uuidv7()];
  await db
    .insert(deviceRemovals)
    .values({ user_id, id, browser: 'b', device_id: 'd', reason: 'revoked', ordered_at: new Date('2026-01-01T00:00:00Z') });
  return { rowId: `${user_id} ${id}`, where: `id = '${id}'` };
}

async function anAssignment(place: 'client' | 'entity') {
  const { id } = office[place];
  const user = await aUser(db, place === 'client' ? { clientIds: [id] } : { entityIds: [id] });
  return { rowId: `${user.id} ${id}`, where: `user_id = '${user.id}' and ${place}_id = '${id}'` };
}

async function anArchivedAsset() {
  const row = { id: uuidv7(), client_id: office.client.id, security_id: (await aSecurity(db)).id, is_spam: false };
  await db.insert(archivedAssets).values(row);
  return row;
}

async function aMatch() {
  const [out, into] = [await aTransaction(db, office.exchange), await aTransaction(db, office.wallet)];
  const row = {
    id: uuidv7(),
    entity_id: office.entity.id,
    kind: 'transfer' as const,
    state: 'REJECTED' as const,
    source: 'engine' as const,
  };
  await db.insert(transactionMatches).values({ ...row, out_trx_id: out.id, in_trx_id: into.id });
  return row;
}

async function aRole() {
  const id = `role-${uuidv7()}`;
  await db.insert(roles).values({ id, name: 'Role', sees_whole_organization: false, permissions: [] });
  return { id };
}

const changes: Record<AuditedNoun, Change> = {
  organizations: { make: () => made(anOrganization(db)), change: "name = 'New'", field: 'name', place: 'none' },
  clients: {
    make: () => made(aClient(db, { organization_id: office.organization.id })),
    change: "client_name = 'New'",
    field: 'client_name',
    place: 'organization',
  },
  entities: {
    make: () => made(anEntity(db, { client_id: office.client.id })),
    change: "entity_name = 'New'",
    field: 'entity_name',
    place: 'client',
  },
  accounts: {
    make: () => made(anAccount(db, { entity_id: office.entity.id })),
    change: "account_name = 'New'",
    field: 'account_name',
    place: 'entity',
  },
  custodians: { make: () => made(aCustodian(db)), change: 'active = false', field: 'active', place: 'none' },
  securities: { make: () => made(aSecurity(db)), change: "security_name = 'New'", field: 'security_name', place: 'none' },
  custodian_securities: {
    make: async () => made(aCustodianSecurity(db, { custodian_id: office.exchange.custodian_id })),
    change: `security_id = (select id from securities limit 1)`,
    field: 'security_id',
    place: 'none',
  },
  transactions: {
    make: () => made(aTransaction(db, office.exchange) as Promise<{ id: string }>),
    change: "description = 'New'",
    field: 'description',
    place: 'entity',
  },
  transaction_matches: { make: () => made(aMatch()), change: "reason = 'New'", field: 'reason', place: 'entity' },
  users: { make: () => made(aUser(db)), change: "name = 'New'", field: 'name', place: 'none' },
  user_invitations: { make: anInvitation, change: "token_hash = 'b'", field: 'token', place: 'none' },
  device_removals: { make: aRemoval, change: 'done_at = now()', field: 'done_at', place: 'none' },
  roles: { make: () => made(aRole()), change: "permissions = array['ticket_write']", field: 'permissions', place: 'none' },
  organization_members: { make: aMember, change: "role_id = 'auditor'", field: 'role_id', place: 'organization' },
  client_assignments: { make: () => anAssignment('client'), change: '', field: '', place: 'client' },
  entity_assignments: { make: () => anAssignment('entity'), change: '', field: '', place: 'entity' },
  archived_assets: { make: () => made(anArchivedAsset()), change: 'is_spam = true', field: 'is_spam', place: 'client' },
};

/** The fields of a row as the trail tells them: all there are, so that a column made later is not left out. */
function fieldsOf(noun: string): string[] {
  const table = tables.find((one) => getTableName(one) === noun);
  const names = Object.values(table ? getTableColumns(table) : {}).map(({ name }) => name.replace(/^(password|token)_hash$/, '$1'));
  return names.filter((name) => !['version', 'perm_version', 'last_update'].includes(name)).sort();
}

/** The places of an entry of the office. */
function placesOf(noun: string, place: Change['place'], rowId: string) {
  const own = (name: string) => (noun === name ? rowId : undefined);
  const depth = ['none', 'organization', 'client', 'entity'].indexOf(place);
  return {
    organization_id: own('organizations') ?? (depth >= 1 ? office.organization.id : null),
    client_id: own('clients') ?? (depth >= 2 ? office.client.id : null),
    entity_id: own('entities') ?? (depth >= 3 ? office.entity.id : null),
  };
}

describe('the audit trail', () => {
  test('[AU1] every table is told of, or is one of those that are not, for a reason', async () => {
    const names = tables.map((table) => getTableName(table));
    expect(names.filter((name) => !(name in untold)).sort()).toEqual([...auditedNouns].sort());
    const found = await rowsOf<{ noun: string; triggers: string }>(
      db,
      sql`select tgrelid::regclass::text as noun, string_agg(tgname, ' ' order by tgname) as triggers from pg_trigger
        where tgname in ('audit_insert', 'audit_update', 'audit_delete') group by 1`,
    );
    expect(Object.fromEntries(found.map(({ noun, triggers }) => [noun, triggers]))).toEqual(
      Object.fromEntries(
        auditedNouns.map((noun) => [
          noun,
          noun === 'transactions' ? 'audit_delete audit_update' : 'audit_delete audit_insert audit_update',
        ]),
      ),
    );
  });

  test.each(auditedNouns)('[AU2] what is made, changed and deleted in %s is told with its place', async (noun) => {
    const { make, change, field, place } = changes[noun];
    const { rowId, where } = await make();
    const row = sql.raw(`${noun} where ${where}`);
    if (change !== '') await db.execute(sql.raw(`update ${noun} set ${change} where ${where}`));
    await db.execute(sql`delete from ${row}`);
    const entries = (await entriesOfRow(db, rowId)).filter((entry) => entry.noun === noun);
    const actions = [...(noun === 'transactions' ? [] : ['create']), ...(change === '' ? [] : ['update']), 'delete'];
    expect(entries.map(({ action }) => action)).toEqual(actions);
    const places = placesOf(noun, place, rowId);
    for (const entry of entries) expect(entry).toMatchObject({ noun, row_id: rowId, user_id: null, ...places });
    for (const { action, before, after } of entries) {
      if (action === 'create') expect([before, Object.keys(after ?? {}).sort()]).toEqual([null, fieldsOf(noun)]);
      if (action === 'delete') expect([after, Object.keys(before ?? {}).sort()]).toEqual([null, fieldsOf(noun)]);
      if (action === 'update') expect([Object.keys(before ?? {}), Object.keys(after ?? {})]).toEqual([[field], [field]]);
    }
  });

  test('[AU3] before and after are the fields that differ, decimals to the last digit and moments in UTC', async () => {
    const quantity = '12345678901234567890.123456789012345678';
    const row = await aTransaction(db, office.exchange, { quantity, price: '1.10', trx_date: new Date('2026-03-04T05:06:07.089Z') });
    const changed = { quantity: '0.000000000000000001', price: null, trx_date: new Date('2026-03-05T00:00:00.000Z'), description: 'Rent' };
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local time zone 'Asia/Kolkata'`);
      await tx
        .update(transactions)
        .set({ ...changed, version: 7 })
        .where(eq(transactions.id, row.id ?? ''));
    });
    expect((await entriesOfRow(db, row.id ?? '')).map(({ before, after }) => ({ before, after }))).toEqual([
      {
        before: { quantity, price: '1.10', trx_date: '2026-03-04T05:06:07.089Z', description: null },
        after: { quantity: '0.000000000000000001', price: null, trx_date: '2026-03-05T00:00:00.000Z', description: 'Rent' },
      },
    ]);
  });

  test('[AU4] an update that changes nothing but what counts is no change, and of many rows only the changed are told', async () => {
    const [still, moved] = [
      await aClient(db, { organization_id: office.organization.id }),
      await anEntity(db, { client_id: office.client.id }),
    ];
    await db.update(clients).set({ version: 9, client_name: still.client_name }).where(eq(clients.id, still.id));
    await db.update(entities).set({ last_update: new Date() }).where(eq(entities.id, moved.id));
    // an account makes the row of its entity another version
    await anAccount(db, { entity_id: moved.id });
    expect([...(await entriesOfRow(db, still.id)), ...(await entriesOfRow(db, moved.id))].map(({ action }) => action)).toEqual([
      'create',
      'create',
    ]);
    await db.execute(
      sql`update entities set city = case when id = ${moved.id}::uuid then 'Oslo' else city end where client_id = ${office.client.id}::uuid`,
    );
    expect((await allEntries(db)).filter(({ noun, action }) => noun === 'entities' && action === 'update').at(-1)).toMatchObject({
      row_id: moved.id,
      before: { city: null },
      after: { city: 'Oslo' },
    });
  });

  test('[AU5] a row that is kept when it is deleted is told as deleted, and as made when it comes back', async () => {
    const client = await aClient(db, { organization_id: office.organization.id, client_name: 'Kept' });
    const set = (deleted_at: Date | null) => db.update(clients).set({ deleted_at }).where(eq(clients.id, client.id));
    await set(new Date('2026-09-14T12:00:00.000Z'));
    await set(null);
    const told = (await entriesOfRow(db, client.id)).slice(1);
    expect(told.map(({ action }) => action)).toEqual(['delete', 'create']);
    expect(told[0]).toMatchObject({ before: { client_name: 'Kept', deleted_at: null }, after: null });
    expect(told[1]).toMatchObject({ before: null, after: { client_name: 'Kept', deleted_at: null } });
  });

  test('[AU6] a password is never in the trail, only that it was changed', async () => {
    const user = await aUser(db);
    const set = (password_hash: string | null) => db.update(users).set({ password_hash }).where(eq(users.id, user.id));
    await set('scrypt:another');
    await set(null);
    await db.delete(users).where(eq(users.id, user.id));
    const entries = await entriesOfRow(db, user.id);
    expect(entries.map(({ before, after }) => [before?.password, after?.password])).toEqual([
      [undefined, 'set'],
      ['set', 'changed'],
      ['set', null],
      [null, undefined],
    ]);
    expect(entries[1]).toMatchObject({ before: { password: 'set' }, after: { password: 'changed' } });
    expect(JSON.stringify(await allEntries(db)).match(/scrypt|password_hash/)).toBe(null);
  });

  test('[AU7] a change by a call is told with who made it, in its transaction; one by nobody with nobody', async () => {
    const { out, into, match } = await aPendingMatch(db, office.exchange, office.wallet);
    const { call } = await server.signedIn(office.accountant.email);
    await call(markTransfer, { trx_id: out.id ?? '', counterpart_id: into.id ?? '', is_transfer: true });
    const [made, decided] = await entriesOfRow(db, match.id);
    expect(made).toMatchObject({ action: 'create', user_id: null });
    expect(decided).toMatchObject({
      noun: 'transaction_matches',
      action: 'update',
      user_id: office.accountant.id,
      before: { state: 'PENDING', decided_by: null, decided_at: null, source: 'engine' },
      after: { state: 'APPROVED', decided_by: office.accountant.id, source: 'manual' },
    });
    for (const leg of [out, into])
      expect(await entriesOfRow(db, leg.id ?? '')).toMatchObject([
        { user_id: office.accountant.id, before: { match_state: 'PENDING' }, after: { match_state: 'APPROVED' } },
      ]);
    // the connection is not somebody's afterwards
    await db
      .update(transactions)
      .set({ description: 'by nobody' })
      .where(eq(transactions.id, out.id ?? ''));
    expect((await entriesOfRow(db, out.id ?? '')).at(-1)).toMatchObject({ user_id: null, after: { description: 'by nobody' } });
  });

  test('[AU8] a refused change and one that is undone write nothing', async () => {
    const { out, into } = await aPendingMatch(db, office.exchange, office.wallet);
    const auditor = await aUser(db, { role: 'auditor', organizationIds: [office.organization.id], clientIds: [office.client.id] });
    const before = (await allEntries(db)).length;
    const mark = { trx_id: out.id ?? '', counterpart_id: into.id ?? '', is_transfer: true };
    const { call: asAuditor } = await server.signedIn(auditor.email);
    await expect(asAuditor(markTransfer, mark)).rejects.toMatchObject({ status: 403 });
    const { call } = await server.signedIn(office.accountant.email);
    await expect(call(markTransfer, { ...mark, trx_id: uuidv7() })).rejects.toMatchObject({ status: 404 });
    await expect(call(markTransfer, mark, { ifVersion: 99 })).rejects.toMatchObject({ code: 'stale_version' });
    const undone = db.transaction(async (tx) => {
      await tx.update(clients).set({ client_name: 'Undone' }).where(eq(clients.id, office.client.id));
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await allEntries(db)).toHaveLength(before);
  });

  test('[AU9] a change sent again under its key is told once', async () => {
    const { out, into, match } = await aPendingMatch(db, office.exchange, office.wallet);
    const { call } = await server.signedIn(office.accountant.email);
    const mark = { trx_id: out.id ?? '', counterpart_id: into.id ?? '', is_transfer: true };
    await call(markTransfer, mark, { idempotencyKey: 'once' });
    // made anew it would differ in when it was decided
    server.clock.advance(1000);
    await call(markTransfer, mark, { idempotencyKey: 'once' });
    expect((await entriesOfRow(db, match.id)).filter(({ action }) => action === 'update')).toHaveLength(1);
    expect(await entriesOfRow(db, out.id ?? '')).toHaveLength(1);
  });

  test('[AU10] no entry can be changed or deleted', async () => {
    const before = await allEntries(db);
    const refused = { cause: { message: 'What the audit trail says is never changed' } };
    await expect(db.update(auditEntries).set({ noun: 'nothing' })).rejects.toMatchObject(refused);
    await expect(db.delete(auditEntries).where(eq(auditEntries.noun, 'users'))).rejects.toMatchObject(refused);
    await expect(db.execute(sql`truncate audit_entries`)).rejects.toMatchObject(refused);
    expect(await allEntries(db)).toEqual(before);
  });

  test("[AU11] what is one person's alone, and what the demo writes, is not told", async () => {
    const before = (await allEntries(db)).length;
    const { call } = await server.signedIn(office.accountant.email);
    await call(saveView, { id: uuidv7(), list: 'transactions', name: 'Mine', search: 'dates=all' });
    await db.transaction(async (tx) => {
      await tx.execute(sql`set local tieout.feed = 'off'`);
      await anOrganization(tx);
    });
    expect(await allEntries(db)).toHaveLength(before);
  });
});
