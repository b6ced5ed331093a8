import { expect, test } from 'vitest';
import { getMe } from '#contract/session.ts';
import { OneServer } from './one-server.ts';
import { saveView } from './scenes.ts';

// What others in the same browser have to do with a worker: one of a newer build beside it, and somebody whose session is there yet.

test('[SM36] a worker whose build the server takes no more lets one of a newer build write', async () => {
  const scene = new OneServer('feed');
  const { device, server, world } = scene;
  await scene.pass(2);
  server.oldestBuild = Number(device.build) + 1;
  scene.alter((request, answer) =>
    Number(request.build) < server.oldestBuild ? { status: 426, body: { detail: 'CLIENT_TOO_OLD' } } : answer,
  );
  await scene.pass(2);
  const [old] = device.workers;
  expect(old?.status?.phase).toBe('outdated');
  device.build = String(server.oldestBuild);
  device.startWorker();
  const id = saveView(world, 'Mine');
  await scene.pass(1);
  expect([server.effects.get(id), device.workers.at(-1)?.status?.phase, old?.status?.phase]).toEqual([1, 'idle', 'outdated']);
});

test('[SE67] at a server that is not told whose each request is nothing is sent or read with the session of somebody else', async () => {
  const scene = new OneServer('specification');
  const { world, server, device } = scene;
  const asked = new Set<string>();
  let isOthers = true;
  scene.alter(({ method, path }, answer) => {
    if (isOthers) asked.add(`${method} ${path}`);
    return isOthers && path === getMe.path ? { ...answer, body: { ...(answer.body as object), id: 'somebody else' } } : answer;
  });
  await world.scheduler.until(() => device.page?.replica != null, 1_000);
  const edit = saveView(world, 'Mine');
  await scene.pass(3);
  expect([...asked].filter((call) => !/hello|diagnosis|users\/me/.test(call))).toEqual([]);
  expect(scene.status?.problem).toMatch(/^Somebody else is signed in/);
  expect([device.disk.peek(device.rowsName, 'clients'), world.pending(device).length]).toEqual([[], 1]);
  isOthers = false;
  await scene.pass(1);
  expect([server.effects.get(edit), scene.status?.problem]).toEqual([1, null]);
});
