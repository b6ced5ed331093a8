import type { Endpoint } from '#contract/endpoint.ts';
import { movedText } from '#contract/errors.ts';
import { callOf, rowReads } from '#contract/mutation-calls.ts';
import { mutationNamed } from '#contract/mutations.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { unseenText } from '#workers/gone-deletions.ts';
import type { MadeEdit } from './made-edit.ts';
import { endpointAt } from './model-calls.ts';
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

/** Where an attempt of an edit looks before anything is sent, at a server that compares no versions or keeps no keys. */
function looksOf({ name }: OutboxRow, about: MadeEdit['about']): Endpoint[] {
  const { finds } = callOf(name);
  // of what is to be deleted and is not there the client is looked for
  const isOfClient = mutationNamed(name).removes !== undefined;
  return [
    ...(about ? [rowReads[about.noun].endpoint] : []),
    ...(finds ? [finds.endpoint] : []),
    ...(isOfClient ? [rowReads.clients.endpoint] : []),
  ];
}

/**
 * In how many attempts an edit was looked for in vain: its worker asked, and was given nothing. Such an attempt is one in vain, though
 * nothing was sent under its key.
 */
function looksInVain({ browser }: SimDevice, edit: OutboxRow, { about, tries }: MadeEdit): number {
  const looks = new Set(looksOf(edit, about).map(({ name }) => name));
  const isLook = (path: string): boolean => looks.has(endpointAt('GET', path)?.name ?? '');
  return tries.filter(({ at, by }, no) => {
    const until = tries[no + 1]?.at ?? Infinity;
    return browser.failedReads.some((read) => read.by === by && read.at >= at && read.at < until && isLook(read.path));
  }).length;
}

/** Whether the server was tried with an edit so often, or with what it asks for first. */
function isTriedOut(device: SimDevice, world: World, edit: OutboxRow, sent: number): boolean {
  const made = world.made.get(edit.id);
  if (sent >= poisonAfter || !made) return sent >= poisonAfter;
  // none of its attempts counts twice
  return Math.min(sent + looksInVain(device, edit, made), made.tries.length) >= poisonAfter;
}

function isStoppedFor(device: SimDevice, world: World, edit: OutboxRow): boolean {
  const { id, lane, state, deps = [], error, resent } = edit;
  const { times, statuses } = triesOf(device, id);
  if (state === 'refused')
    // at a server that compares no versions the row, and the other one, is looked at before anything is sent
    return [...statuses].some(isRefusal) || error?.code === 'invalid' || [movedText, unseenText].includes(error?.detail ?? '');
  if (state === 'paused_permission') return statuses.has(403);
  if (state === 'parked') return isTriedOut(device, world, edit, times) || resent === 'asked';
  if (state !== 'paused_dependency') return true;
  const letGo = world.receipts(device).filter(({ outcome }) => outcome !== 'accepted');
  return letGo.some(({ id: gone }) => deps.includes(gone) || world.made.get(gone)?.lane === lane);
}

/** An edit that waits for its person though nothing happened for which it should, in words; null where there is none. */
export function stoppedEdit(world: World, device: SimDevice): string | null {
  const stopped = world.pending(device).find((edit) => !isStoppedFor(device, world, edit));
  return stopped ? `edit ${stopped.id} is ${stopped.state}, for which there is no reason: ${stopped.error?.detail ?? ''}` : null;
}
