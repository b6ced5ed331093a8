import { expect, test } from 'vitest';
import { createOrganization, deleteOrganization, listOrganizations, updateOrganization } from '#contract/organizations.ts';
import { OneServer } from './one-server.ts';

/** A server with a list of several pages, of which somebody changes a row with each page that is read, and a device. */
function aMovingList() {
  const scene = new OneServer('feed');
  const { server, world, device } = scene;
  const ids = Array.from({ length: 90 }, () => world.uuid());
  for (const [no, id] of ids.entries()) server.elsewhere(createOrganization, { id, name: `Office ${no}` });
  const rename = (id: string, no: number): void => server.elsewhere(updateOrganization, { id, name: `Office renamed ${id} ${no}` });
  let [asked, isMoving] = [0, false];
  scene.alter((request, answer) => {
    if (request.path !== listOrganizations.path) return answer;
    asked += 1;
    if (!isMoving) return answer;
    rename(ids[asked % 60]!, asked);
    // made among those that were read already, it is in no page
    const made = ids[asked % 60]!.replace(/^./, (sign) => (sign === '0' ? '1' : '0'));
    if (asked > 1 && asked < 60) server.elsewhere(createOrganization, { id: made, name: `Made meanwhile ${asked}` });
    return answer;
  });
  const held = () =>
    device.disk
      .peek<{ id: string; name: string }>(device.rowsName, 'organizations')
      .map(({ id, name }) => `${id} ${name}`)
      .sort();
  const there = () => [...server.office.organizations.values()].map(({ id, name }) => `${id} ${name}`).sort();
  const remove = (id: string): void => server.elsewhere(deleteOrganization, { id });
  return { scene, ids, rename, remove, held, there, asked: () => asked, move: (moves: boolean) => void (isMoving = moves) };
}

test('[SY75] a list that others change while it is read is read once, and has what they made of it', async () => {
  const { scene, held, there, asked, move } = aMovingList();
  move(true);
  await scene.pass(30);
  const before = asked();
  move(false);
  await scene.pass(10);
  expect([held(), before]).toEqual([there(), expect.toSatisfy((pages: number) => pages < 20)]);
});

test('[SY75] a list that others change while it is read takes away what it lacks', async () => {
  const { scene, ids, rename, remove, held, there, asked, move } = aMovingList();
  await scene.pass(10);
  // be it that the feed told of it more often than it will have by then
  for (let no = 0; no < 5; no += 1) {
    rename(ids[80]!, no);
    await scene.pass(1);
  }
  expect(held()).toEqual(there());
  scene.device.killAll();
  remove(ids[80]!);
  // all that was told is forgotten: lists are read anew
  scene.server.forgetChanges(0);
  move(true);
  scene.device.revive();
  const before = asked();
  await scene.pass(30);
  expect([held(), asked() - before]).toEqual([there(), expect.toSatisfy((pages: number) => pages < 40)]);
});
