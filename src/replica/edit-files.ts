import type { EditFile, OutboxRow, OutboxStore, OutboxTables } from './outbox-tables.ts';
import type { StoreWriting } from './store.ts';

// The bytes of a file lie apart from its edit: edits are listed at every turn, and a screenshot is a thousand times as large as they are.

/** Most bytes of files that may wait at once. */
const capacityBytes = 200e6;

/** A file that an edit is to be sent with. */
export interface NewFile {
  name: string;
  /** Its media type. */
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Keeps the file of an edit that is being made. @returns what its row says of it. @throws where too much waits already. */
export async function keepFile(tx: StoreWriting<OutboxTables>, mutationId: string, { name, type, bytes }: NewFile): Promise<EditFile> {
  const waiting = (await tx.list('mutations')).reduce((sum, { file }) => sum + (file?.size ?? 0), 0);
  if (waiting + bytes.length > capacityBytes)
    throw new Error(`Files of ${capacityBytes / 1e6} MB already wait. Connect to the network and let them go first.`);
  await tx.put('blobs', { id: mutationId, mutation_id: mutationId, bytes });
  return { name, type, size: bytes.length };
}

/** The file an edit is sent with; undefined where it has none. */
export async function fileOf(
  outbox: OutboxStore,
  { id, file }: Pick<OutboxRow, 'id' | 'file'>,
): Promise<{ name: string; content: Blob } | undefined> {
  if (!file) return undefined;
  const kept = await outbox.read(['blobs'], (tx) => tx.get('blobs', id));
  return kept?.bytes && { name: file.name, content: new Blob([kept.bytes], { type: file.type }) };
}
