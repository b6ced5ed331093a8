import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { applyList, standingOf } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { startFeed } from '#replica/feed-state.ts';
import { openReplica } from '#replica/open.ts';
import { listed } from '#tests/support/stored.ts';

/** A copy of which a list in pages was read. */
async function aCopy() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  const at = { noun: 'saved_views', scope: 'user' } as const;
  return {
    replica,
    read: async (ids: readonly string[], absence: 'gone' | 'missed', unread: readonly string[] = []) => {
      const askedAt = await standingOf(replica, at.scope, at.noun);
      await applyList(replica, { ...at, rows: ids.map((id) => ({ id, version: 1 })), unread, absence, askedAt, now: 7 });
      const { pull } = await standingOf(replica, at.scope, at.noun);
      const held = (await listed(replica.rows, at.noun)).map(({ id }) => id);
      return { held, isDue: pull.last_complete_at === null };
    },
  };
}

test('[SY22] where a feed is followed a list that leaves open what is gone is read again until it does not', async () => {
  const { replica, read } = await aCopy();
  await startFeed(replica, { server_gen: 'g', cursor: '', perm_version: 0, scopes: [] }, { seen: [], unseen: [] });
  expect(await read(['a', 'b'], 'gone')).toEqual({ held: ['a', 'b'], isDue: false });
  expect(await read(['a'], 'missed')).toEqual({ held: ['a', 'b'], isDue: true });
  expect(await read(['a'], 'missed')).toEqual({ held: ['a', 'b'], isDue: true });
  expect(await read(['a'], 'missed')).toEqual({ held: ['a'], isDue: false });
});

test('[SY22] without one, too, and nothing goes before it was missing from three', async () => {
  const { read } = await aCopy();
  await read(['a', 'b'], 'gone');
  expect(await read(['a'], 'missed')).toEqual({ held: ['a', 'b'], isDue: true });
  expect(await read(['a'], 'missed')).toEqual({ held: ['a', 'b'], isDue: true });
  expect(await read(['a'], 'missed')).toEqual({ held: ['a'], isDue: false });
});

test('[SY22] a row that was there, though it could not be read, is not missing from lists one after another', async () => {
  const { read } = await aCopy();
  await read(['a', 'b'], 'gone');
  await read(['a'], 'missed');
  await read(['a'], 'missed');
  expect((await read(['a'], 'missed', ['b'])).held).toEqual(['a', 'b']);
  expect((await read(['a'], 'missed')).held).toEqual(['a', 'b']);
});
