import { type Runner, startRunner } from '#server/jobs/runner.ts';
import type { ServerCronJob } from '#server/jobs/cron-jobs.ts';
import type { TaskWorker } from '#server/jobs/task-run.ts';
import type { TestServer } from './server.ts';

interface RunnerParts {
  cronJobs?: readonly ServerCronJob[];
  workers?: readonly TaskWorker[];
  /** Hears what went wrong. */
  onError?: (entry: unknown, text?: string) => void;
}

/** The runner of a server as `main.ts` starts it, with jobs and workers of a test. */
export function aRunner(
  { database, clock }: Pick<TestServer, 'database' | 'clock'>,
  { cronJobs = [], workers = [], onError }: RunnerParts,
): Runner {
  const log = { error: (entry: unknown, text?: string) => onError?.(entry, text) };
  return startRunner({ database, clock: clock.now, timers: clock.timers, log, cronJobs, workers });
}

/** A cron job of every hour that does what a test says. */
export function aCronJob(run: ServerCronJob['run'], changes: Partial<ServerCronJob> = {}): ServerCronJob {
  return { id: 'hourly', name: 'Every hour', job_type_id: 1, schedule: '0 * * * *', run, ...changes };
}
