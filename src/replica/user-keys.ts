import { isNoRoom } from './ballast.ts';
import { withDevice } from './device-tables.ts';
import type { StoreHost } from './store.ts';

// Names of databases say whose they are in few signs, and the ids of two users may come to the same in these. Whoever opens theirs first
// has that name on this device, with what an earlier build kept under it, which did not tell them apart; any other one has their own.

/** A user's id in the signs that are in names. */
export function plainKeyOf(userId: string): string {
  return userId.toLowerCase().replace(/[^a-z0-9-]/g, '_');
}

/** No plain one has such a sign. */
const ownKeyOf = (userId: string): string => `=${userId}`;
const ownerName = (userId: string): string => `owner ${plainKeyOf(userId)}`;

function keyBeside(owner: unknown, userId: string): string {
  return owner === undefined || owner === userId ? plainKeyOf(userId) : ownKeyOf(userId);
}

/** What names of a user's databases say of whose they are. */
export function userKeyOf(host: StoreHost, userId: string): Promise<string> {
  return withDevice(host, async (device) => {
    const owner = await device.read(['device'], (tx) => tx.get('device', ownerName(userId)));
    return keyBeside(owner?.value, userId);
  });
}

/** The same, for good: databases are about to be opened by it. */
export async function takeUserKey(host: StoreHost, userId: string): Promise<string> {
  const k = ownerName(userId);
  try {
    return await withDevice(host, (device) =>
      device.write(['device'], async (tx) => {
        const owner = (await tx.get('device', k))?.value;
        if (owner === undefined) await tx.put('device', { k, value: userId });
        return keyBeside(owner, userId);
      }),
    );
  } catch (error) {
    // what is there is opened all the same, and the name taken once there is room
    if (!isNoRoom(error)) throw error;
    return userKeyOf(host, userId);
  }
}
