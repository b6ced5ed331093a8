import { deleteRows } from '#replica/open.ts';
import type { Scene } from './crash-scenes.ts';

/** Something that ends what is under way at any moment, or takes from it what it stands on. */
export interface End {
  what: string;
  /** @param by whether a tab or a worker does what is cut through. */
  come: (scene: Scene, by: 'tab' | 'worker') => unknown;
}

/** The person signs out, as the app does it: the worker ends its work, and then the copy is removed. Then they sign in again. */
async function signOut({ world, device }: Scene): Promise<void> {
  const { browser, disk, userId } = device;
  let isDone = false;
  browser.isLeaving = true;
  device.killPage();
  const tab = { name: 'a tab that signs out', isDead: false, frozenUntil: 0 };
  const work = Promise.all(device.workers.map(({ engine }) => engine.close(userId))).then(() => deleteRows(disk.hostFor(tab), userId));
  void work.then(() => {
    isDone = true;
  });
  if (!(await world.scheduler.until(() => isDone, 20_000))) throw new Error('The sign-out hangs');
  if (disk.names().includes(device.rowsName)) throw new Error('The copy is still there after the sign-out');
  await world.scheduler.until(() => false, 50);
  if (disk.names().includes(device.rowsName)) throw new Error('The copy came back after the sign-out');
  browser.isLeaving = false;
  for (const worker of device.workers) void device.openEngine(worker);
}

export const ends: readonly End[] = [
  {
    what: 'the tab or worker dies',
    come: ({ device }, by) => {
      const [worker] = device.workers;
      if (by === 'tab') device.killPage();
      else if (worker) device.killWorker(worker);
    },
  },
  { what: 'the browser is killed', come: ({ device }) => device.killAll() },
  {
    what: 'the power fails',
    come: ({ device }) => {
      device.killAll();
      device.disk.losePower();
      device.losses += 1;
    },
  },
  {
    what: 'another worker takes over',
    come: ({ device }) => {
      device.startWorker();
      device.browser.locks.take(() => true);
    },
  },
  { what: 'the browser closes its databases', come: ({ device }) => device.disk.loseConnections() },
  {
    what: 'a right is taken',
    come: async ({ world }) => {
      await world.setHidden(world.server.entities[0]?.id ?? '', true);
    },
  },
  {
    what: 'the session ends',
    come: ({ device }) => {
      device.browser.session = 'ended';
    },
  },
  { what: 'the person signs out', come: signOut },
];
