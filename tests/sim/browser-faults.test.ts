import { describe, expect, test } from 'vitest';
import { noFilter } from '#domain/transaction-filter.ts';
import type { GridQuery } from '#workers/start.ts';
import { Watcher } from './invariants.ts';
import { comeToRest, mark, saveView } from './scenes.ts';
import type { SimDevice } from './sim-device.ts';
import { type ServerKind, World } from './world.ts';

// What browsers do to an app while it runs, each told once; the seeds do the same among everything else.

async function aWorldAtRest(kind: ServerKind, seed = 5) {
  const world = new World(seed, { devices: 1, kind });
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  await comeToRest(world, watcher);
  return { world, watcher, device };
}

/** Somebody looks at every row: the worker has read them. */
async function lookAtAll({ server, scheduler }: World, { workers }: SimDevice): Promise<void> {
  const query: GridQuery = { clientIds: server.clients.map(({ id }) => id), filter: noFilter, sort: [], zone: 'UTC' };
  let seen = 0;
  const onResult = ({ rows }: { rows: readonly unknown[] }): void => {
    seen = rows.length;
  };
  void workers[0]?.engine.watchQuery('all', query, { offset: 0, limit: 1_000 }, onResult);
  expect(await scheduler.until(() => seen === server.visibleTransactions().length, 2_000)).toBe(true);
}

describe.each<ServerKind>(['feed', 'specification'])('at a server of kind %s', (kind) => {
  test('[SM30] a copy that is deleted beneath a worker is read anew, by it and whole', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { world, watcher, device } = await aWorldAtRest(kind, seed);
      await lookAtAll(world, device);
      // another tab could not open it, and sets it aside
      await world.scheduler.until(() => false, seed * 3);
      device.removeCopy();
      saveView(world, 'Mine');
      mark(world);
      await world.scheduler.until(() => false, 40);
      await comeToRest(world, watcher);
      // what it says it holds is on the disk
      device.killAll();
      device.revive();
      await comeToRest(world, watcher);
      expect(device.disk.peek('tieout-device', 'loss_audit')).toEqual([]);
    }
  });

  test('[SM31] a worker and a tab whose connections the browser closed go on', async () => {
    for (let turns = 0; turns < 60; turns += 3) {
      const { world, watcher, device } = await aWorldAtRest(kind);
      saveView(world, 'Mine');
      mark(world);
      await world.scheduler.until(() => false, turns);
      device.disk.loseConnections();
      device.disk.failingOpens = 2;
      await world.scheduler.until(() => false, 100);
      watcher.check();
      await comeToRest(world, watcher);
    }
  });

  test('[SM32] a browser that clears everything while the app runs fills its copy anew, and what is made from then on is kept and sent', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const { world, watcher, device } = await aWorldAtRest(kind, seed);
      saveView(world, 'Gone');
      mark(world);
      await world.scheduler.until(() => false, seed * 4);
      world.clear(device);
      const id = saveView(world, 'Mine');
      await comeToRest(world, watcher);
      expect(world.server.effects.get(id)).toBe(1);
      device.killAll();
      device.revive();
      await comeToRest(world, watcher);
      expect(device.disk.peek('tieout-device', 'loss_audit')).toEqual([]);
    }
  });
});
