import { z } from 'zod';
import { countWords } from '#domain/count-words.ts';
import { keptKeys, keyOfUser, type LocalKey, type LocalStorage } from '#app/kept-keys.ts';
import { createListeners } from '#app/listeners.ts';

// For how long what is on a device may be seen without the server having said who its user is. Who may no longer see it is not told so
// where there is no network: that is how long it can take. @source sync design 3.11

/** In days. */
export const leaseLimits = { least: 1, most: 30, usual: 7 } as const;
const { least, most, usual } = leaseLimits;
const refusal = `Choose a whole number of days from ${least} to ${most}`;

/** The days of a lease as they are typed. */
export const leaseDaysSchema = z
  .string()
  .trim()
  .regex(/^\d{1,4}$/, refusal)
  .transform(Number)
  .pipe(z.number().min(least, refusal).max(most, refusal));

const dayMs = 24 * 3_600_000;
/** Clocks are set right by as much all the time, in milliseconds. */
const setRightMs = 60_000;

const daysKey = (userId: string): LocalKey => keyOfUser(keptKeys.offlineDays, userId);
const leaseKey = (userId: string): LocalKey => keyOfUser(keptKeys.offlineLease, userId);

const listeners = createListeners();
/** Tells of changes of the days that this tab makes. */
export const onLeaseChange = listeners.subscribe;

/** For how many days a user chose that their device opens without the server. */
export function leaseDays(local: LocalStorage, userId: string): number {
  return leaseDaysSchema.safeParse(local.getItem(daysKey(userId)) ?? '').data ?? usual;
}

/** Chooses it, from what {@link leaseDaysSchema} takes. */
export function chooseLeaseDays(local: LocalStorage, userId: string, days: number): void {
  if (days === usual) local.removeItem(daysKey(userId));
  else local.setItem(daysKey(userId), String(days));
  listeners.tell();
}

const recordSchema = z.object({
  /** How much time went by since the server said so, as far as it was looked at, in milliseconds. */
  used_ms: z.number().nonnegative(),
  /** What the clock showed when it was looked at last, UTC milliseconds. */
  looked_at: z.number(),
  was_set_back: z.boolean().optional(),
});
type LeaseRecord = z.infer<typeof recordSchema>;

function recordOf(local: LocalStorage, userId: string): LeaseRecord | null {
  try {
    return recordSchema.safeParse(JSON.parse(local.getItem(leaseKey(userId)) ?? '')).data ?? null;
  } catch {
    return null;
  }
}

function keep(local: LocalStorage, userId: string, record: LeaseRecord): void {
  local.setItem(leaseKey(userId), JSON.stringify(record));
}

/** The server said now that they are who they are. */
export function renewLease(local: LocalStorage, userId: string, now: number): void {
  keep(local, userId, { used_ms: 0, looked_at: now });
}

export interface Lease {
  days: number;
  isOver: boolean;
  /** The clock of the device was set back since the server said who they are. */
  wasSetBack: boolean;
}

/**
 * How a lease stands, to be asked every now and then. A clock that was set back gives nothing back: by as much as it was, time counts as
 * gone by.
 * @param confirmedAt when the server said so, as far as it is known otherwise, UTC milliseconds.
 */
export function lookAtLease(local: LocalStorage, userId: string, now: number, confirmedAt = now): Lease {
  const days = leaseDays(local, userId);
  const { used_ms, looked_at, was_set_back } = recordOf(local, userId) ?? { used_ms: 0, looked_at: confirmedAt };
  const wasSetBack = was_set_back === true || looked_at - now > setRightMs;
  const used = Math.max(used_ms + Math.abs(now - looked_at), Math.abs(now - confirmedAt));
  keep(local, userId, { used_ms: used, looked_at: now, ...(wasSetBack ? { was_set_back: true } : {}) });
  return { days, isOver: used > days * dayMs, wasSetBack };
}

/** Why what is here does not open, or is no longer to be seen, in words. */
export function leaseOverText({ days, wasSetBack }: Pick<Lease, 'days' | 'wasSetBack'>): string {
  const clock = wasSetBack ? ', counting by how much its clock was set back' : '';
  return `This device has not met the server for ${countWords(days, 'day')}${clock}. Signing in needs the network once.`;
}
