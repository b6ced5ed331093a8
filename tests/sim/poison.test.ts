import { expect, test } from 'vitest';
import { listSavedViews } from '#contract/saved-views.ts';
import { unfinished, Watcher } from './invariants.ts';
import { OneServer } from './one-server.ts';
import { comeToRest, saveView } from './scenes.ts';
import { World } from './world.ts';

const minuteMs = 60_000;
/** Within so many minutes all is done that can be: what nobody looks at is read again every ten. */
const mostMinutes = 12;

test.each([0, 1, 2, 3, 4, 5])(
  '[SM8] edits that the server cannot answer or refuses hold up their own rows and nothing else: world %i',
  async (seed) => {
    const world = new World(seed, { devices: 1 });
    const watcher = new Watcher(world);
    await comeToRest(world, watcher);
    const stuck = ([500, 422, 'page'] as const).map((status) => {
      const id = world.uuid();
      const first = saveView(world, `Stuck ${status}`, id);
      world.server.poisoned.set(first, status);
      return [first, saveView(world, `Behind ${status}`, id)];
    });
    const free = [1, 2, 3].map((no) => saveView(world, `Free ${no}`));
    // what is older is read a few pages at a time where no feed tells of it
    const [row] = [...world.server.transactions.values()].sort((a, b) => Date.parse(b.trx_date) - Date.parse(a.trx_date));
    if (row) await world.server.changeTransaction(row.id);

    await world.scheduler.pass(mostMinutes * minuteMs, 200_000);
    watcher.check();
    const [device] = world.devices;
    const waiting = device ? world.pending(device).map(({ id }) => id) : [];
    // a later edit that says all of its row anew takes the place of one that waits for the person
    expect(waiting.every((id) => stuck.flat().includes(id))).toBe(true);
    expect(free.map((id) => world.server.effects.get(id))).toEqual([1, 1, 1]);
    expect(unfinished(world).filter((what) => !stuck.flat().some((id) => what.includes(id)))).toEqual([]);
  },
);

test('[OB37] an edit whose row the server could not be asked for once is set aside one sending sooner, and the simulator knows why', async () => {
  const scene = new OneServer('specification');
  const { world, device, server } = scene;
  const watcher = new Watcher(world);
  await comeToRest(world, watcher);
  const stuck = saveView(world, 'Stuck');
  server.poisoned.set(stuck, 500);
  const stateOf = (id: string): string | undefined => world.pending(device).find((edit) => edit.id === id)?.state;
  const isSending = (): boolean => stateOf(stuck) === 'sending';
  let failures = 0;
  const heal = scene.fail(500, ({ path }) => {
    const isLook = path === listSavedViews.path && failures === 0 && isSending();
    failures += isLook ? 1 : 0;
    return isLook;
  });
  expect(await world.scheduler.until(() => failures > 0, 2_000)).toBe(true);
  heal();
  for (let minute = 0; stateOf(stuck) !== 'parked' && minute < mostMinutes; minute += 1) {
    // and another one is taken meanwhile
    saveView(world, `Free ${minute}`);
    await scene.pass(1);
    watcher.check();
  }
  expect([stateOf(stuck), device.browser.attempts.get(stuck)]).toEqual(['parked', 7]);
});
