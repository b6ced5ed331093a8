import { useLiveQuery } from 'dexie-react-hooks';
import { useEffect, useState } from 'react';
import { type DeviceTables, deviceSchema, lossesIn } from '#replica/device-tables.ts';
import { clientsOf } from '#replica/nouns.ts';
import type { Store } from '#replica/store.ts';
import { useReplica } from '#app/use-replica.ts';

/** How often parts of the copies in this browser were found damaged, and what was found last; null where that never was. */
export interface Losses {
  count: number;
  /** UTC milliseconds. */
  lastAt: number;
  lastReason: string;
}

/** What belongs to this browser, open as long as one looks: of one that is opened for a question no live query hears again. */
function useDevice(): Store<DeviceTables> | undefined {
  const { host } = useReplica();
  const [device, setDevice] = useState<Store<DeviceTables>>();
  useEffect(() => {
    let isHere = true;
    const opening = host.open<DeviceTables>(deviceSchema);
    opening.then(
      (store) => isHere && setDevice(store),
      () => undefined,
    );
    return () => {
      isHere = false;
      opening.then(
        (store) => store.close(),
        () => undefined,
      );
    };
  }, [host]);
  return device;
}

/** What was noted of damage, kept live; `undefined` while the first look is under way. */
export function useLosses(): Losses | null | undefined {
  const replica = useReplica();
  const device = useDevice();
  return useLiveQuery(async () => {
    if (!device) return undefined;
    const [losses, clients] = await Promise.all([lossesIn(device), clientsOf(replica)]);
    const last = losses.at(-1);
    if (!last) return null;
    // a client is noted by its id, which says nothing to the person
    const lastReason = clients.reduce((reason, { id, client_name: name }) => reason.replaceAll(id, name), last.reason);
    return { count: losses.length, lastAt: last.at, lastReason };
  }, [replica, device]);
}
