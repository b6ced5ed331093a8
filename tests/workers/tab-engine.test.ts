import { expect, test } from 'vitest';
import type { Engine } from '#workers/start.ts';
import { engineOfTab } from '#workers/tab-engine.ts';

const nothing = (): void => undefined;
const window = { offset: 0, limit: 1 };
const life = Promise.resolve('the worker');

/** An engine that notes what is watched, and the lock of a tab that lives until it is closed. */
function aShared() {
  const watched = new Set<string>();
  const looks = new Map<object, readonly string[]>();
  const engine = {
    watchStatus: async (id: string) => void watched.add(id),
    watchQuery: async (id: string) => void watched.add(id),
    unwatch: async (id: string) => void watched.delete(id),
    look: async (clients: readonly string[], tab: object) => void looks.set(tab, clients),
    facets: async function (this: object) {
      return [this === engine];
    },
  } as unknown as Engine;
  let closed = nothing;
  const locks = {
    request: async (_: string, work: () => unknown) => {
      await new Promise<void>((resolve) => (closed = resolve));
      work();
    },
  } as unknown as LockManager;
  return { watched, looks, engine, locks, close: () => closed() };
}

test('[LS8] what a tab watches ends with the tab, also what it asked for last, and nothing of another one does', async () => {
  const { watched, engine, locks, close } = aShared();
  const tab = engineOfTab(engine, locks, life);
  const other = engineOfTab(engine, locks, life);
  await tab.watchStatus('status', nothing);
  await tab.watchQuery('list', {} as never, window, nothing);
  await tab.watchQuery('left', {} as never, window, nothing);
  await tab.unwatch('left');
  await other.watchStatus('other', nothing);
  await tab.liveWith('tab');
  expect([...watched]).toEqual(['status', 'list', 'other']);
  close();
  await expect.poll(() => [...watched]).toEqual(['other']);
  await tab.watchQuery('late', {} as never, window, nothing);
  expect([...watched]).toEqual(['other']);
  expect(await tab.facets('list', 'account')).toEqual([true]);
});

test('[LS8] what somebody looks at in a tab ends with the tab, and takes nothing from what is looked at in another', async () => {
  const { looks, engine, locks, close } = aShared();
  const tab = engineOfTab(engine, locks, life);
  await tab.look(['acme']);
  await engineOfTab(engine, locks, life).look(['borealis']);
  expect([...looks.values()]).toEqual([['acme'], ['borealis']]);
  await tab.liveWith('tab');
  close();
  await expect.poll(() => [...looks.values()]).toEqual([[], ['borealis']]);
  await tab.look(['acme']);
  expect([...looks.values()]).toEqual([[], ['borealis']]);
});

test('[LS13] a tab is told by which lock it hears that the worker is gone', async () => {
  const { engine, locks } = aShared();
  expect(await engineOfTab(engine, locks, life).liveWith('tab')).toBe('the worker');
});
