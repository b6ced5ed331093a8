import { type SQL, sql } from 'drizzle-orm';
import type { GuardedRow } from '#contract/endpoint.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import { lockArchivedId } from './archived-assets.ts';
import { type FeedRow, rowsNow } from './feed-rows.ts';
import type { Viewer } from './visibility.ts';

/** What is locked for a row, in the order in which the changes of its noun lock it: two that cross would wait for each other. */
const locks: Record<GuardedRow['noun'], (viewer: Viewer, id: string) => SQL[]> = {
  // the person, too: where there is no view, nobody may make it meanwhile
  saved_views: (viewer, id) => [
    sql`select 1 from users where id = ${viewer.id}::uuid for no key update`,
    sql`select 1 from saved_views where user_id = ${viewer.id}::uuid and id = ${id}::uuid for no key update`,
  ],
  organizations: (_viewer, id) => [sql`select 1 from organizations where id = ${id}::uuid for no key update`],
  clients: (_viewer, id) => [
    sql`select 1 from organizations where id = (select organization_id from clients where id = ${id}::uuid) for no key update`,
    sql`select 1 from clients where id = ${id}::uuid for no key update`,
  ],
  entities: (_viewer, id) => [
    sql`select 1 from clients where id = (select client_id from entities where id = ${id}::uuid) for no key update`,
    sql`select 1 from entities where id = ${id}::uuid for no key update`,
  ],
  // who administers an organization is held with it
  users: (_viewer, id) => [
    sql`select 1 from organizations where id in (select organization_id from organization_members where user_id = ${id}::uuid)
      order by id for no key update`,
    sql`select 1 from users where id = ${id}::uuid for no key update`,
  ],
  archived_assets: (_viewer, id) => [
    lockArchivedId(id),
    sql`select 1 from clients where id = (select client_id from archived_assets where id = ${id}::uuid) for no key update`,
    sql`select 1 from archived_assets where id = ${id}::uuid for no key update`,
  ],
  transactions: (_viewer, id) => [
    sql`select 1 from entities where id = (select entity_id from transactions where id = ${id}::uuid) for no key update`,
    sql`select 1 from transactions where id = ${id}::uuid for no key update`,
  ],
};

/** A row as its list call reads it, which nobody can change until the transaction ends; null where there is none the viewer may see. */
export async function heldRow(db: Db, viewer: Viewer, noun: GuardedRow['noun'], id: string): Promise<FeedRow | null> {
  const uuid = toUuid(id);
  for (const lock of locks[noun](viewer, uuid)) await rowsOf(db, lock);
  return (await rowsNow(db, viewer, noun, [uuid])).get(uuid) ?? null;
}
