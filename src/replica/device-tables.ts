import type { Store, StoreHost, StoreSchema } from './store.ts';

/** A local database that had to be set aside, for the person and for support. */
export interface LossRecord {
  i: number;
  at: number;
  database: string;
  reason: string;
}

/** What belongs to this browser and to no user. */
export type DeviceTables = {
  device: { row: { k: string; value: unknown }; key: string };
  keyring: { row: { user_key: string; mode: 'trusted' | 'shared' }; key: string };
  loss_audit: { row: LossRecord; key: number; auto: 'i' };
};

export const deviceSchema: StoreSchema = {
  name: 'tieout-device',
  durability: 'strict',
  isCopiedOver: true,
  versions: [{ device: '&k', keyring: '&user_key', loss_audit: '++i' }],
};

/** Does work with what belongs to this browser, which is open for as long as that takes. */
export async function withDevice<R>(host: StoreHost, work: (device: Store<DeviceTables>) => Promise<R>): Promise<R> {
  const device = await host.open<DeviceTables>(deviceSchema);
  try {
    return await work(device);
  } finally {
    device.close();
  }
}

/** Notes what had to be dropped or set aside, for the person and for support. */
export function recordLoss(host: StoreHost, loss: Omit<LossRecord, 'i'>): Promise<void> {
  return withDevice(host, (device) => device.write(['loss_audit'], (tx) => tx.add('loss_audit', loss)));
}

/** What was noted so, the latest last. */
export function lossesIn(device: Store<DeviceTables>): Promise<LossRecord[]> {
  return device.read(['loss_audit'], (tx) => tx.list('loss_audit'));
}

/** The name this browser has at servers, made up once. */
export function deviceIdOf(host: StoreHost, make: () => string): Promise<string> {
  return withDevice(host, (device) =>
    device.write(['device'], async (tx) => {
      const held = (await tx.get('device', 'device_id'))?.value;
      if (typeof held === 'string') return held;
      const made = make();
      await tx.put('device', { k: 'device_id', value: made });
      return made;
    }),
  );
}

/** The same; null where it was given none yet. */
export function heldDeviceId(host: StoreHost): Promise<string | null> {
  return withDevice(host, async (device) => {
    const held = (await device.read(['device'], (tx) => tx.get('device', 'device_id')))?.value;
    return typeof held === 'string' ? held : null;
  });
}
