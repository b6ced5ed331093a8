import { expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { mark, saveView } from './scenes.ts';
import type { ServerRequest } from './sim-server.ts';

// A server that takes no edit of the one build there is, for a while or for good, and answers all else.

const isEdit = ({ method, path }: ServerRequest): boolean => method === 'PUT' && !path.startsWith('/sync/');

/** @returns the moments, in virtual milliseconds, at which edits were refused, and how to have them taken. */
function refusing(scene: OneServer, isIt = isEdit): { refusals: number[]; mend: () => void } {
  const refusals: number[] = [];
  let isRefusing = true;
  scene.replace((request) => {
    if (!isRefusing || !isIt(request)) return null;
    refusals.push(scene.world.scheduler.now);
    return { status: 426, body: { detail: 'CLIENT_TOO_OLD' } };
  });
  const mend = (): void => {
    isRefusing = false;
  };
  return { refusals, mend };
}

test.each(['feed', 'specification'] as const)(
  '[OB63] edits the server would not take of this build go on by themselves once it takes it again, the others with the first: %s',
  async (kind) => {
    const scene = new OneServer(kind);
    const { server, world, device } = scene;
    await scene.pass(2);
    const { mend } = refusing(scene);
    // one after another: the first of them waits for longest
    const first = saveView(world, 'One');
    await scene.pass(1);
    const others = [saveView(world, 'Two'), saveView(world, 'Three')];
    await world.scheduler.until(() => world.pending(device).filter(({ state }) => state === 'paused_update').length === 3, 100_000);
    mend();
    await scene.pass(3);
    expect([first, ...others].map((id) => server.effects.get(id))).toEqual([1, 1, 1]);
    expect(world.pending(device)).toEqual([]);
  },
);

test('[OB63] so does one where the server took nothing at all of this build meanwhile', async () => {
  const scene = new OneServer('feed');
  const { server, world, device } = scene;
  await scene.pass(2);
  const { mend } = refusing(scene, () => true);
  const edit = saveView(world, 'One');
  await scene.pass(2);
  expect([scene.status?.phase, world.pending(device).map(({ state }) => state)]).toEqual(['outdated', ['paused_update']]);
  mend();
  await scene.pass(3);
  expect([scene.status?.phase, server.effects.get(edit), world.pending(device)]).toEqual(['idle', 1, []]);
});

test('[OB64] while it does not, they are tried again seldom, one at a time, and the more seldom the longer that lasts; what it takes goes', async () => {
  const scene = new OneServer('feed');
  const { server, world, device } = scene;
  await scene.pass(2);
  const { refusals } = refusing(scene, (request) => request.path.startsWith('/saved_views/'));
  for (const name of ['One', 'Two', 'Three']) saveView(world, name);
  await scene.pass(1);
  const begun = refusals.splice(0).length;
  await scene.pass(120);
  // each after one minute, two, four, eight, and then four times an hour
  expect([begun, refusals.length > 24, refusals.length <= 36]).toEqual([3, true, true]);
  const apart = refusals.slice(1).map((at, no) => at - (refusals[no] ?? 0));
  expect(Math.min(...apart)).toBeGreaterThanOrEqual(60_000);
  const taken = mark(world);
  await scene.pass(1);
  expect([server.effects.get(taken), world.pending(device).length]).toEqual([1, 3]);
});
