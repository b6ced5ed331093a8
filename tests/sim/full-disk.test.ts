import { expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { fairWeather } from './sim-net.ts';

test.each(['specification', 'feed'] as const)(
  '[SM48] on a full disk every edit is kept and sent, for no list takes the room that is kept for them (%s)',
  async (kind) => {
    const scene = new OneServer(kind);
    const { world, device, server, entity } = scene;
    await scene.pass(60);
    // what is looked at is not let go of
    void device.workers[0]?.engine.look(server.clients.map(({ id }) => id));
    await scene.pass(5);
    device.disk.room = device.disk.taken;
    const made: string[] = [];
    for (let no = 0; no < 8; no += 1) {
      const view = { id: world.uuid(), name: `View ${no}`, list: 'transactions', search: '' } as const;
      made.push(world.edit(0, 'saveView', view));
      // what a feed tells is applied all the same: it may take much away
      for (let row = 0; row < (kind === 'feed' ? 1 : 7); row += 1) server.addTransaction(entity.id);
      await scene.pass(7);
    }
    expect(made.map((id) => [world.made.get(id)?.isKept, server.effects.get(id)])).toEqual(made.map(() => [true, 1]));
    expect(world.pending(device)).toEqual([]);
    // and the copy goes on once there is room again
    device.disk.room = Infinity;
    await scene.pass(60);
    expect(scene.newestFirst().filter(({ id }) => !scene.isHeldAsItIs(id))).toEqual([]);
  },
);

test('[SY100] a page of the feed that met damage is asked for again before anything is called synced', async () => {
  const scene = new OneServer('feed');
  const { world, device, server } = scene;
  await scene.pass(60);
  const firstOf = (client: string) => {
    const entities = new Set(server.entities.flatMap(({ id, client_id }) => (client_id === client ? [id] : [])));
    return [...server.transactions.values()].find(({ entity_id }) => entities.has(entity_id))?.id ?? [];
  };
  // one that is read anew in a page, while which nothing is asked about the others
  const [damaged, ...others] = [...new Set(server.entities.map(({ client_id }) => client_id))].toReversed();
  const changed = [damaged ?? '', ...others].flatMap(firstOf);
  const synced = scene.status?.last_sync_at;
  // all of it is told on one page
  device.weather = { ...fairWeather, isOffline: true };
  device.disk.damage(device.rowsName, 'cold', (row) => (row as { set: string }).set === damaged);
  for (const id of changed) server.changeTransaction(id);
  await scene.pass(1);
  device.weather = { ...fairWeather };
  const isTold = await world.scheduler.until(() => (scene.status?.last_sync_at ?? 0) > (synced ?? 0), 100_000);
  expect([isTold, changed.length, changed.filter((id) => !scene.isHeldAsItIs(id))]).toEqual([true, others.length + 1, []]);
});
