import { logout } from '#contract/session.ts';
import { pendingMutations } from '#replica/outbox.ts';
import type { Replica } from '#replica/open.ts';
import type { Services } from '#app/services.tsx';
import { askedRemovals, removeAskedCopies } from './copy-removal.ts';

/** Longest wait for the server to end the session, in milliseconds; it ends by itself when it expires. */
const serverWaitMs = 5_000;

/** Ends the session here and, when it can be reached, at the server. The outbox stays, and the copy unless its removal was asked. */
export async function endSession(services: Services): Promise<void> {
  const { engine, call, session, queries, replica, local, locks } = services;
  const user = session.user();
  // other tabs leave their screens when the user is gone, and let go of the databases
  session.clear();
  queries.clear();
  // a tab that follows another one's sign-out finds nobody signed in
  const leaving = new Set([...(user ? [user.id] : []), ...askedRemovals(local)]);
  await Promise.all([...leaving].map((userId) => engine.close(userId).catch(() => undefined)));
  await replica.close();
  const ending = call(logout, {}, { signal: AbortSignal.timeout(serverWaitMs) }).catch(() => undefined);
  await removeAskedCopies(local, locks);
  await ending;
}

/** Sends what waits. @returns how many edits are still here afterwards. */
export async function sendNow({ engine }: Services, { outbox }: Replica): Promise<number> {
  await engine.sendNow();
  return (await pendingMutations(outbox)).length;
}
