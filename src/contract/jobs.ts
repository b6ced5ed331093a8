import { z } from 'zod';
import { defineEndpoint } from './endpoint.ts';
import { flagSchema, idSchema, instantSchema, limitSchema } from './wire.ts';

/** Codes of the job types by the names they are asked for with; `traditional` is what is of no other type. @source specification section 3 */
export const jobTypeIds = { traditional: 1, defi: 2, blockchain: 3, mapping: 4, sftp: 5 } as const;
export type JobType = keyof typeof jobTypeIds;
export const jobTypes = Object.keys(jobTypeIds) as JobType[];

const jobTypeCodes: readonly number[] = Object.values(jobTypeIds);

/** A job type by its code, or by its name. */
const jobTypeSchema = z.union([z.enum(jobTypes), z.coerce.number().refine((code) => jobTypeCodes.includes(code))], {
  error: `Expected one of ${jobTypes.map((name) => `${jobTypeIds[name]} (${name})`).join(', ')}`,
});

const momentSchema = instantSchema.nullable();

/** What the server does at set times. */
export const cronJobSchema = z.object({
  id: z.string(),
  name: z.string(),
  job_type_id: z.number().int(),
  /** Minute, hour, day of the month, month and weekday in UTC, as cron has them. */
  schedule: z.string(),
  /** Null until it ran for the first time. */
  last_started_at: momentSchema,
  last_ended_at: momentSchema,
  last_outcome: z.enum(['DONE', 'FAILED']).nullable(),
  /** Why it failed, for superusers: it works for all organizations. */
  last_error: z.string().nullable(),
  next_run_at: instantSchema,
  /** How often it ran; null where that was not asked for. */
  job_count: z.number().int().nullable(),
});
export type CronJob = z.infer<typeof cronJobSchema>;

/** The cron jobs of one type. Whoever looks after an organization may know how the server does; nobody else holds this key. */
export const listCronJobs = defineEndpoint({
  name: 'listCronJobs',
  method: 'GET',
  path: '/cron_jobs/get_jobs',
  permission: 'organization_write',
  input: z.object({ job_type_id: jobTypeSchema.default('traditional'), include_job_count: flagSchema.prefault(true) }),
  output: z.array(cronJobSchema),
});

/** Each kind of task with what its subjects are called. @source specification section 3, running worker tasks */
export const taskSubjects = {
  reconciliation: 'account_ids',
  pricing: 'account_ids',
  reports: 'report_ids',
  exports: 'batch_ids',
} as const;
export type TaskKind = keyof typeof taskSubjects;
export const taskKinds = Object.keys(taskSubjects) as TaskKind[];

const idsSchema = z.array(idSchema);

export const runningTasksSchema = z.object({
  reconciliation: z.object({ account_ids: idsSchema }),
  pricing: z.object({ account_ids: idsSchema }),
  reports: z.object({ report_ids: idsSchema }),
  exports: z.object({ batch_ids: idsSchema }),
});
export type RunningTasks = z.infer<typeof runningTasksSchema>;

/** What is worked on, or waits to be, of what the caller may see: a task of a whole client for those who see the client whole. */
export const getRunningTasks = defineEndpoint({
  name: 'getRunningTasks',
  method: 'GET',
  path: '/worker_tasks/get_running_tasks',
  permission: 'account_read',
  input: z.object({}),
  output: runningTasksSchema,
});

export const taskStatuses = ['QUEUED', 'RUNNING', 'DONE', 'FAILED'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** One task of a worker, where it stands and what it is for. */
export const workerTaskSchema = z.object({
  id: idSchema,
  kind: z.enum(taskKinds),
  subject_ids: idsSchema,
  status: z.enum(taskStatuses),
  /** Where it works; all null for a task of no organization. */
  organization_id: idSchema.nullable(),
  organization_name: z.string().nullable(),
  client_id: idSchema.nullable(),
  client_name: z.string().nullable(),
  entity_id: idSchema.nullable(),
  entity_name: z.string().nullable(),
  /** How often a worker took it up. */
  attempts: z.number().int(),
  /** How much of it is done, in steps of its own; null where it does not tell. */
  steps_done: z.number().int().nullable(),
  steps: z.number().int().nullable(),
  /** Why it failed. */
  error: z.string().nullable(),
  created_at: instantSchema,
  started_at: momentSchema,
  /** When its worker last said that it lives. */
  heartbeat_at: momentSchema,
  ended_at: momentSchema,
});
export type WorkerTask = z.infer<typeof workerTaskSchema>;

/** How long a task that ended is still listed, in milliseconds. */
export const endedTasksListedMs = 24 * 3_600_000;

/** The tasks under way and those that ended within a day, in the caller's organizations: what runs first, then the newest. */
export const listWorkerTasks = defineEndpoint({
  name: 'listWorkerTasks',
  method: 'GET',
  path: '/worker_tasks',
  permission: 'organization_write',
  input: z.object({ limit: limitSchema(500).prefault(100) }),
  output: z.array(workerTaskSchema),
  paging: { by: 'single', limit: 100 },
});
