import type { Replica } from './open.ts';
import { pendingMutations } from './outbox.ts';
import { purgesIn } from './pulls.ts';
import type { OutboxRow } from './outbox-tables.ts';
import type { SetKey } from './set-errors.ts';

/** Calls back with all unsettled edits, now and after every change in any tab or worker. @returns how to stop. */
export function watchMutations({ outbox }: Replica, onChange: (edits: OutboxRow[]) => void): () => void {
  return whenever(
    (tell) => outbox.watch(['mutations'], tell),
    () => pendingMutations(outbox),
    onChange,
  );
}

/** Calls back with the stored state's number of each columnar set, now and after every write in any worker. */
export function watchManifests({ rows }: Replica, onChange: (manifests: (SetKey & { rev: number })[]) => void): () => void {
  return whenever(
    (tell) => rows.watch(['manifests'], tell),
    () => setRevisions(rows),
    onChange,
  );
}

/** What a page needs to know to hold nothing that may no longer be seen. */
export interface Sight {
  /** Grows with whatever is let go of here for it may no longer be seen. */
  purges: number;
  organizations: ReadonlySet<string>;
}

/** Calls back with it, now and after every change that any worker makes to it. @returns how to stop. */
export function watchSight({ rows }: Replica, onChange: (sight: Sight) => void): () => void {
  return whenever(
    (tell) => rows.watch(['meta', 'organizations'], tell),
    () =>
      rows.read(['meta', 'organizations'], async (tx) => ({
        purges: await purgesIn(tx),
        organizations: new Set(await tx.keys('organizations')),
      })),
    onChange,
  );
}

/** The stored state's number of each columnar set. */
export async function setRevisions(rows: Replica['rows']): Promise<(SetKey & { rev: number })[]> {
  const manifests = await rows.read(['manifests'], (tx) => tx.list('manifests'));
  return manifests.map(({ noun, set, rev }) => ({ noun, set, rev }));
}

/** Readings in a row that fail before the next change is waited for. */
const mostFails = 3;

/** Reads now and after every change, one reading at a time; what changes during one is read after it. */
function whenever<T>(watch: (tell: () => void) => () => void, read: () => Promise<T>, onRead: (value: T) => void): () => void {
  let isStopped = false;
  let isReading = false;
  let isStale = false;
  const look = async (): Promise<void> => {
    isStale = true;
    if (isReading) return;
    isReading = true;
    // a connection that the browser closes takes the reading with it, and the next one opens it again; a database that was closed stays so
    for (let fails = 0; isStale && !isStopped && fails < mostFails; ) {
      isStale = false;
      try {
        const value = await read();
        fails = 0;
        if (!isStopped) onRead(value);
      } catch {
        fails += 1;
        isStale = true;
      }
    }
    isReading = false;
  };
  const stop = watch(() => void look());
  void look();
  return () => {
    isStopped = true;
    stop();
  };
}
