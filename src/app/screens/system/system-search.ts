import { type JobType, jobTypes } from '#contract/jobs.ts';
import { readSortSearch, type SortSearch } from '#app/sort-search.ts';

/** What cron jobs can be sorted by. */
export const jobFields = ['job', 'last_run', 'next_run', 'runs'] as const;
export type JobField = (typeof jobFields)[number];

/** What the address says of the screen: which cron jobs, traditional ones without it, and in which order. */
export interface SystemSearch extends SortSearch {
  type?: Exclude<JobType, 'traditional'> | undefined;
}

/** Reads it; what means nothing is left out. */
export function readSystemSearch(raw: Record<string, unknown>): SystemSearch {
  const type = jobTypes.find((name) => name === raw.type);
  return { ...(type === undefined || type === 'traditional' ? {} : { type }), ...readSortSearch(raw, jobFields) };
}
