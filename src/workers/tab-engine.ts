import type { Engine, SharedEngine } from './start.ts';

/**
 * The engine as one tab reaches it: what the tab watches, or looks at, ends with it, be it closed, reloaded or crashed. It says so by no call of its own:
 * it holds a lock for as long as it lives.
 * @param locks null where the browser has none; then a tab's watches end by its calls alone.
 * @param life the lock the worker holds itself; null where it has none.
 */
export function engineOfTab(engine: SharedEngine, locks: Pick<LockManager, 'request'> | null, life: Promise<string | null>): Engine {
  const watched = new Set<string>();
  let isOver = false;
  const noted = (id: string): void => {
    // a call of a tab that is gone may be heard after that
    if (isOver) void engine.unwatch(id);
    else watched.add(id);
  };
  const own: Partial<Engine> = {
    watchStatus: async (id, onStatus) => {
      await engine.watchStatus(id, onStatus);
      noted(id);
    },
    watchQuery: async (id, ...query) => {
      const begun = engine.watchQuery(id, ...query);
      noted(id);
      await begun;
    },
    unwatch: async (id) => {
      watched.delete(id);
      await engine.unwatch(id);
    },
    look: (clientIds) => engine.look(isOver ? [] : clientIds, own),
    liveWith: async (tab) => {
      void locks?.request(tab, () => {
        isOver = true;
        for (const id of watched) void engine.unwatch(id);
        watched.clear();
        void engine.look([], own);
      });
      return life;
    },
  };
  // whatever else it can is asked of it as it is
  return new Proxy(engine as Engine, {
    get: (target, name) => {
      const method: unknown = Reflect.get(own, name) ?? Reflect.get(target, name);
      return typeof method === 'function' ? method.bind(target) : method;
    },
  });
}
