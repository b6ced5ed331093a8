import { type SQL, sql } from 'drizzle-orm';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import type { Organization } from '#contract/organizations.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { type Viewer, visibleClientIds, visibleEntityIds, visibleOrganizationIds } from './visibility.ts';

interface Page {
  skip: number;
  limit: number;
}

/** `name ilike %text%` with the text taken literally. */
export function nameContains(column: SQL, text: string | undefined): SQL {
  if (!text) return sql`true`;
  return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

const organizationFields = sql`o.id::text as id, o.name, o.version::int as version`;
const clientFields = sql`c.id::text as id, c.organization_id::text as organization_id, c.client_name, c.version::int as version`;

/** Organizations by name; only those the viewer is a member of. */
export function listOrganizations(db: Db, viewer: Viewer, query: { name?: string | undefined } & Page): Promise<Organization[]> {
  return rowsOf(
    db,
    sql`select ${organizationFields} from organizations o
      where o.id in (${visibleOrganizationIds(viewer, 'organization_read')}) and ${nameContains(sql`o.name`, query.name)}
      order by o.name, o.id limit ${query.limit} offset ${query.skip}`,
  );
}

/** Clients by name, within one organization or all of them. */
export function listClients(
  db: Db,
  viewer: Viewer,
  query: { organization_id?: string | undefined; name?: string | undefined } & Page,
): Promise<Client[]> {
  const inOrganization = query.organization_id ? sql`c.organization_id = ${toUuid(query.organization_id)}::uuid` : sql`true`;
  return rowsOf(
    db,
    sql`select ${clientFields} from clients c
      where c.id in (${visibleClientIds(viewer, 'client_read')}) and ${inOrganization} and ${nameContains(sql`c.client_name`, query.name)}
      order by c.client_name, c.id limit ${query.limit} offset ${query.skip}`,
  );
}

const isoText = (column: SQL) => sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const entityFields = sql`e.id::text as id, e.client_id::text as client_id, c.organization_id::text as organization_id, e.entity_name,
  e.entity_type_id, e.portfolio_id, e.fund_id, e.state, e.city, e.zip_code, e.country, e.accounting_system_id, e.active,
  (select count(*)::int from accounts a where a.entity_id = e.id and not a.is_inactive) as active_accounts,
  (select count(*)::int from accounts a where a.entity_id = e.id and a.is_inactive) as inactive_accounts,
  ${isoText(sql`e.last_update`)} as last_update, e.version::int as version`;

export interface EntityQuery extends Page {
  client_id?: string | undefined;
  organization_id?: string | undefined;
  name?: string | undefined;
  active?: boolean | undefined;
}

/** Entities by name. `active` undefined means both. */
export function listEntities(db: Db, viewer: Viewer, query: EntityQuery): Promise<Entity[]> {
  const conditions = [
    sql`e.id in (${visibleEntityIds(viewer, 'entity_read')})`,
    nameContains(sql`e.entity_name`, query.name),
    ...(query.client_id ? [sql`e.client_id = ${toUuid(query.client_id)}::uuid`] : []),
    ...(query.organization_id ? [sql`c.organization_id = ${toUuid(query.organization_id)}::uuid`] : []),
    ...(query.active === undefined ? [] : [sql`e.active = ${query.active}`]),
  ];
  return rowsOf(
    db,
    sql`select ${entityFields} from entities e join clients c on c.id = e.client_id where ${sql.join(conditions, sql` and `)}
      order by e.entity_name, e.id limit ${query.limit} offset ${query.skip}`,
  );
}

/** One entity, or `undefined` when the viewer may not see it. */
export async function findEntity(db: Db, viewer: Viewer, id: string): Promise<Entity | undefined> {
  return (await entitiesById(db, viewer, [id]))[0];
}

/** Those of some organizations the viewer may see. */
export function organizationsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Organization[]> {
  return rowsOf(
    db,
    sql`select ${organizationFields} from organizations o
      where ${inIds(sql`o.id`, ids)} and o.id in (${visibleOrganizationIds(viewer, 'organization_read')})`,
  );
}

/** Those of some clients the viewer may see. */
export function clientsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Client[]> {
  return rowsOf(
    db,
    sql`select ${clientFields} from clients c where ${inIds(sql`c.id`, ids)} and c.id in (${visibleClientIds(viewer, 'client_read')})`,
  );
}

/** Those of some entities the viewer may see. */
export function entitiesById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Entity[]> {
  return rowsOf(
    db,
    sql`select ${entityFields} from entities e join clients c on c.id = e.client_id
      where ${inIds(sql`e.id`, ids)} and e.id in (${visibleEntityIds(viewer, 'entity_read')})`,
  );
}
