import type { FastifyBaseLogger } from 'fastify';
import type { Db } from '#server/database/open.ts';
import { forgetChanges } from '#server/repositories/change-log.ts';
import type { Timers } from '#server/timers.ts';

const dayMs = 86_400_000;
/** How long a device may have been away and still go on from where it was. */
export const changesKeptMs = 90 * dayMs;

/**
 * Forgets changes of more than 90 days ago, now and once a day.
 * @returns what ends it.
 */
export function forgetOldChanges(ports: {
  db: Db;
  clock: () => number;
  timers: Timers;
  log: Pick<FastifyBaseLogger, 'error'>;
}): () => void {
  const { db, clock, timers, log } = ports;
  let isOver = false;
  let takeBack: (() => void) | undefined;
  const round = (): void => {
    forgetChanges(db, new Date(clock() - changesKeptMs))
      // it is not worth a stop: the next round forgets what this one could not
      .catch((error: unknown) => !isOver && log.error({ error: String(error) }, 'old changes could not be forgotten'))
      .finally(() => {
        if (!isOver) takeBack = timers.after(dayMs, round);
      });
  };
  round();
  return () => {
    isOver = true;
    takeBack?.();
  };
}
