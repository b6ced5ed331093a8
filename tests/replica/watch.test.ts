import { afterEach, expect, test, vi } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import type { Replica } from '#replica/open.ts';
import { watchMutations } from '#replica/watch.ts';

afterEach(() => vi.restoreAllMocks());

test('[PO5] whoever watches a table reads one row of it at most, however many there are, and hears of each kind of change', async () => {
  type Made = { things: { row: { id: string; no: number }; key: string } };
  const watched = { name: 'watched', durability: 'relaxed', versions: [{ things: '&id' }] } as const;
  const store = await browserStores.open<Made>(watched);
  const rows = Array.from({ length: 300 }, (_, no) => ({ id: String(no).padStart(3, '0'), no }));
  await store.write(['things'], (tx) => tx.putMany('things', rows));
  const counted = vi.spyOn(IDBObjectStore.prototype, 'count');
  const listed = vi.spyOn(IDBObjectStore.prototype, 'getAll');
  let heard = 0;
  const stop = store.watch(['things'], () => {
    heard += 1;
  });
  await expect.poll(() => heard).toBe(1);
  const hearsOf = async (change: () => Promise<void>): Promise<void> => {
    const before = heard;
    await change();
    await expect.poll(() => heard).toBe(before + 1);
  };
  await hearsOf(() => store.write(['things'], (tx) => tx.put('things', { id: '150', no: -1 })));
  await hearsOf(() => store.write(['things'], (tx) => tx.remove('things', '299')));
  await hearsOf(() => store.write(['things'], (tx) => tx.add('things', { id: '500', no: 5 })));
  await hearsOf(() => store.write(['things'], (tx) => tx.putMany('things', rows)));
  expect(counted).not.toHaveBeenCalled();
  expect(listed).toHaveBeenCalled();
  for (const [asked] of listed.mock.calls) expect(asked).toMatchObject({ count: 1 });
  // to remove a range reads it
  await hearsOf(() => store.write(['things'], (tx) => tx.removeAll('things', { from: '100', to: '200' })));
  await hearsOf(() => store.write(['things'], (tx) => tx.removeAll('things')));
  await hearsOf(() => store.write(['things'], (tx) => tx.put('things', { id: '1', no: 1 })));
  stop();
  store.close();
  await browserStores.remove(watched);
});

test('[PO10] whoever watches hears of a change though the browser closed the connection while it was read, and asks a closed one no more', async () => {
  let [change, failing, reads] = [(): void => undefined, 0, 0];
  const outbox = {
    watch: (_tables: readonly string[], tell: () => void) => {
      change = tell;
      return () => undefined;
    },
    read: async () => {
      reads += 1;
      failing -= 1;
      if (failing >= 0) throw new DOMException('The connection was closed', 'AbortError');
      return [];
    },
  };
  let heard = 0;
  watchMutations({ outbox } as unknown as Replica, () => {
    heard += 1;
  });
  await expect.poll(() => heard).toBe(1);
  failing = 1;
  change();
  await expect.poll(() => heard).toBe(2);
  [failing, reads] = [Infinity, 0];
  change();
  await expect.poll(() => reads).toBe(3);
  expect(heard).toBe(2);
});
