import { type SQL, sql } from 'drizzle-orm';
import { type ArchiveAssetInput, type ArchivedAsset, archivedAssetMessages } from '#contract/archived-assets.ts';
import { ApiError } from '#contract/errors.ts';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { type Db, inIds, rowsOf, toUuid } from '#server/database/open.ts';
import { type Page, requireRow } from './named.ts';
import { type Viewer, visibleClientIds, wholeClientIds } from './visibility.ts';

const fields = sql`a.id::text as id, a.client_id::text as client_id, a.security_id::text as security_id, a.is_spam, a.version::int as version`;

function isVisible(viewer: Viewer): SQL {
  return sql`a.client_id in (${visibleClientIds(viewer, 'client_read')})`;
}

/** What is archived of the clients the viewer sees, by id. */
export function listArchivedAssets(
  db: Db,
  viewer: Viewer,
  query: { client_id?: string | undefined; id?: string | undefined } & Page,
): Promise<ArchivedAsset[]> {
  const ofClient = query.client_id ? sql`a.client_id = ${toUuid(query.client_id)}::uuid` : sql`true`;
  const withId = query.id ? sql`a.id = ${toUuid(query.id)}::uuid` : sql`true`;
  return rowsOf(
    db,
    sql`select ${fields} from archived_assets a where ${isVisible(viewer)} and ${ofClient} and ${withId}
      order by a.id limit ${query.limit} offset ${query.skip}`,
  );
}

/** Those of some rows the viewer may see. */
export function archivedAssetsById(db: Db, viewer: Viewer, ids: readonly string[]): Promise<ArchivedAsset[]> {
  return rowsOf(db, sql`select ${fields} from archived_assets a where ${inIds(sql`a.id`, ids)} and ${isVisible(viewer)}`);
}

/** Locks an id until the transaction ends, also where nothing is archived under it: nobody may do so meanwhile. */
export function lockArchivedId(id: string): SQL {
  return sql`select pg_advisory_xact_lock(hashtext(${`archived asset ${id}`}))`;
}

/** Holds a client the viewer may change until the transaction ends. Who sees it by one entity alone hides nothing from the others. */
function holdClient(db: Db, viewer: Viewer, clientId: SQL): Promise<void> {
  const mine = sql`select 1 from clients c where c.id = ${clientId} and c.id in (${wholeClientIds(viewer, 'client_write')}) for no key update`;
  return requireRow(db, mine, 'Client');
}

async function requireSecurity(db: Db, id: string): Promise<void> {
  const found = await rowsOf(db, sql`select 1 from securities where id = ${id}::uuid`);
  if (found.length > 0) return;
  throw new ApiError({ code: 'invalid', detail: [{ loc: ['body', 'security_id'], msg: archivedAssetMessages.unknown, type: 'unknown' }] });
}

/**
 * Refuses an id that does not stand for the client and the asset: one that somebody else could want.
 * @throws ApiError `conflict` where the asset is archived under another id.
 */
async function requireOwnId(db: Db, { id, client, security }: { id: string; client: string; security: string }): Promise<void> {
  const [held] = await rowsOf<{ id: string }>(
    db,
    sql`select id::text as id from archived_assets where client_id = ${client}::uuid and security_id = ${security}::uuid`,
  );
  if (held?.id === id) return;
  if (held) throw new ApiError({ code: 'conflict', detail: archivedAssetMessages.taken });
  if (id === archivedAssetId(client, security)) return;
  throw new ApiError({ code: 'invalid', detail: [{ loc: ['path', 'id'], msg: archivedAssetMessages.otherId, type: 'other_id' }] });
}

/** An id that was let go of goes on counting where it ended: a device that saw it go takes what is made under it for newer. */
function nextVersion(id: string): SQL {
  return sql`(select coalesce(max(l.version), 0) + 1 from change_log l where l.noun = 'archived_assets' and l.row_id = ${id}::uuid)`;
}

/** Archives an asset of a client, or changes whether it is spam. */
export async function putArchivedAsset(db: Db, viewer: Viewer, input: ArchiveAssetInput): Promise<ArchivedAsset> {
  const [id, client, security] = [toUuid(input.id), toUuid(input.client_id), toUuid(input.security_id)];
  await rowsOf(db, lockArchivedId(id));
  await holdClient(db, viewer, sql`${client}::uuid`);
  await requireSecurity(db, security);
  await requireOwnId(db, { id, client, security });
  await db.execute(sql`insert into archived_assets (id, client_id, security_id, is_spam, version)
    values (${id}::uuid, ${client}::uuid, ${security}::uuid, ${input.is_spam}::boolean, ${nextVersion(id)})
    on conflict (id) do update set is_spam = excluded.is_spam`);
  const [asset] = await archivedAssetsById(db, viewer, [id]);
  if (!asset) throw new ApiError({ code: 'not_found', detail: 'Client not found' });
  return asset;
}

/** Shows an asset again. One that is not archived is as good as that. */
export async function removeArchivedAsset(db: Db, viewer: Viewer, assetId: string): Promise<void> {
  const id = toUuid(assetId);
  await rowsOf(db, lockArchivedId(id));
  const [row] = await rowsOf<{ client_id: string }>(
    db,
    sql`select a.client_id::text as client_id from archived_assets a where a.id = ${id}::uuid and ${isVisible(viewer)}`,
  );
  if (!row) return;
  await holdClient(db, viewer, sql`${row.client_id}::uuid`);
  await db.execute(sql`delete from archived_assets where id = ${id}::uuid`);
}
