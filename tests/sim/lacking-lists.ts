import type { PullRow } from '#replica/pulls.ts';
import type { SimDevice } from './sim-device.ts';
import type { World } from './world.ts';

interface List {
  scope: string;
  noun: string;
}

/** Whether a device may lack rows of a list: since it read it, it was refused it, or what the person may see became something else. */
export function mayLack(world: World, device: SimDevice, list: List, changedAt = world.sightChangedAt(list.scope)): boolean {
  const { scope, noun } = list;
  const pull = device.disk.peek<PullRow>(device.rowsName, 'pulls').find((each) => each.scope === scope && each.noun === noun);
  const readAt = pull?.last_complete_at ?? null;
  // where its clock was set there may be several moments at which it read it
  const moments = device.momentsOf(readAt ?? 0);
  const isBefore = moments.length === 0 || moments.some((at) => at <= changedAt);
  return (readAt === null && pull?.denied_at !== undefined) || (changedAt > 0 && isBefore);
}

/**
 * When a copy may have ceased last to hold a row of the office, by what lists told it, UTC milliseconds; 0 where it must hold it. What went
 * because it was out of sight is back with the first list that has it, and one list may lack it though it is there. Nor can a copy tell
 * that list from those that lacked the row while it was out of sight: three one after another take it away, whichever they are. What was
 * never out of sight stays, for of so many lists in a row none lacks it.
 */
export function lackedSince(world: World, id: string): number {
  const sightChangedAt = world.rowSightChangedAt(id);
  return sightChangedAt > 0 ? Math.max(sightChangedAt, world.server.leftOutAt.get(id) ?? 0) : 0;
}
