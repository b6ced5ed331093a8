import { type DeviceTables, withDevice } from './device-tables.ts';
import type { StoreHost, StoreReading } from './store.ts';

// How much of a device the copies on it may take, of all who sign in on it: a person may choose it, and a browser gives so much.

/** What a browser keeps for the app, and what it allows, in bytes. */
export interface StorageUse {
  usedBytes: number;
  quotaBytes: number;
}

/** What a person may choose, in bytes. */
export const budgetChoices = [500e6, 1e9, 2e9, 5e9, 10e9] as const;
/** What holds unless another one was chosen, in bytes. */
export const defaultBudget = 2e9;
/** How much of what the browser allows may be taken at most: on a disk that is nearly full it would go on giving until nothing works. */
export const shareOfQuota = 0.6;
/** What a transaction takes in a copy with all that belongs to it, in bytes: measured in Chromium with the rows of the demo. */
export const bytesOfTransaction = 430;

const budgetName = 'budget';

/** What was chosen on this device, in bytes; the default where nothing was. */
export async function budgetIn(tx: StoreReading<DeviceTables>): Promise<number> {
  const value = (await tx.get('device', budgetName))?.value;
  return typeof value === 'number' && value > 0 ? value : defaultBudget;
}

/** The same, of a device that is not open. */
export function chosenBudget(host: StoreHost): Promise<number> {
  return withDevice(host, (device) => device.read(['device'], budgetIn));
}

/** @param bytes how much the copies on this device may take from now on. */
export function chooseBudget(host: StoreHost, bytes: number): Promise<void> {
  return withDevice(host, (device) => device.write(['device'], (tx) => tx.put('device', { k: budgetName, value: bytes })));
}

/** What may be taken, where what is taken is more than that; null where it is within. @param chosen what was chosen, in bytes */
export function overBudget(chosen: number, { usedBytes, quotaBytes }: StorageUse): number | null {
  const budget = Math.min(shareOfQuota * quotaBytes, chosen);
  return usedBytes > budget ? budget : null;
}
