import { type SQL, sql } from 'drizzle-orm';
import type { EntityChoice } from '#contract/clients.ts';
import { type CreateEntityInput, type Entity, entityMessages, type UpdateEntityInput } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { requireAccountingSystem, requireAllocationMethod } from './accounting-systems.ts';
import { latestReconciliation } from './latest-reconciliation.ts';
import { isoText } from './iso-text.ts';
import { insertNew, isSameName, nameContains, type Order, orderOf, type Page, refuseWhere, requireRow } from './named.ts';
import { deletedEntityIds, type Viewer, visibleEntityIds, wholeClientIds } from './visibility.ts';

const entityFields = sql`e.id::text as id, e.client_id::text as client_id, c.organization_id::text as organization_id, e.entity_name,
  e.entity_type_id, e.portfolio_id, e.fund_id, e.state, e.city, e.zip_code, e.country, e.accounting_system_id, e.allocation_method_id, e.active,
  (select count(*)::int from accounts a where a.entity_id = e.id and not a.is_inactive) as active_accounts,
  (select count(*)::int from accounts a where a.entity_id = e.id and a.is_inactive) as inactive_accounts,
  (select count(*)::int from accounts a cross join lateral (${latestReconciliation}) r
    where a.entity_id = e.id and not a.is_inactive and r.status = 'UNRECONCILED') as unreconciled_accounts,
  trim_scale(valued.portfolio_value)::text as portfolio_value, ${isoText(sql`e.last_update`)} as last_update, e.version::int as version`;

/** An entity with its client and what its accounts are worth. */
const entityTables = sql`entities e join clients c on c.id = e.client_id cross join lateral (
  select sum(v.value_usd) as portfolio_value from account_values v join accounts a on a.id = v.account_id where a.entity_id = e.id) valued`;

/** The order of a list. A field told as text goes by what it stands for. */
function entityOrder(query: Order): SQL {
  if (query.order_by !== 'portfolio_value') return orderOf(query, sql`e.entity_name, e.id`);
  return sql`valued.portfolio_value ${query.order_by_asc ? sql`asc` : sql`desc`} nulls last, id`;
}

export interface EntityQuery extends Order, Page {
  client_id?: string | undefined;
  organization_id?: string | undefined;
  name?: string | undefined;
  active?: boolean | undefined;
}

/** Entities, by name unless told. `active` undefined means both. */
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
    sql`select ${entityFields} from ${entityTables} where ${sql.join(conditions, sql` and `)}
      order by ${entityOrder(query)} limit ${query.limit} offset ${query.skip}`,
  );
}

/** One entity, or `undefined` when the viewer may not see it. */
export async function findEntity(db: Db, viewer: Viewer, id: string): Promise<Entity | undefined> {
  return (await entitiesById(db, viewer, [id]))[0];
}

/** Those of some entities the viewer may see. */
export function entitiesById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<Entity[]> {
  return rowsOf(
    db,
    sql`select ${entityFields} from ${entityTables}
      where ${inIds(sql`e.id`, ids)} and e.id in (${visibleEntityIds(viewer, 'entity_read')})`,
  );
}

/** Entities by name, as choices. */
export function listEntityChoices(db: Db, viewer: Viewer, query: { client_id?: string | undefined } & Page): Promise<EntityChoice[]> {
  const ofClient = query.client_id ? sql`e.client_id = ${toUuid(query.client_id)}::uuid` : sql`true`;
  return rowsOf(
    db,
    sql`select e.id::text as id, e.entity_name as label from entities e
      where e.id in (${visibleEntityIds(viewer, 'entity_read')}) and ${ofClient}
      order by e.entity_name, e.id limit ${query.limit} offset ${query.skip}`,
  );
}

type Fields = Omit<UpdateEntityInput, 'id'>;

/** What a form says, each field with its column. */
function valuesOf(input: Fields): [SQL, SQL][] {
  const { allocation_method_id: method } = input;
  return [
    [sql`entity_name`, sql`${input.entity_name}`],
    [sql`entity_type_id`, sql`${input.entity_type_id}::int`],
    [sql`portfolio_id`, sql`${input.portfolio_id}`],
    [sql`fund_id`, sql`${input.fund_id}`],
    [sql`state`, sql`${input.state}`],
    [sql`city`, sql`${input.city}`],
    [sql`zip_code`, sql`${input.zip_code}`],
    [sql`country`, sql`${input.country}`],
    [sql`accounting_system_id`, sql`${input.accounting_system_id}::int`],
    ...(method === undefined ? [] : [[sql`allocation_method_id`, sql`${method}::int`] as [SQL, SQL]]),
    [sql`active`, sql`${input.active}::boolean`],
  ];
}

async function requireKnown(db: Db, { accounting_system_id: system, allocation_method_id: method }: Fields): Promise<void> {
  await requireAccountingSystem(db, 'accounting_system_id', system);
  await requireAllocationMethod(db, 'allocation_method_id', method);
}

async function requireFreeName(db: Db, clientId: string, id: string, name: string): Promise<void> {
  const others = sql`select 1 from entities e where e.client_id = ${clientId}::uuid and e.id <> ${id}::uuid
    and e.deleted_at is null and ${isSameName(sql`e.entity_name`, name)}`;
  await refuseWhere(db, others, entityMessages.taken);
}

async function entityAfter(db: Db, viewer: Viewer, id: string): Promise<Entity> {
  const entity = await findEntity(db, viewer, id);
  if (!entity) throw new ApiError({ code: 'not_found', detail: 'Entity not found' });
  return entity;
}

/** Makes an entity of a client the viewer sees with all its entities: of any other they would not see what they made. */
export async function createEntity(db: Db, viewer: Viewer, input: CreateEntityInput): Promise<Entity> {
  const [id, clientId] = [toUuid(input.id), toUuid(input.client_id)];
  // one entity of a client at a time, so that two do not both take the name
  const mine = sql`select 1 from clients c where c.id = ${clientId}::uuid and c.id in (${wholeClientIds(viewer, 'entity_write')}) for no key update`;
  await requireRow(db, mine, 'Client');
  await requireKnown(db, input);
  await requireFreeName(db, clientId, id, input.entity_name);
  const values = [[sql`id`, sql`${id}::uuid`], [sql`client_id`, sql`${clientId}::uuid`], ...valuesOf(input)] as const;
  const columns = sql.join(
    values.map(([column]) => column),
    sql`, `,
  );
  const row = sql.join(
    values.map(([, value]) => value),
    sql`, `,
  );
  await insertNew(db, sql`insert into entities (${columns}) values (${row})`, 'entity');
  return entityAfter(db, viewer, id);
}

/** Holds an entity the viewer may change until the transaction ends. @returns its client. */
async function heldEntity(db: Db, viewer: Viewer, id: string): Promise<string> {
  // the client first, as who makes an entity does
  await rowsOf(db, sql`select 1 from clients where id = (select client_id from entities where id = ${id}::uuid) for no key update`);
  const [found] = await rowsOf<{ client_id: string }>(
    db,
    sql`select e.client_id::text as client_id from entities e
      where e.id = ${id}::uuid and e.id in (${visibleEntityIds(viewer, 'entity_write')}) for no key update`,
  );
  if (!found) throw new ApiError({ code: 'not_found', detail: 'Entity not found' });
  return found.client_id;
}

export async function updateEntity(db: Db, viewer: Viewer, input: UpdateEntityInput): Promise<Entity> {
  const id = toUuid(input.id);
  const clientId = await heldEntity(db, viewer, id);
  await requireKnown(db, input);
  await requireFreeName(db, clientId, id, input.entity_name);
  const set = sql.join(
    valuesOf(input).map(([column, value]) => sql`${column} = ${value}`),
    sql`, `,
  );
  await db.execute(sql`update entities set ${set} where id = ${id}::uuid`);
  return entityAfter(db, viewer, id);
}

/** Takes an entity, and all that lies in it, out of everybody's sight. One of theirs that is gone already is fine. */
export async function deleteEntity(db: Db, viewer: Viewer, entityId: string, now: number): Promise<void> {
  const id = toUuid(entityId);
  const gone = await rowsOf(
    db,
    sql`select 1 from entities e where e.id = ${id}::uuid and e.id in (${deletedEntityIds(viewer, 'entity_write')})`,
  );
  if (gone.length > 0) return;
  await heldEntity(db, viewer, id);
  await db.execute(sql`update entities set deleted_at = ${new Date(now).toISOString()}::timestamptz where id = ${id}::uuid`);
}
