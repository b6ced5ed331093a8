import type { OutboxStore } from './outbox-tables.ts';

const ballastId = 'ballast';

/** Whether something could not be written because the disk, or what the browser allows of it, is full. Dexie wraps what it was told. */
export function isNoRoom(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { inner } = error as { inner?: unknown };
  return error.name === 'QuotaExceededError' || isNoRoom(inner) || isNoRoom(error.cause);
}

/** Keeps some room beside the outbox, which an edit is given when there is no other. Does nothing where it is kept, or there is none. */
export async function keepBallast(outbox: OutboxStore, make: () => Uint8Array): Promise<void> {
  try {
    await outbox.write(['blobs'], async (tx) => {
      if ((await tx.count('blobs', { from: ballastId, to: ballastId })) > 0) return;
      await tx.put('blobs', { id: ballastId, mutation_id: '', bytes: make() });
    });
  } catch (error) {
    if (!isNoRoom(error)) throw error;
  }
}

/** Writes what must not be lost; where there is no room, what the ballast took is given to it. */
export async function withBallast<T>(outbox: OutboxStore, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isNoRoom(error)) throw error;
    await outbox.write(['blobs'], (tx) => tx.remove('blobs', ballastId));
    return write();
  }
}
