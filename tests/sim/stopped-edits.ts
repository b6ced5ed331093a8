import { movedText } from '#contract/errors.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { unseenText } from '#workers/gone-deletions.ts';
import type { SimDevice } from './sim-device.ts';
import { editOfKey } from './sim-server.ts';
import type { World } from './world.ts';

/** Attempts in vain after which an edit is set aside. */
const poisonAfter = 8;
/** Refusals that say nothing of the change itself. */
const passing: ReadonlySet<number> = new Set([401, 408, 425, 426, 429]);
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && !passing.has(status);

/** Of an edit under whichever of its keys: how often it was sent, and with what the server itself answered. */
function triesOf({ browser }: SimDevice, id: string): { times: number; statuses: ReadonlySet<number> } {
  const own = <V>(of: ReadonlyMap<string, V>): V[] => [...of].flatMap(([key, value]) => (editOfKey(key) === id ? [value] : []));
  return {
    times: own(browser.attempts).reduce((sum, times) => sum + times, 0),
    statuses: new Set(own(browser.answered).flatMap((each) => [...each])),
  };
}

function isStoppedFor(device: SimDevice, world: World, { id, lane, state, deps = [], error, resent }: OutboxRow): boolean {
  const { times, statuses } = triesOf(device, id);
  if (state === 'refused')
    // at a server that compares no versions the row, and the other one, is looked at before anything is sent
    return [...statuses].some(isRefusal) || error?.code === 'invalid' || [movedText, unseenText].includes(error?.detail ?? '');
  if (state === 'paused_permission') return statuses.has(403);
  if (state === 'parked') return times >= poisonAfter || resent === 'asked';
  if (state !== 'paused_dependency') return true;
  const letGo = world.receipts(device).filter(({ outcome }) => outcome !== 'accepted');
  return letGo.some(({ id: gone }) => deps.includes(gone) || world.made.get(gone)?.lane === lane);
}

/** An edit that waits for its person though nothing happened for which it should, in words; null where there is none. */
export function stoppedEdit(world: World, device: SimDevice): string | null {
  const stopped = world.pending(device).find((edit) => !isStoppedFor(device, world, edit));
  return stopped ? `edit ${stopped.id} is ${stopped.state}, for which there is no reason: ${stopped.error?.detail ?? ''}` : null;
}
