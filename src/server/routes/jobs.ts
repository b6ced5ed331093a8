import { getRunningTasks, jobTypeIds, listCronJobs, listWorkerTasks } from '#contract/jobs.ts';
import { listCronJobs as cronJobsOf } from '#server/repositories/cron-jobs.ts';
import { listWorkerTasks as workerTasksOf, runningTasks } from '#server/repositories/worker-tasks.ts';
import { route } from '#server/route.ts';
import type { Server } from '#server/server.ts';

export function jobRoutes(server: Server): void {
  route(server, listCronJobs, ({ job_type_id: type, include_job_count }, { db, user }) =>
    cronJobsOf(db, user, { job_type_id: typeof type === 'number' ? type : jobTypeIds[type], include_job_count }),
  );
  route(server, getRunningTasks, (_input, { db, user }) => runningTasks(db, user));
  route(server, listWorkerTasks, ({ limit }, { db, user, now }) => workerTasksOf(db, user, { limit, now }));
}
