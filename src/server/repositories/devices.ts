import { sql } from 'drizzle-orm';
import { type LostEdits, mostDevices } from '#contract/devices.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { devices } from '#server/database/schema.ts';
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
 * Writes down how a device of a person stands. One under another name than its browser had before lost its databases.
 * @returns what waited in those when it was heard of last; null where nothing was lost, or that is known.
 */
export async function hearOf(
  db: Db,
  { id: userId }: Pick<SignedIn, 'id'>,
  { browser, device_id, pending, knows_loss }: Report,
  now: number,
): Promise<LostEdits | null> {
  const at = sql`${new Date(now).toISOString()}::timestamptz`;
  const isOther = sql`d.device_id <> excluded.device_id`;
  const [row] = await rowsOf<{ lost_pending: number | null; lost_ms: string | null }>(
    db,
    sql`insert into devices as d (user_id, browser, device_id, pending, heard_at)
      values (${userId}::uuid, ${browser}, ${device_id}, ${pending}, ${at})
      on conflict (user_id, browser) do update set
        lost_pending = case when ${knows_loss} then null when ${isOther} then coalesce(d.lost_pending, 0) + d.pending else d.lost_pending end,
        lost_at = case when ${knows_loss} then null when ${isOther} then d.heard_at else d.lost_at end,
        device_id = excluded.device_id, pending = excluded.pending, heard_at = excluded.heard_at
      returning lost_pending, (extract(epoch from lost_at) * 1000)::bigint::text as lost_ms`,
  );
  await db.delete(devices).where(
    sql`${devices.user_id} = ${userId}::uuid and ${devices.browser} not in
      (select browser from devices where user_id = ${userId}::uuid order by heard_at desc, browser limit ${mostDevices})`,
  );
  if (!row || row.lost_pending === null || row.lost_ms === null) return null;
  return { pending: row.lost_pending, told_at: new Date(Number(row.lost_ms)).toISOString() };
}

/** Forgets devices that were not heard of since. */
export async function forgetDevices(db: Db, before: Date): Promise<void> {
  await db.delete(devices).where(sql`${devices.heard_at} < ${before.toISOString()}::timestamptz`);
}
