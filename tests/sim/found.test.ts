import { describe, expect, test } from 'vitest';
import { createClient } from '#contract/clients.ts';
import { listChanges } from '#contract/feed.ts';
import { retry } from '#replica/decisions.ts';
import { enqueue } from '#replica/outbox.ts';
import { draftKey, dropDraft, keepDraft, keepMoreOf } from '#replica/drafts.ts';
import type { Draft } from '#replica/outbox-tables.ts';
import { Watcher } from './invariants.ts';
import { blankEntity } from './model-rows.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { comeToRest, saveView } from './scenes.ts';
import type { SimDevice } from './sim-device.ts';
import { fairWeather } from './sim-net.ts';
import { World } from './world.ts';

// Faults that the simulator found, each told again.

function aWorld() {
  const world = new World(5, { devices: 1 });
  return { world, watcher: new Watcher(world), device: world.devices[0] as World['devices'][0] };
}

describe('an engine', () => {
  test('[SM3] that finds the disk full when it starts works once there is room', async () => {
    const { world, watcher, device } = aWorld();
    device.disk.failingWrites = 3;
    await comeToRestOf(world, watcher);
    expect(device.disk.peek(device.rowsName, 'clients')).toHaveLength(2);
  });

  test('[SM12] that cannot open its databases tries again, and somebody who signs out meanwhile is not held up', async () => {
    const { world, watcher, device } = aWorld();
    device.killAll();
    device.disk.failingOpens = 5;
    device.startWorker();
    const [worker] = device.workers;
    await world.scheduler.until(() => worker?.status?.phase === 'stopped', 200);
    expect(worker?.status?.problem).toMatch(/^The copy on this device cannot be opened: .* It is tried again; nothing is lost\.$/);
    device.openPage();
    await comeToRest(world, watcher);

    device.killAll();
    device.disk.failingOpens = Infinity;
    device.startWorker();
    const [other] = device.workers;
    await world.scheduler.until(() => other?.status?.phase === 'stopped', 200);
    let isClosed = false;
    void other?.engine.close(device.userId).then(() => (isClosed = true));
    expect(await world.scheduler.until(() => isClosed, 200)).toBe(true);
  });

  test('[SM4] whose lock was taken works again when the other one is gone', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.startWorker();
    device.browser.locks.take(() => true);
    await world.scheduler.pass(60_000, 50_000);
    const [, second] = device.workers;
    if (second) device.killWorker(second);
    saveView(world, 'Mine');
    await comeToRest(world, watcher);
    expect(world.server.views.size).toBe(1);
  });

  test('[SM5] writes nothing more of a term that is over, though pulls of it are still on their way', async () => {
    for (let seed = 0; seed < 12; seed += 1) {
      const world = new World(seed, { devices: 1 });
      const watcher = new Watcher(world);
      const [device] = world.devices;
      if (!device) continue;
      device.weather = { ...device.weather, delayMs: 5_000 };
      await world.scheduler.until(() => false, 150 + seed * 10);
      device.startWorker();
      device.browser.locks.take(() => true);
      await world.scheduler.pass(120_000, 50_000);
      watcher.check();
      await comeToRest(world, watcher);
    }
  });

  test('[SM34] that heard of an ended session and could not say so sends what waited for one once there is one again', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    saveView(world, 'Mine');
    const states = (): string[] => world.pending(device).map(({ state }) => state);
    expect(await world.scheduler.until(() => states().includes('sending'), 2_000)).toBe(true);
    device.browser.session = 'ended';
    expect(await world.scheduler.until(() => states().includes('paused_auth'), 2_000)).toBe(true);
    // the disk fails before anybody was told
    device.disk.failingWrites = 1;
    device.browser.session = 'good';
    await world.scheduler.pass(60_000, 50_000);
    await comeToRest(world, watcher);
    expect(world.server.views.size).toBe(1);
  });

  test('[SM18] waits for the lists that are on their way when a round fails before it asks for them again', async () => {
    const { world, watcher, device, askedTwice } = await aWorldOfLateLists();
    const { server, scheduler } = world;
    let isFeedDown = true;
    let refusals = 0;
    const handle = server.handle.bind(server);
    server.handle = (request) => {
      if (!isFeedDown || request.path !== listChanges.path) return handle(request);
      refusals += 1;
      return { status: 503, body: { detail: 'Busy' } };
    };
    // it is told of a change, and cannot ask for it
    await server.addTransaction(server.entities[0]?.id ?? '');
    expect(await scheduler.until(() => refusals > 0, 2_000)).toBe(true);
    expect(device.browser.lateLists.size).toBeGreaterThan(0);
    isFeedDown = false;
    await scheduler.pass(30_000, 50_000);
    expect(askedTwice).toEqual([]);
    await comeToRest(world, watcher);
  });

  test('[SM19] whose lock is taken waits for the lists that are on their way before it writes again', async () => {
    const { world, watcher, device, askedTwice } = await aWorldOfLateLists();
    device.browser.locks.take(() => true);
    expect(device.browser.lateLists.size).toBeGreaterThan(0);
    await world.scheduler.pass(30_000, 50_000);
    expect(askedTwice).toEqual([]);
    await comeToRest(world, watcher);
  });
});

/** A device that waits for late lists, and the lists it asked for while the same one was on its way already. */
async function aWorldOfLateLists() {
  const world = new World(5, { devices: 1, kind: 'feed' });
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  const { server, scheduler } = world;
  const askedTwice: string[] = [];
  const handle = server.handle.bind(server);
  server.handle = (request) => {
    const what = `${request.path} ${request.query}`;
    if ([...device.browser.lateLists].some(({ path, query }) => `${path} ${query}` === what)) askedTwice.push(what);
    return handle(request);
  };
  device.weather = { ...fairWeather, lateLists: 1 };
  expect(await scheduler.until(() => device.browser.lateLists.size > 1, 2_000)).toBe(true);
  return { world, watcher, device, askedTwice };
}

/** How many transactions of a client are on a device, and at the server. */
function countsOf({ world, device }: Pick<ReturnType<typeof aWorld>, 'world' | 'device'>) {
  const { server } = world;
  const count = (client: string, rows: Iterable<{ entity_id: string }>): number => {
    const ids = server.entities.filter(({ client_id }) => client_id === client).map(({ id }) => id);
    return [...rows].filter(({ entity_id }) => ids.includes(entity_id)).length;
  };
  return {
    rowsOf: (client: string) => count(client, rowsOnDisk(device).values()),
    there: (client: string) => count(client, server.visibleTransactions()),
  };
}

test('[SM13] on a full disk the client goes that was not looked at for longest, and comes back when it is looked at', async () => {
  const { world, watcher, device } = aWorld();
  await comeToRest(world, watcher);
  const [worker] = device.workers;
  const { clients, entities } = world.server;
  const [cold = '', warm = ''] = clients.map(({ id }) => id);
  const { rowsOf, there } = countsOf({ world, device });
  const here = (): boolean[] => [cold, warm].map((client) => rowsOf(client) === there(client));
  const isGone = (client: string): boolean => rowsOf(client) === 0 && device.letGo.join() === client;
  const wait = (until: () => boolean): Promise<boolean> => world.scheduler.until(until, 50_000);
  const look = async (client: string): Promise<void> => {
    void worker?.engine.look([client]);
    await world.scheduler.pass(1000, 1000);
  };
  await look(cold);
  await look(warm);
  expect(here()).toEqual([true, true]);

  device.disk.room = device.disk.taken + 2000;
  for (const { id } of entities) for (let no = 0; no < 20; no += 1) void world.server.addTransaction(id);
  expect(await wait(() => isGone(cold) && rowsOf(warm) === there(warm))).toBe(true);
  expect(await wait(() => worker?.status?.problem?.startsWith('There was no room on this device for all clients.') === true)).toBe(true);
  const id = saveView(world, 'Mine');
  await look(cold);
  expect(await wait(() => isGone(warm) && rowsOf(cold) > 0)).toBe(true);
  device.disk.room = Infinity;
  await look(warm);
  expect(await wait(() => here().every(Boolean))).toBe(true);
  await comeToRest(world, watcher);
  expect(world.server.effects.get(id)).toBe(1);
});

test.each(['feed', 'specification'] as const)(
  '[OB57] on a full disk where nothing more can be let go of what waits is sent all the same (%s)',
  async (kind) => {
    const world = new World(5, { devices: 1, kind });
    const watcher = new Watcher(world);
    const [device] = world.devices;
    await comeToRest(world, watcher);
    // what is looked at stays
    void device!.workers[0]?.engine.look(world.server.clients.map(({ id }) => id));
    await world.scheduler.pass(60_000, 10_000);
    device!.weather = { ...fairWeather, isOffline: true };
    const id = saveView(world, 'Mine');
    await world.scheduler.until(() => world.pending(device!).length === 1, 1_000);
    device!.disk.room = device!.disk.taken;
    device!.weather = { ...fairWeather };
    await world.scheduler.pass(300_000, 50_000);
    expect([world.server.effects.get(id), world.pending(device!)]).toEqual([1, []]);
  },
);

test('[OB58] where a server gives what was made another id, what was made in it meanwhile is made in that, and what was typed about it is kept', async () => {
  const world = new World(2, { devices: 1, kind: 'specification' });
  const watcher = new Watcher(world);
  const [device] = world.devices;
  const { server } = world;
  await comeToRest(world, watcher);
  const given = world.uuid();
  const through = server.handle.bind(server);
  server.handle = (request) => {
    const isMade = request.method === 'POST' && request.path === createClient.path;
    return through(isMade ? { ...request, body: { ...(request.body as object), id: given } } : request);
  };
  const [organization_id] = [...server.office.organizations.keys()];
  const [client, entity] = [world.uuid(), world.uuid()];
  device!.weather = { ...fairWeather, isOffline: true };
  world.make(device!, 'createClient', { id: client, organization_id: organization_id!, client_name: 'Made' });
  await world.scheduler.until(() => world.pending(device!).length === 1, 1_000);
  world.make(device!, 'createEntity', { ...blankEntity, id: entity, client_id: client, entity_name: 'In it' } as never, {
    in: { noun: 'clients', id: client },
  });
  world.make(device!, 'updateClient', { id: client, client_name: 'Made, and named' });
  await world.scheduler.until(() => world.pending(device!).length === 3, 1_000);
  const form_key = draftKey(`client:${client}`, 'one');
  const draft = {
    form_key,
    client_id: client,
    entity_id: null,
    fields: { client_name: 'Typed' },
    before: { client_name: 'Made' },
    kept_at: 1,
  };
  const drafts = (): readonly Draft[] => device!.disk.peek<Draft>(device!.outboxName, 'drafts');
  void keepDraft(device!.page!.replica!.outbox, draft);
  await world.scheduler.until(() => drafts().length === 1, 1_000);
  device!.weather = { ...fairWeather };
  await world.scheduler.pass(600_000, 100_000);
  expect(world.pending(device!)).toEqual([]);
  expect(server.office.clients.get(given)?.client_name).toBe('Made, and named');
  expect(server.office.entities.get(entity)?.client_id).toBe(given);
  const about = { form_key: draftKey(`client:${given}`, 'one'), client_id: given };
  expect(drafts()).toEqual([{ ...draft, ...about }]);

  // the form that stood open knows the former id alone
  const { outbox } = device!.page!.replica!;
  const typed = { fields: { client_name: 'Typed on' }, kept_at: 2 };
  void keepMoreOf(outbox, { ...draft, ...typed });
  await world.scheduler.until(() => drafts()[0]?.kept_at === 2, 1_000);
  expect(drafts()).toEqual([{ ...draft, ...about, ...typed }]);
  const update = { id: world.uuid(), name: 'updateClient', input: { id: client, client_name: 'Typed on' }, title: 'Typed on' } as const;
  const seen = { id: client, organization_id, client_name: 'Made, and named', version: 0 };
  void enqueue(outbox, { ...update, seen, now: world.scheduler.now, clientId: client, entityId: null });
  void dropDraft(outbox, form_key);
  await world.scheduler.pass(600_000, 100_000);
  expect([world.pending(device!), drafts()]).toEqual([[], []]);
  expect(server.office.clients.get(given)?.client_name).toBe('Typed on');
});

test('[SM14] what is kept stays within its budget: clients nobody looks at go or are not begun, and what is looked at or edited stays', async () => {
  const { world, watcher, device } = aWorld();
  world.server.mood.pageCap = 4;
  const [worker] = device.workers;
  const [first = '', second = ''] = world.server.clients.map(({ id }) => id);
  for (const { id } of world.server.entities) for (let no = 0; no < 60; no += 1) void world.server.addTransaction(id);
  await comeToRest(world, watcher);
  const { rowsOf, there } = countsOf({ world, device });
  const isHere = (client: string): boolean => rowsOf(client) === there(client);
  const wait = (until: () => boolean): Promise<boolean> => world.scheduler.until(until, 50_000);
  void worker?.engine.look([first]);
  await world.scheduler.pass(1000, 1000);
  // 60 % of it is the budget
  device.disk.quota = (device.disk.taken * 0.9) / 0.6;
  expect(await wait(() => rowsOf(second) === 0 && isHere(first) && worker?.status?.problem?.includes(' they may. ') === true)).toBe(true);
  expect(device.disk.taken).toBeLessThan(0.6 * device.disk.quota);
  expect(device.letGo).toEqual([second]);

  // a browser that reads everything for the first time begins only what there is room for
  device.disk.quota = (device.disk.taken * 0.8) / 0.6;
  device.killAll();
  device.disk.evict();
  device.openPage();
  device.startWorker();
  const [fresh] = device.workers;
  void fresh?.engine.look([first]);
  let most = 0;
  const isThere = (): boolean => {
    most = Math.max(most, rowsOf(second));
    return isHere(first) && rowsOf(second) === 0 && device.letGo.length > 0 && fresh?.status?.phase === 'idle';
  };
  expect(await wait(isThere)).toBe(true);
  expect(most).toBeLessThan(there(second));
  await world.scheduler.pass(120_000, 10_000);
  expect([isHere(first), rowsOf(second), device.letGo]).toEqual([true, 0, [second]]);

  // what somebody opens takes the place of what they looked at before, once its edits are sent
  void fresh?.engine.look([second]);
  expect(await wait(() => isHere(second) && rowsOf(first) === 0)).toBe(true);
  expect(device.disk.taken).toBeLessThan(0.6 * device.disk.quota);
  device.disk.quota = Infinity;
  await comeToRest(world, watcher);
});

test('[SM10] a first pull that ends is not read again in the same round', async () => {
  const world = new World(4, { devices: 1, kind: 'specification' });
  const began = new Map<string, number>();
  const handle = world.server.handle.bind(world.server);
  world.server.handle = (request) => {
    const { path, query } = request;
    const entity = query.get('entity_id') ?? '';
    // the newest page of the recent months
    if (path === '/transactions' && !query.has('end_date')) began.set(entity, (began.get(entity) ?? 0) + 1);
    return handle(request);
  };
  const [worker] = (world.devices[0] as World['devices'][0]).workers;
  expect(await world.scheduler.until(() => worker?.status?.phase === 'idle', 20_000)).toBe(true);
  expect([...began.values()]).toEqual([1, 1, 1]);
});

describe('a device at rest', () => {
  test('[SM16] writes nothing to its outbox for edits that wait for the person', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    world.server.poisoned.set(saveView(world, 'Mine'), 422);
    await world.scheduler.pass(60_000, 50_000);
    expect(world.pending(device).map(({ state }) => state)).toEqual(['refused']);
    const written: string[] = [];
    device.disk.onCommit = ({ database, tables }) => void (database === device.outboxName && written.push(tables.join()));
    await world.scheduler.pass(10 * 60_000, 100_000);
    expect(written).toEqual([]);
    // and still does what the person says
    world.server.poisoned.clear();
    world.decide(device, 0, (outbox, { seq }) => retry(outbox, seq));
    await world.scheduler.pass(1_000, 5_000);
    expect(world.server.views.size).toBe(1);
  });

  test('[SM17] asks twice a minute while it is told of what changes, and at once when nobody tells any more', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    await world.scheduler.pass(60_000, 50_000);
    const before = world.server.requests;
    await world.scheduler.pass(5 * 60_000 + 10_000, 50_000);
    expect(world.server.requests - before).toBeLessThanOrEqual(11);
    device.weather = { ...device.weather, isOffline: true };
    const [worker] = device.workers;
    expect(worker?.status?.phase).toBe('idle');
    // whoever was to tell of this is cut off
    const [row] = world.server.transactions.values();
    await world.server.changeTransaction(row?.id ?? '');
    await world.scheduler.pass(4_000, 5_000);
    expect(worker?.status?.phase).toBe('offline');
  });
});

describe('an edit', () => {
  test('[SM9] that is made on a full disk is given the room that is kept for it', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.disk.failingWrites = 1;
    const id = saveView(world, 'Mine');
    await world.scheduler.until(() => world.made.get(id)?.isKept === true, 500);
    const kept = device.disk.peek<{ id: string }>(device.outboxName, 'blobs').map((blob) => blob.id);
    expect([device.disk.failingWrites, kept]).toEqual([0, expect.arrayContaining(['reserve'])]);
    expect(kept).not.toContain('ballast');
    await comeToRest(world, watcher);
    expect(world.server.effects.get(id)).toBe(1);
  });

  test('[SM6] that a gateway said had failed may have arrived: the next one of its row waits behind it', async () => {
    const { world, watcher, device } = aWorld();
    await comeToRest(world, watcher);
    device.weather = { ...device.weather, answersSpoilt: true };
    const id = world.uuid();
    const first = saveView(world, 'First', id);
    await world.scheduler.until(() => world.server.effects.has(first), 2_000);
    await world.scheduler.until(() => world.pending(device).every(({ state }) => state !== 'sending'), 2_000);
    saveView(world, 'Second', id);
    await world.scheduler.until(() => world.pending(device).length > 1, 500);
    expect(world.pending(device).map(({ title, state }) => [title, state])).toEqual([
      ['saveView', 'uncertain'],
      ['saveView', 'queued'],
    ]);
    await comeToRest(world, watcher);
    expect([...world.server.views.values()].map(({ name }) => name)).toEqual(['Second']);
    expect(world.receipts(device).map(({ outcome }) => outcome)).toEqual(['accepted', 'accepted']);
  });
});

test('[SM23] at a server without a feed, too, nothing is sent where no answer comes: of what is made offline it is known that it has not arrived', async () => {
  const world = new World(5, { devices: 1, kind: 'specification' });
  const watcher = new Watcher(world);
  await comeToRest(world, watcher);
  const [device] = world.devices as [SimDevice];
  device.weather = { ...device.weather, isOffline: true };
  const ticket = { id: world.uuid(), headline: 'It hangs', description: 'Often', priority: 'low', reporter: 'a@example.org' } as const;
  const id = world.edit(0, 'submitTicket', ticket);
  await world.scheduler.pass(5 * 60_000, 50_000);
  expect(world.pending(device).map(({ state, attempts }) => [state, attempts])).toEqual([['queued', 0]]);
  // nor is the person asked whether it is there
  await comeToRest(world, watcher);
  expect([world.server.effects.get(id), world.pending(device)]).toEqual([1, []]);
});

/** As it comes to rest, but that faults planted on the disk stay planted until they were met. */
async function comeToRestOf(world: World, watcher: Watcher): Promise<void> {
  await world.scheduler.pass(120_000, 100_000);
  expect(world.devices[0]?.disk.failingWrites).toBe(0);
  await comeToRest(world, watcher);
}
