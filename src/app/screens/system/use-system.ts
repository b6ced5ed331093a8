import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { JobType } from '#contract/jobs.ts';
import { useServices, useUser } from '#app/services.tsx';
import { cronJobsQuery, runningTasksQuery, type SystemPorts, workerTasksQuery } from './system-queries.ts';

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

/** Chooses which cron jobs are listed. */
export function useTypeChoice(): (type: JobType) => void {
  const navigate = useNavigate();
  return (type) => void navigate({ to: '/system', search: type === 'traditional' ? {} : { type }, replace: true });
}
