import { describe, expect, test } from 'vitest';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { dayMs } from './sim-server.ts';

const unreadable = { quantity: 'of a newer kind' };

/** The rows at the server that can be read and are not on the device. */
function lackingIn(scene: OneServer, broken: ReadonlySet<string>): string[] {
  const held = rowsOnDisk(scene.device);
  return scene.newestFirst().flatMap(({ id }) => (broken.has(id) || held.has(id) ? [] : [id]));
}

/** Rows of a server in the middle of its older ones, one behind the other. */
function moreThanAPageIn(scene: OneServer): Set<string> {
  scene.addOlder(100);
  const all = scene.newestFirst();
  const from = all.findIndex(({ trx_date }) => Date.parse(trx_date) <= scene.world.scheduler.now - 130 * dayMs);
  return new Set(all.slice(from, from + 25).map(({ id }) => id));
}

describe('rows that come in a shape that cannot be read', () => {
  test.each([
    ['specification', 12],
    // where changes are told, lists are read again after a day, to be sure
    ['feed', 25 * 60],
  ] as const)('[SY53] stay, with all that is in them: a client, at a server of the kind %s', async (kind, minutes) => {
    const scene = new OneServer(kind);
    const { client_id } = scene.entity;
    const within = (): number[] =>
      (['clients', 'entities', 'accounts'] as const).map(
        (noun) => scene.held(noun).filter((row) => row.id === client_id || row.client_id === client_id).length,
      );
    await scene.pass(5);
    const before = within();
    expect(before.every((count) => count > 0)).toBe(true);
    scene.spoil([client_id], { client_name: null });
    await scene.pass(minutes);
    expect(within()).toEqual(before);
  });

  test.each([
    ['halves of two pages', 30, 50],
    ['half of a page and the whole next one', 30, 60],
  ])('[SY53] stay, as do those behind them: %s of a list', async (_, from, to) => {
    const scene = new OneServer('specification');
    scene.addSecurities(100);
    const order = scene.server.securities.map(({ id }) => id).toSorted();
    const lacking = (): string[] => {
      const held = new Set(scene.held('securities').map(({ id }) => id));
      return order.filter((id) => !held.has(id));
    };
    await scene.pass(10);
    expect(lacking()).toEqual([]);
    scene.spoil(order.slice(from, to), { ticker: null });
    await scene.pass(300);
    expect(lacking()).toEqual([]);
  });

  test.each(['feed', 'specification'] as const)(
    '[SY54] are not the end of a list by dates, though they are more than a page, at a server of the kind %s',
    async (kind) => {
      const scene = new OneServer(kind);
      const broken = moreThanAPageIn(scene);
      scene.spoil(broken, unreadable);
      await scene.pass(60);
      expect(lackingIn(scene, broken)).toEqual([]);
    },
  );

  test('[SY54] hold up nothing that is older, though they are the whole first page', async () => {
    const scene = new OneServer('feed');
    const broken = new Set(
      scene
        .newestFirst()
        .slice(0, 22)
        .map(({ id }) => id),
    );
    scene.spoil(broken, unreadable);
    await scene.pass(120);
    expect(lackingIn(scene, broken)).toEqual([]);
  });
});

test('[SY55] a change that one build of the app cannot read is here once the next one can', async () => {
  const scene = new OneServer('feed');
  const { device, server } = scene;
  scene.addOlder(300);
  await scene.pass(10);
  const id = scene.newestFirst().at(-6)?.id ?? '';
  expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
  const mend = scene.spoil([id], unreadable);
  server.decideTransaction(id, true);
  await scene.pass(5);
  expect(rowsOnDisk(device).get(id)).not.toEqual(server.transactions.get(id));
  mend();
  device.update('2');
  await scene.passUntil(() => scene.isHeldAsItIs(id), 72 * 60);
  expect(rowsOnDisk(device).get(id)).toEqual(server.transactions.get(id));
});

test.each(['feed', 'specification'] as const)(
  '[SY54] rows of which not even the place can be read are not the end of a list by dates, at a server of the kind %s',
  async (kind) => {
    const scene = new OneServer(kind);
    const broken = moreThanAPageIn(scene);
    scene.spoil(broken, { trx_date: null });
    await scene.pass(120);
    expect(lackingIn(scene, broken).length > 0 && scene.isCalledWhole).toBe(false);
  },
);

test.each(['feed', 'specification'] as const)(
  '[SY54] rows whose date is written otherwise for a while hold up nothing that is older, at a server of the kind %s',
  async (kind) => {
    const scene = new OneServer(kind);
    scene.addOlder(100);
    const broken = new Set(
      scene
        .newestFirst()
        .slice(59, 80)
        .map(({ id }) => id),
    );
    const mend = scene.rewrite(broken, ({ trx_date }) => ({ trx_date: String(trx_date).replace('T', ' ').replace('Z', '+00') }));
    await scene.pass(60);
    const lacking = lackingIn(scene, broken);
    mend();
    await scene.pass(4 * 60);
    expect([lacking, scene.isCalledWhole, scene.status?.problem]).toEqual([[], true, expect.not.stringMatching(/query.end_date/)]);
  },
);

test.each(['feed', 'specification'] as const)('[SY74] are told until they can be read, at a server of the kind %s', async (kind) => {
  const scene = new OneServer(kind);
  const { server } = scene;
  const [first, second] = scene.newestFirst();
  const mend = scene.spoil([first?.id, second?.id] as string[], unreadable);
  await scene.pass(10);
  expect(scene.status?.problem).toMatch(/^2 rows of transactions could not be read/);
  mend();
  server.decideTransaction(first?.id ?? '', true);
  server.deleteTransaction(second?.id ?? '');
  scene.look();
  await scene.pass(30);
  // that a row went which is not held only a feed tells
  expect(scene.status?.problem ?? '').toMatch(kind === 'feed' ? /^$/ : /^1 row of transactions/);
});
