import { liveQuery } from 'dexie';
import type { Replica } from './open.ts';
import type { OutboxRow } from './outbox-database.ts';
import type { SetKey } from './set-errors.ts';

/** Calls back with all unsettled edits, now and after every change in any tab or worker. @returns how to stop. */
export function watchMutations({ outbox }: Replica, onChange: (edits: OutboxRow[]) => void): () => void {
  const subscription = liveQuery(() => outbox.mutations.orderBy('seq').toArray()).subscribe({ next: onChange });
  return () => subscription.unsubscribe();
}

/** Calls back with the stored state's number of each columnar set, now and after every write in any worker. */
export function watchManifests({ rows }: Replica, onChange: (manifests: (SetKey & { rev: number })[]) => Promise<void>): () => void {
  const read = () => rows.manifests.toArray();
  const subscription = liveQuery(read).subscribe({
    next: (manifests) => void onChange(manifests.map(({ noun, set, rev }) => ({ noun, set, rev }))),
  });
  return () => subscription.unsubscribe();
}
