import type { Endpoint } from '#contract/endpoint.ts';
import { findRemoval, type LostKind, type Removal, reportRemoval } from '#contract/devices.ts';
import { noteCopy } from '#app/session/copies-here.ts';
import { askRemoval, removeOnceFree, type Removable } from '#app/session/copy-removal.ts';
import { followRemovals } from '#app/session/ordered-removal.ts';
import { openSession, type Session } from '#app/session/session.ts';
import type { Services } from '#app/services.tsx';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { enqueue, pendingMutations } from '#replica/outbox.ts';
import { intentsIn } from '#replica/wipe-intents.ts';
import type { Me } from '#contract/session.ts';
import { aStorage } from '#tests/support/storage.ts';
import type { Scenario, Scene } from './crash-scenes.ts';
import { mark, saveView } from './scenes.ts';
import type { Actor } from './scheduler.ts';
import { fairWeather } from './sim-net.ts';
import type { SimDevice } from './sim-device.ts';

// What removes what a browser keeps of a person, as the app does it: its own code, on the simulated disk.

/** Somebody else who uses the browser, and has an edit that waits. */
const other = 'somebody else';

/** What a browser has beside its databases, and what a server knows of an order. */
interface Leaving {
  local: Storage;
  session: Session;
  removal: Removal | null;
  /** What the server was told that goes unsent, and how many edits there were by then; null before it was told. */
  told: { lost: readonly LostKind[]; waiting: number } | null;
  /** Whether the server can be told. */
  isHeard: boolean;
  /** How many edits waited when it began. */
  waiting: number;
}

const leavings = new WeakMap<SimDevice, Leaving>();

function leavingOf({ device }: Scene): Leaving {
  const leaving = leavings.get(device);
  if (!leaving) throw new Error('Nobody leaves here');
  return leaving;
}

const meOf = ({ userId: id }: SimDevice): Me => ({ id, email: `${id}@example.org`, name: null, is_superuser: false, permissions: {} });

/** The browser's locks as a tab has them. */
function locksOf({ browser }: SimDevice, tab: Actor): LockManager {
  const withLock = browser.locks.portFor(tab);
  const request = async (name: string, work: () => Promise<unknown>): Promise<unknown> => {
    let result: unknown;
    await withLock?.(name, new AbortController().signal, async () => {
      result = await work();
    });
    return result;
  };
  return { request } as unknown as LockManager;
}

/** The app's code of a tab from here on reaches the disk as that tab. */
function becomes(device: SimDevice, tab: Actor): void {
  Object.assign(browserStores, device.disk.hostFor(tab));
}

const names = ({ device }: Scene): string[] => device.disk.names();
const hasCopy = (scene: Scene): boolean => names(scene).includes(scene.device.rowsName);
const hasOutbox = (scene: Scene): boolean => names(scene).includes(scene.device.outboxName);
const waiting = ({ world, device }: Scene): number => world.pending(device).filter(({ state }) => state !== 'acked').length;

async function come({ world }: Scene, what: string, isThere: () => boolean): Promise<void> {
  if (!(await world.scheduler.until(isThere, 40_000))) throw new Error(`It does not come to this: ${what}`);
}

/** Lets something happen to its end. */
async function done<T>(scene: Scene, what: string, work: Promise<T>): Promise<T> {
  let result: { is: T } | { failure: unknown } | null = null;
  work.then(
    (is) => (result = { is }),
    (failure: unknown) => (result = { failure }),
  );
  await come(scene, what, () => result !== null);
  const over = result as unknown as { is: T } | { failure: unknown };
  if ('failure' in over) throw over.failure;
  return over.is;
}

/** Edits that wait without a network, and somebody else of whom something is kept here, too. */
async function prepare(scene: Scene): Promise<void> {
  const { world, device } = scene;
  const local = aStorage();
  const session = openSession(local, aStorage(), () => undefined);
  session.signIn({} as Parameters<Session['signIn']>[0], meOf(device));
  noteCopy(local, meOf(device));
  const tab = device.anActor('tab');
  const theirs = await done(scene, 'a copy of somebody else', openReplica(device.disk.hostFor(tab), other, device.now));
  const edit = { id: world.uuid(), name: 'saveView', title: 'Theirs', now: device.now, clientId: null, entityId: null } as const;
  const input = { id: world.uuid(), name: 'Theirs', list: 'transactions', search: 'q=theirs' } as const;
  await done(scene, 'an edit of theirs', enqueue(theirs.outbox, { ...edit, input }));
  closeReplica(theirs);
  device.weather = { ...fairWeather, isOffline: true };
  saveView(world, 'Mine');
  mark(world);
  await come(scene, 'edits that wait', () => waiting(scene) === 2);
  // what is lost with its outbox nobody was promised any more
  const { onRemove } = device.disk;
  device.disk.onRemove = (database) => {
    onRemove(database);
    if (database !== device.outboxName) return;
    device.evictions += 1;
    for (const made of world.made.values()) if (made.device === device) made.isCleared = true;
  };
  leavings.set(device, { local, session, removal: null, told: null, isHeard: true, waiting: waiting(scene) });
}

/** Nobody is signed in: workers end what they do, and tabs let go of what they had open. */
async function leave({ device }: Scene): Promise<void> {
  device.browser.isLeaving = true;
  await Promise.all(device.workers.map(({ engine }) => engine.close(device.userId)));
  if (device.page?.replica) closeReplica(device.page.replica);
}

function beginToSignOut(whats: readonly Removable[]): Scenario['begin'] {
  return (scene) => {
    const { device } = scene;
    const { local, session } = leavingOf(scene);
    const tab = device.page?.actor ?? device.openBareTab();
    becomes(device, tab);
    askRemoval(local, device.userId, whats);
    session.clear();
    const away = leave(scene).then(() => removeOnceFree(local, locksOf(device, tab)));
    away.catch(() => undefined);
  };
}

/** The server as the app of a tab asks it what is to go. */
function callFrom(scene: Scene, tab: Actor): Services['call'] {
  const { scheduler } = scene.world;
  const leaving = leavingOf(scene);
  const call = async (endpoint: Endpoint, input: object): Promise<unknown> => {
    await scheduler.turn(`send ${endpoint.method} ${endpoint.path}`, tab);
    let answer: object = {};
    if (endpoint.name === findRemoval.name) {
      const { question, user_id } = input as { question: string; user_id: string };
      const isToGo = leaving.removal?.user_id === user_id && leaving.told === null;
      answer = { question, removal: isToGo ? leaving.removal : null };
    }
    if (endpoint.name === reportRemoval.name && !leaving.isHeard) throw new TypeError('network');
    if (endpoint.name === reportRemoval.name)
      leaving.told ??= { lost: (input as { lost: LostKind[] | null }).lost ?? [], waiting: hasOutbox(scene) ? waiting(scene) : -1 };
    await scheduler.turn(`answer ${endpoint.method} ${endpoint.path}`, tab);
    return answer;
  };
  return call as Services['call'];
}

/** What the app does at its start, and nobody is signed in. */
function start(scene: Scene, tab: Actor): Promise<void> {
  const { device } = scene;
  const { local, session } = leavingOf(scene);
  becomes(device, tab);
  const ports = { call: callFrom(scene, tab), session, local, locks: locksOf(device, tab), clock: () => device.now };
  return removeOnceFree(local, ports.locks).then(() => followRemovals(ports));
}

/** The app is started anew on the browser, and what was cut short goes on; then the person signs in again. */
async function startAnew(scene: Scene): Promise<void> {
  const { device } = scene;
  const { session, local } = leavingOf(scene);
  device.browser.isLeaving = true;
  device.disk.blockedUntil = 0;
  const closed = Promise.all(device.workers.map(({ engine }) => engine.close(device.userId)));
  device.killPage();
  await done(scene, 'an end of all work', closed);
  await done(scene, 'a start', start(scene, device.anActor('tab')));
  if (hasCopy(scene)) throw new Error('The copy is still there');
  session.resume(meOf(device));
  noteCopy(local, meOf(device));
  device.browser.isLeaving = false;
  for (const worker of device.workers) void device.openEngine(worker);
  device.revive();
}

async function nobodyElseLost(scene: Scene): Promise<void> {
  const { device } = scene;
  const theirs = await done(scene, 'what is theirs', openReplica(device.disk.hostFor(device.anActor('tab')), other, device.now));
  const edits = await done(scene, 'their edits', pendingMutations(theirs.outbox));
  closeReplica(theirs);
  if (edits.length !== 1) throw new Error(`${edits.length} edits of somebody else are here`);
}

function isNotedAsGone({ device }: Scene): boolean {
  const noted = device.disk.peek<{ k: string; value: unknown }>('tieout-device', 'device').find(({ k }) => k === `wipe ${device.userId}`);
  return (noted?.value as { is_gone?: boolean } | undefined)?.is_gone === true;
}

const stands = (scene: Scene): string[] => [
  hasCopy(scene) ? 'the copy is here' : 'the copy is gone',
  hasOutbox(scene) ? 'edits are here' : 'edits are gone',
];

const cutsAt =
  /^(open|remove|lock|granted) |^commit write tieout-device|^end write tieout-device|^(send|answer) (POST|PUT) \/sync\/v1\/removal/;

/** What keeps something of a person hears from the server that it is to go. @param isHeard whether the server can be told of it at once. */
function orderedRemoval(isHeard: boolean): Scenario {
  return {
    what: isHeard ? 'a removal by order' : 'a removal by order, told later',
    kinds: ['feed'],
    by: 'tab',
    prepare: async (scene) => {
      await prepare(scene);
      const { device } = scene;
      const leaving = leavingOf(scene);
      leaving.isHeard = isHeard;
      leaving.session.clear();
      await done(scene, 'a sign-out', leave(scene));
      device.killPage();
      const [held] = device.disk.peek<{ k: string; value: unknown }>('tieout-device', 'device').filter(({ k }) => k === 'device_id');
      const of = { user_id: device.userId, device_id: String(held?.value), ordered_at: new Date(device.now).toISOString() };
      leaving.removal = { id: scene.world.uuid(), reason: 'disabled', ...of };
    },
    begin: (scene) => {
      start(scene, scene.device.openBareTab()).catch(() => undefined);
    },
    cutsAt,
    stands: (scene) => [...stands(scene), leavingOf(scene).told === null ? 'the server knows nothing' : 'the server knows'],
    meets: [
      'the copy is here',
      'the copy is gone',
      'edits are here',
      'edits are gone',
      isHeard ? 'the server knows' : 'the server knows nothing',
    ],
    isOver: (scene) => !hasOutbox(scene) && (isHeard ? leavingOf(scene).told !== null : isNotedAsGone(scene)),
    resume: async (scene) => {
      leavingOf(scene).isHeard = true;
      await startAnew(scene);
      const { told, waiting: lost } = leavingOf(scene);
      const { evictions } = scene.device;
      if (evictions === 0) throw new Error('The edits are still here');
      if (told?.lost.reduce((sum, { count }) => sum + count, 0) !== lost)
        throw new Error(`The server was told of ${JSON.stringify(told?.lost)}, and ${lost} edits went`);
      if (isHeard && told.waiting !== lost) throw new Error('The server was told of edits that were gone by then');
      const left = await done(scene, 'what is noted', intentsIn(scene.device.disk.hostFor(scene.device.anActor('tab'))));
      if (left.length > 0) throw new Error('That something is to go is still noted');
    },
    after: nobodyElseLost,
  };
}

export const removalScenarios: readonly Scenario[] = [
  {
    what: 'signing out without the copy',
    kinds: ['feed'],
    by: 'tab',
    prepare,
    begin: beginToSignOut(['copy']),
    cutsAt,
    stands,
    meets: ['the copy is here', 'the copy is gone', 'edits are here'],
    isOver: (scene) => !hasCopy(scene),
    resume: async (scene) => {
      const kept = waiting(scene);
      await startAnew(scene);
      if (waiting(scene) < kept) throw new Error('Edits that were to be kept went with the copy');
    },
    after: nobodyElseLost,
  },
  {
    what: 'leaving a shared computer',
    kinds: ['feed'],
    by: 'tab',
    prepare,
    begin: beginToSignOut(['copy', 'edits']),
    cutsAt,
    stands,
    meets: ['the copy is here', 'the copy is gone', 'edits are here', 'edits are gone'],
    isOver: (scene) => !hasCopy(scene) && !hasOutbox(scene),
    resume: async (scene) => {
      await startAnew(scene);
      if (scene.device.evictions === 0) throw new Error('The edits are still here');
    },
    after: nobodyElseLost,
  },
  orderedRemoval(true),
  orderedRemoval(false),
];
