import { describe, expect, test } from 'vitest';
import { noFilter } from '#domain/transaction-filter.ts';
import type { GridQuery, GridRow } from '#workers/start.ts';
import { counterpartsOf } from './happenings.ts';
import { Watcher } from './invariants.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { comeToRest, mark, saveView } from './scenes.ts';
import type { SimDevice } from './sim-device.ts';
import { fairWeather } from './sim-net.ts';
import { type ServerKind, World } from './world.ts';

// What browsers do to an app while it runs, each told once; the seeds do the same among everything else.

async function aWorldAtRest(kind: ServerKind, seed = 5) {
  const world = new World(seed, { devices: 1, kind });
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  await comeToRest(world, watcher);
  return { world, watcher, device };
}

/** Somebody looks at every row that is here: the worker has read them. */
async function rowsShown({ server, scheduler }: World, device: SimDevice): Promise<readonly GridRow[]> {
  const query: GridQuery = { clientIds: server.clients.map(({ id }) => id), filter: noFilter, sort: [], zone: 'UTC' };
  let shown: readonly GridRow[] = [];
  const onResult = ({ rows }: { rows: readonly GridRow[] }): void => {
    shown = rows;
  };
  void device.workers[0]?.engine.watchQuery('all', query, { offset: 0, limit: 1_000 }, onResult);
  expect(await scheduler.until(() => shown.length === rowsOnDisk(device).size, 2_000)).toBe(true);
  return shown;
}

test('[CF55] a decision about a pair that waits while its copy is removed is asked about where somebody paired the row anew', async () => {
  const world = new World(5, { devices: 1, kind: 'feed' });
  const { server, scheduler } = world;
  server.mood.comparesVersions = true;
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  const threes = [...server.transactions.values()].map((leg) => [leg, ...counterpartsOf(leg, world)].map(({ id }) => id));
  const [one, other, third] = threes.find(({ length }) => length > 2) as [string, string, string];
  await server.markPair(one, other);
  await comeToRest(world, watcher);
  device.weather = { ...fairWeather, isOffline: true };
  world.edit(0, 'markTransfer', { trx_id: one, counterpart_id: other, is_transfer: false });
  await scheduler.until(() => false, 40);
  device.killAll();
  device.removeCopy();
  await server.markPair(one, third);
  device.weather = { ...fairWeather };
  // it reads its rows before it sends
  const handle = server.handle.bind(server);
  const isRead = () => rowsOnDisk(device).has(one);
  server.handle = (request) => (request.method !== 'PUT' || isRead() ? handle(request) : { status: 503, body: { detail: 'Busy' } });
  device.revive();
  expect(await scheduler.until(isRead, 4_000)).toBe(true);
  expect(await scheduler.until(() => world.pending(device).some(({ state }) => state === 'conflict'), 4_000)).toBe(true);
  expect(server.transactions.get(one)).toMatchObject({ match_state: 'APPROVED' });
});

describe.each<ServerKind>(['feed', 'specification'])('at a server of kind %s', (kind) => {
  test('[SM30] a copy that is deleted beneath a worker is read anew, by it and whole', async () => {
    for (let seed = 0; seed < 10; seed += 2) {
      const { world, watcher, device } = await aWorldAtRest(kind, seed);
      await rowsShown(world, device);
      // another tab could not open it, and sets it aside
      await world.scheduler.until(() => false, seed * 5);
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
    for (let turns = 0; turns < 60; turns += 7) {
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
    for (let seed = 0; seed < 10; seed += 2) {
      const { world, watcher, device } = await aWorldAtRest(kind, seed);
      saveView(world, 'Gone');
      mark(world);
      await world.scheduler.until(() => false, seed * 6);
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

  test('[SM33] where the browser has no locks what is here is shown and edited, and nothing is sent or pulled; elsewhere all of it is', async () => {
    const { world, watcher, device } = await aWorldAtRest(kind);
    device.killAll();
    device.browser.hasLocks = false;
    device.revive();
    await world.scheduler.pass(1_000, 2_000);
    const [worker] = device.workers;
    const before = world.server.requests;
    const id = mark(world);
    await world.server.addTransaction(world.server.entities[0]?.id ?? '');
    await world.scheduler.pass(120_000, 10_000);
    watcher.check();
    expect(world.server.requests).toBe(before);
    expect(worker?.status).toMatchObject({ phase: 'stopped', problem: expect.stringMatching(/^Nothing is sent .* Your edits are kept/) });
    const shown = await rowsShown(world, device);
    expect(shown.filter(({ pending }) => pending !== null).map((row) => row.id)).toEqual([[...world.server.transactions.keys()][0]]);
    device.browser.hasLocks = true;
    device.killAll();
    await comeToRest(world, watcher);
    expect(world.server.effects.get(id)).toBe(1);
  });
});

test.each([
  ['which is not begun', 'begin'],
  ['of which nobody hears', 'commit'],
])(
  '[OB73] an edit is sent though the name this browser has at servers cannot be read: a fault of its own disk is none of the server, and leaves nobody in doubt whether the edit arrived: in a reading %s',
  async (_, moment) => {
    // at such a server nothing is named before the first edit
    const { world, watcher, device } = await aWorldAtRest('specification');
    const id = saveView(world, 'Mine');
    const isNaming = (): boolean => world.scheduler.recent.at(-1)?.endsWith(`${moment} write tieout-device device`) === true;
    expect(await world.scheduler.until(isNaming, 2_000)).toBe(true);
    device.disk.loseConnections();
    const faults = (): string[] => world.pending(device).flatMap(({ error }) => error?.detail ?? []);
    await world.scheduler.until(() => faults().length > 0 || world.server.effects.has(id), 2_000);
    expect([faults(), world.pending(device).map((edit) => edit.may_have_arrived ?? false)]).toEqual([[], [false]]);
    await comeToRest(world, watcher);
    expect([world.server.effects.get(id), device.browser.attempts.get(id)]).toEqual([1, 1]);
  },
);
