import type { StoreHost, StoreSchema } from './store.ts';

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
  versions: [{ device: '&k', keyring: '&user_key', loss_audit: '++i' }],
};

/** Notes what had to be dropped or set aside, for the person and for support. */
export async function recordLoss(host: StoreHost, loss: Omit<LossRecord, 'i'>): Promise<void> {
  const device = await host.open<DeviceTables>(deviceSchema);
  await device.write(['loss_audit'], (tx) => tx.add('loss_audit', loss));
  device.close();
}

/** Gives the databases of a user on this browser a mark, unless they have one. @returns the one they had; null where they had none. */
export async function markInstall(host: StoreHost, userId: string, mark: string): Promise<string | null> {
  const device = await host.open<DeviceTables>(deviceSchema);
  try {
    return await device.write(['device'], async (tx) => {
      const k = `install ${userId}`;
      const held = (await tx.get('device', k))?.value;
      if (typeof held === 'string') return held;
      await tx.put('device', { k, value: mark });
      return null;
    });
  } finally {
    device.close();
  }
}

const lossKnown = (userId: string): string => `loss known ${userId}`;

/** Whether the person was told what went with the databases these ones took the place of. */
export async function isLossKnown(host: StoreHost, userId: string): Promise<boolean> {
  const device = await host.open<DeviceTables>(deviceSchema);
  try {
    return (await device.read(['device'], (tx) => tx.get('device', lossKnown(userId)))) !== undefined;
  } finally {
    device.close();
  }
}

/** The person was told, or is about to be. */
export async function knowLoss(host: StoreHost, userId: string): Promise<void> {
  const device = await host.open<DeviceTables>(deviceSchema);
  try {
    await device.write(['device'], (tx) => tx.put('device', { k: lossKnown(userId), value: true }));
  } finally {
    device.close();
  }
}

/** The name this browser has at servers, made up once. */
export async function deviceIdOf(host: StoreHost, make: () => string): Promise<string> {
  const device = await host.open<DeviceTables>(deviceSchema);
  try {
    return await device.write(['device'], async (tx) => {
      const held = (await tx.get('device', 'device_id'))?.value;
      if (typeof held === 'string') return held;
      const made = make();
      await tx.put('device', { k: 'device_id', value: made });
      return made;
    });
  } finally {
    device.close();
  }
}
