import { expect, test } from 'vitest';
import { listSecurities } from '#contract/securities.ts';
import { OneServer } from './one-server.ts';

/** A server that tells no changes, nor that it hides something, with so many older rows. */
function thatHidesQuietly(older: number): OneServer {
  const scene = new OneServer('specification');
  scene.server.mood.hidesQuietly = true;
  scene.addOlder(older, 0.5);
  return scene;
}

test('[SY56] at a server that tells no changes, what lacks rows that were out of sight for a minute is not called whole', async () => {
  const scene = thatHidesQuietly(1_200);
  const { world, entity } = scene;
  const all = scene.newestFirst().length;
  await scene.pass(30);
  expect([scene.rowsHeld, scene.isCalledWhole]).toEqual([all, true]);
  // what is looked at is refreshed by the minute, the list of entities by ten: nobody hears that it was out of sight
  scene.look();
  await scene.pass(12);
  await world.setHidden(entity.id, true);
  expect(await world.scheduler.until(() => scene.rowsHeld < all, 50_000)).toBe(true);
  await scene.pass(1 / 60);
  await world.setHidden(entity.id, false);
  await scene.pass(5);
  expect(scene.rowsHeld < all && scene.isCalledWhole).toBe(false);
});

/** A server that shows some of its securities alone until rights come, which they do while a page of them is being written. */
function withRightsDuringPage(nth: number): OneServer {
  const scene = new OneServer('feed');
  scene.addSecurities(150);
  let hidden = 30;
  scene.alter(({ path, query }, answer) => {
    const skip = hidden + Number(query.get('skip') ?? 0);
    const order = scene.server.securities.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    return path === listSecurities.path ? { status: 200, body: order.slice(skip, skip + 20) } : answer;
  });
  whilePageIsWritten(scene, nth, () => {
    hidden = 0;
    scene.server.setWithheld(['transaction_match_read']);
  });
  return scene;
}

/** The disk says late that a page of securities is written: not before what happened meanwhile is known here. */
function whilePageIsWritten({ world, device }: OneServer, nth: number, happens: () => void): void {
  const { scheduler } = world;
  const turn = scheduler.turn.bind(scheduler);
  const rights = (): unknown => device.workers[0]?.status?.perm_version;
  let pages = 0;
  scheduler.turn = async (label, actor) => {
    if (label.startsWith('end write') && / securities,pulls/.test(label) && (pages += 1) === nth) {
      const before = rights();
      happens();
      while (rights() === before) await scheduler.after(10, 'busy', actor).done;
    }
    return turn(label, actor);
  };
}

test.each([5, 6, 7])('[SY57] a list is whole though rights come while it is read: page %i is being written', async (nth) => {
  const scene = withRightsDuringPage(nth);
  await scene.pass(60);
  expect(scene.held('securities')).toHaveLength(scene.server.securities.length);
});

test('[SY56] at a server that tells no changes, what was out of sight for a moment while it was first pulled is not called whole', async () => {
  const scene = thatHidesQuietly(3_000);
  const { world, entity } = scene;
  const all = scene.newestFirst().length;
  scene.look();
  expect(await world.scheduler.until(() => scene.rowsHeld > 1_500, 500_000)).toBe(true);
  await world.setHidden(entity.id, true);
  await scene.pass(2 / 60);
  await world.setHidden(entity.id, false);
  await scene.pass(5);
  expect(scene.rowsHeld < all && scene.isCalledWhole).toBe(false);
});

test('[SY57] nor is it called synced before it is read anew', async () => {
  const scene = new OneServer('feed');
  scene.addSecurities(150);
  const { scheduler } = scene.world;
  const turn = scheduler.turn.bind(scheduler);
  const rights = (): unknown => scene.status?.perm_version;
  let pages = 0;
  scheduler.turn = async (label, actor) => {
    if (label.startsWith('end write') && / securities,pulls/.test(label) && (pages += 1) === 4) {
      const before = rights();
      scene.server.setWithheld(['transaction_match_read']);
      while (rights() === before) await scheduler.after(10, 'busy', actor).done;
    }
    return turn(label, actor);
  };
  expect(await scheduler.until(() => scene.status?.last_sync_at != null, 500_000)).toBe(true);
  expect(scene.held('securities')).toHaveLength(scene.server.securities.length);
});
