import type { Database } from '#server/database/open.ts';
import { reasonWords, registerCronJobs, runDueCronJob } from '#server/repositories/cron-jobs.ts';
import { claimTask, takeFromDead } from '#server/repositories/worker-tasks.ts';
import type { ServerCronJob } from './cron-jobs.ts';
import { runTask, type TaskPorts, type TaskWorker } from './task-run.ts';

/** How often is looked at what is due. */
export const lookMs = 10_000;
/** How long a server that stops waits for its tasks, in milliseconds. */
const graceMs = 10_000;
/** Tasks done at once. The embedded database has one connection, so there is nothing to gain from two. */
const mostAtOnce: Readonly<Record<Database['kind'], number>> = { pglite: 1, postgres: 2 };

interface RunnerPorts extends Omit<TaskPorts, 'db'> {
  database: Pick<Database, 'db' | 'kind'>;
  cronJobs: readonly ServerCronJob[];
  workers: readonly TaskWorker[];
}

export interface Runner {
  /** Looks at once: something was asked for. */
  wake: () => void;
  /** Begins nothing more and ends what is under way; tasks that do not come to their end go back into line. */
  stop: () => Promise<void>;
}

/** Does what is due: cron jobs at their times, tasks in the order they were asked for. */
export function startRunner({ database, cronJobs, workers, ...ports }: RunnerPorts): Runner {
  const { db } = database;
  const { clock, timers, log } = ports;
  const works = new Map(cronJobs.map(({ id, run }) => [id, run]));
  const byKind = new Map(workers.map((worker) => [worker.kind, worker]));
  const stopping = new AbortController();
  const underWay = new Set<Promise<void>>();
  let isRegistered = false;
  let isAskedAgain = false;
  let looking: Promise<void> | null = null;
  let takeBack: () => void = () => undefined;

  async function doCronJobs(): Promise<void> {
    if (!isRegistered) {
      const plans = cronJobs.map(({ run: _run, ...plan }) => plan);
      await registerCronJobs(db, plans, clock());
      isRegistered = true;
    }
    while (!stopping.signal.aborted) {
      const ran = await runDueCronJob(db, clock, works);
      if (!ran) return;
      // it is not worth a stop: the next run does what this one could not
      if (ran.error !== null) log.error({ error: reasonWords(ran.error), job: ran.id }, 'a cron job failed');
    }
  }

  async function beginTasks(): Promise<void> {
    await takeFromDead(db, clock());
    while (!stopping.signal.aborted && byKind.size > 0 && underWay.size < mostAtOnce[database.kind]) {
      const task = await claimTask(db, [...byKind.keys()], clock());
      const worker = task && byKind.get(task.kind);
      if (!worker) return;
      const run: Promise<void> = runTask({ db, ...ports }, worker, task, stopping.signal).finally(() => {
        underWay.delete(run);
        wake();
      });
      underWay.add(run);
    }
  }

  async function look(): Promise<void> {
    takeBack();
    do {
      isAskedAgain = false;
      // what keeps the one from being done does not keep the other
      for (const part of [doCronJobs, beginTasks])
        await part().catch((error: unknown) => {
          if (!stopping.signal.aborted) log.error({ error: reasonWords(error) }, 'what is due could not be looked at');
        });
    } while (isAskedAgain && !stopping.signal.aborted);
    looking = null;
    if (!stopping.signal.aborted) takeBack = timers.after(lookMs, wake);
  }

  function wake(): void {
    if (stopping.signal.aborted) return;
    if (looking) isAskedAgain = true;
    else looking = look();
  }

  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      takeBack();
      let giveUp: () => void = () => undefined;
      const late = new Promise<void>((resolve) => {
        giveUp = timers.after(graceMs, resolve);
      });
      const all = async (): Promise<void> => {
        await looking;
        await Promise.all(underWay);
      };
      await Promise.race([all(), late]);
      giveUp();
    },
  };
}
