import type { Dictionaries } from '#columns/dictionaries.ts';
import type { Rewriting, Sealed } from '#columns/rewriting.ts';
import { type Segment, splitSegment, verifySegment } from '#columns/segments.ts';
import { createTable, type Table } from '#columns/table.ts';
import { placeOf, readRecord } from './cold-rows.ts';
import type { ColumnNoun, ColumnRow } from './column-nouns.ts';
import type { Replica } from './open.ts';
import type { ColdRecord, ManifestRecord, SegmentRecord } from './replica-database.ts';
import { DamagedSetError, type SetKey } from './set-errors.ts';

export function segmentKey({ noun, set }: SetKey, partition: number, tier: 'hot' | 'text'): [string, string, number, string] {
  return [noun, set, partition, tier];
}

/** What is stored of a set, made ready. */
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
function readStored({ rows }: Replica, { noun, set }: SetKey, format: string): Promise<Stored> {
  return rows.transaction('r', rows.manifests, rows.segments, rows.cold, async () => {
    const fresh: ManifestRecord = { noun, set, format, partitions: [], dictionaries: {}, sealed_below: 0, rev: 0 };
    const manifest = (await rows.manifests.get([noun, set])) ?? fresh;
    const [segments, unsealed] = await Promise.all([
      rows.segments.bulkGet(manifest.partitions.map((partition) => segmentKey({ noun, set }, partition, 'hot'))),
      rows.cold.where('[noun+set+no]').between([noun, set, manifest.sealed_below], [noun, set, Infinity]).toArray(),
    ]);
    return { manifest, segments, unsealed };
  });
}

function makeTable<R extends ColumnRow>(key: SetKey, { schema, format, toColumns }: ColumnNoun<R>, stored: Stored): Table {
  const { manifest, segments, unsealed } = stored;
  if (manifest.format !== format) throw new DamagedSetError(key, 'columns', 'they were written in another format');
  const whole = segments
    .map((record) => record?.segment as Segment | undefined)
    .filter((segment): segment is Segment => segment !== undefined && verifySegment(segment));
  if (whole.length < segments.length) throw new DamagedSetError(key, 'columns', 'a segment is missing or has a wrong checksum');
  const table = createTable(schema, { segments: whole, dictionaries: manifest.dictionaries as Dictionaries });
  for (const record of unsealed) {
    const rows = readRecord<R>(record);
    table.put(
      rows.map(toColumns),
      rows.map((_, index) => placeOf(record.no, index)),
    );
  }
  return table;
}

/**
 * Loads a set's columns; nothing stored is an empty set.
 * @throws DamagedSetError where what is stored is not what was written.
 */
export async function loadSet<R extends ColumnRow>(replica: Replica, noun: ColumnNoun<R>, set: string): Promise<LoadedSet> {
  const key = { noun: noun.noun, set };
  const stored = await readStored(replica, key, noun.format);
  const { manifest, unsealed } = stored;
  try {
    return { table: makeTable(key, noun, stored), manifest, nextNo: (unsealed.at(-1)?.no ?? manifest.sealed_below - 1) + 1 };
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new DamagedSetError(key, 'columns', error.message);
    throw error;
  }
}

/** Writes what a seal changed, with the manifest that names it, in one transaction. */
export async function storeSealed({ rows }: Replica, manifest: ManifestRecord, { written, dropped }: Sealed): Promise<void> {
  const { noun, set } = manifest;
  await rows.transaction('rw', rows.segments, rows.manifests, async () => {
    for (const segment of written) {
      const { hot, text } = splitSegment(segment);
      const { partition } = segment;
      await rows.segments.put({ noun, set, partition, tier: 'hot', segment: hot });
      if (text) await rows.segments.put({ noun, set, partition, tier: 'text', segment: text });
    }
    await rows.segments.bulkDelete(
      dropped.flatMap((partition) => (['hot', 'text'] as const).map((tier) => segmentKey(manifest, partition, tier))),
    );
    await rows.manifests.put(manifest);
  });
}

/** Records read at once while columns are made anew: some thousand rows. */
const recordsAtOnce = 64;

/**
 * Makes a set's columns anew from its stored rows, without the network: the columns were damaged, or an older build wrote them in
 * another format. What is done is kept if it breaks off.
 * @throws DamagedSetError where a row cannot be read.
 */
export async function rebuildSet<R extends ColumnRow>(
  replica: Replica,
  { noun, schema, format, toColumns }: ColumnNoun<R>,
  set: string,
  breathe: () => Promise<void>,
): Promise<void> {
  const { rows: database } = replica;
  const table = createTable(schema);
  let manifest = await database.transaction('rw', database.segments, database.manifests, async () => {
    const held = await database.manifests.get([noun, set]);
    const empty: ManifestRecord = { noun, set, format, partitions: [], dictionaries: {}, sealed_below: 0, rev: (held?.rev ?? 0) + 1 };
    await database.segments.where({ noun, set }).delete();
    await database.manifests.put(empty);
    return empty;
  });
  const write = async (rewriting: Rewriting, sealedBelow: number): Promise<void> => {
    while (rewriting.step()) await breathe();
    const sealed = rewriting.finish();
    manifest = nextManifest(manifest, sealed, sealedBelow);
    await storeSealed(replica, manifest, sealed);
  };
  for (;;) {
    const from = manifest.sealed_below;
    const records = await database.cold
      .where('[noun+set+no]')
      .between([noun, set, from], [noun, set, Infinity])
      .limit(recordsAtOnce)
      .toArray();
    const last = records.at(-1);
    if (!last) break;
    for (const [index, record] of records.entries()) {
      if (record.no !== from + index) throw new DamagedSetError({ noun, set }, 'rows', `record ${from + index} is missing`);
      const held = readRecord<R>(record);
      table.put(
        held.map(toColumns),
        held.map((_, index) => placeOf(record.no, index)),
      );
    }
    await write(table.beginSeal(), last.no + 1);
  }
  for (let merging = table.beginCompaction(true); merging; merging = table.beginCompaction(true)) {
    await write(merging, manifest.sealed_below);
  }
}

/** The manifest after a seal of all records below a number. */
export function nextManifest(manifest: ManifestRecord, { written, dropped, dictionaries }: Sealed, sealedBelow: number): ManifestRecord {
  const kept = manifest.partitions.filter((partition) => !dropped.includes(partition));
  const partitions = [...kept, ...written.map(({ partition }) => partition)];
  return { ...manifest, partitions, dictionaries, sealed_below: sealedBelow, rev: manifest.rev + 1 };
}

/** Drops what is stored of a set and the standing of the pulls it was read by, so that it is pulled anew. */
export async function dropSet({ rows }: Replica, { noun, set }: SetKey): Promise<void> {
  const entities = await rows.entities.where({ client_id: set }).primaryKeys();
  const scopes = [`client:${set}`, ...entities.map((id) => `entity:${id}`)];
  await rows.transaction('rw', rows.segments, rows.cold, rows.manifests, rows.pulls, async () => {
    await rows.segments.where({ noun, set }).delete();
    await rows.cold.where('[noun+set+no]').between([noun, set, 0], [noun, set, Infinity]).delete();
    await rows.manifests.delete([noun, set]);
    await rows.pulls.bulkDelete(scopes.map((scope): [string, string] => [scope, noun]));
  });
}
