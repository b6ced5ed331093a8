import { jobTypeIds } from '#contract/jobs.ts';
import { forgetChanges } from '#server/repositories/change-log.ts';
import type { CronJobPlan, CronWork } from '#server/repositories/cron-jobs.ts';
import { forgetDevices } from '#server/repositories/devices.ts';
import { forgetAnswers } from '#server/repositories/idempotency.ts';
import { forgetAttempts } from '#server/repositories/oauth.ts';
import { forgetTokens } from '#server/repositories/sessions.ts';
import { sampleTables } from '#server/repositories/table-samples.ts';
import { forgetTasks } from '#server/repositories/worker-tasks.ts';

const dayMs = 86_400_000;
/** How long a device may have been away and still go on from where it was. */
export const changesKeptMs = 90 * dayMs;
/** How long it is known what became of a task. */
export const tasksKeptMs = 30 * dayMs;

/** How long it is known of a device that is not heard of how it stood: as long as its browser keeps its name. */
const devicesKeptMs = 400 * dayMs;
/** How long it is known what a change was answered: as long as a browser that sends it again may have been away and keep its name. */
const answersKeptMs = devicesKeptMs;

/** A cron job with what it does. */
export interface ServerCronJob extends CronJobPlan {
  run: CronWork;
}

/** What the server does by itself at set times. Each part once at a time, whichever server on the database it is that does it. */
export const serverCronJobs: readonly ServerCronJob[] = [
  {
    id: 'forget_changes',
    name: 'Forget changes older than 90 days',
    job_type_id: jobTypeIds.traditional,
    schedule: '20 3 * * *',
    run: (tx, now) => forgetChanges(tx, new Date(now - changesKeptMs)),
  },
  {
    id: 'forget_answers',
    name: 'Forget answers to changes older than 400 days',
    job_type_id: jobTypeIds.traditional,
    schedule: '30 3 * * *',
    run: (tx, now) => forgetAnswers(tx, new Date(now - answersKeptMs)),
  },
  {
    id: 'forget_sign_ins',
    name: 'Forget sign-ins that ran out',
    job_type_id: jobTypeIds.traditional,
    schedule: '10 * * * *',
    run: async (tx, now) => {
      await forgetTokens(tx, now);
      await forgetAttempts(tx, now);
      await forgetDevices(tx, new Date(now - devicesKeptMs));
    },
  },
  {
    id: 'forget_tasks',
    name: 'Forget tasks that ended a month ago',
    job_type_id: jobTypeIds.traditional,
    schedule: '40 3 * * *',
    run: (tx, now) => forgetTasks(tx, new Date(now - tasksKeptMs)),
  },
  {
    id: 'sample_tables',
    name: 'Sample tables for the query planner',
    job_type_id: jobTypeIds.traditional,
    schedule: '50 3 * * *',
    run: sampleTables,
  },
];
