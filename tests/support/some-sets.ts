import type { Replica } from '#replica/open.ts';
import { ColumnSets, type SetPorts } from '#workers/column-sets.ts';

/** The column sets of a copy as the worker that writes has them, told to nobody unless `ports` says so. */
export function someSets(replica: Replica, ports: Pick<SetPorts, 'now'> & Partial<SetPorts>): ColumnSets {
  const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  const untold = { onMended: () => undefined, onFound: () => undefined, onUnread: () => undefined };
  return new ColumnSets({ replica, breathe, isWriter: () => true, ...untold, ...ports });
}

/** A copy whose writes can be committed without anybody being told: while `lost` goes on its connection is lost after each commit. */
export function losing(opened: Replica): { replica: Replica; lost: (work: () => Promise<void>) => Promise<void> } {
  let isLost = false;
  const write: Replica['rows']['write'] = async (tables, work) => {
    const answer = await opened.rows.write(tables, work);
    if (isLost) throw new Error('The connection is lost');
    return answer;
  };
  const lost = async (work: () => Promise<void>): Promise<void> => {
    isLost = true;
    await work();
    isLost = false;
  };
  return { replica: { ...opened, rows: { ...opened.rows, write } }, lost };
}
