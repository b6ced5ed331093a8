import { expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { dayMs } from './sim-server.ts';

const dates = [Date.UTC(1965, 3, 1), Date.UTC(1899, 11, 30)];

test.each((['feed', 'specification'] as const).flatMap((kind) => dates.map((at) => [kind, at] as const)))(
  '[SY70] rows of any date come and go, be they from before 1970, at a server of the kind %s: %i',
  async (kind, at) => {
    const scene = new OneServer(kind);
    const { server, entity, device } = scene;
    server.addTransaction(entity.id, at);
    const id = scene.newestFirst().at(-1)?.id ?? '';
    await scene.passUntil(() => rowsOnDisk(device).has(id), 60);
    expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
    server.deleteTransaction(id);
    await scene.passUntil(() => !rowsOnDisk(device).has(id), 24 * 60);
    expect(rowsOnDisk(device).has(id)).toBe(false);
  },
);

test('[SY71] a device that was put by for months reads all that was dated since, before it calls itself synced', async () => {
  const scene = new OneServer('specification');
  const { device, server, entity, world } = scene;
  scene.addOlder(900);
  await scene.pass(60);
  device.killAll();
  await scene.pass(60 * 24 * 80);
  for (let no = 0; no < 50; no += 1) server.addTransaction(entity.id, world.scheduler.now - (70 - no / 2) * dayMs);
  device.revive();
  await scene.pass(3);
  expect([scene.rowsHeld, scene.status?.phase]).toEqual([scene.newestFirst().length, 'idle']);
});
