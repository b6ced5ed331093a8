import { describe, expect, test } from 'vitest';
import { hello, listSizes } from '#contract/feed.ts';
import { listTransactions } from '#contract/transactions.ts';
import { OneServer } from './one-server.ts';

/** A server that says how many transactions its entities have. */
function thatCounts(): OneServer {
  const scene = new OneServer('feed', 100);
  const { server } = scene;
  const countOf = (id: string): number => [...server.transactions.values()].filter(({ entity_id }) => entity_id === id).length;
  scene.alter(({ path }, answer) => {
    if (path === listSizes.path)
      return { status: 200, body: server.entities.map(({ id }) => ({ entity_id: id, transactions: countOf(id) })) };
    const { caps = [] } = answer.body as { caps?: string[] };
    return path === hello.path ? { ...answer, body: { ...(answer.body as object), caps: [...caps, 'sizes'] } } : answer;
  });
  return scene;
}

describe('what is told of an entity', () => {
  test('[SY58] is not that its transactions are being fetched where they may not be read', async () => {
    const scene = new OneServer('feed');
    await scene.pass(5);
    await scene.world.withhold(['transaction_read']);
    await scene.pass(60);
    expect(scene.status?.entities.filter(({ phase }) => phase === 'bootstrap')).toEqual([]);
  });

  test.each(['feed', 'specification'] as const)(
    '[SY58] is not that its transactions may not be read where a proxy refuses them, at a server of the kind %s',
    async (kind) => {
      const scene = new OneServer(kind);
      await scene.pass(10);
      scene.alter(({ path }, answer) => (path === listTransactions.path ? { status: 403, body: '<html>' } : answer));
      scene.look();
      await scene.pass(kind === 'feed' ? 25 * 60 : 3);
      expect(scene.rowsHeld).toBe(scene.newestFirst().length);
      expect(scene.status?.entities.map(({ phase }) => phase)).toEqual(['steady', 'steady', 'steady']);
    },
  );

  test('[SY58] is not that its transactions may not be read where it is to be kept again, and there is no network', async () => {
    const scene = new OneServer('feed');
    const { device, server } = scene;
    await scene.pass(5);
    const keep = (isKept: boolean): void => {
      for (const id of server.office.clients.keys()) void device.workers[0]?.engine.keepClient(id, isKept);
    };
    keep(false);
    await scene.pass(5);
    device.weather = { ...device.weather, isOffline: true };
    keep(true);
    await scene.pass(5);
    expect(scene.status?.entities.map(({ phase }) => phase)).toEqual(['bootstrap', 'bootstrap', 'bootstrap']);
  });

  test('[SY60] is how many rows there are by now, though it was out of sight meanwhile', async () => {
    const scene = thatCounts();
    const { world, server, entity } = scene;
    await scene.pass(5);
    server.addTransactions(entity.id, 900);
    await scene.pass(20);
    await world.setHidden(entity.id, true);
    await scene.pass(5);
    await world.setHidden(entity.id, false);
    const told = new Set<number | null>();
    const isRead = (): boolean => {
      const at = scene.status?.entities.find(({ entity_id }) => entity_id === entity.id);
      if (at?.phase === 'bootstrap' && at.rows > 0) told.add(at.rows_in_all);
      return at?.phase === 'steady' && told.size > 0;
    };
    expect(await world.scheduler.until(isRead, 50_000)).toBe(true);
    expect([...told]).toEqual([scene.newestFirst().length]);
  });

  test('[SY61] counts a row once that comes twice in a page', async () => {
    const scene = new OneServer('specification');
    scene.alter(({ path }, answer) => {
      const rows = answer.body as object[];
      return path === listTransactions.path && answer.status === 200 ? { ...answer, body: [...rows.slice(0, 1), ...rows] } : answer;
    });
    await scene.pass(5);
    const told = scene.status?.entities.reduce((sum, { rows }) => sum + rows, 0);
    expect(told).toBe(scene.server.visibleTransactions().length);
  });
});
