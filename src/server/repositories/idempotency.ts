import { and, eq, lt } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import type { Db } from '#server/database/open.ts';
import { idempotency } from '#server/database/tables/idempotency.ts';

/** A change that carries a key: the same key from the same user has one effect, whoever answers it. */
export interface KeyedChange {
  userId: string;
  key: string;
  /**
   * Hashes of method, address and input, so that a key is never answered for another change: of the input as it was sent, which is kept,
   * and as this version of the server reads it, which former versions kept.
   */
  requestHashes: readonly [kept: string, ...former: string[]];
  /** The device that sent it, where it said so. */
  deviceId: string | undefined;
}

/**
 * Takes the key for this transaction, or gives the answer an earlier one stored.
 * Two at once: the second waits on the first's row until that commits, then finds its answer.
 * @returns the stored answer, or `undefined` when the change is still to be made.
 * @throws ApiError `invalid` where the key was used for another change.
 */
export async function claimKey(db: Db, change: KeyedChange): Promise<{ status: number; body: unknown } | undefined> {
  const claimed = await db
    .insert(idempotency)
    .values({ user_id: change.userId, key: change.key, request_hash: change.requestHashes[0], device_id: change.deviceId ?? null })
    .onConflictDoNothing()
    .returning({ key: idempotency.key });
  if (claimed.length > 0) return undefined;
  const stored = await storedAnswer(db, change);
  if (!stored) throw new ApiError({ code: 'invalid', detail: 'This Idempotency-Key was already used for another request' });
  return stored;
}

/** The answer that a change was given before; `undefined` where it was not made, or its key was used for another one. */
export async function storedAnswer(
  db: Db,
  { userId, key, requestHashes }: Pick<KeyedChange, 'userId' | 'key' | 'requestHashes'>,
): Promise<{ status: number; body: unknown } | undefined> {
  const [stored] = await db
    .select()
    .from(idempotency)
    .where(and(eq(idempotency.user_id, userId), eq(idempotency.key, key)));
  return stored && requestHashes.includes(stored.request_hash) ? { status: stored.status ?? 200, body: stored.body } : undefined;
}

/** Stores the answer of a change in the change's own transaction. */
export async function storeAnswer(db: Db, change: KeyedChange, status: number, body: unknown): Promise<void> {
  await db
    .update(idempotency)
    .set({ status, body })
    .where(and(eq(idempotency.user_id, change.userId), eq(idempotency.key, change.key)));
}

/** Deletes answers that were stored before a moment: whoever repeats such a change is no device that was only away. */
export async function forgetAnswers(db: Db, before: Date): Promise<void> {
  await db.delete(idempotency).where(lt(idempotency.created_at, before));
}
