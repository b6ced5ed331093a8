import { describe, expect, test } from 'vitest';
import { listAccounts } from '#contract/accounts.ts';
import { createOrganization } from '#contract/organizations.ts';
import { createClient } from '#contract/clients.ts';
import { listChanges } from '#contract/feed.ts';
import { countTransactionMatches, listTransactionMatches } from '#contract/transaction-matches.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import type { ServerRequest } from './sim-server.ts';
import type { ServerKind } from './world.ts';

const minuteMs = 60_000;

/** A server with a few more clients: some lists are asked for of each. */
function ofFourClients(kind: ServerKind): OneServer {
  const scene = new OneServer(kind);
  const { organization_id } = scene.entity;
  for (const no of [3, 4]) scene.server.elsewhere(createClient, { id: scene.world.uuid(), organization_id, client_name: `Client ${no}` });
  return scene;
}

const isValueHistory = ({ path }: ServerRequest): boolean => path === listValueHistories.path;
const isAccountsOf =
  ({ entity }: OneServer) =>
  ({ path, query }: ServerRequest): boolean =>
    path === listAccounts.path && query.get('client_id') === entity.client_id;
const isFeed = ({ path }: ServerRequest): boolean => path === listChanges.path;

/** How long ago everything that was asked was answered, as the app says. */
const minutesSinceSync = ({ status, world }: OneServer): number => (world.scheduler.now - (status?.last_sync_at ?? 0)) / minuteMs;

describe('a list that is not answered', () => {
  test.each([
    ['feed', 503],
    ['feed', 502],
    ['specification', 503],
  ] as const)('[SY49] holds up no other, at a server of the kind %s that fails with %s', async (kind, status) => {
    const scene = ofFourClients(kind);
    scene.fail(status, isValueHistory);
    scene.look();
    await scene.pass(240);
    expect(rowsOnDisk(scene.device).size).toBe(scene.server.visibleTransactions().length);
    // and what lacks it is not called synced
    for (let minute = 0; minute < 7; minute += 1) {
      await scene.pass(1);
      await scene.world.scheduler.until(() => scene.status?.phase !== 'syncing', 100_000);
      expect([scene.status?.problem, scene.status?.last_sync_at]).toEqual([expect.stringMatching(/could not/), null]);
    }
  });

  test.each(['feed', 'specification'] as const)(
    '[SY49] holds up no other, at a server of the kind %s that takes longer for it than anybody waits',
    async (kind) => {
      const scene = ofFourClients(kind);
      scene.delay(120_000, listValueHistories.path);
      await scene.pass(240);
      expect(rowsOnDisk(scene.device).size).toBe(scene.server.visibleTransactions().length);
    },
  );

  test.each(['feed', 'specification'] as const)(
    '[SY62] is not taken for no network, at a server of the kind %s that answers all else, where nothing else is due',
    async (kind) => {
      const scene = ofFourClients(kind);
      await scene.pass(30);
      scene.delay(120_000, listValueHistories.path);
      const told = new Set<string>();
      let [problem, minutesLeft] = ['', 25 * 60];
      // it is read again after some hours, and tried again for an hour
      for (; minutesLeft > 0; minutesLeft -= 1) {
        await scene.pass(1);
        told.add(scene.status?.phase ?? 'unknown');
        if (problem === '' && scene.status?.problem) [problem, minutesLeft] = [scene.status.problem, 60];
      }
      expect([...told]).not.toContain('offline');
      expect(problem).toMatch(/It is tried again/);
    },
  );

  test('[SY50] holds back no word of the last sync once its client is left out', async () => {
    const scene = new OneServer('feed');
    const { entity } = scene;
    scene.fail(500, ({ path, query }) => path === listTransactionMatches.path && query.get('entity_id') === entity.id);
    await scene.pass(10);
    void scene.device.workers[0]?.engine.keepClient(entity.client_id, false);
    await scene.pass(60);
    expect(minutesSinceSync(scene)).toBeLessThan(5);
  });

  test('[SY50] holds back no word of the last sync once its client was deleted', async () => {
    const scene = new OneServer('feed');
    await scene.pass(5);
    scene.fail(500, isAccountsOf(scene));
    // it is read again after a day, to be sure
    await scene.pass(24.2 * 60);
    expect(minutesSinceSync(scene)).toBeGreaterThan(5);
    await scene.world.loseClient(scene.entity.client_id);
    await scene.pass(60);
    expect(minutesSinceSync(scene)).toBeLessThan(5);
  });

  test('[SY52] is told while that is so, and no longer', async () => {
    const scene = new OneServer('feed');
    const mend = scene.fail(500, isAccountsOf(scene));
    await scene.pass(1);
    expect(scene.status?.problem).toMatch(/It is tried again/);
    mend();
    await scene.pass(60);
    expect(scene.status?.problem).toBeNull();
  });
});

describe('a feed that is not answered', () => {
  test('[SY51] holds up no list', async () => {
    const scene = new OneServer('feed');
    scene.fail(503, isFeed);
    await scene.pass(120);
    expect(rowsOnDisk(scene.device).size).toBe(scene.server.visibleTransactions().length);
  });

  test('[SY51] has what somebody looks at be read by its age meanwhile', async () => {
    const scene = new OneServer('feed');
    await scene.pass(5);
    scene.fail(500, isFeed);
    scene.look();
    const id = scene.newestFirst()[0]?.id ?? '';
    scene.server.decideTransaction(id, true);
    await scene.passUntil(() => scene.isHeldAsItIs(id), 6 * 60);
    expect(rowsOnDisk(scene.device).get(id)).toEqual(scene.server.transactions.get(id));
  });
});

test('[SY76] a feed that is not answered once lists are read keeps the copy from being called synced', async () => {
  const scene = new OneServer('feed');
  const { server, world } = scene;
  let isBegun = false;
  scene.alter((request, answer) => {
    if (isFeed(request) && isBegun) return { status: 503, body: { detail: 'Service Unavailable' } };
    if (request.path !== listAccounts.path || isBegun) return answer;
    isBegun = true;
    server.elsewhere(createOrganization, { id: world.uuid(), name: 'Made meanwhile' });
    return answer;
  });
  const told = new Set<number | null>();
  for (let step = 0; step < 120; step += 1) {
    await scene.pass(0.1);
    told.add(scene.status?.last_sync_at ?? null);
  }
  expect([isBegun, ...told]).toEqual([true, null]);
});

test.each((['feed', 'specification'] as const).flatMap((kind) => [503, 0].map((status) => [kind, status] as const)))(
  '[SY49] a count of rows that is not answered holds up no list, at a server of the kind %s: %s',
  async (kind, status) => {
    const scene = new OneServer(kind);
    const { server, entity, world, device } = scene;
    const match = {
      kind: 'transfer',
      state: 'PENDING',
      quantity_difference: null,
      reason: null,
      score: null,
      source: 'engine',
      version: 1,
    } as const;
    for (let no = 0; no < 70; no += 1) {
      const id = world.uuid();
      server.matches.set(id, { ...match, id, entity_id: entity.id, out_trx_id: null, in_trx_id: null });
    }
    scene.fail(status, ({ path }) => path === countTransactionMatches.path);
    await scene.pass(240);
    expect(device.disk.peek(device.rowsName, 'transaction_matches')).toHaveLength(70);
  },
);

test.each([
  ['of another shape', 200, [{ id: 'a' }]],
  ['refused as not understood', 422, { detail: 'Not what the specification says' }],
])('[SY63] a list that is %s for anybody is left alone for a while', async (_, status, body) => {
  const scene = new OneServer('feed');
  const { organization_id } = scene.entity;
  for (let no = 3; no < 23; no += 1)
    scene.server.elsewhere(createClient, { id: scene.world.uuid(), organization_id, client_name: `Client ${no}` });
  let asked = 0;
  scene.alter((request, answer) => {
    if (request.path !== listAccounts.path) return answer;
    asked += 1;
    return { status, body };
  });
  await scene.pass(60);
  expect(asked).toBeLessThan(500);
});

test.each([false, true])('[SY51] what there is no room for is let go of, though the feed is not answered: %s', async (isFailing) => {
  const scene = new OneServer('feed');
  const { device, server, entity } = scene;
  const other = server.entities.find(({ client_id }) => client_id !== entity.client_id) ?? entity;
  server.addTransactions(entity.id, 600);
  await scene.pass(10);
  void device.workers[0]?.engine.look([other.client_id]);
  if (isFailing) scene.fail(500, ({ path }) => path === listChanges.path);
  await scene.pass(5);
  device.disk.quota = device.disk.taken * 1.4;
  await scene.pass(60);
  expect(scene.status?.entities.find(({ entity_id }) => entity_id === entity.id)?.phase).toBe('left_out');
});
