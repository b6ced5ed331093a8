import { describe, expect, test } from 'vitest';
import { noFilter } from '#domain/transaction-filter.ts';
import type { ManifestRecord } from '#replica/row-tables.ts';
import type { GridQuery } from '#workers/start.ts';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { saveView } from './scenes.ts';

/** A device with a worker that writes and one that waits, as two tabs have them where they cannot share one. */
async function aWaitingOne() {
  const scene = new OneServer('feed');
  const { device } = scene;
  await scene.pass(2);
  device.startWorker();
  await scene.pass(2);
  const [writer, waiting] = device.workers;
  if (!writer || !waiting) throw new Error('There are two');
  return { scene, device, server: scene.server, writer, waiting };
}

describe('a worker that does not write', () => {
  test('[TB1] tells how the one stands that does', async () => {
    const { scene, writer, waiting } = await aWaitingOne();
    const mend = scene.fail(500, ({ path }) => path.startsWith('/sync'));
    await scene.pass(5);
    expect([waiting.status?.phase, waiting.status?.problem]).toEqual(['idle', writer.status?.problem]);
    expect(waiting.status?.problem).toMatch(/could not/);
    mend();
    await scene.pass(5);
    expect([waiting.status?.problem, waiting.status?.last_sync_at]).toEqual([null, writer.status?.last_sync_at]);
  });

  test('[TB2] has that one sync and bring what was imported', async () => {
    const { scene, server, waiting } = await aWaitingOne();
    let isDone = false;
    server.followers.clear();
    server.addTransaction(scene.entity.id);
    void waiting.engine.syncNow().then(() => (isDone = true));
    expect(await scene.world.scheduler.until(() => isDone, 20_000)).toBe(true);
    expect(scene.rowsHeld).toBe(scene.newestFirst().length);
  });

  test('[TB2] waits for no wish that nobody hears of', async () => {
    const { scene, waiting } = await aWaitingOne();
    const [writer] = scene.device.workers;
    writer!.actor.frozenUntil = Infinity;
    let isDone = false;
    void waiting.engine.syncNow().then(() => (isDone = true));
    // a dialog may be waiting for it
    await scene.pass(1 / 60);
    expect(isDone).toBe(true);
  });

  test('[TB2] does itself what it wanted, once the one that wrote is gone', async () => {
    const { scene, device, writer, waiting } = await aWaitingOne();
    const began = scene.world.scheduler.now;
    writer.actor.frozenUntil = Infinity;
    let doneAt = 0;
    void waiting.engine.syncNow().then(() => (doneAt = scene.world.scheduler.now));
    scene.server.addTransaction(scene.entity.id);
    device.killWorker(writer);
    await scene.world.scheduler.until(() => doneAt > 0, 20_000);
    expect([doneAt > 0 && doneAt - began < 10_000, scene.rowsHeld]).toEqual([true, scene.newestFirst().length]);
  });

  test('[TB3] tells the one that writes that there is a session again', async () => {
    const { scene, device, server, waiting } = await aWaitingOne();
    device.browser.session = 'ended';
    saveView(scene.world, 'Mine');
    await scene.pass(2);
    expect(waiting.status?.phase).toBe('signed_out');
    expect(waiting.status?.signed_out_of).toBe('the first');
    device.browser.session = 'good';
    void device.openEngine(waiting);
    await scene.pass(2);
    expect([waiting.status?.phase, server.views.size]).toEqual(['idle', 1]);
  });
});

test('[CS32] a list whose rows a worker that does not write cannot read is answered anew once it can, though nothing is written until then', async () => {
  const { scene, device, server, waiting } = await aWaitingOne();
  const { client_id } = scene.entity;
  const counts: number[] = [];
  const query: GridQuery = { clientIds: [client_id], filter: noFilter, sort: [], zone: 'UTC' };
  void waiting.engine.watchQuery('list', query, { offset: 0, limit: 10 }, ({ count }) => void counts.push(count));
  await scene.pass(1);
  const before = rowsOnDisk(device, client_id).size;
  expect(counts.at(-1)).toBe(before);
  const manifest = (): ManifestRecord | undefined =>
    device.disk.peek<ManifestRecord>(device.rowsName, 'manifests').find(({ set }) => set === client_id);
  const { format } = manifest()!;
  server.addTransaction(scene.entity.id);
  // by the time the worker that waits hears of it
  await scene.world.scheduler.until(() => rowsOnDisk(device, client_id).size > before, 20_000);
  Object.assign(manifest()!, { format: 'of another build' });
  await scene.pass(1);
  expect(counts.at(-1)).toBe(before);
  Object.assign(manifest()!, { format });
  await scene.pass(1 / 6);
  expect(counts.at(-1)).toBe(before + 1);
});
