import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import type { LostKind, Removal } from '#contract/devices.ts';
import { countWords } from '#domain/count-words.ts';
import { type Db, rowsOf, toUuid } from '#server/database/open.ts';
import type { SignedIn } from './sessions.ts';

/** One browser's databases, as both name themselves. */
export interface DeviceName {
  /** What the cookie of the browser says. */
  browser: string;
  device_id: string;
}

type Asking = Pick<SignedIn, 'id' | 'session_id'>;

const momentOf = (now: number): string => new Date(now).toISOString();

/** Writes down on which device a session is. Whoever signed in there since something was ordered to go from it keeps what is there. */
export async function placeSession(db: Db, { id, session_id }: Asking, { browser, device_id }: DeviceName): Promise<void> {
  await db.execute(sql`update sessions set browser = ${browser}, device_id = ${device_id}
    where id = ${session_id}::uuid and (browser, device_id) is distinct from (${browser}::text, ${device_id}::text)`);
  await db.execute(sql`delete from device_removals where user_id = ${id}::uuid and browser = ${browser} and device_id = ${device_id}
    and done_at is null and ordered_at <= (select started_at from sessions where id = ${session_id}::uuid)`);
}

/** Has what every device keeps of a person go that was heard of: their account is disabled. */
export async function orderAllRemovals(db: Db, userId: string, now: number): Promise<void> {
  const known = await rowsOf<DeviceName>(db, sql`select browser, device_id from devices where user_id = ${userId}::uuid`);
  for (const { browser, device_id } of known) {
    await db.execute(sql`insert into device_removals (user_id, id, browser, device_id, reason, ordered_at)
      values (${userId}::uuid, ${uuidv7()}::uuid, ${browser}, ${device_id}, 'disabled', ${momentOf(now)}::timestamptz) on conflict do nothing`);
  }
}

/** The account is enabled again: what was not done yet is not to be. */
export async function takeBackRemovals(db: Db, userId: string): Promise<void> {
  await db.execute(sql`delete from device_removals where user_id = ${userId}::uuid and reason = 'disabled' and done_at is null`);
}

/** Whether the device of a session `s` keeps a copy for no other open session. */
export const keepsCopyAlone = (now: number) => sql`(s.browser is not null and not exists (
  select 1 from sessions o join session_tokens ot on ot.session_id = o.id and ot.expires_at > ${momentOf(now)}::timestamptz
  where o.user_id = s.user_id and o.browser = s.browser and o.device_id = s.device_id and o.id <> s.id and o.revoked_at is null))`;

/** Has what the device of one of one's own sign-ins keeps go, where no other open one of theirs is on it. */
export async function orderRemovalOf(db: Db, { id, session_id }: Asking, sessionId: string, now: number): Promise<void> {
  await db.execute(sql`insert into device_removals (user_id, id, browser, device_id, reason, ordered_at)
    select s.user_id, ${uuidv7()}::uuid, s.browser, s.device_id, 'revoked', ${momentOf(now)}::timestamptz from sessions s
      where s.id = ${toUuid(sessionId)}::uuid and s.user_id = ${id}::uuid and s.id <> ${session_id}::uuid and ${keepsCopyAlone(now)}
    on conflict do nothing`);
}

/** The order that holds for a device and a person; undefined where there is none, or the account that was disabled is enabled. */
export async function openRemovalOf(db: Db, userId: string, { browser, device_id }: DeviceName): Promise<Removal | undefined> {
  const [found] = await rowsOf<Omit<Removal, 'ordered_at'> & { ordered_ms: string }>(
    db,
    sql`select r.id::text as id, r.user_id::text as user_id, r.device_id, r.reason,
        (extract(epoch from r.ordered_at) * 1000)::bigint::text as ordered_ms
      from device_removals r join users u on u.id = r.user_id
      where r.user_id = ${toUuid(userId)}::uuid and r.browser = ${browser} and r.device_id = ${device_id} and r.done_at is null
        and (r.reason <> 'disabled' or not u.is_enabled)`,
  );
  if (!found) return undefined;
  const { ordered_ms, ...removal } = found;
  return { ...removal, ordered_at: momentOf(Number(ordered_ms)) };
}

interface CarriedOut {
  id: string;
  user_id: string;
  device: DeviceName;
  lost: readonly LostKind[] | null;
}

/** Notes that a device carries an order out, and what goes unsent with it; the first time alone. The device is forgotten: it keeps nothing. */
export async function noteRemoval(db: Db, { id, user_id, device, lost }: CarriedOut, now: number): Promise<void> {
  const { browser, device_id } = device;
  const count = lost && lost.reduce((sum, kind) => sum + kind.count, 0);
  const kinds = lost && lost.map((kind) => `${countWords(kind.count, 'edit')}: ${kind.kind}`).join(', ');
  const done = await rowsOf(
    db,
    sql`update device_removals set done_at = ${momentOf(now)}::timestamptz, lost_edits = ${count}, lost_kinds = ${kinds}
      where user_id = ${toUuid(user_id)}::uuid and id = ${toUuid(id)}::uuid and browser = ${browser} and device_id = ${device_id}
        and done_at is null returning id`,
  );
  if (done.length === 0) return;
  await db.execute(sql`delete from devices where user_id = ${toUuid(user_id)}::uuid and browser = ${browser} and device_id = ${device_id}`);
}
