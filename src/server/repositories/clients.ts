import { sql } from 'drizzle-orm';
import { type Client, clientMessages, type CreateClientInput, type UpdateClientInput } from '#contract/clients.ts';
import { ApiError } from '#contract/errors.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { insertNew, isSameName, nameContains, type Page, refuseWhere, requireRow } from './named.ts';
import { type Viewer, visibleClientIds, visibleOrganizationIds, wholeClientIds, wholeOrganizationIds } from './visibility.ts';

const clientFields = sql`c.id::text as id, c.organization_id::text as organization_id, c.client_name, c.version::int as version`;

/** Clients by name, within one organization or all of them. */
export function listClients(
  db: Db,
  viewer: Viewer,
  query: { organization_id?: string | undefined; name?: string | undefined; id?: string | undefined } & Page,
): Promise<Client[]> {
  const inOrganization = query.organization_id ? sql`c.organization_id = ${toUuid(query.organization_id)}::uuid` : sql`true`;
  return rowsOf(
    db,
    sql`select ${clientFields} from clients c
      where c.id in (${visibleClientIds(viewer, 'client_read')}) and ${inOrganization} and ${nameContains(sql`c.client_name`, query.name)}
        and ${query.id === undefined ? sql`true` : sql`c.id = ${toUuid(query.id)}::uuid`}
      order by c.client_name, c.id limit ${query.limit} offset ${query.skip}`,
  );
}

/** Those of some clients the viewer may see. */
export function clientsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Client[]> {
  return rowsOf(
    db,
    sql`select ${clientFields} from clients c where ${inIds(sql`c.id`, ids)} and c.id in (${visibleClientIds(viewer, 'client_read')})`,
  );
}

async function requireFreeName(db: Db, organizationId: string, id: string, name: string): Promise<void> {
  const others = sql`select 1 from clients c where c.organization_id = ${organizationId}::uuid and c.id <> ${id}::uuid
    and c.deleted_at is null and ${isSameName(sql`c.client_name`, name)}`;
  await refuseWhere(db, others, clientMessages.taken);
}

async function clientAfter(db: Db, viewer: Viewer, id: string): Promise<Client> {
  const [client] = await clientsById(db, viewer, [id]);
  if (!client) throw new ApiError({ code: 'not_found', detail: 'Client not found' });
  return client;
}

/** Makes a client. Whoever does not see the whole organization is assigned to it, or they would not see what they made. */
export async function createClient(db: Db, viewer: Viewer, input: CreateClientInput): Promise<Client> {
  const [id, organizationId] = [toUuid(input.id), toUuid(input.organization_id)];
  // one client of an organization at a time, so that two do not both take the name
  // what was deleted while this waited for it is looked at itself
  const mine = sql`select 1 from organizations o where o.id = ${organizationId}::uuid and o.deleted_at is null
    and o.id in (${visibleOrganizationIds(viewer, 'client_write')}) for no key update`;
  await requireRow(db, mine, 'Organization');
  await requireFreeName(db, organizationId, id, input.client_name);
  const insert = sql`insert into clients (id, organization_id, client_name) values (${id}::uuid, ${organizationId}::uuid, ${input.client_name})`;
  await insertNew(db, insert, 'client');
  await db.execute(sql`insert into client_assignments (user_id, client_id) select ${viewer.id}::uuid, ${id}::uuid
    where ${organizationId}::uuid not in (${wholeOrganizationIds(viewer, 'client_write')})`);
  return clientAfter(db, viewer, id);
}

/** Holds a client the viewer may change until the transaction ends. @returns its organization. */
async function heldClient(db: Db, viewer: Viewer, id: string): Promise<string> {
  // the organization first, as who makes a client does
  await rowsOf(
    db,
    sql`select 1 from organizations where id = (select organization_id from clients where id = ${id}::uuid) for no key update`,
  );
  const [found] = await rowsOf<{ organization_id: string }>(
    db,
    sql`select c.organization_id::text as organization_id from clients c
      where c.id = ${id}::uuid and c.id in (${wholeClientIds(viewer, 'client_write')}) for no key update`,
  );
  if (!found) throw new ApiError({ code: 'not_found', detail: 'Client not found' });
  return found.organization_id;
}

export async function updateClient(db: Db, viewer: Viewer, input: UpdateClientInput): Promise<Client> {
  const id = toUuid(input.id);
  const organizationId = await heldClient(db, viewer, id);
  if (input.organization_id !== undefined && toUuid(input.organization_id) !== organizationId) {
    const issue = { loc: ['body', 'organization_id'], msg: clientMessages.stays, type: 'moved' };
    throw new ApiError({ code: 'invalid', detail: [issue] });
  }
  await requireFreeName(db, organizationId, id, input.client_name);
  await db.execute(sql`update clients set client_name = ${input.client_name} where id = ${id}::uuid`);
  return clientAfter(db, viewer, id);
}

/** Takes a client, and all that lies in it, out of everybody's sight. */
export async function deleteClient(db: Db, viewer: Viewer, clientId: string, now: number): Promise<void> {
  const id = toUuid(clientId);
  await heldClient(db, viewer, id);
  await db.execute(sql`update clients set deleted_at = ${new Date(now).toISOString()}::timestamptz where id = ${id}::uuid`);
}
