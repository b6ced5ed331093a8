import { describe, expect, test } from 'vitest';
import { clearedText, forgetLoss, lastWaiting, lossOf, rememberedLoss, writeWaiting } from '#app/cleared-storage.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { isLossKnown, knowLoss, markInstall } from '#replica/install-marks.ts';
import { deleteOutbox } from '#replica/open.ts';
import { plainKeyOf } from '#replica/user-keys.ts';
import { outboxSchema, type OutboxStore, type OutboxTables } from '#replica/outbox-tables.ts';

/** The browser throws away what it kept of some users. */
async function clear(): Promise<void> {
  for (const userId of ['a', 'b']) await deleteOutbox(browserStores, userId);
}

function aBrowser() {
  const kept = new Map<string, string>();
  const local = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
  let made = 0;
  const fresh = () => `mark ${(made += 1)}`;
  const installOf = (userId: string) => {
    const within = async <T>(work: (outbox: OutboxStore) => Promise<T>): Promise<T> => {
      const outbox = await browserStores.open<OutboxTables>(outboxSchema(plainKeyOf(userId)));
      return work(outbox).finally(() => outbox.close());
    };
    return {
      mark: (given: string) => within((outbox) => markInstall(outbox, browserStores, userId, given)),
      isLossKnown: () => within(isLossKnown),
      knowLoss: () => within(knowLoss),
    };
  };
  const look = (userId: string) => lossOf(local, userId, installOf(userId), fresh);
  const isTold = async (userId: string) => (await look(userId)) !== null;
  const hear = (userId: string, pending: number) =>
    rememberedLoss(local, userId, installOf(userId), { pending, told_at: '2026-11-20T14:05:00.000Z' });
  return { kept, local, look, isTold, hear };
}

describe('a browser', () => {
  test('[EV1] that cleared the databases is noticed until the person has read of it, and not one that is new or forgot the mark alone', async () => {
    const { kept, local, isTold } = aBrowser();
    expect([await isTold('a'), await isTold('b'), await isTold('a')]).toEqual([false, false, false]);
    await clear();
    expect([await isTold('a'), await isTold('a')]).toEqual([true, true]);
    forgetLoss(local, 'a');
    expect([await isTold('a'), await isTold('b')]).toEqual([false, true]);
    kept.clear();
    expect([await isTold('a'), await isTold('a')]).toEqual([false, false]);
    await clear();
    expect(await isTold('a')).toBe(true);
  });

  test('[EV2] is told of with the edits that went with it, as they were before, as far as that is known', async () => {
    const { kept, local, look } = aBrowser();
    expect([lastWaiting(local, 'a'), await look('a')]).toEqual([null, null]);
    const words = async (userId: string) => clearedText((await look(userId)) ?? { waiting: null }, 'UTC');
    const cleared = async (waiting: { count: number; maybe: number; at: number }): Promise<string> => {
      writeWaiting(local, 'a', waiting);
      await clear();
      await look('a');
      // the new databases have none
      writeWaiting(local, 'a', { count: 0, maybe: 0, at: 0 });
      const told = await words('a');
      forgetLoss(local, 'a');
      return told;
    };
    expect(await cleared({ count: 3, maybe: 0, at: Date.UTC(2026, 10, 20, 14, 5) })).toBe(
      'Some time after 11/20/2026 14:05 this browser cleared what was kept on this device. 3 edits that waited here are gone: make them again. Everything else comes back from the server.',
    );
    expect(await cleared({ count: 3, maybe: 1, at: 0 })).toContain(
      '3 edits that waited here are gone, unless some of them reached the server: look before you make them again.',
    );
    expect(await cleared({ count: 1, maybe: 0, at: 0 })).toContain('One edit that waited here is gone: make it again.');
    expect(await cleared({ count: 1, maybe: 1, at: 0 })).toContain('unless it reached the server: look before you make it again.');
    expect(await cleared({ count: 0, maybe: 0, at: 0 })).toContain('No edit was waiting. Everything else comes back');
    for (const spoilt of ['{', '{"count":-1,"maybe":0,"at":0}', 'null']) {
      kept.set('edits_lost b', spoilt);
      expect(await words('b')).toBe(
        'This browser cleared what was kept on this device. Edits that waited here are gone, unless they reached the server. Everything else comes back from the server.',
      );
    }
  });

  test('[EV4] that kept nothing at all is told what the server remembers, once, and never over what it noticed by itself', async () => {
    const { kept, local, look, hear } = aBrowser();
    await clear();
    expect(await look('a')).toBe(null);
    const told = await hear('a', 2);
    expect(told && clearedText(told, 'UTC')).toBe(
      'Some time after 11/20/2026 14:05 this browser cleared what was kept on this device. 2 edits that waited here are gone, unless some of them reached the server: look before you make them again. If you made edits here after that without the network, they are gone: make them again. Everything else comes back from the server.',
    );
    // until it is read, also after a reload
    expect(await look('a')).toEqual(told);
    // also in another tab that hears of it too late to be the first
    expect(await hear('a', 2)).toEqual(told);
    forgetLoss(local, 'a');
    expect([await hear('a', 2), await look('a')]).toEqual([null, null]);
    // another person of the same browser, and another time
    const none = await hear('b', 0);
    expect(none && clearedText(none, 'UTC')).toContain('No edit was waiting then. If you made edits here after that without the network');
    await clear();
    kept.clear();
    expect([await look('a'), await hear('a', 1)]).toEqual([
      null,
      { waiting: { count: 1, maybe: 1, at: Date.UTC(2026, 10, 20, 14, 5), by: 'server' } },
    ]);
    // what it noticed by itself tells of edits made since the server heard
    writeWaiting(local, 'a', { count: 5, maybe: 0, at: 1 });
    await clear();
    const own = { waiting: { count: 5, maybe: 0, at: 1 } };
    expect([await look('a'), await hear('a', 1)]).toEqual([own, own]);
  });
});
