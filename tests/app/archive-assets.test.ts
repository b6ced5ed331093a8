import { v7 as uuidv7 } from 'uuid';
import { expect, test } from 'vitest';
import { archivedAssetId } from '#domain/archived-assets.ts';
import { enqueueAll } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { archiveAssets, type ArchivePorts } from '#app/archive-assets.ts';
import { createNoticeStore } from '#app/notice-store.ts';
import { anOutbox } from '#tests/support/sent-edits.ts';
import { planted } from '#tests/support/stored.ts';

const tickers = ['ADA', 'BTC', 'CVX'];

/** A person who archives assets of a client, and what they are told. */
async function aPerson() {
  const { replica, outbox, edits, meet } = await anOutbox();
  const notices = createNoticeStore(() => undefined);
  const clientId = uuidv7();
  const assets = tickers.map((ticker) => ({ id: uuidv7(), ticker }));
  const done: Promise<unknown>[] = [];
  const ports: ArchivePorts = {
    clock: () => 1,
    notices,
    replica,
    enqueueAll: (mutations) => enqueueAll(outbox, mutations),
    told: async (work) => {
      done.push(work);
      await work;
      return true;
    },
  };
  return {
    outbox,
    edits,
    meet,
    assets,
    archive: () => archiveAssets(ports, clientId, assets, 'archived'),
    undo: async () => {
      notices.snapshot().notices.at(-1)?.action?.run();
      await Promise.all(done);
    },
    said: () => notices.snapshot().notices.map(({ text }) => text),
    /** What is archived of the client is that, whoever did it. */
    stands: (rows: { security_id: string; is_spam: boolean; version: number }[]) =>
      planted(
        replica.rows,
        'archived_assets',
        rows.map((row) => ({ ...row, id: archivedAssetId(clientId, row.security_id), client_id: clientId, _scope: 'user' }) as never),
      ),
  };
}

test('[AA17] assets that are archived together are kept all or none, as where not so many edits may wait', async () => {
  const { outbox, edits, archive, said } = await aPerson();
  const waiting = (seq: number): OutboxRow => ({
    seq,
    id: `edit-${seq}`,
    v: 1,
    name: 'markTransfer',
    input: { trx_id: `trx-${seq}`, counterpart_id: null, is_transfer: true },
    lane: `trx:trx-${seq}`,
    state: 'queued',
    attempts: 0,
    next_attempt_at: 0,
    created_at: 0,
    title: `Mark ${seq}`,
    client_id: null,
    entity_id: null,
  });
  // room for two of the three
  const rows = Array.from({ length: 9_998 }, (_, at) => waiting(at + 1));
  await planted(outbox, 'mutations', rows);
  await expect(archive()).rejects.toThrow(/^10000 edits already wait/);
  expect([(await edits()).length, said()]).toEqual([rows.length, []]);
});

test('[AA18] undoing leaves alone what somebody made of an asset since, and says so', async () => {
  const { edits, meet, assets, archive, undo, said, stands } = await aPerson();
  await archive();
  expect([(await edits()).map(({ title }) => title), said()]).toEqual([
    tickers.map((ticker) => `Archive asset: ${ticker}`),
    ['3 assets archived'],
  ]);
  const [first, second] = assets.map(({ id }) => ({ security_id: id, is_spam: false, version: 1 }));
  for (const { input } of await edits()) await meet({ event: 'accepted', answer: { ...(input as object), version: 1 } });
  await stands([first!, { ...second!, is_spam: true, version: 2 }]);
  expect(await edits()).toEqual([]);

  await undo();
  expect((await edits()).map(({ name, title }) => [name, title])).toEqual([['unarchiveAsset', 'Unarchive asset: ADA']]);
  // the third is where undoing would have brought it
  expect(said()).toEqual(['3 assets archived', 'BTC left alone: changed since']);
});
