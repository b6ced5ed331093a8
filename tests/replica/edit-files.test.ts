import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import { keepBallast } from '#replica/ballast.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { fileOf } from '#replica/edit-files.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import type { OutboxStore } from '#replica/outbox-tables.ts';
import { type AnyNewMutation, enqueueAll, pendingMutations } from '#replica/outbox.ts';
import { discard, discardMany } from '#replica/decisions.ts';
import { retire, startTerm } from '#replica/sending.ts';
import { standingsOf } from '#replica/receipts.ts';
import { pngBytes } from '#tests/support/images.ts';
import { claimHeads, settleAttempt } from '#tests/support/outbox.ts';
import { listed } from '#tests/support/stored.ts';

const opened: Replica[] = [];
afterEach(() => {
  for (const replica of opened.splice(0)) closeReplica(replica);
});

async function aReplica(): Promise<Replica> {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  opened.push(replica);
  return replica;
}

const about = { now: 1, clientId: null, entityId: null, title: 'An edit' };
/** An edit that is sent with a file, behind another one where that is told. */
const withFile = (ticket_id: string, bytes = pngBytes, deps: string[] = []): AnyNewMutation => ({
  ...about,
  id: uuidv7(),
  name: 'attachToTicket',
  input: { ticket_id, fileName: 'a.png' },
  file: { name: 'a.png', type: 'image/png', bytes },
  deps,
});
const ticket = (id: string): AnyNewMutation => ({
  ...about,
  id: uuidv7(),
  name: 'submitTicket',
  input: { id, headline: 'a', description: 'b', priority: 'low', reporter: 'a@example.org' },
});
const blobs = async ({ outbox }: Replica) => (await listed(outbox, 'blobs')).map(({ id }) => id);

describe('edits with a file', () => {
  test('[OB24] an edit and its file are kept together or not at all, and so are edits that belong together', async () => {
    const replica = await aReplica();
    const [first, second] = [ticket('t'), withFile('t')];
    await expect(enqueueAll(replica.outbox, [first, second, { ...withFile('t'), id: first.id }])).rejects.toThrow();
    expect([await pendingMutations(replica.outbox), await blobs(replica)]).toEqual([[], []]);
    await enqueueAll(replica.outbox, [first, second]);
    const [, edit] = await pendingMutations(replica.outbox);
    expect(edit).toMatchObject({ id: second.id, file: { name: 'a.png', type: 'image/png', size: pngBytes.length } });
    const sent = await fileOf(replica.outbox, edit!);
    expect([sent?.name, sent?.content.type, new Uint8Array(await sent!.content.arrayBuffer())]).toEqual(['a.png', 'image/png', pngBytes]);
    expect(await fileOf(replica.outbox, { id: first.id })).toBeUndefined();
  });

  test('[OB25] a file goes with its edit, however that is settled, and no other file does', async () => {
    const replica = await aReplica();
    const edits = ['a', 'b', 'c', 'd'].map((id) => withFile(id));
    await enqueueAll(replica.outbox, edits);
    const epoch = await startTerm(replica.outbox);
    const [accepted] = await claimHeads(replica.outbox, epoch, 1, 1);
    await settleAttempt(replica.outbox, epoch, accepted!.seq, { event: 'accepted', answer: { id: 'x' } });
    expect((await blobs(replica)).length).toBe(4);
    await retire(replica.outbox, epoch, (await pendingMutations(replica.outbox)).slice(0, 1), 2);
    const [, second, third] = edits.map(({ id }) => id);
    await discard(replica.outbox, accepted!.seq + 1, 2);
    expect((await blobs(replica)).sort()).toEqual([third, edits[3]?.id].sort());
    expect(await blobs(replica)).not.toContain(second);
    await discardMany(replica.outbox, [accepted!.seq + 2, accepted!.seq + 3], 2);
    expect(await blobs(replica)).toEqual([]);
  });

  test('[OB26] files of 200 MB may wait, and what is beyond is refused in words, with nothing kept of it', async () => {
    const replica = await aReplica();
    await enqueueAll(replica.outbox, [withFile('a', new Uint8Array(150_000_000))]);
    await expect(enqueueAll(replica.outbox, [withFile('b', new Uint8Array(60_000_000))])).rejects.toThrow(/^Files of 200 MB already wait/);
    expect((await pendingMutations(replica.outbox)).length).toBe(1);
  });

  test('[OB30] on a full disk the room kept for edits goes to small ones, and a large file is refused in words', async () => {
    const replica = await aReplica();
    await keepBallast(replica.outbox, () => new Uint8Array(5 * 2 ** 20));
    const isBallastThere = async (): Promise<boolean> => (await blobs(replica)).includes('ballast');
    // as a browser answers that is out of room for as long as the ballast lies there
    const full: OutboxStore = {
      ...replica.outbox,
      write: async (tables, work) => {
        if ((await isBallastThere()) && tables.includes('mutations')) throw new DOMException('full', 'QuotaExceededError');
        return replica.outbox.write(tables, work);
      },
    };
    const screenshot = withFile('t', new Uint8Array(4_000_000));
    await expect(enqueueAll(full, [ticket('t'), screenshot])).rejects.toThrow(/^There is no room on this device for a file of 4 MB\. Free/);
    expect([await pendingMutations(replica.outbox), await isBallastThere()]).toEqual([[], true]);
    await enqueueAll(full, [ticket('t'), withFile('t')]);
    expect([(await pendingMutations(replica.outbox)).length, await isBallastThere()]).toEqual([2, false]);
  });

  test('[OB27] an answer the copy keeps no row of stays with the receipt, and what follows the edit takes from it what it needs', async () => {
    const replica = await aReplica();
    const first = ticket('t');
    const second = withFile('t', pngBytes, [first.id]);
    await enqueueAll(replica.outbox, [first, second]);
    const epoch = await startTerm(replica.outbox);
    const [head] = await claimHeads(replica.outbox, epoch, 1, 6);
    const answer = { id: '10042', key: 'JIRA-7' };
    await settleAttempt(replica.outbox, epoch, head!.seq, { event: 'accepted', answer });
    expect(await claimHeads(replica.outbox, epoch, 1, 6)).toEqual([]);
    await retire(replica.outbox, epoch, (await pendingMutations(replica.outbox)).slice(0, 1), 2);
    expect(await standingsOf(replica.outbox, [first.id, second.id])).toMatchObject([
      { settled: { outcome: 'accepted', answer } },
      { waiting: { input: { ticket_id: '10042', fileName: 'a.png' } } },
    ]);
  });
});
