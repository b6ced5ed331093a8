import type { FastifyBaseLogger } from 'fastify';
import type { TaskKind } from '#contract/jobs.ts';
import type { Db } from '#server/database/open.ts';
import { reasonWords } from '#server/repositories/cron-jobs.ts';
import { beat, type ClaimedTask, endTask, giveBack } from '#server/repositories/worker-tasks.ts';
import type { Timers } from '#server/timers.ts';

/** How often a worker says that it lives. */
export const beatMs = 10_000;

/** What a worker works with. */
interface TaskDesk {
  db: Db;
  clock: () => number;
  /** Ends the work: the server stops, or the task is somebody else's by now. What is written after that may be written twice. */
  signal: AbortSignal;
  /** Says how much is done, in steps. */
  tell: (done: number, of: number) => Promise<void>;
}

/** Does the tasks of one kind. It may be begun anew after a server died, so it begins by looking at what is there. */
export interface TaskWorker {
  kind: TaskKind;
  run: (task: ClaimedTask, desk: TaskDesk) => Promise<void>;
}

export interface TaskPorts {
  db: Db;
  clock: () => number;
  timers: Timers;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/** Does one task to its end, and says all along that it is being done. Never throws. */
export async function runTask(ports: TaskPorts, worker: TaskWorker, task: ClaimedTask, stopping: AbortSignal): Promise<void> {
  const { db, clock, timers, log } = ports;
  const lost = new AbortController();
  let isOver = false;
  let takeBack: () => void = () => undefined;

  async function sayAlive(steps: { done?: number; of?: number } = {}): Promise<void> {
    const isOurs = await beat(db, task, { now: clock(), ...steps });
    if (!isOurs && !isOver) lost.abort();
  }
  function waitForBeat(): void {
    takeBack = timers.after(beatMs, () => {
      sayAlive()
        .catch((error: unknown) => log.error({ error: reasonWords(error), task: task.id }, 'a worker could not say that it lives'))
        .finally(() => {
          if (!isOver && !lost.signal.aborted) waitForBeat();
        });
    });
  }

  let failure: string | null = null;
  waitForBeat();
  try {
    const signal = AbortSignal.any([lost.signal, stopping]);
    // taken just as the server stops: a worker that waits to be told would never hear of it
    signal.throwIfAborted();
    await worker.run(task, { db, clock, signal, tell: (done, of) => sayAlive({ done, of }) });
  } catch (error) {
    failure = reasonWords(error);
  }
  isOver = true;
  takeBack();
  try {
    if (failure !== null && stopping.aborted) await giveBack(db, task);
    else {
      const isOurs = await endTask(db, task, { now: clock(), error: failure });
      if (failure !== null && isOurs) log.error({ error: failure, task: task.id, kind: task.kind }, 'a task failed');
    }
  } catch (error) {
    // it goes on as the task of a dead worker does
    log.error({ error: reasonWords(error), task: task.id }, 'how a task ended could not be written down');
  }
}
