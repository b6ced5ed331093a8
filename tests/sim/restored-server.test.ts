import { expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';

test.each([
  ['of an older version', 0],
  ['of the same version, and others', 3],
] as const)(
  '[SY59] transactions of a server that tells no changes and was restored from a backup become as it has them, though they are %s',
  async (_, changes) => {
    const scene = new OneServer('specification');
    const { world, device, server } = scene;
    const [id = ''] = server.transactions.keys();
    server.backUp();
    for (let times = 0; times < 3; times += 1) server.decideTransaction(id, true);
    await scene.pass(30);
    expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
    await world.restore();
    for (let times = 0; times < changes; times += 1) server.decideTransaction(id, false);
    expect(rowsOnDisk(device).get(id)).not.toEqual(server.transactions.get(id));
    await scene.passUntil(() => scene.isHeldAsItIs(id), 24 * 60);
    expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
  },
);

test('[SY64] a row that went comes back where the server is put back to what it was, and tells no changes any more', async () => {
  const scene = new OneServer('feed');
  const { world, server, device } = scene;
  const id = scene.newestFirst()[3]?.id ?? '';
  server.backUp();
  await scene.pass(5);
  server.decideTransaction(id, true);
  server.deleteTransaction(id);
  await scene.pass(5);
  expect(rowsOnDisk(device).has(id)).toBe(false);
  await world.restore();
  server.mood.hasFeed = false;
  await scene.passUntil(() => rowsOnDisk(device).has(id), 12 * 60);
  expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
});
