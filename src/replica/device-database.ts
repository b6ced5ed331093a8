import { Dexie, type Table } from 'dexie';

/** A local database that had to be set aside, for the person and for support. */
export interface LossRecord {
  i?: number;
  at: number;
  database: string;
  reason: string;
}

/** What belongs to this browser and to no user. */
export class DeviceDatabase extends Dexie {
  device!: Table<{ k: string; value: unknown }, string>;
  keyring!: Table<{ user_key: string; mode: 'trusted' | 'shared' }, string>;
  loss_audit!: Table<LossRecord, number>;

  constructor() {
    super('tieout-device', { chromeTransactionDurability: 'strict' });
    this.version(1).stores({ device: '&k', keyring: '&user_key', loss_audit: '++i' });
  }
}

/** Notes what had to be dropped or set aside, for the person and for support. */
export async function recordLoss(loss: LossRecord): Promise<void> {
  const device = new DeviceDatabase();
  await device.loss_audit.add(loss);
  device.close();
}
