import type { Dictionaries } from '#columns/dictionaries.ts';
import { type Segment, verifySegment } from '#columns/segments.ts';
import { createTable, type Table } from '#columns/table.ts';
import type { Transaction } from '#contract/transactions.ts';
import { ColdRows } from './cold-rows.ts';
import type { Replica } from './open.ts';
import type { ColdRecord, ManifestRecord, SegmentRecord } from './replica-database.ts';
import { DamagedSetError } from './set-errors.ts';
import { toColumns, transactionColumns, transactionFormat } from './transaction-columns.ts';

/** The noun whose sets are stored here. */
export const setNoun = 'transactions';

export function segmentKey(clientId: string, partition: number, tier: 'hot' | 'text'): [string, string, number, string] {
  return [setNoun, clientId, partition, tier];
}

/** What is stored of one client, made ready. */
export interface LoadedSet {
  table: Table;
  manifest: ManifestRecord;
  nextNo: number;
}

interface Stored {
  manifest: ManifestRecord;
  segments: (SegmentRecord | undefined)[];
  unsealed: ColdRecord[];
}

/** Reads all of a set at one moment: another worker may be sealing it. */
function readStored({ rows }: Replica, clientId: string): Promise<Stored> {
  return rows.transaction('r', rows.manifests, rows.segments, rows.cold, async () => {
    const fresh: ManifestRecord = {
      noun: setNoun,
      set: clientId,
      format: transactionFormat,
      partitions: [],
      dictionaries: {},
      sealed_below: 0,
      rev: 0,
    };
    const manifest = (await rows.manifests.get([setNoun, clientId])) ?? fresh;
    const segments = await rows.segments.bulkGet(manifest.partitions.map((partition) => segmentKey(clientId, partition, 'hot')));
    const unsealed = await rows.cold
      .where('[noun+set+no]')
      .between([setNoun, clientId, manifest.sealed_below], [setNoun, clientId, Infinity])
      .toArray();
    return { manifest, segments, unsealed };
  });
}

function makeTable(clientId: string, { manifest, segments, unsealed }: Stored): Table {
  if (manifest.format !== transactionFormat) throw new DamagedSetError(clientId, 'it was written in another format');
  const whole = segments
    .map((record) => record?.segment as Segment | undefined)
    .filter((segment): segment is Segment => segment !== undefined && verifySegment(segment));
  if (whole.length < segments.length) throw new DamagedSetError(clientId, 'a segment is missing or has a wrong checksum');
  const table = createTable(transactionColumns, { segments: whole, dictionaries: manifest.dictionaries as Dictionaries });
  for (const record of unsealed) {
    const rows = JSON.parse(record.rows) as Transaction[];
    table.put(
      rows.map(toColumns),
      rows.map((_, index) => ColdRows.placeOf(record.no, index)),
    );
  }
  return table;
}

/**
 * Loads a client's columns; nothing stored is an empty set.
 * @throws DamagedSetError where what is stored is not what was written.
 */
export async function loadSet(replica: Replica, clientId: string): Promise<LoadedSet> {
  const stored = await readStored(replica, clientId);
  const { manifest, unsealed } = stored;
  try {
    return { table: makeTable(clientId, stored), manifest, nextNo: (unsealed.at(-1)?.no ?? manifest.sealed_below - 1) + 1 };
  } catch (error) {
    if (error instanceof RangeError || error instanceof SyntaxError || error instanceof TypeError)
      throw new DamagedSetError(clientId, error.message);
    throw error;
  }
}

/** Drops what is stored of a client's transactions and the standing of its pulls, so that they are pulled anew. */
export async function dropSet({ rows }: Replica, clientId: string): Promise<void> {
  const entities = await rows.entities.where({ client_id: clientId }).primaryKeys();
  await rows.transaction('rw', rows.segments, rows.cold, rows.manifests, rows.pulls, async () => {
    await rows.segments.where({ noun: setNoun, set: clientId }).delete();
    await rows.cold.where('[noun+set+no]').between([setNoun, clientId, 0], [setNoun, clientId, Infinity]).delete();
    await rows.manifests.delete([setNoun, clientId]);
    await rows.pulls.bulkDelete(entities.map((id): [string, string] => [`entity:${id}`, setNoun]));
  });
}
