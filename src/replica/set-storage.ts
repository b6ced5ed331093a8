import { type Dictionaries, dictionariesChecksumOf } from '#columns/dictionaries.ts';
import type { Rewriting, Sealed } from '#columns/rewriting.ts';
import { type Segment, splitSegment, verifySegment } from '#columns/segments.ts';
import { createTable, type Table } from '#columns/table.ts';
import { isGoneRow, placeOf, readRecord } from './cold-rows.ts';
import type { ColumnNoun, ColumnRow } from './column-nouns.ts';
import { scopesIn } from './counts.ts';
import { generationOf } from './generation.ts';
import type { Replica } from './open.ts';
import { countReset } from './pulls.ts';
import { type ColdRecord, type ManifestRecord, namesAt, type RowTables, type SegmentRecord, type StoredPartition } from './row-tables.ts';
import { DamagedSetError, type SetKey } from './set-errors.ts';
import type { StoreRange, StoreReading, StoreWriting } from './store.ts';

/** Where a text column of a partition is kept. */
export function textTier(name: string): SegmentRecord['tier'] {
  return `text ${name}`;
}

export function segmentKey({ noun, set }: SetKey, partition: number, tier: SegmentRecord['tier']): [string, string, number, string] {
  return [noun, set, partition, tier];
}

/** All tiers of a partition. */
function partitionOf({ noun, set }: SetKey, partition: number): StoreRange {
  return { from: [noun, set, partition, ''], to: [noun, set, partition, '\uffff'] };
}

function segmentsOf({ noun, set }: SetKey): StoreRange {
  return { index: '[noun+set]', is: [noun, set] };
}

/** A set's columns, made ready in two steps: the newest rows, then all. */
export interface OpenedSet {
  /** With the newest segments and all rows that wait to be sealed; the other segments are to be attached. */
  table: Table;
  manifest: ManifestRecord;
  nextNo: number;
  /** Which database the rows are of; null where that is not known. */
  generation: string | null;
  /** All rows with a later time are in the table. Null where all rows are. */
  since: number | null;
  /** Rows that went since the last seal, and may still be in the other segments. */
  gone: ReadonlySet<string>;
  /** The other segments. Rejects with a DamagedSetError where they are not what was written. */
  rest: Promise<Segment[]>;
}

interface StoredHead {
  manifest: ManifestRecord;
  newest: StoredPartition[];
  others: StoredPartition[];
  segments: (SegmentRecord | undefined)[];
  names: SegmentRecord | undefined;
  unsealed: ColdRecord[];
}

/** So many rows at least are read before the others. */
const headRows = 8_192;

/**
 * Short questions that are asked, for the transaction to stay, before the other segments are: the rows in sight, which somebody asks for once
 * the head is told, would be read behind some megabytes.
 */
const turnsForRows = 6;

/** Segments read at once while others may want to read, too. */
const segmentsAtOnce = 2;

/** The newest partitions and the others. */
function partHead(partitions: readonly StoredPartition[]): { newest: StoredPartition[]; others: StoredPartition[] } {
  const sorted = partitions.toSorted((a, b) => b.newest - a.newest);
  let rows = 0;
  const newest = sorted.filter((partition) => {
    const isNeeded = rows < headRows;
    rows += partition.rows;
    return isNeeded;
  });
  return { newest, others: sorted.slice(newest.length) };
}

/** Reads all of a set at one moment, since another worker may be sealing it. @returns what is read first, and the other segments. */
async function readStored(
  { rows }: Replica,
  { noun, set }: SetKey,
  format: string,
): Promise<{ head: StoredHead; others: Promise<(SegmentRecord | undefined)[]> }> {
  let tell: (head: StoredHead) => void = () => undefined;
  const told = new Promise<StoredHead>((resolve) => {
    tell = resolve;
  });
  const others = rows.read(['manifests', 'segments', 'cold'], async (tx) => {
    const fresh: ManifestRecord = { noun, set, format, partitions: [], sealed_below: 0, rev: 0 };
    const manifest = (await tx.get('manifests', [noun, set])) ?? fresh;
    // what another format has in it is not known
    const { newest, others } = partHead(manifest.format === format ? manifest.partitions : []);
    const read = (some: readonly StoredPartition[]) =>
      tx.getMany(
        'segments',
        some.map(({ partition }) => segmentKey({ noun, set }, partition, 'hot')),
      );
    const [segments, names, unsealed] = await Promise.all([
      read(newest),
      tx.get('segments', segmentKey({ noun, set }, namesAt, 'names')),
      tx.list('cold', { from: [noun, set, manifest.sealed_below], to: [noun, set, Infinity] }),
    ]);
    tell({ manifest, newest, others, segments, names, unsealed });
    for (let turn = 0; turn < turnsForRows; turn++) await tx.get('manifests', [noun, set]);
    const rest: (SegmentRecord | undefined)[] = [];
    // a few at a time, so that whoever asks for rows meanwhile need not wait for all of it
    for (let at = 0; at < others.length; at += segmentsAtOnce) rest.push(...(await read(others.slice(at, at + segmentsAtOnce))));
    return rest;
  });
  const head = await Promise.race([told, others.then(() => told)]);
  return { head, others };
}

/** @throws DamagedSetError where one is not what was written. */
function wholeSegments(key: SetKey, records: readonly (SegmentRecord | undefined)[]): Segment[] {
  return records.map((record) => {
    const segment = record?.segment as Segment | undefined;
    if (!segment || !verifySegment(segment)) throw new DamagedSetError(key, 'columns', 'a segment is missing or has a wrong checksum');
    return segment;
  });
}

/** What codes stand for. @throws DamagedSetError where it is not what was written. */
function wholeNames(key: SetKey, names: SegmentRecord | undefined): Dictionaries | undefined {
  const dictionaries = names?.segment as Dictionaries | undefined;
  const isWhole = !dictionaries || names?.checksum === undefined || names.checksum === dictionariesChecksumOf(dictionaries);
  if (!isWhole) throw new DamagedSetError(key, 'columns', 'what their codes say has a wrong checksum');
  return dictionaries;
}

/**
 * Takes up a record's rows, and lets go what went; a record holds no row twice.
 * @param gone told of each row that went, and no longer of one that is there again.
 * @throws DamagedSetError where the record cannot be read.
 */
function putRecord<R extends ColumnRow>(table: Table, record: ColdRecord, toColumns: ColumnNoun<R>['toColumns'], gone?: Set<string>): void {
  const stored = readRecord<R>(record);
  const rows = stored.filter((row) => !isGoneRow(row));
  const places = stored.flatMap((row, index) => (isGoneRow(row) ? [] : [placeOf(record.no, index)]));
  const went = stored.filter(isGoneRow).map(({ id }) => id);
  table.put(rows.map(toColumns), places);
  table.remove(went);
  if (!gone) return;
  for (const { id } of rows) gone.delete(id);
  for (const id of went) gone.add(id);
}

/** Records are numbered one after another. */
function expectNumber(key: SetKey, { no }: ColdRecord, expected: number): void {
  if (no !== expected) throw new DamagedSetError(key, 'rows', `record ${expected} is missing`);
}

function tableOf<R extends ColumnRow>(
  key: SetKey,
  { schema, format, toColumns }: ColumnNoun<R>,
  head: StoredHead,
): { table: Table; gone: Set<string> } {
  const { manifest, segments, names, unsealed } = head;
  if (manifest.format !== format) throw new DamagedSetError(key, 'columns', 'they were written in another format');
  return asDamage(key, () => {
    const dictionaries = (manifest.dictionaries as Dictionaries | undefined) ?? wholeNames(key, names);
    if (!dictionaries && manifest.partitions.length > 0) throw new DamagedSetError(key, 'columns', 'what their codes say is missing');
    const stored = { segments: wholeSegments(key, segments), dictionaries: dictionaries ?? {} };
    const table = createTable(schema, stored);
    const gone = new Set<string>();
    for (const [index, record] of unsealed.entries()) {
      expectNumber(key, record, manifest.sealed_below + index);
      putRecord(table, record, toColumns, gone);
    }
    return { table, gone };
  });
}

/** What the columns refuse of what is stored was not written by them. */
function asDamage<T>(key: SetKey, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError || error instanceof TypeError) throw new DamagedSetError(key, 'columns', error.message);
    throw error;
  }
}

/**
 * Opens a set's columns, the newest rows first; nothing stored is an empty set.
 * @throws DamagedSetError where what is stored is not what was written.
 */
export async function openSet<R extends ColumnRow>(replica: Replica, noun: ColumnNoun<R>, set: string): Promise<OpenedSet> {
  const key = { noun: noun.noun, set };
  // asked for first: of rows that come from another one meanwhile it says too little, never too much
  const [generation, { head, others }] = await Promise.all([generationOf(replica), readStored(replica, key, noun.format)]);
  const { manifest, unsealed } = head;
  const rest = others.then((records) => wholeSegments(key, records));
  // whoever opens it waits for it later, or not at all
  rest.catch(() => undefined);
  return {
    ...tableOf(key, noun, head),
    manifest,
    nextNo: (unsealed.at(-1)?.no ?? manifest.sealed_below - 1) + 1,
    generation,
    since: head.others[0]?.newest ?? null,
    rest,
  };
}

/** Adds the segments that a set was opened without. @throws DamagedSetError where they are not what was written. */
export async function attachRest(key: SetKey, { table, rest, gone }: OpenedSet): Promise<void> {
  const segments = await rest;
  if (segments.length === 0) return;
  asDamage(key, () => table.attach(segments));
  table.remove([...gone]);
}

/**
 * Writes what a seal changed, with the manifest that names it, in one transaction. One record after another: to hand them all to the store
 * at once would hold up a query for as long as all of them take to be copied.
 * @param isNamed whether what its codes stand for is stored already: codes never change their meaning.
 */
export async function storeSealed(
  { rows }: Replica,
  manifest: ManifestRecord,
  { written, dropped, dictionaries }: Sealed,
  { isNamed }: { isNamed: boolean },
): Promise<void> {
  const { noun, set } = manifest;
  const records = written.flatMap((segment): SegmentRecord[] => {
    const { hot, texts } = splitSegment(segment);
    const of = { noun, set, partition: segment.partition };
    return [{ ...of, tier: 'hot', segment: hot }, ...texts.map(([name, text]) => ({ ...of, tier: textTier(name), segment: text }))];
  });
  if (!isNamed) {
    const checksum = dictionariesChecksumOf(dictionaries);
    records.push({ noun, set, partition: namesAt, tier: 'names', segment: dictionaries, checksum });
  }
  await rows.write(['segments', 'manifests'], async (tx) => {
    await Promise.all([
      tx.put('manifests', manifest),
      ...dropped.map((partition) => tx.removeAll('segments', partitionOf(manifest, partition))),
    ]);
    for (const record of records) await tx.put('segments', record);
  });
}

/** Records read at once while columns are made anew: some thousand rows. */
const recordsAtOnce = 256;

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
  const { rows: store } = replica;
  const table = createTable(schema);
  let manifest = await store.write(['segments', 'manifests'], async (tx) => {
    const held = await tx.get('manifests', [noun, set]);
    const empty = emptyManifest({ noun, set, format, rev: (held?.rev ?? 0) + 1 }, held?.first_no ?? 0);
    await tx.removeAll('segments', segmentsOf({ noun, set }));
    await tx.put('manifests', empty);
    return empty;
  });
  const write = async (rewriting: Rewriting, sealedBelow: number): Promise<void> => {
    while (rewriting.step()) await breathe();
    const sealed = rewriting.finish();
    manifest = nextManifest(manifest, sealed, sealedBelow);
    await storeSealed(replica, manifest, sealed, { isNamed: false });
  };
  for (;;) {
    const from = manifest.sealed_below;
    const records = await store.read(['cold'], (tx) =>
      tx.list('cold', { from: [noun, set, from], to: [noun, set, Infinity], limit: recordsAtOnce }),
    );
    const last = records.at(-1);
    if (!last) break;
    for (const [index, record] of records.entries()) {
      expectNumber({ noun, set }, record, from + index);
      putRecord(table, record, toColumns);
    }
    await write(table.beginSeal(), last.no + 1);
  }
  for (let merging = table.beginCompaction(true); merging; merging = table.beginCompaction(true)) {
    await write(merging, manifest.sealed_below);
  }
}

/** The manifest after a seal of all records below a number. */
export function nextManifest(manifest: ManifestRecord, { written, dropped }: Sealed, sealedBelow: number): ManifestRecord {
  const kept = manifest.partitions.filter(({ partition }) => !dropped.includes(partition));
  const partitions = [...kept, ...written.map(({ partition, rows, newest, oldest }) => ({ partition, rows, newest, oldest }))];
  const { dictionaries: _former, ...known } = manifest;
  return { ...known, partitions, sealed_below: sealedBelow, rev: manifest.rev + 1 };
}

/** The manifest of a set without segments, whose records begin with a number. */
function emptyManifest(of: Pick<ManifestRecord, 'noun' | 'set' | 'format' | 'rev'>, firstNo: number): ManifestRecord {
  return { ...of, partitions: [], sealed_below: firstNo, ...(firstNo > 0 ? { first_no: firstNo } : {}) };
}

/** Drops what is stored of a set and the standing of the pulls it was read by, so that it is pulled anew. */
export async function dropSet({ rows }: Replica, { noun, set }: SetKey): Promise<void> {
  await rows.write(['entities', 'segments', 'cold', 'manifests', 'counts', 'pulls', 'meta'], async (tx) => {
    await countReset(tx);
    const scopes = await scopesIn(tx, set);
    await dropStored(tx, { noun, set });
    await tx.removeMany(
      'pulls',
      scopes.map((scope): [string, string] => [scope, noun]),
    );
  });
}

/** Removes the rows of a set and nothing else: what holds it then finds it damaged. Within a transaction over `segments`, `cold` and `counts`. */
export async function removeStored(tx: StoreWriting<RowTables>, { noun, set }: SetKey): Promise<void> {
  await tx.removeAll('segments', segmentsOf({ noun, set }));
  await tx.removeAll('cold', { from: [noun, set, 0], to: [noun, set, Infinity] });
  await tx.remove('counts', [noun, set]);
}

/** Drops what is stored of a set, within a transaction over `segments`, `cold`, `counts` and `manifests`. */
export async function dropStored(tx: StoreWriting<RowTables>, { noun, set }: SetKey): Promise<void> {
  const held = await tx.get('manifests', [noun, set]);
  const firstNo = held && (await nextNoIn(tx, held));
  await removeStored(tx, { noun, set });
  if (!held) return;
  // its numbers go on: a worker that still has the set in memory would take what comes for what it has seen, and other rows for those
  const rev = (Number.isSafeInteger(held.rev) ? held.rev : 0) + 1;
  await tx.put('manifests', emptyManifest({ noun, set, format: held.format, rev }, firstNo ?? 0));
}

/** The number of the record to be written next. */
async function nextNoIn(tx: StoreReading<RowTables>, { noun, set, sealed_below: from }: ManifestRecord): Promise<number> {
  if (!Number.isSafeInteger(from) || from < 0) return 0;
  const [last] = await tx.keys('cold', { from: [noun, set, from], to: [noun, set, Infinity], isBackwards: true, limit: 1 });
  return last === undefined ? from : last[2] + 1;
}
