import { withDevice } from './device-tables.ts';
import type { StoreHost } from './store.ts';
import type { OutboxStore } from './outbox-tables.ts';

// By a mark a browser is known that threw the outbox away: the mark goes with it, and local storage remembers that there was one.

const markName = 'install';
const knownName = 'loss known';

/** The mark that builds before kept among what belongs to this browser; it is taken from there. */
function takeFormerMark(host: StoreHost, userId: string): Promise<string | null> {
  return withDevice(host, (device) =>
    device.write(['device'], async (tx) => {
      const held = (await tx.get('device', `${markName} ${userId}`))?.value;
      await tx.removeMany('device', [`${markName} ${userId}`, `${knownName} ${userId}`]);
      return typeof held === 'string' ? held : null;
    }),
  );
}

/** Gives a user's outbox a mark, unless it has one. @returns the one it had; null where it had none. */
export async function markInstall(outbox: OutboxStore, host: StoreHost, userId: string, mark: string): Promise<string | null> {
  const held = (await outbox.read(['marks'], (tx) => tx.get('marks', markName)))?.value;
  if (typeof held === 'string') return held;
  const former = await takeFormerMark(host, userId);
  return outbox.write(['marks'], async (tx) => {
    // another tab may have been first
    const since = (await tx.get('marks', markName))?.value;
    if (typeof since === 'string') return since;
    await tx.put('marks', { k: markName, value: former ?? mark });
    return former;
  });
}

/** Whether the person was told what went with the outbox that this one took the place of. */
export async function isLossKnown(outbox: OutboxStore): Promise<boolean> {
  return (await outbox.read(['marks'], (tx) => tx.get('marks', knownName))) !== undefined;
}

/** The person was told, or is about to be. */
export function knowLoss(outbox: OutboxStore): Promise<void> {
  return outbox.write(['marks'], (tx) => tx.put('marks', { k: knownName, value: true }));
}
