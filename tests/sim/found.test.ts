import { describe, expect, test } from 'vitest';
import { Watcher } from './invariants.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { comeToRest, saveView } from './scenes.ts';
import { World } from './world.ts';

// Faults that the simulator found, each told again.

function aWorld() {
  const world = new World(5, { devices: 1 });
  return { world, watcher: new Watcher(world), device: world.devices[0] as World['devices'][0] };
}

describe('an engine', () => {
  test('[SM3] that finds the disk full when it starts works once there is room', async () => {
    const { world, watcher, device } = aWorld();
    device.disk.failingWrites = 3;
    await comeToRestOf(world, watcher);
    expect(device.disk.peek(device.rowsName, 'clients')).toHaveLength(2);
  });

  test('[SM12] that cannot open its databases tries again, and somebody who signs out meanwhile is not held up', async () => {
    const { world, watcher, device } = aWorld();
    device.killAll();
    device.disk.failingOpens = 5;
    device.startWorker();
    const [worker] = device.workers;
    await world.scheduler.until(() => worker?.status?.phase === 'stopped', 200);
    expect(worker?.status?.problem).toMatch(/^The copy on this device cannot be opened: .* It is tried again; nothing is lost\.$/);
    device.openPage();
    await comeToRest(world, watcher);

    device.killAll();
    device.disk.failingOpens = Infinity;
    device.startWorker();
    const [other] = device.workers;
    await world.scheduler.until(() => other?.status?.phase === 'stopped', 200);
    let isClosed = false;
    void other?.engine.close(device.userId).then(() => (isClosed = true));
    expect(await world.scheduler.until(() => isClosed, 200)).toBe(true);
  });

  test('[SM4] whose lock was taken works again when the other one is gone', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.startWorker();
    device.browser.locks.take(() => true);
    await world.scheduler.pass(60_000, 50_000);
    const [, second] = device.workers;
    if (second) device.killWorker(second);
    saveView(world, 'Mine');
    await comeToRest(world, watcher);
    expect(world.server.views.size).toBe(1);
  });

  test('[SM5] writes nothing more of a term that is over, though pulls of it are still on their way', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const world = new World(seed, { devices: 1 });
      const watcher = new Watcher(world);
      const [device] = world.devices;
      if (!device) continue;
      device.weather = { ...device.weather, delayMs: 5_000 };
      await world.scheduler.until(() => false, 150 + seed * 10);
      device.startWorker();
      device.browser.locks.take(() => true);
      await world.scheduler.pass(120_000, 50_000);
      watcher.check();
      await comeToRest(world, watcher);
    }
  });
});

test('[SM13] on a full disk the client goes that was not looked at for longest, and comes back when it is looked at', async () => {
  const { world, watcher, device } = aWorld();
  await comeToRest(world, watcher);
  const [worker] = device.workers;
  const { clients, entities } = world.server;
  const [cold = '', warm = ''] = clients.map(({ id }) => id);
  const rowsOf = (client: string): number =>
    [...rowsOnDisk(device).values()].filter(({ entity_id }) =>
      entities.some(({ id, client_id }) => id === entity_id && client_id === client),
    ).length;
  const there = (client: string): number =>
    world.server
      .visibleTransactions()
      .filter(({ entity_id }) => entities.some(({ id, client_id }) => id === entity_id && client_id === client)).length;
  const here = (): boolean[] => [cold, warm].map((client) => rowsOf(client) === there(client));
  const isGone = (client: string): boolean => rowsOf(client) === 0 && device.letGo.join() === client;
  const wait = (until: () => boolean): Promise<boolean> => world.scheduler.until(until, 50_000);
  const look = async (client: string): Promise<void> => {
    void worker?.engine.look([client]);
    await world.scheduler.pass(1000, 1000);
  };
  await look(cold);
  await look(warm);
  expect(here()).toEqual([true, true]);

  device.disk.room = device.disk.taken + 2000;
  for (const { id } of entities) for (let no = 0; no < 20; no += 1) void world.server.addTransaction(id);
  expect(await wait(() => isGone(cold) && rowsOf(warm) === there(warm))).toBe(true);
  expect(await wait(() => worker?.status?.problem?.startsWith('There was no room on this device for all clients.') === true)).toBe(true);
  const id = saveView(world, 'Mine');
  await look(cold);
  expect(await wait(() => isGone(warm) && rowsOf(cold) > 0)).toBe(true);
  device.disk.room = Infinity;
  await look(warm);
  expect(await wait(() => here().every(Boolean))).toBe(true);
  await comeToRest(world, watcher);
  expect(world.server.effects.get(id)).toBe(1);
});

test('[SM10] a first pull that ends is not read again in the same round', async () => {
  const world = new World(4, { devices: 1, kind: 'specification' });
  const began = new Map<string, number>();
  const handle = world.server.handle.bind(world.server);
  world.server.handle = (request) => {
    const { path, query } = request;
    const entity = query.get('entity_id') ?? '';
    // the newest page of the recent months
    if (path === '/transactions' && !query.has('end_date')) began.set(entity, (began.get(entity) ?? 0) + 1);
    return handle(request);
  };
  const [worker] = (world.devices[0] as World['devices'][0]).workers;
  expect(await world.scheduler.until(() => worker?.status?.phase === 'idle', 20_000)).toBe(true);
  expect([...began.values()]).toEqual([1, 1, 1]);
});

describe('an edit', () => {
  test('[SM9] that is made on a full disk is given the room that is kept for it', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.disk.failingWrites = 1;
    const id = saveView(world, 'Mine');
    await world.scheduler.until(() => world.made.get(id)?.isKept === true, 500);
    const kept = device.disk.peek<{ id: string }>(device.outboxName, 'blobs').map((blob) => blob.id);
    expect([device.disk.failingWrites, kept]).toEqual([0, ['reserve']]);
    await comeToRest(world, watcher);
    expect(world.server.effects.get(id)).toBe(1);
  });

  test('[SM6] that a gateway said had failed may have arrived: the next one of its row waits behind it', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.weather = { ...device.weather, answersSpoilt: true };
    const id = world.uuid();
    const first = saveView(world, 'First', id);
    await world.scheduler.until(() => world.server.effects.has(first), 2_000);
    await world.scheduler.until(() => world.pending(device).every(({ state }) => state !== 'sending'), 2_000);
    saveView(world, 'Second', id);
    await world.scheduler.until(() => world.pending(device).length > 1, 500);
    expect(world.pending(device).map(({ title, state }) => [title, state])).toEqual([
      ['saveView', 'uncertain'],
      ['saveView', 'queued'],
    ]);
    await comeToRest(world, watcher);
    expect([...world.server.views.values()].map(({ name }) => name)).toEqual(['Second']);
    expect(world.receipts(device).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
  });
});

/** As it comes to rest, but that faults planted on the disk stay planted until they were met. */
async function comeToRestOf(world: World, watcher: Watcher): Promise<void> {
  await world.scheduler.pass(120_000, 100_000);
  expect(world.devices[0]?.disk.failingWrites).toBe(0);
  await comeToRest(world, watcher);
}
