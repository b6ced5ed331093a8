import { and, desc, eq, lt, lte, ne, sql } from 'drizzle-orm';
import { type LostEdits, mostDevices } from '#contract/devices.ts';
import type { Db } from '#server/database/open.ts';
import { devices } from '#server/database/tables/sign-ins.ts';
import type { SignedIn } from './sessions.ts';

interface Report {
  /** What the cookie of the browser says. */
  browser: string;
  device_id: string;
  /** How many edits wait on it. */
  pending: number;
  /** It was told of what it lost. */
  knows_loss: boolean;
}

/**
 * Writes down how a device of a person stands. Another one of its browser that was not heard of since this one began lost its databases.
 * @returns what waited in those when they were heard of last; null where nothing was lost, or that is known.
 */
export async function hearOf(
  db: Db,
  { id: userId }: Pick<SignedIn, 'id'>,
  { browser, device_id, pending, knows_loss }: Report,
  now: number,
): Promise<LostEdits | null> {
  const at = new Date(now);
  const [own] = await db
    .insert(devices)
    .values({ user_id: userId, browser, device_id, pending, began_at: at, heard_at: at })
    .onConflictDoUpdate({ target: [devices.user_id, devices.browser, devices.device_id], set: { pending, heard_at: at } })
    .returning({ began_at: devices.began_at });
  const ofUser = eq(devices.user_id, userId);
  const silent = and(ofUser, eq(devices.browser, browser), ne(devices.device_id, device_id), lte(devices.heard_at, own?.began_at ?? at));
  if (knows_loss) await db.delete(devices).where(silent);
  // what waits is remembered longest; one that is heard of at this moment stays
  const kept = db
    .select({ browser: devices.browser, device_id: devices.device_id })
    .from(devices)
    .where(ofUser)
    .orderBy(desc(sql`${devices.pending} > 0`), desc(devices.heard_at), devices.browser, devices.device_id)
    .limit(mostDevices);
  await db.delete(devices).where(and(ofUser, lt(devices.heard_at, at), sql`(${devices.browser}, ${devices.device_id}) not in ${kept}`));
  const lost = await db.select({ pending: devices.pending, heard_at: devices.heard_at }).from(devices).where(silent);
  if (lost.length === 0) return null;
  const toldAt = Math.max(...lost.map(({ heard_at }) => heard_at.getTime()));
  return { pending: lost.reduce((sum, row) => sum + row.pending, 0), told_at: new Date(toldAt).toISOString() };
}

/** Forgets devices that were not heard of since. */
export async function forgetDevices(db: Db, before: Date): Promise<void> {
  await db.delete(devices).where(lt(devices.heard_at, before));
}
