import { useLiveQuery } from 'dexie-react-hooks';
import { lossesOf } from '#replica/device-tables.ts';
import { clientsOf } from '#replica/nouns.ts';
import { useReplica } from '#app/use-replica.ts';

/** How often parts of the copies in this browser were found damaged, and what was found last; null where that never was. */
export interface Losses {
  count: number;
  /** UTC milliseconds. */
  lastAt: number;
  lastReason: string;
}

/** What was noted of damage, kept live; `undefined` while the first look is under way. */
export function useLosses(): Losses | null | undefined {
  const replica = useReplica();
  return useLiveQuery(async () => {
    const [losses, clients] = await Promise.all([lossesOf(replica.host), clientsOf(replica)]);
    const last = losses.at(-1);
    if (!last) return null;
    // a client is noted by its id, which says nothing to the person
    const lastReason = clients.reduce((reason, { id, client_name: name }) => reason.replaceAll(id, name), last.reason);
    return { count: losses.length, lastAt: last.at, lastReason };
  }, [replica]);
}
