import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ApiCall } from '#api-client/call.ts';
import type { Endpoint, InputOf, OutputOf } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import {
  getRunningTasks,
  type JobType,
  jobTypeIds,
  listCronJobs,
  listWorkerTasks,
  type RunningTasks,
  type WorkerTask,
} from '#contract/jobs.ts';

/** How often is asked what runs, and how far it is while something runs. None is asked again when it fails. @source specification section 9 */
export const pollMs = { runningTasks: 15_000, workerTasks: 1_000 } as const;
/** How long a list of cron jobs counts as fresh. @source specification section 9 */
export const cronJobsFreshMs = 30_000;

/** What the queries need of the world. */
export interface SystemPorts {
  call: ApiCall;
  /** Whose answers they are. */
  userId: string;
  /** Where a failure is written down: no notice tells of it. @source specification section 8 */
  log: (text: string) => void;
}

async function logged<E extends Endpoint>(
  { call, log }: SystemPorts,
  endpoint: E,
  input: InputOf<E>,
  signal: AbortSignal,
): Promise<OutputOf<E>> {
  try {
    return await call(endpoint, input, { signal });
  } catch (error) {
    // a question that is taken back has not failed
    if (!signal.aborted) log(`${endpoint.path}: ${error instanceof ApiError ? error.message : String(error)}`);
    throw error;
  }
}

/** The cron jobs of a type. */
export function cronJobsQuery(ports: SystemPorts, type: JobType = 'traditional') {
  return queryOptions({
    queryKey: ['cron_jobs', ports.userId, type],
    queryFn: ({ signal }) => logged(ports, listCronJobs, { job_type_id: jobTypeIds[type], include_job_count: true }, signal),
    staleTime: cronJobsFreshMs,
  });
}

/** What runs. Asked as long as somebody looks, and the page is to be seen. */
export function runningTasksQuery(ports: SystemPorts) {
  return queryOptions({
    queryKey: ['running_tasks', ports.userId],
    queryFn: ({ signal }) => logged(ports, getRunningTasks, {}, signal),
    refetchInterval: pollMs.runningTasks,
  });
}

function isUnderWay({ status }: WorkerTask): boolean {
  return status === 'QUEUED' || status === 'RUNNING';
}

/**
 * The tasks one by one: asked every second while one is under way, and when something begins or ends elsewhere.
 * @param running what runs, as far as that is known.
 */
export function workerTasksQuery(ports: SystemPorts, running: RunningTasks | undefined) {
  return queryOptions({
    queryKey: ['worker_tasks', ports.userId, running],
    queryFn: ({ signal }) => logged(ports, listWorkerTasks, {}, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return pollMs.runningTasks;
      return state.data?.some(isUnderWay) === true && pollMs.workerTasks;
    },
  });
}
