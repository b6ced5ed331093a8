import { v7 as uuidv7 } from 'uuid';
import { expect, onTestFinished, test } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { type SetPart, writeSets } from '#replica/set-writes.ts';

test('[CS30] what is written to several sets is taken up by each, be it that one of them cannot be sorted then', async () => {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  onTestFinished(() => closeReplica(replica));
  const done: string[] = [];
  const part = (set: string, sort: () => Promise<void>): SetPart => ({
    key: { noun: 'transactions', set },
    inTurn: (work) => work(),
    prepare: () => Promise.resolve(() => Promise.resolve({ count: 1, take: () => void done.push(`${set} taken`), finish: sort })),
  });
  const parts = [
    part('one', () => Promise.reject(new DOMException('Full', 'QuotaExceededError'))),
    part('two', async () => void done.push('two sorted')),
  ];
  const written = writeSets(replica.rows, parts, { tables: ['meta'], write: (tx) => tx.put('meta', { k: 'beside', value: 1 }) });
  await expect(written).rejects.toThrow('Full');
  expect(done).toEqual(['one taken', 'two taken', 'two sorted']);
  expect(await replica.rows.read(['meta'], (tx) => tx.get('meta', 'beside'))).toMatchObject({ value: 1 });
});
