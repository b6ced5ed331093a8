import { describe, expect, test } from 'vitest';
import { listAccounts } from '#contract/accounts.ts';
import { listEntities } from '#contract/entities.ts';
import { hello, listChanges, listSizes } from '#contract/feed.ts';
import { refreshToken } from '#contract/session.ts';
import { getDiagnosis } from '#contract/system.ts';
import { listTransactions, selectTransactions } from '#contract/transactions.ts';
import { listValueHistories } from '#contract/value-histories.ts';
import type { EngineStatus } from '#workers/start.ts';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { mark, saveView } from './scenes.ts';
import type { ServerAnswer, ServerRequest } from './sim-server.ts';

type Intercepted = Omit<ServerAnswer, 'body'>;

const page = '<html>Request blocked</html>';
const at =
  (...paths: string[]) =>
  ({ path }: ServerRequest): boolean =>
    paths.includes(path);
const kinds = ['feed', 'specification'] as const;
const toWait: readonly Intercepted[] = [
  { status: 503, retryAfter: '300' },
  { status: 429, retryAfter: '60' },
];

const isAllHere = ({ device, server }: OneServer): boolean => rowsOnDisk(device).size === server.visibleTransactions().length;

/** Makes something on the device, and lets some time pass. @returns whether the server has it. */
async function isEditSent(scene: OneServer, minutes: number): Promise<boolean> {
  const before = scene.server.views.size;
  saveView(scene.world, 'Mine');
  await scene.pass(minutes);
  return scene.server.views.size > before;
}

describe('what one path is answered', () => {
  test.each(kinds.flatMap((kind) => toWait.map((answer) => ({ kind, ...answer }))))(
    '[SY66] holds up no other, be it that it asks to wait: $kind, $status',
    async ({ kind, ...answer }) => {
      const scene = new OneServer(kind);
      scene.intercept(answer, at(listAccounts.path));
      await scene.pass(60);
      expect([isAllHere(scene), scene.held('accounts').length]).toEqual([true, 0]);
      expect(scene.status?.problem).toMatch(/It is tried again/);
    },
  );

  test('[SY66] holds up no list, be it the number of rows', async () => {
    const scene = new OneServer('feed');
    scene.server.addTransactions(scene.entity.id, 600);
    scene.alter(({ path }, answer) =>
      path === hello.path ? { ...answer, body: { ...(answer.body as object), caps: ['sizes'] } } : answer,
    );
    scene.intercept({ status: 503, retryAfter: '600' }, at(listSizes.path));
    await scene.pass(20);
    expect(isAllHere(scene)).toBe(true);
  });

  test('[SY66] that asks to wait keeps nothing else from being tried again soon', async () => {
    const scene = new OneServer('feed');
    scene.intercept({ status: 503, retryAfter: '600' }, at(listChanges.path));
    let asked = 0;
    scene.replace(({ path }) => {
      asked += path === listAccounts.path ? 1 : 0;
      return path === listAccounts.path && asked < 5 ? { status: 502, body: null, page: 'Bad gateway' } : null;
    });
    await scene.pass(5);
    expect(scene.held('accounts').length).toBeGreaterThan(0);
  });

  test.each([403, 426, 500, 503])(
    '[SY66] an edit that is to wait for days by it is sent again within the hour, not at once: %s',
    async (status) => {
      const scene = new OneServer('feed');
      await scene.pass(5);
      let asked = 0;
      scene.replace(({ method, path }) => {
        if (method === 'GET' || !path.includes('view')) return null;
        asked += 1;
        return { status, body: { detail: 'Unavailable' }, retryAfter: '172800', ...(status < 500 ? { page } : {}) };
      });
      saveView(scene.world, 'Mine');
      await scene.pass(60);
      expect([asked > 1, asked < 10]).toEqual([true, true]);
    },
  );

  test.each([{ status: 503 }, { status: 503, retryAfter: '600' }, { status: 0 }])(
    '[SY66] what edits left is read back later, and holds up no list: $status $retryAfter',
    async (answer) => {
      const scene = new OneServer('specification');
      scene.look();
      await scene.pass(5);
      mark(scene.world);
      await scene.pass(0.3);
      scene.device.killAll();
      const mend = scene.intercept(answer, at(selectTransactions.path));
      scene.server.addTransaction(scene.entity.id);
      scene.device.revive();
      scene.look();
      await scene.pass(20);
      expect([scene.rowsHeld, scene.status?.problem]).toEqual([scene.newestFirst().length, expect.stringMatching(/It is tried again/)]);
      mend();
      await scene.pass(20);
      expect([scene.status?.problem, scene.world.scheduler.now - (scene.status?.last_sync_at ?? 0) < 120_000]).toEqual([null, true]);
    },
  );

  test('[SY90] nothing is called synced before what an edit left that was sent once more is read', async () => {
    const scene = new OneServer('feed');
    await scene.pass(5);
    let isAnswerLost = false;
    scene.alter(({ method, path }, answer) => {
      if (isAnswerLost || method === 'GET' || !path.includes('view')) return answer;
      isAnswerLost = true;
      // somebody deletes it right away, which the answer that is remembered says nothing of
      scene.server.views.clear();
      return { status: 0, body: null };
    });
    const held = (): readonly unknown[] => scene.device.disk.peek(scene.device.rowsName, 'saved_views');
    const untrue: EngineStatus[] = [];
    scene.device.onStatus = (status) => {
      const isTold = status.phase === 'idle' && status.problem === null && status.last_sync_at === scene.world.scheduler.now;
      if (isTold && held().length > 0) untrue.push(status);
    };
    saveView(scene.world, 'Mine');
    await scene.pass(30);
    expect([isAnswerLost, untrue, held()]).toEqual([true, [], []]);
  });

  test('[SY66] a server that asks all to wait is asked nothing meanwhile', async () => {
    const scene = new OneServer('feed');
    await scene.pass(5);
    scene.intercept({ status: 429, retryAfter: '300' }, () => true);
    await scene.pass(6);
    const before = scene.server.requests;
    await scene.pass(60);
    expect(scene.server.requests - before).toBeLessThan(60);
  });

  test.each(kinds)('[SY62] is not taken for no network, where the connection breaks there alone: %s', async (kind) => {
    const scene = new OneServer(kind);
    scene.intercept({ status: 0 }, at(listAccounts.path));
    const told = new Set<string>();
    for (let minute = 0; minute < 60; minute += 1) {
      await scene.pass(1);
      told.add(scene.status?.phase ?? 'unknown');
    }
    expect([...told]).not.toContain('offline');
    expect(isAllHere(scene)).toBe(true);
  });

  test.each(kinds)('[SY67] a page that refuses some lists takes nothing away, and is told for as long as it does: %s', async (kind) => {
    const scene = new OneServer(kind);
    const mend = scene.intercept({ status: 403, page }, at(listTransactions.path));
    await scene.pass(30);
    expect([scene.status?.problem, scene.status?.last_sync_at]).toEqual([expect.stringMatching(/It is tried again/), null]);
    mend();
    await scene.pass(30);
    expect([scene.status?.problem, isAllHere(scene)]).toEqual([null, true]);
  });

  test.each([403, 404])('[SY67] nor of an entity that is in no list: %s', async (status) => {
    const scene = new OneServer('specification');
    await scene.pass(5);
    const before = scene.rowsHeld;
    scene.intercept({ status, page }, at(listTransactions.path));
    scene.alter(({ path }, answer) => {
      const rows = answer.body as { id: string }[];
      return path === listEntities.path ? { ...answer, body: rows.filter(({ id }) => id !== scene.entity.id) } : answer;
    });
    await scene.pass(60);
    expect(scene.rowsHeld).toBe(before);
  });

  test('[SY67] a server of another kind may have no page at all for a list beyond the specification', async () => {
    const scene = new OneServer('specification');
    scene.intercept({ status: 404, page }, at(listValueHistories.path));
    await scene.pass(30);
    expect([scene.status?.problem, scene.status?.last_sync_at]).toEqual([null, expect.any(Number)]);
  });
});

describe('a feed', () => {
  test.each<Intercepted>([
    { status: 403, page },
    { status: 404, page },
    { status: 405, page: '' },
    { status: 200, page: '{}' },
    { status: 503, retryAfter: '300' },
    { status: 429, retryAfter: '300' },
    { status: 0 },
  ])('[SY51] that something on the way answers holds up neither lists nor edits: $status $page $retryAfter', async (answer) => {
    const scene = new OneServer('feed');
    scene.intercept(answer, at(listChanges.path));
    await scene.pass(60);
    expect([isAllHere(scene), scene.status?.phase]).not.toContain('offline');
    expect([isAllHere(scene), await isEditSent(scene, 20)]).toEqual([true, true]);
  });

  test.each([{ status: 502, page: 'Bad gateway' }, { status: 503, retryAfter: '300' }, { status: 403, page }, { status: 0 }])(
    '[SY51] of which it is not known whether there is one holds up neither lists nor edits: $status',
    async (answer) => {
      const scene = new OneServer('feed');
      await scene.pass(5);
      scene.device.killAll();
      scene.intercept(answer, at(hello.path));
      scene.server.addTransaction(scene.entity.id);
      scene.device.revive();
      scene.look();
      await scene.pass(30);
      expect([await isEditSent(scene, 20), isAllHere(scene)]).toEqual([true, true]);
    },
  );
});

describe('a feed that is followed', () => {
  /** A device that follows a feed, and begins anew with an edit that waits, where the greeting or the feed is answered 404 so many times. */
  async function denied(path: string, times: number) {
    const scene = new OneServer('feed');
    const { device, server, world } = scene;
    server.mood.comparesVersions = true;
    await scene.pass(5);
    const isFollowing = (): boolean => device.disk.peek<{ k: string }>(device.rowsName, 'meta').some(({ k }) => k === 'feed');
    device.weather = { ...device.weather, isOffline: true };
    const edit = saveView(world, 'Mine');
    await world.scheduler.until(() => world.pending(device).length === 1, 1_000);
    device.killAll();
    device.weather = { ...device.weather, isOffline: false };
    let left = times;
    const seen = { isFollowing: new Set<boolean>(), bound: [] as (number | null)[], denials: 0 };
    scene.alter((request, answer) => {
      seen.isFollowing.add(isFollowing());
      if (request.path.startsWith('/saved_views/')) seen.bound.push(request.ifVersion);
      if (request.path !== path || left === 0) return answer;
      left -= 1;
      seen.denials += 1;
      return { status: 404, body: { detail: 'Not found' } };
    });
    device.revive();
    return { scene, seen, edit, isFollowing };
  }

  test.each([hello.path, listChanges.path])('[SY85] is not given up because the API says once that it is none: %s', async (path) => {
    const { scene, seen, edit } = await denied(path, 1);
    await scene.pass(1);
    expect(seen).toMatchObject({ bound: [0], denials: 1 });
    expect([...seen.isFollowing]).toEqual([true]);
    expect([scene.server.effects.get(edit), scene.status?.problem]).toEqual([1, null]);
  });

  test.each([hello.path, listChanges.path])('[SY85] is given up once it says so in two rounds one after another: %s', async (path) => {
    const { scene, seen, edit, isFollowing } = await denied(path, Infinity);
    await scene.world.scheduler.until(() => seen.denials === 1, 10_000);
    expect(isFollowing()).toBe(true);
    await scene.pass(1);
    expect([isFollowing(), scene.server.effects.get(edit), isAllHere(scene), scene.status?.problem]).toEqual([false, 1, true, null]);
  });
});

test.each<Intercepted>([{ status: 404 }, { status: 404, page }, { status: 500 }, { status: 503, retryAfter: '300' }, { status: 0 }])(
  '[SY68] a server that does not say how it is is asked who the person is: $status $page',
  async (answer) => {
    const scene = new OneServer('specification');
    scene.intercept(answer, at(getDiagnosis.path));
    const without = scene.intercept({ status: 0 }, () => true);
    await scene.pass(2);
    without();
    await scene.pass(30);
    expect([isAllHere(scene), scene.status?.problem, await isEditSent(scene, 20)]).toEqual([true, null, true]);
  },
);

test('[SY69] a page of somebody’s that refuses all signs nobody out', async () => {
  const scene = new OneServer('feed');
  await scene.pass(5);
  const mend = scene.intercept({ status: 401, page }, () => true);
  await scene.pass(5);
  expect(scene.status?.phase).not.toBe('signed_out');
  mend();
  await scene.pass(5);
  expect(await isEditSent(scene, 5)).toBe(true);
});

test('[SY69] nor does one that refuses a single list, though the session was renewed', async () => {
  const scene = new OneServer('feed');
  scene.intercept({ status: 401, page }, at(listAccounts.path));
  scene.alter(({ path }, answer) => (path === refreshToken.path ? { status: 200, body: {} } : answer));
  await scene.pass(10);
  expect([scene.status?.phase, isAllHere(scene)]).toEqual(['idle', true]);
});

test('[SY69] a page that asks for an upgrade says nothing of the app', async () => {
  const scene = new OneServer('feed');
  scene.intercept({ status: 426, page }, at(listAccounts.path));
  await scene.pass(10);
  expect([scene.status?.phase, isAllHere(scene)]).toEqual(['idle', true]);
});
