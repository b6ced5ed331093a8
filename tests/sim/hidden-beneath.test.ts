import { expect, test } from 'vitest';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { Watcher } from './invariants.ts';
import { aMadeEdit, leftBeneath, type MadeEdit } from './made-edit.ts';
import { saveView } from './scenes.ts';
import type { SimDevice } from './sim-device.ts';
import { fairWeather } from './sim-net.ts';
import { World } from './world.ts';

const minuteMs = 60_000;

/** A device at a server that tells what changes, and compares no versions; everything it did is checked with `check`. */
function aWorld() {
  const world = new World(1, { devices: 1, kind: 'feed' });
  world.server.mood.comparesVersions = false;
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  device.weather = { ...fairWeather };
  return {
    world,
    device,
    check: () => watcher.check(),
    pass: (minutes: number) => world.scheduler.pass(minutes * minuteMs, 100_000),
    standsAs: (state: OutboxRow['state']) => world.pending(device).some((edit) => edit.state === state),
  };
}

/** A form is saved after somebody changed the same, which a rename made meanwhile had found: it is in conflict, and hides what the view is. */
async function hiddenView({ world, pass, standsAs }: ReturnType<typeof aWorld>): Promise<{ id: string; hiding: string }> {
  await pass(2);
  const id = world.uuid();
  saveView(world, 'Mine', id);
  await pass(1);
  const hiding = world.edit(0, 'saveView', { id, name: 'Mine', list: 'transactions', search: 'q=mine' }, { thinksMs: 3 * minuteMs });
  await world.scheduler.until(() => false, 20);
  await world.server.changeView(id, null);
  await pass(1);
  world.edit(0, 'saveView', { id, name: 'Renamed', list: 'transactions', search: 'q=changed 1' });
  await pass(3);
  expect(world.server.views.get(id)).toMatchObject({ name: 'Renamed', search: 'q=changed 1', version: 3 });
  expect(standsAs('conflict')).toBe(true);
  return { id, hiding };
}

test.each(['arrived', 'did not arrive'])(
  '[OB71] an edit that says what is so at the server already, be it hidden by one that gave way, is no other where that is changed once more before it is sent again: it %s',
  async (how) => {
    const scene = aWorld();
    const { world, device, pass } = scene;
    const { server } = world;
    const { id, hiding } = await hiddenView(scene);
    const hasArrived = how === 'arrived';
    device.weather = { ...fairWeather, answersSpoilt: hasArrived };
    const edit = world.edit(0, 'saveView', { id, name: 'Renamed again', list: 'transactions', search: 'q=changed 1' });
    if (!hasArrived) server.poisoned.set(edit, 503);
    await world.scheduler.until(() => scene.standsAs('uncertain'), 1_000);
    expect(server.views.get(id)?.name).toBe(hasArrived ? 'Renamed again' : 'Renamed');
    await server.changeView(id, null);
    const { search } = server.views.get(id) ?? {};
    server.poisoned.clear();
    device.weather = { ...fairWeather };
    await pass(2);

    const met = hasArrived ? { is_met: true } : {};
    expect(world.receipts(device).filter((receipt) => [hiding, edit].includes(receipt.id))).toMatchObject([
      { id: hiding, outcome: 'replaced' },
      { id: edit, outcome: 'accepted', ...met },
    ]);
    expect(server.views.get(id)).toMatchObject({ name: 'Renamed again', search, version: 5 });
    scene.check();
  },
);

test('[SM37] what a person left themselves they saw, but for what an edit that came to nothing hid', () => {
  const shown = { name: 'Mine', search: 'q=hiding', list: null };
  const made = (words: MadeEdit['words']): MadeEdit =>
    Object.assign(aMadeEdit('e', 'saveView', { id: 'x' } as never, { device: { name: 'A' } as SimDevice, now: 0 }), { words, shown });
  const left = { name: 'Left', search: 'q=left', list: 'transactions' };
  expect(leftBeneath(made([]), [made([{ search: 'q=hiding' }])], left)).toEqual({ ...shown, search: 'q=left' });
  // what hid it by other words, or nobody knows by which, did not
  expect(leftBeneath(made([]), [made([{ search: 'q=other' }]), made(null)], left)).toEqual(shown);
  expect(leftBeneath(made([]), [], left)).toEqual(shown);
  expect(leftBeneath({ ...made([]), shown: null }, [made([{ search: 'q=hiding' }])], left)).toBeNull();
});
