import { expect, test } from 'vitest';
import { readInThread } from '#server/imports/read-in-thread.ts';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

test('[IM26] beyond two at once files wait to be read, and all are read', async () => {
  const large = bytesOf(`Date,Amount\n${'2026-01-02,not a number\n'.repeat(150_000)}`);
  const ended: string[] = [];
  const read = (name: string, bytes: Uint8Array): Promise<number> => readInThread(bytes, `${name}.csv`, {}).then(() => ended.push(name));
  await Promise.all([read('one', large), read('two', large), read('small', bytesOf('%PDF')), read('last', bytesOf(''))]);
  expect(['one', 'two']).toContain(ended[0]);
  expect(ended.toSorted()).toEqual(['last', 'one', 'small', 'two']);
});
