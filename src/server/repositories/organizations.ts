import { sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import {
  type CreateOrganizationInput,
  type Organization,
  organizationMessages,
  type OrganizationSettings,
  type OrganizationSettingsFields,
  type UpdateOrganizationInput,
} from '#contract/organizations.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { requireAccountingSystem } from './accounting-systems.ts';
import { insertNew, isSameName, nameContains, type Order, orderOf, type Page, refuseWhere, requireRow } from './named.ts';
import { type Viewer, visibleEntityIds, visibleOrganizationIds } from './visibility.ts';

const organizationFields = sql`o.id::text as id, o.name, o.version::int as version`;

/** Organizations, by name unless told; only those the viewer is a member of. */
export function listOrganizations(
  db: Db,
  viewer: Viewer,
  query: { name?: string | undefined; id?: string | undefined } & Order & Page,
): Promise<Organization[]> {
  return rowsOf(
    db,
    sql`select ${organizationFields} from organizations o
      where o.id in (${visibleOrganizationIds(viewer, 'organization_read')}) and ${nameContains(sql`o.name`, query.name)}
        and ${query.id === undefined ? sql`true` : sql`o.id = ${toUuid(query.id)}::uuid`}
      order by ${orderOf(query, sql`o.name, o.id`)} limit ${query.limit} offset ${query.skip}`,
  );
}

/** Those of some organizations the viewer may see. */
export function organizationsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Organization[]> {
  return rowsOf(
    db,
    sql`select ${organizationFields} from organizations o
      where ${inIds(sql`o.id`, ids)} and o.id in (${visibleOrganizationIds(viewer, 'organization_read')})`,
  );
}

async function requireFreeName(db: Db, id: string, name: string): Promise<void> {
  // one at a time, so that two do not both take the name
  await rowsOf(db, sql`select pg_advisory_xact_lock(hashtext('organizations by name'))`);
  const others = sql`select 1 from organizations o where o.id <> ${id}::uuid and o.deleted_at is null and ${isSameName(sql`o.name`, name)}`;
  await refuseWhere(db, others, organizationMessages.taken);
}

async function organizationAfter(db: Db, viewer: Viewer, id: string): Promise<Organization> {
  const [organization] = await organizationsById(db, viewer, [id]);
  if (!organization) throw new ApiError({ code: 'not_found', detail: 'Organization not found' });
  return organization;
}

export async function createOrganization(db: Db, viewer: Viewer, { id, name }: CreateOrganizationInput): Promise<Organization> {
  const uuid = toUuid(id);
  await requireFreeName(db, uuid, name);
  await insertNew(db, sql`insert into organizations (id, name) values (${uuid}::uuid, ${name})`, 'organization');
  return organizationAfter(db, viewer, uuid);
}

/** Holds an organization the viewer may change until the transaction ends. */
function holdOrganization(db: Db, viewer: Viewer, id: string): Promise<void> {
  const mine = sql`select 1 from organizations o where o.id = ${id}::uuid and o.id in (${visibleOrganizationIds(viewer, 'organization_write')}) for no key update`;
  return requireRow(db, mine, 'Organization');
}

export async function updateOrganization(db: Db, viewer: Viewer, { id, name }: UpdateOrganizationInput): Promise<Organization> {
  const uuid = toUuid(id);
  await holdOrganization(db, viewer, uuid);
  await requireFreeName(db, uuid, name);
  await db.execute(sql`update organizations set name = ${name} where id = ${uuid}::uuid`);
  return organizationAfter(db, viewer, uuid);
}

/** @throws ApiError `conflict` while it has clients. */
export async function deleteOrganization(db: Db, id: string, now: number): Promise<void> {
  const uuid = toUuid(id);
  await requireRow(db, sql`select 1 from organizations where id = ${uuid}::uuid and deleted_at is null for update`, 'Organization');
  const left = sql`select 1 from clients where organization_id = ${uuid}::uuid and deleted_at is null`;
  await refuseWhere(db, left, organizationMessages.hasClients);
  await db.execute(sql`update organizations set deleted_at = ${new Date(now).toISOString()}::timestamptz where id = ${uuid}::uuid`);
}

/** What an organization has set. @throws ApiError `not_found` where the viewer does not see it. */
export async function organizationSettings(db: Db, viewer: Viewer, id: string): Promise<OrganizationSettings> {
  const [found] = await rowsOf<OrganizationSettings>(
    db,
    sql`select o.name, (o.settings->>'default_accounting_system_id')::int as default_accounting_system_id,
        o.settings->>'time_zone' as time_zone, 'USD' as reporting_currency, o.version::int as version
      from organizations o where o.id = ${toUuid(id)}::uuid and o.id in (${visibleOrganizationIds(viewer, 'organization_read')})`,
  );
  if (!found) throw new ApiError({ code: 'not_found', detail: 'Organization not found' });
  return found;
}

interface SettingsInput extends OrganizationSettingsFields {
  organization_id: string;
}

/** Changes what an organization has set, its name included; what else it holds stays. */
export async function updateOrganizationSettings(db: Db, viewer: Viewer, input: SettingsInput): Promise<OrganizationSettings> {
  const { organization_id, name, ...settings } = input;
  const id = toUuid(organization_id);
  await holdOrganization(db, viewer, id);
  await requireAccountingSystem(db, 'default_accounting_system_id', settings.default_accounting_system_id);
  await requireFreeName(db, id, name);
  await db.execute(
    sql`update organizations set name = ${name}, settings = settings || ${JSON.stringify(settings)}::jsonb where id = ${id}::uuid`,
  );
  return organizationSettings(db, viewer, id);
}

/** The organization of an entity. @throws ApiError `not_found` where the viewer does not see it. */
export async function organizationOfEntity(db: Db, viewer: Viewer, entityId: string): Promise<string> {
  const [found] = await rowsOf<{ organization_id: string }>(
    db,
    sql`select c.organization_id::text as organization_id from entities e join clients c on c.id = e.client_id
      where e.id = ${toUuid(entityId)}::uuid and e.id in (${visibleEntityIds(viewer, 'entity_read')})`,
  );
  if (!found) throw new ApiError({ code: 'not_found', detail: 'Entity not found' });
  return found.organization_id;
}
