import { withDevice } from './device-tables.ts';
import type { StoreHost } from './store.ts';

// That something is to be wiped is on the disk before anything of it goes, among what belongs to this browser and to no user: whatever
// cuts the wiping short, it is gone on with.

const prefix = 'wipe ';

/** Notes that what a user has here is to go, or how far that is. When the promise resolves it is on disk. */
export function keepIntent(host: StoreHost, userId: string, value: unknown): Promise<void> {
  return withDevice(host, (device) => device.write(['device'], (tx) => tx.put('device', { k: prefix + userId, value })));
}

/** All that was noted so, as it was noted; a newer build may have noted it otherwise. */
export function intentsIn(host: StoreHost): Promise<unknown[]> {
  return withDevice(host, async (device) => {
    const noted = await device.read(['device'], (tx) => tx.list('device', { from: prefix, to: `${prefix}\uffff` }));
    return noted.map(({ value }) => value);
  });
}

export function dropIntent(host: StoreHost, userId: string): Promise<void> {
  return withDevice(host, (device) => device.write(['device'], (tx) => tx.remove('device', prefix + userId)));
}
