import { attachToTicket } from '#contract/tickets.ts';
import { keepMine, takeTheirs } from '#replica/conflicts.ts';
import { discard } from '#replica/decisions.ts';
import type { Fields } from '#replica/merge.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { CountsRecord, KeptRecord, ManifestRecord } from '#replica/row-tables.ts';
import { feedOf, tracesOf } from './feed-watch.ts';
import { unfinished, Watcher } from './invariants.ts';
import { rowsOnDisk } from './rows-on-disk.ts';
import { comeToRest, mark, saveView } from './scenes.ts';
import type { SimDevice, SimWorker } from './sim-device.ts';
import { fairWeather } from './sim-net.ts';
import { generationOn, type ServerKind, World } from './world.ts';

/** A world with one device, at the moment something begins in it. */
export interface Scene {
  world: World;
  watcher: Watcher;
  device: SimDevice;
}

/** A routine of the engine that is cut through. */
export interface Scenario {
  what: string;
  kinds: readonly ServerKind[];
  /** What does it; a worker where nothing is said. */
  by?: 'tab';
  /** Nothing was ever pulled. Else everything is at rest before it is prepared. */
  isFirst?: true;
  prepare?: (scene: Scene) => unknown;
  begin: (scene: Scene) => unknown;
  /** The port calls it consists of. */
  cutsAt: RegExp;
  /** Where it stands, in words. */
  stands: (scene: Scene) => readonly string[];
  /** All of them, where it is cut through as it claims to be. */
  meets: readonly string[];
  isOver: (scene: Scene) => boolean;
  /** What happens next, whatever became of it, before all comes to rest. */
  resume?: (scene: Scene) => Promise<void>;
  /** What must hold beside everything else once all has come to rest. */
  after?: (scene: Scene) => unknown;
}

const both: readonly ServerKind[] = ['feed', 'specification'];
const seed = 11;

// A cut lies behind a port call: a request the server had or that was answered, a transaction that became true and, in the outbox, one
// that was told of; a lock that was given, a database that was opened. What a transaction does before it becomes true nobody has seen, and
// it goes with it; a question without an effect is as good as not asked. Other turns are not of the routine that is cut through.
const sends = /^send (POST|PUT|DELETE)|^answer |^(commit|end) write tieout-outbox/;
const writes = /^commit write |^(open|remove) /;
const everything = /^send (POST|PUT|DELETE)|^(answer|late|open|remove|lock|granted|usage)\b|^commit write |^end write tieout-outbox/;

const workerOf = ({ device }: Scene): SimWorker => {
  const [worker] = device.workers;
  if (!worker) throw new Error('There is no worker');
  return worker;
};
const states = ({ world, device }: Scene): string[] => world.pending(device).map(({ state }) => state);
const outcomes = ({ world, device }: Scene): string[] => world.receipts(device).map(({ outcome }) => outcome);
const isSent = (scene: Scene): boolean => states(scene).length === 0;
const isWhole = ({ world }: Scene): boolean => unfinished(world).length === 0;
const whether = (is: boolean, yes: string, no: string): string[] => [is ? yes : no];
const firstEntity = ({ world }: Scene): string => world.server.entities[0]?.id ?? '';
const firstClient = ({ world }: Scene): string => world.server.clients[0]?.id ?? '';
const rowsOf = ({ world, device }: Scene, client: string): number => {
  const ids = world.server.entities.filter(({ client_id }) => client_id === client).map(({ id }) => id);
  return [...rowsOnDisk(device).values()].filter(({ entity_id }) => ids.includes(entity_id)).length;
};
const phases = ({ device }: Scene): string[] =>
  device.disk.peek<PullRow>(device.rowsName, 'pulls').flatMap(({ noun, phase }) => (noun === 'transactions' ? phase : []));
const termsOf = ({ device }: Scene): { outbox: number; copy: number } => ({
  outbox: device.disk.peek<{ epoch: number }>(device.outboxName, 'term')[0]?.epoch ?? 0,
  copy: Number(device.disk.peek<KeptRecord>(device.rowsName, 'meta').find(({ k }) => k === 'term')?.value ?? 0),
});
const partitions = ({ device }: Scene): number =>
  device.disk.peek<ManifestRecord>(device.rowsName, 'manifests').reduce((sum, manifest) => sum + manifest.partitions.length, 0);
const blobs = ({ device }: Scene): string[] => device.disk.peek<{ id: string }>(device.outboxName, 'blobs').map(({ id }) => id);

const offline = ({ device }: Scene): void => {
  device.weather = { ...fairWeather, isOffline: true };
};
const online = (scene: Scene): void => {
  scene.device.weather = { ...fairWeather };
  void workerOf(scene).engine.wakeUp();
};
const syncNow = (scene: Scene): void => {
  workerOf(scene)
    .engine.syncNow()
    .catch(() => undefined);
};

async function come(scene: Scene, what: string, isThere: () => boolean, mostTurns = 20_000): Promise<void> {
  if (!(await scene.world.scheduler.until(isThere, mostTurns))) throw new Error(`It does not come to this: ${what}`);
}

/** The worker is gone, and meanwhile others add, change and delete. */
async function missMuch(scene: Scene): Promise<void> {
  const { world, device } = scene;
  device.killWorker(workerOf(scene));
  await changeMuch(world);
}

async function changeMuch({ server }: World): Promise<void> {
  const ids = [...server.transactions.keys()];
  await server.addTransaction(server.entities[0]?.id ?? '');
  await server.changeTransaction(ids[3] ?? '');
  await server.deleteTransaction(ids[5] ?? '');
  await server.deleteTransaction(ids[9] ?? '');
  await server.markPair(ids[1] ?? '', ids[2] ?? '');
}

/** A view of which somebody else changed what the person changes, too. */
async function aConflict(scene: Scene): Promise<void> {
  const { world, device } = scene;
  world.server.mood.comparesVersions = true;
  // told of with the next greeting
  device.killAll();
  device.revive();
  const id = world.uuid();
  await come(scene, 'a tab', () => device.page?.replica !== null);
  saveView(world, 'Ours', id);
  await come(scene, 'a view', () => isSent(scene) && outcomes(scene).includes('accepted'));
  offline(scene);
  saveView(world, 'Mine', id);
  await come(scene, 'a change of it', () => states(scene).length === 1);
  await world.server.changeView(id, 'Theirs');
  online(scene);
  await come(scene, 'a conflict', () => states(scene).includes('conflict'));
}

/** So many rows of one client that they are worth sorting, all in one page. */
async function addMany(scene: Scene): Promise<void> {
  const { world, device } = scene;
  device.weather = { ...fairWeather };
  world.server.mood.pageCap = 2_000;
  for (let no = 0; no < 540; no += 1) await world.server.addTransaction(firstEntity(scene));
}

/** How many rows the copy says it holds. */
function rowsCounted({ device }: Scene): number {
  const counts = device.disk.peek<CountsRecord>(device.rowsName, 'counts');
  return counts.flatMap(({ rows }) => Object.values(rows)).reduce((sum, rows) => sum + rows, 0);
}

/** A ticket's screenshot waits. The server takes it, and once for each key. */
async function aFile(scene: Scene): Promise<void> {
  const { world } = scene;
  const { server } = world;
  const handle = server.handle.bind(server);
  const ticket_id = world.uuid();
  server.handle = (request) => {
    const { key } = request;
    if (key === null || request.path !== attachToTicket.path.replace(':ticket_id', ticket_id)) return handle(request);
    server.effects.set(key, 1);
    return { status: 200, body: { id: ticket_id, filename: 'screen.png', size: 3_000, mimeType: 'image/png' } };
  };
  offline(scene);
  const file = { name: 'screen.png', type: 'image/png', bytes: new Uint8Array(3_000) };
  const id = world.edit(0, 'attachToTicket', { ticket_id }, { file });
  await come(scene, 'a file that waits', () => blobs(scene).includes(id));
}

export const scenarios: readonly Scenario[] = [
  {
    what: 'keeping edits',
    kinds: ['feed'],
    by: 'tab',
    prepare: offline,
    begin: ({ world }) => {
      const id = world.uuid();
      saveView(world, 'Mine', id);
      mark(world);
      saveView(world, 'Another');
      // it was never sent, and both go
      world.edit(0, 'deleteView', { id });
    },
    cutsAt: sends,
    stands: (scene) => [`${states(scene).length} kept`],
    meets: ['0 kept', '1 kept', '2 kept'],
    isOver: ({ world }) => [...world.made.values()].every(({ isKept }) => isKept),
  },
  {
    what: 'keeping edits on a full disk',
    kinds: ['feed'],
    by: 'tab',
    prepare: (scene) => {
      offline(scene);
      scene.device.disk.room = scene.device.disk.taken;
    },
    begin: ({ world }) => saveView(world, 'Mine'),
    cutsAt: sends,
    stands: (scene) => whether(blobs(scene).includes('ballast'), 'room is kept', 'room is given away'),
    meets: ['room is kept', 'room is given away'],
    isOver: ({ world }) => [...world.made.values()].every(({ isKept }) => isKept),
  },
  {
    what: 'sending, settling and pulling',
    kinds: both,
    begin: async ({ world }) => {
      saveView(world, 'Mine');
      mark(world);
      await world.server.changeTransaction([...world.server.transactions.keys()][3] ?? '');
    },
    cutsAt: everything,
    stands: states,
    meets: ['queued', 'sending', 'acked'],
    isOver: (scene) => outcomes(scene).length === 2 && (!scene.world.server.hasFeed || isWhole(scene)),
  },
  {
    what: 'sending what was sent, and not answered',
    kinds: both,
    prepare: async (scene) => {
      const { world, device } = scene;
      device.weather = { ...fairWeather, answersSpoilt: true };
      saveView(world, 'Mine');
      mark(world);
      await come(scene, 'edits that may have arrived', () => states(scene).filter((state) => state === 'uncertain').length === 2);
    },
    begin: online,
    cutsAt: sends,
    stands: states,
    meets: ['uncertain', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'sending a file',
    kinds: ['feed'],
    prepare: aFile,
    begin: online,
    cutsAt: sends,
    stands: (scene) => [...states(scene), ...whether(blobs(scene).length > 2, 'the file is here', 'the file is gone')],
    meets: ['queued', 'sending', 'acked', 'the file is here', 'the file is gone'],
    isOver: isSent,
    after: ({ world }) => {
      if (world.server.effects.size !== 1) throw new Error('The file did not arrive');
    },
  },
  {
    what: 'the first pull and its end',
    kinds: both,
    isFirst: true,
    begin: ({ world, device }) => {
      world.server.mood.pageCap = 20;
      device.weather = { ...fairWeather };
    },
    // of the many pages each is read and written in the same way: cut where it is written, and where the disk is opened
    cutsAt: /^commit write tieout-replica|^(open|granted) |^end write .*(pulls|meta)/,
    stands: phases,
    meets: ['recent', 'older', 'steady'],
    isOver: isWhole,
  },
  {
    what: 'the first pull after a browser threw the copy away',
    kinds: ['feed'],
    prepare: async (scene) => {
      const { world, device } = scene;
      offline(scene);
      saveView(world, 'Mine');
      mark(world);
      await come(scene, 'edits that wait', () => states(scene).length === 2);
      world.killBrowser(device);
      device.disk.throwAwayCopies();
      device.losses += 1;
      device.weather = { ...fairWeather };
    },
    begin: ({ device }) => device.revive(),
    cutsAt: /^commit write |^(open|granted) /,
    stands: (scene) => [...phases(scene), ...states(scene)],
    meets: ['recent', 'older', 'steady', 'queued', 'sending', 'acked'],
    isOver: isWhole,
  },
  {
    what: 'following the feed',
    kinds: ['feed'],
    prepare: missMuch,
    begin: ({ device }) => device.startWorker(),
    cutsAt: everything,
    stands: ({ world, device }) =>
      whether(world.server.placeOf(feedOf(device)?.cursor ?? '0') < world.server.feedLines.length, 'behind', 'told of all'),
    meets: ['behind', 'told of all'],
    isOver: isWhole,
  },
  {
    what: 'beginning with the feed anew, which forgot',
    kinds: ['feed'],
    prepare: async (scene) => {
      await missMuch(scene);
      await scene.world.server.forgetChanges(0);
    },
    begin: ({ device }) => device.startWorker(),
    cutsAt: everything,
    stands: ({ world, device }) =>
      whether(world.server.placeOf(feedOf(device)?.cursor ?? '0') < world.server.feedLines.length, 'behind', 'anew'),
    meets: ['behind', 'anew'],
    isOver: isWhole,
  },
  {
    what: 'reading lists again, and asking for what they lack',
    kinds: ['specification'],
    prepare: ({ world }) => changeMuch(world),
    begin: syncNow,
    cutsAt: everything,
    stands: ({ world, device }) =>
      whether(
        [...rowsOnDisk(device).keys()].every((id) => world.server.transactions.has(id)),
        'what went is gone',
        'what went is held',
      ),
    meets: ['what went is held', 'what went is gone'],
    isOver: isWhole,
  },
  {
    what: 'letting go of what may not be seen',
    kinds: both,
    begin: async (scene) => {
      await scene.world.setHidden(firstEntity(scene), true);
      syncNow(scene);
    },
    cutsAt: everything,
    stands: (scene) => whether(tracesOf(scene.device, [firstEntity(scene)]).length > 0, 'held', 'gone'),
    meets: ['held', 'gone'],
    isOver: isWhole,
  },
  {
    what: 'letting go of all transactions, for the right is gone',
    kinds: both,
    begin: async (scene) => {
      await scene.world.withhold(['transaction_read']);
      syncNow(scene);
    },
    cutsAt: everything,
    stands: ({ device }) => whether(rowsOnDisk(device).size > 0, 'held', 'gone'),
    meets: ['held', 'gone'],
    isOver: isWhole,
  },
  {
    what: 'taking over from a worker that is gone',
    kinds: both,
    prepare: async (scene) => {
      const { world, device } = scene;
      device.startWorker();
      offline(scene);
      saveView(world, 'Mine');
      await come(scene, 'an edit that waits', () => states(scene).length === 1);
      await world.scheduler.pass(1_000, 2_000);
      device.weather = { ...fairWeather };
    },
    begin: (scene) => scene.device.killWorker(workerOf(scene)),
    cutsAt: everything,
    stands: (scene) => whether(termsOf(scene).outbox > termsOf(scene).copy, 'a term in the outbox alone', 'a term in both'),
    meets: ['a term in the outbox alone', 'a term in both'],
    isOver: isSent,
  },
  {
    what: 'saying an edit otherwise',
    kinds: ['feed'],
    by: 'tab',
    prepare: async (scene) => {
      offline(scene);
      saveView(scene.world, 'Mine');
      await come(scene, 'an edit that waits', () => states(scene).length === 1);
    },
    begin: (scene) => {
      const [edit] = scene.world.pending(scene.device);
      if (!edit) throw new Error('There is nothing to say otherwise');
      scene.world.sayOtherwise(scene.device, edit, { name: 'Otherwise' });
      online(scene);
    },
    cutsAt: sends,
    stands: ({ world, device }) =>
      world
        .pending(device)
        .flatMap(({ input, state }) => [...whether((input as Fields).name === 'Otherwise', 'Otherwise', 'as it was'), state]),
    meets: ['as it was', 'Otherwise', 'queued', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'letting go of an edit',
    kinds: ['feed'],
    by: 'tab',
    prepare: async (scene) => {
      offline(scene);
      saveView(scene.world, 'Mine');
      mark(scene.world);
      await come(scene, 'edits that wait', () => states(scene).length === 2);
    },
    begin: (scene) => {
      scene.world.decide(scene.device, 0, (outbox, { seq }) => discard(outbox, seq, scene.device.now));
      online(scene);
    },
    cutsAt: sends,
    stands: (scene) => [...states(scene), ...outcomes(scene)],
    meets: ['queued', 'sending', 'discarded'],
    isOver: isSent,
  },
  {
    what: 'the decision that mine holds',
    kinds: ['feed'],
    by: 'tab',
    prepare: aConflict,
    begin: ({ world, device }) => world.settleConflict(device, 0, true, (outbox, edit) => keepMine(outbox, edit)),
    cutsAt: sends,
    stands: states,
    meets: ['conflict', 'queued', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'the decision that theirs holds',
    kinds: ['feed'],
    by: 'tab',
    prepare: aConflict,
    begin: ({ world, device }) => world.settleConflict(device, 0, false, (outbox, edit) => takeTheirs(outbox, edit, device.now)),
    cutsAt: sends,
    stands: (scene) => [...states(scene), ...outcomes(scene)],
    meets: ['conflict', 'theirs'],
    isOver: isSent,
  },
  {
    what: 'leaving a client out',
    kinds: both,
    begin: (scene) => {
      workerOf(scene)
        .engine.keepClient(firstClient(scene), false)
        .catch(() => undefined);
    },
    cutsAt: everything,
    stands: (scene) => whether(rowsOf(scene, firstClient(scene)) > 0, 'held', 'gone'),
    meets: ['held', 'gone'],
    isOver: (scene) => scene.device.leftOut.length > 0 && isWhole(scene),
  },
  {
    what: 'taking a client in again',
    kinds: both,
    prepare: async (scene) => {
      void workerOf(scene).engine.keepClient(firstClient(scene), false);
      await come(scene, 'a client left out', () => rowsOf(scene, firstClient(scene)) === 0);
    },
    begin: (scene) => {
      workerOf(scene)
        .engine.keepClient(firstClient(scene), true)
        .catch(() => undefined);
    },
    cutsAt: writes,
    stands: (scene) => whether(rowsOf(scene, firstClient(scene)) > 0, 'held', 'not yet'),
    meets: ['not yet', 'held'],
    isOver: (scene) => scene.device.leftOut.length === 0 && isWhole(scene),
  },
  {
    what: 'letting go of a client for want of room',
    kinds: both,
    prepare: async (scene) => {
      const { world, device } = scene;
      for (const { id } of world.server.clients) {
        void workerOf(scene).engine.look([id]);
        await world.scheduler.pass(1_000, 1_000);
      }
      device.disk.room = device.disk.taken + 2_000;
      for (const { id } of world.server.entities) for (let no = 0; no < 20; no += 1) await world.server.addTransaction(id);
      void workerOf(scene).engine.syncNow();
      await come(scene, 'a full disk', () => workerOf(scene).status?.problem?.startsWith('This device has no room left') === true);
    },
    begin: () => undefined,
    cutsAt: writes,
    stands: (scene) => [...whether(rowsOf(scene, firstClient(scene)) > 0, 'held', 'gone'), ...scene.device.letGo.map(() => 'noted')],
    meets: ['held', 'gone', 'noted'],
    isOver: ({ device }) =>
      device.letGo.length > 0 && device.disk.peek<KeptRecord>(device.rowsName, 'meta').some(({ k }) => k === 'left_out'),
  },
  {
    what: 'reading everything anew from a server that was restored',
    kinds: ['feed'],
    prepare: async (scene) => {
      const { world } = scene;
      await world.server.backUp();
      saveView(world, 'Since');
      await come(scene, 'an edit since', () => outcomes(scene).includes('accepted'));
      offline(scene);
      saveView(world, 'Mine');
      mark(world);
      await come(scene, 'edits that wait', () => states(scene).length === 2);
      await world.restore();
    },
    begin: online,
    cutsAt: /^commit write |^(send|answer) (POST|PUT)/,
    stands: ({ world, device }) => [
      ...whether(generationOn(device) === world.server.generation, 'of this one', 'of another one, or none'),
      ...whether(rowsOnDisk(device).size === 0, 'empty', 'held'),
    ],
    meets: ['of another one, or none', 'empty', 'of this one', 'held'],
    isOver: isWhole,
  },
  {
    what: 'going on as a build the server takes',
    // ours takes edits of any build
    kinds: ['specification'],
    prepare: async (scene) => {
      const { world } = scene;
      world.server.oldestBuild = 2;
      saveView(world, 'Mine');
      await come(scene, 'an edit that waits for an update', () => states(scene).includes('paused_update'));
    },
    begin: ({ device }) => device.update('2'),
    cutsAt: everything,
    stands: states,
    meets: ['paused_update', 'queued', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'renewing the session',
    kinds: both,
    prepare: async (scene) => {
      offline(scene);
      saveView(scene.world, 'Mine');
      await come(scene, 'an edit that waits', () => states(scene).length === 1);
      scene.device.browser.session = 'old';
    },
    begin: online,
    cutsAt: everything,
    stands: (scene) => [scene.device.browser.session, ...states(scene)],
    meets: ['old', 'good', 'queued', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'going on after a new sign-in',
    kinds: both,
    prepare: async (scene) => {
      const { world, device } = scene;
      device.browser.session = 'ended';
      saveView(world, 'Mine');
      await come(scene, 'an edit that waits for the session', () => workerOf(scene).status?.phase === 'signed_out');
    },
    begin: (scene) => {
      scene.device.browser.session = 'good';
      void scene.device.openEngine(workerOf(scene));
    },
    cutsAt: everything,
    stands: states,
    meets: ['queued', 'sending', 'acked'],
    isOver: isSent,
  },
  {
    what: 'sorting what waits unsorted',
    kinds: ['feed'],
    isFirst: true,
    prepare: async (scene) => {
      await addMany(scene);
      await come(scene, 'rows that wait unsorted', () => rowsCounted(scene) === scene.world.server.transactions.size);
    },
    begin: () => undefined,
    cutsAt: /segments/,
    stands: (scene) => whether(partitions(scene) > 0, 'sorted', 'unsorted'),
    meets: ['unsorted', 'sorted'],
    isOver: (scene) => partitions(scene) > 0 && workerOf(scene).status?.phase === 'idle',
  },
  {
    what: 'making damaged columns anew',
    kinds: ['feed'],
    isFirst: true,
    prepare: async (scene) => {
      const { device } = scene;
      await addMany(scene);
      await come(scene, 'sorted rows', () => partitions(scene) > 0);
      device.killAll();
      device.disk.damage(device.rowsName, 'segments');
    },
    begin: ({ world, device }) => {
      device.revive();
      void world.server.changeTransaction([...world.server.transactions.keys()].at(-1) ?? '');
    },
    cutsAt: /^(commit|end) write .*(segments|manifests|loss)/,
    stands: ({ device }) => whether(device.disk.peek('tieout-device', 'loss_audit').length > 0, 'noted', 'damaged'),
    meets: ['damaged', 'noted'],
    isOver: ({ device }) => device.disk.peek('tieout-device', 'loss_audit').length > 0,
  },
];

/** A scenario at the moment it begins. */
export async function begun({ isFirst, prepare, begin }: Scenario, kind: ServerKind): Promise<Scene> {
  const world = new World(seed, { devices: 1, kind });
  const watcher = new Watcher(world);
  const [device] = world.devices as [SimDevice];
  const scene = { world, watcher, device };
  if (isFirst !== true) await comeToRest(world, watcher);
  await prepare?.(scene);
  await begin(scene);
  return scene;
}
