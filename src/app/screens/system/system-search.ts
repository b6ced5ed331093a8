import { type JobType, jobTypes } from '#contract/jobs.ts';

/** What the address says of the screen: which cron jobs, traditional ones without it. */
export interface SystemSearch {
  type?: Exclude<JobType, 'traditional'> | undefined;
}

/** Reads it; what means nothing is left out. */
export function readSystemSearch(raw: Record<string, unknown>): SystemSearch {
  const type = jobTypes.find((name) => name === raw.type);
  return type === undefined || type === 'traditional' ? {} : { type };
}
