import { byteText } from '#domain/byte-text.ts';
import type { OutboxStore } from './outbox-tables.ts';

// On a full disk an edit must still be kept, and what makes room writes a little before it frees much. Room for both is kept beside the
// outbox: the ballast for edits, the reserve for making room.

/** How much is kept for making room, in bytes: some notes of what went. */
const reserveBytes = 2 ** 18;

const ballastId = 'ballast';
const reserveId = 'reserve';
/** Noted where what was kept was given to an edit, until it is kept again. */
const givenId = 'given';

/** Whether something could not be written because the disk, or what the browser allows of it, is full. Dexie wraps what it was told. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { inner } = error as { inner?: unknown };
  return error.name === 'QuotaExceededError' || isNoRoom(inner) || isNoRoom(error.cause);
}

/** What is said where there is no room: it is kept for edits, and nothing else is to take it. */
export function noRoomError(): DOMException {
  return new DOMException('There is no more room than what is kept for edits', 'QuotaExceededError');
}

/** Keeps some room beside the outbox. @param make so much that compresses to no less. @returns whether none of it is what edits were given. */
export async function keepBallast(outbox: OutboxStore, make: () => Uint8Array<ArrayBuffer>): Promise<boolean> {
  const keep = (id: string, bytes: () => Uint8Array<ArrayBuffer>): Promise<void> =>
    outbox.write(['blobs'], async (tx) => {
      if ((await tx.count('blobs', { from: id, to: id })) === 0) await tx.put('blobs', { id, mutation_id: '', bytes: bytes() });
    });
  const [isReserved = false, isKept = false, isGiven = false] = await outbox.read(['blobs'], (tx) =>
    Promise.all([reserveId, ballastId, givenId].map(async (id) => (await tx.count('blobs', { from: id, to: id })) > 0)),
  );
  if (isReserved && isKept) return true;
  try {
    await keep(reserveId, () => make().slice(0, reserveBytes));
    await keep(ballastId, make);
    if (isGiven) await outbox.write(['blobs'], (tx) => tx.remove('blobs', givenId));
    return true;
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    return !isGiven;
  }
}

async function withRoomOf<T>(id: string, outbox: OutboxStore, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    await outbox.write(['blobs'], (tx) => tx.remove('blobs', id));
    const written = await write();
    await outbox
      .write(['blobs'], (tx) => tx.put('blobs', { id: givenId, mutation_id: '', bytes: new Uint8Array() }))
      .catch(() => undefined);
    return written;
  }
}

/** Most that one edit brings with it and is given the ballast, in bytes: room for many small edits is worth more than one screenshot. */
const mostForBallast = 2 ** 20;

/**
 * Writes what must not be lost; where there is no room, what the ballast took is given to it.
 * @param fileBytes of the files in it. @throws in words where these are too large for that.
 */
export async function withBallast<T>(outbox: OutboxStore, fileBytes: number, write: () => Promise<T>): Promise<T> {
  if (fileBytes <= mostForBallast) return withRoomOf(ballastId, outbox, write);
  try {
    return await write();
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    throw new Error(`There is no room on this device for a file of ${byteText(fileBytes)}. Free some space on the disk, or leave it out.`, {
      cause: error,
    });
  }
}

/** Writes what makes room; where there is none for that either, what the reserve took is given to it. */
export function withReserve<T>(outbox: OutboxStore, write: () => Promise<T>): Promise<T> {
  return withRoomOf(reserveId, outbox, write);
}
