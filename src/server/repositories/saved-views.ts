import { and, count, eq, ne, sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { type SavedView, type SaveViewInput, savedViewLimits, savedViewMessages } from '#contract/saved-views.ts';
import { nameKey } from '#domain/name-key.ts';
import { type Db, inIds, toUuid } from '#server/database/open.ts';
import { changeLog } from '#server/database/tables/feed.ts';
import { savedViews } from '#server/database/tables/saved-views.ts';
import { users } from '#server/database/tables/users.ts';

// a view is its owner's alone: every statement here names the person

const { id, name, list, search, version, updated_at } = savedViews;
const viewFields = { id, name, list, search, version, updated_at };
type ViewRow = Pick<typeof savedViews.$inferSelect, keyof typeof viewFields>;

function toWire(row: ViewRow): SavedView {
  return { ...row, updated_at: row.updated_at.toISOString() };
}

function isMine(userId: string) {
  return eq(savedViews.user_id, userId);
}

/** A person's views in the order of their names. */
export async function listViewsOf(db: Db, userId: string, limit: number): Promise<SavedView[]> {
  const rows = await db.select(viewFields).from(savedViews).where(isMine(userId)).orderBy(savedViews.name_key, savedViews.id).limit(limit);
  return rows.map(toWire);
}

/** Those of some views that are the person's. */
export async function viewsById(db: Db, userId: string, ids: readonly string[]): Promise<SavedView[]> {
  const rows = await db
    .select(viewFields)
    .from(savedViews)
    .where(and(isMine(userId), inIds(savedViews.id, ids)));
  return rows.map(toWire);
}

/** Refuses one view more than there may be: a list that is never cut shows by what is missing what was deleted. */
async function requireRoom(db: Db, userId: string, viewId: string): Promise<void> {
  // one save of a person at a time, so that two do not both take the last place
  await db.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update');
  const [others] = await db
    .select({ count: count() })
    .from(savedViews)
    .where(and(isMine(userId), ne(savedViews.id, viewId)));
  if ((others?.count ?? 0) >= savedViewLimits.views) throw new ApiError({ code: 'conflict', detail: savedViewMessages.full });
}

/** A view made under an id that was deleted goes on counting where that one ended: a device that saw it go takes it for newer. */
function nextVersion(userId: string, viewId: string) {
  return sql<number>`(select coalesce(max(l.version), 0) + 1 from ${changeLog} l where l.scope = ${`user:${userId}`} and l.row_id = ${viewId}::uuid)`;
}

/** Whether a statement failed because another view of the person has the name. */
function isNameTaken(error: unknown): boolean {
  const { code, constraint } = ((error as Error).cause ?? error) as { code?: string; constraint?: string };
  return code === '23505' && constraint === 'saved_views_by_name';
}

/**
 * Makes a person's view, or writes over the one with its id.
 * @throws ApiError `conflict` where another of their views of the list has the name, or they have as many as there may be.
 */
export async function putView(db: Db, userId: string, view: SaveViewInput, now: number): Promise<SavedView> {
  const viewId = toUuid(view.id);
  await requireRoom(db, userId, viewId);
  const moment = new Date(now);
  const values = { list: view.list, name: view.name, name_key: nameKey(view.name), search: view.search, updated_at: moment };
  try {
    const [saved] = await db
      .insert(savedViews)
      .values({ ...values, user_id: userId, id: viewId, created_at: moment, version: nextVersion(userId, viewId) })
      .onConflictDoUpdate({ target: [savedViews.user_id, savedViews.id], set: { ...values, version: sql`${savedViews.version} + 1` } })
      .returning(viewFields);
    if (!saved) throw new Error('The view just written is not there');
    return toWire(saved);
  } catch (error) {
    if (isNameTaken(error)) throw new ApiError({ code: 'conflict', detail: savedViewMessages.taken });
    throw error;
  }
}

/** Deletes a person's view; one that is not there is as good as deleted. */
export async function deleteViewOf(db: Db, userId: string, viewId: string): Promise<void> {
  await db.delete(savedViews).where(and(isMine(userId), eq(savedViews.id, toUuid(viewId))));
}
