import { BrokenInvariant, unfinished, unsettled, type Watcher } from './invariants.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { World } from './world.ts';

const minuteMs = 60_000;
/** After everything is healed it must all be done within so many virtual minutes. */
const mostMinutes = 60;
/** The same with as many rows as there are: older ones are read anew by a few pages a minute, and half of a page was read with the one before. */
const mostMinutesOf = ({ server }: World): number => mostMinutes + server.visibleTransactions().length / server.mood.pageCap;
/** Of a minute: far more than any takes in which nothing is asked in a loop. */
const mostTurns = 200_000;

/** Within so many minutes, without anybody asking for it, every edit is settled, and where the server tells of changes and refused no list every copy is whole. */
const aloneMinutes = 5;

/** Whether some list was refused, be it by a page of a network: it is left alone for some minutes. */
function isRefused({ devices }: World): boolean {
  return devices.some((device) => device.disk.peek<PullRow>(device.rowsName, 'pulls').some((pull) => pull.denied_at !== undefined));
}

/** Once nothing fails any more everything is sent and everything is held. @throws BrokenInvariant where that does not come about. */
export async function comeToRest(world: World, watcher: Watcher): Promise<void> {
  let left: string[] = [];
  const most = mostMinutesOf(world);
  for (let minute = 0; minute < most; minute += 1) {
    world.heal();
    // what nobody looks at is read again slowly where no changes are told: then somebody looks
    if (minute >= aloneMinutes)
      for (const { workers } of world.devices) for (const { engine } of workers) engine.syncNow().catch(() => undefined);
    if (!(await world.scheduler.pass(minuteMs, mostTurns))) throw new BrokenInvariant('I12', `a minute takes more than ${mostTurns} turns`);
    watcher.check();
    left = unfinished(world);
    if (left.length === 0) return;
    const late = world.server.mood.hasFeed && !isRefused(world) ? left : unsettled(world);
    if (minute + 1 === aloneMinutes && late.length > 0)
      throw new BrokenInvariant('I12', `after ${aloneMinutes} minutes alone: ${late.slice(0, 4).join('; ')}`);
  }
  throw new BrokenInvariant('I4/I12', `after ${Math.floor(most)} minutes: ${left.slice(0, 4).join('; ')}`);
}

/** The person saves a view on the first device. @returns the edit's id. */
export function saveView(world: World, name: string, id?: string): string {
  return world.edit(0, 'saveView', { id: id ?? world.uuid(), name, list: 'transactions', search: `q=${name}` });
}

/** The person marks a transfer on the first device. */
export function mark(world: World): string {
  const [row] = world.server.transactions.values();
  return world.edit(0, 'markTransfer', { trx_id: row?.id ?? '', counterpart_id: null, is_transfer: true });
}
