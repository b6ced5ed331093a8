import type { PullRow } from '#replica/pulls.ts';
import type { SimDevice } from './sim-device.ts';

/** Whether a device was refused a list, and has not read it since. */
export function isRefused(device: SimDevice, scope: string, noun: string): boolean {
  const pull = device.disk.peek<PullRow>(device.rowsName, 'pulls').find((each) => each.scope === scope && each.noun === noun);
  return pull?.denied_at !== undefined && pull.last_complete_at === null;
}
