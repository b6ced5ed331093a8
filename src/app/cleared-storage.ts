import { z } from 'zod';
import type { LostEdits } from '#contract/devices.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { keptKeys, keyOfUser, type LocalKey, type LocalStorage } from './kept-keys.ts';

// A browser short of room may clear the databases of a site. Its local storage it keeps, which holds the mark those had. One that clears
// that, too, has a cookie left, by which the server remembers how many edits waited.

const markKey = (userId: string): LocalKey => keyOfUser(keptKeys.installMark, userId);
const waitingKey = (userId: string): LocalKey => keyOfUser(keptKeys.editsWaiting, userId);
const lossKey = (userId: string): LocalKey => keyOfUser(keptKeys.editsLost, userId);

const countSchema = z.number().int().nonnegative();
const waitingSchema = z.object({ count: countSchema, maybe: countSchema, at: z.number(), by: z.literal('server').optional() });
/**
 * How many edits waited, of how many of them nobody knows whether they arrived, and when that was last known, UTC milliseconds; by the
 * server, where it alone knows, and then not of what was done without it.
 */
export type Waiting = z.infer<typeof waitingSchema>;

function waitingIn(text: string | null): Waiting | null {
  try {
    return waitingSchema.safeParse(JSON.parse(text ?? '')).data ?? null;
  } catch {
    return null;
  }
}

/** What was written down last of a user's edits; null where nothing was. */
export function lastWaiting(local: LocalStorage, userId: string): Waiting | null {
  return waitingIn(local.getItem(waitingKey(userId)));
}

export function writeWaiting(local: LocalStorage, userId: string, waiting: Waiting): void {
  local.setItem(waitingKey(userId), JSON.stringify(waiting));
}

/** A loss that is still to be told: what waited then, null where that is not known. */
export type Loss = { waiting: Waiting | null };

/** What the databases of a user know of themselves. */
export interface InstallMarks {
  /** Gives them a mark unless they have one, and says which they had. */
  mark: (mark: string) => Promise<string | null>;
  /** Whether the person was told, or is about to be, what went with those before. */
  isLossKnown: () => Promise<boolean>;
  knowLoss: () => Promise<void>;
}

/**
 * What went when the databases of a user were cleared, until the person has read it; null where nothing did.
 * @param fresh makes a mark.
 */
export async function lossOf(local: LocalStorage, userId: string, install: InstallMarks, fresh: () => string): Promise<Loss | null> {
  const known = local.getItem(markKey(userId));
  const given = known ?? fresh();
  const held = await install.mark(given);
  local.setItem(markKey(userId), held ?? given);
  if (known !== null && held === null) {
    local.setItem(lossKey(userId), local.getItem(waitingKey(userId)) ?? 'unknown');
    await install.knowLoss();
  }
  return lossIn(local, userId);
}

function lossIn(local: LocalStorage, userId: string): Loss | null {
  const lost = local.getItem(lossKey(userId));
  return lost === null ? null : { waiting: waitingIn(lost) };
}

/**
 * Takes down what the server remembers, unless this browser noticed by itself, and then knew better.
 * @returns what is still to be told; null where nothing is.
 */
export async function rememberedLoss(
  local: LocalStorage,
  userId: string,
  install: InstallMarks,
  { pending, told_at }: LostEdits,
): Promise<Loss | null> {
  // another tab may have taken it down a moment ago, and be in the background
  if (await install.isLossKnown()) return lossIn(local, userId);
  // which of them arrived after that nobody knows
  const waiting: Waiting = { count: pending, maybe: pending, at: Date.parse(told_at), by: 'server' };
  local.setItem(lossKey(userId), JSON.stringify(waiting));
  await install.knowLoss();
  return lossIn(local, userId);
}

/** The person has read of the loss. */
export function forgetLoss(local: LocalStorage, userId: string): void {
  local.removeItem(lossKey(userId));
}

/** What a person is told whose browser cleared what was kept. */
export function clearedText({ waiting }: Loss, zone: TimeZone): string {
  const cleared = waiting ? `Some time after ${formatDate(waiting.at, zone)} this browser cleared` : 'This browser cleared';
  const unheard = waiting?.by === 'server' ? ' If you made edits here after that without the network, they are gone: make them again.' : '';
  return `${cleared} what was kept on this device. ${lostWords(waiting)}${unheard} Everything else comes back from the server.`;
}

function lostWords(waiting: Waiting | null): string {
  if (waiting === null) return 'Edits that waited here are gone, unless they reached the server.';
  const { count, maybe, by } = waiting;
  if (count === 0) return by === 'server' ? 'No edit was waiting then.' : 'No edit was waiting.';
  const [edits, them] = count === 1 ? ['One edit that waited here is', 'it'] : [`${count} edits that waited here are`, 'them'];
  if (maybe === 0) return `${edits} gone: make ${them} again.`;
  return `${edits} gone, unless ${count === 1 ? 'it' : 'some of them'} reached the server: look before you make ${them} again.`;
}
