import { describe, expect, test } from 'vitest';
import { comeToRest, mark, saveView } from './scenes.ts';
import { Watcher } from './invariants.ts';
import { type ServerKind, World } from './world.ts';

/** The ways everything may end at any moment. */
const ends: Record<string, (world: World) => void> = {
  'the worker dies': ({ devices }) => devices[0]?.workers.slice(0, 1).forEach((worker) => devices[0]?.killWorker(worker)),
  'the browser is killed': ({ devices }) => devices[0]?.killAll(),
  'the power fails': (world) => {
    const [device] = world.devices;
    device?.killAll();
    device?.disk.losePower();
    world.powerLosses += 1;
  },
  'another worker takes over': ({ devices }) => {
    devices[0]?.startWorker();
    devices[0]?.browser.locks.take(() => true);
  },
};

const seed = 11;
/** Until it has sent two edits, read back what came of them, and refreshed everything. */
const turnsOfInterest = 330;

/** Everything is pulled; then two edits are made and somebody else changes a row. */
async function begun(kind: ServerKind): Promise<{ world: World; watcher: Watcher }> {
  const world = new World(seed, { devices: 1, kind });
  const watcher = new Watcher(world);
  await comeToRest(world, watcher);
  saveView(world, 'Mine');
  mark(world);
  await world.server.changeTransaction([...world.server.transactions.keys()][3] ?? '');
  return { world, watcher };
}

describe.each<ServerKind>(['feed', 'specification'])('at every turn of sending, settling and pulling, at a server of kind %s', (kind) => {
  for (const [what, end] of Object.entries(ends)) {
    test(`[SM2] ${what}, and nothing is lost, doubled or left out`, async () => {
      const states = new Set<string>();
      for (let turn = 0; turn < turnsOfInterest; turn += 1) {
        const { world, watcher } = await begun(kind);
        await world.scheduler.until(() => false, turn);
        const [device] = world.devices;
        if (device) for (const { state } of world.pending(device)) states.add(state);
        end(world);
        watcher.check();
        await comeToRest(world, watcher);
      }
      // all that an edit goes through was cut through
      expect([...states].toSorted()).toEqual(['acked', 'queued', 'sending']);
    }, 240_000);
  }
});
