import { isNoRoom } from './ballast.ts';
import { type DeviceTables, withDevice } from './device-tables.ts';
import type { Replica } from './open.ts';
import type { Store } from './store.ts';

type Place = Pick<Replica, 'host' | 'userKey'>;

export const looksName = ({ userKey }: Pick<Place, 'userKey'>): string => `looked_at ${userKey}`;

const momentsIn = (value: unknown): Record<string, number> =>
  Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));

/** Notes that somebody looks at clients: on a device without room those go first that nobody looked at for longest. */
export async function noteLook(
  device: Store<DeviceTables>,
  place: Pick<Place, 'userKey'>,
  clientIds: readonly string[],
  now: number,
): Promise<void> {
  const k = looksName(place);
  const looked = Object.fromEntries(clientIds.map((id) => [id, now]));
  try {
    await device.write(['device'], async (tx) => {
      await tx.put('device', { k, value: { ...momentsIn((await tx.get('device', k))?.value), ...looked } });
    });
  } catch (error) {
    // an older moment does, too
    if (!isNoRoom(error)) throw error;
  }
}

/** When somebody looked at each client last on this device, UTC milliseconds. Those that nobody did are not in it. */
export function looksOf(place: Place): Promise<Record<string, number>> {
  return withDevice(place.host, async (device) =>
    momentsIn((await device.read(['device'], (tx) => tx.get('device', looksName(place))))?.value),
  );
}
