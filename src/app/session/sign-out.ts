import { logout } from '#contract/session.ts';
import { pendingMutations } from '#replica/outbox.ts';
import type { Replica } from '#replica/open.ts';
import type { Services } from '#app/services.tsx';
import { removeAskedCopy } from './copy-removal.ts';

/** Longest wait for the server to end the session, in milliseconds; it ends by itself when it expires. */
const serverWaitMs = 5_000;

/** Longest wait for workers of other tabs and builds, in milliseconds; those that hang on hold nobody up. */
const workersWaitMs = 3_000;

/** Resolves when no worker of this browser writes for somebody any more: each has heard of the sign-out, whichever tab it was made in. */
async function untilNobodyWrites({ locks }: Services, userId: string): Promise<void> {
  const { engineLock } = await import('#replica/open.ts');
  await locks?.request(engineLock(userId), { signal: AbortSignal.timeout(workersWaitMs) }, () => undefined).catch(() => undefined);
}

/** Ends the session here and, when it can be reached, at the server. The outbox stays, and the copy unless its removal was asked. */
export async function endSession(services: Services): Promise<void> {
  const { engine, call, session, queries, replica, local } = services;
  const user = session.user();
  // other tabs leave their screens when the user is gone, and let go of the databases
  session.clear();
  queries.clear();
  if (user) await engine.close(user.id).catch(() => undefined);
  await replica.close();
  if (user) await untilNobodyWrites(services, user.id);
  await removeAskedCopy(local).catch(() => undefined);
  await call(logout, {}, { signal: AbortSignal.timeout(serverWaitMs) }).catch(() => undefined);
}

/** Sends what waits. @returns how many edits are still here afterwards. */
export async function sendNow({ engine }: Services, { outbox }: Replica): Promise<number> {
  await engine.sendNow();
  return (await pendingMutations(outbox)).length;
}
