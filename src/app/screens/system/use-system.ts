import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JobType } from '#contract/jobs.ts';
import { useServices, useUser } from '#app/services.tsx';
import { cronJobsQuery, runningTasksQuery, type SystemPorts, workerTasksQuery } from './system-queries.ts';
import type { SystemSearch } from './system-search.ts';

function useSystemPorts(): SystemPorts {
  const { call, log } = useServices();
  return { call, userId: useUser().id, log };
}

export function useCronJobs(type: JobType) {
  return useQuery(cronJobsQuery(useSystemPorts(), type));
}

/** The tasks under way and those that ended a short while ago, followed while they are looked at. */
export function useWorkerTasks() {
  const ports = useSystemPorts();
  const { data: running, isPending } = useQuery(runningTasksQuery(ports));
  return useQuery({ ...workerTasksQuery(ports, running), enabled: !isPending });
}

/** Chooses which cron jobs are listed, or in which order. */
export function useJobsChoice(): (change: SystemSearch) => void {
  const navigate = useNavigate({ from: '/system' });
  return (change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
}
