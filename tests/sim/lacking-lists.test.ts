import { expect, test } from 'vitest';
import { listEntities } from '#contract/entities.ts';
import type { MutationInput } from '#contract/mutations.ts';
import { saidOtherwise } from './edits.ts';
import { Watcher } from './invariants.ts';
import { OneServer } from './one-server.ts';

/** The next list of entities lacks the first one that there is. */
function lackEntity(scene: OneServer): void {
  let isDue = true;
  scene.replace(({ path, method }) => {
    if (isDue && method === 'GET' && path === listEntities.path) {
      isDue = false;
      scene.server.lackRow();
    }
    return null;
  });
}

test('[SY96] a place that was out of sight, and that the first list after that lacks, is here with the next list that has it', async () => {
  const scene = new OneServer('specification');
  const { world, device, entity } = scene;
  const watcher = new Watcher(world);
  const isHeld = (): boolean => scene.held('entities').some(({ id }) => id === entity.id);
  const readAgain = async (): Promise<void> => {
    await scene.pass(1 / 60);
    void device.workers[0]?.engine.syncNow();
    await scene.pass(1);
    watcher.check();
  };
  await scene.pass(2);
  const edit = world.edit(0, 'updateEntity', { ...saidOtherwise('updateEntity', 0.5), id: entity.id } as MutationInput<'updateEntity'>);
  await scene.pass(3);
  expect(world.receipts(device)).toMatchObject([{ id: edit, outcome: 'accepted' }]);
  await world.setHidden(entity.id, true);
  await readAgain();
  expect(isHeld()).toBe(false);
  await world.setHidden(entity.id, false);
  lackEntity(scene);
  await readAgain();
  expect(isHeld()).toBe(false);
  await readAgain();
  expect(isHeld()).toBe(true);
});
