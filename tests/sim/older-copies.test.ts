import { expect, test } from 'vitest';
import { replicaEpoch, replicaName } from '#replica/row-tables.ts';
import { OneServer } from './one-server.ts';
import { saveView } from './scenes.ts';

const [older, newer] = [replicaEpoch - 1, replicaEpoch + 1];

/** A device on which builds of other epochs, and somebody else's of the older one, left copies. */
async function afterUpdate() {
  const scene = new OneServer('feed');
  const { device, world } = scene;
  const [mine, theirs] = [device.userId, 'somebody'].map((user) => ({ older: replicaName(user, older), newer: replicaName(user, newer) }));
  const host = device.disk.hostFor({ name: 'a build before', isDead: false, frozenUntil: 0 });
  const all = [mine!.older, mine!.newer, theirs!.older, `${mine!.older}-e${older}`];
  let areLeft = false;
  const leave = async (): Promise<void> => {
    for (const name of all) (await host.open({ name, durability: 'relaxed', versions: [{ meta: '&k' }] })).close();
    areLeft = true;
  };
  device.killAll();
  void leave();
  await world.scheduler.until(() => areLeft, 1_000);
  device.revive();
  const left = (): string[] => all.filter((name) => device.disk.names().includes(name));
  return { scene, device, world, all, mine: mine!, left };
}

test('[PW15] what a build before left of a person’s copy goes once the first round is over, and nothing else does', async () => {
  const { scene, device, all, mine, left } = await afterUpdate();
  const removed: [string, boolean][] = [];
  device.disk.onRemove = (name) => void removed.push([name, scene.status?.last_sync_at != null]);
  await scene.pass(3);
  expect(removed).toEqual([[mine.older, true]]);
  expect(left()).toEqual(all.slice(1));
  expect(device.disk.names()).toEqual(expect.arrayContaining([device.rowsName, device.outboxName]));
});

test('[PW15] it stays while another worker is there, which may be of such a build', async () => {
  const { scene, device, all, left } = await afterUpdate();
  device.startWorker();
  await scene.pass(10);
  expect(left()).toEqual(all);
  device.killWorker(device.workers[1]!);
  await scene.pass(3);
  expect(left()).toEqual(all.slice(1));
});

test('[PW15] where the browser cannot take it away all goes on, and it goes at a later start', async () => {
  const { scene, device, all, left } = await afterUpdate();
  const hostFor = device.disk.hostFor.bind(device.disk);
  device.disk.hostFor = (actor) => ({ ...hostFor(actor), remove: () => Promise.reject(new Error('UnknownError')) });
  device.killAll();
  device.revive();
  await scene.pass(5);
  const edit = saveView(scene.world, 'Mine');
  await scene.pass(1);
  expect([scene.server.effects.get(edit), scene.status?.problem, left()]).toEqual([1, null, all]);
  device.disk.hostFor = hostFor;
  device.killAll();
  device.revive();
  await scene.pass(3);
  expect(left()).toEqual(all.slice(1));
});
