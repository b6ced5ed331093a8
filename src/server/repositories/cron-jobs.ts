import { and, asc, eq, inArray, lt, lte, notInArray, sql } from 'drizzle-orm';
import type { CronJob } from '#contract/jobs.ts';
import { nextRun } from '#domain/cron-schedule.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { cronJobs } from '#server/database/tables/jobs.ts';
import { isoText } from './iso-text.ts';
import type { Viewer } from './visibility.ts';

/** A cron job as the server knows it, before it ever ran. */
export interface CronJobPlan {
  id: string;
  name: string;
  job_type_id: number;
  schedule: string;
}

/** How long a job may be overdue that no plan here tells of, in milliseconds: a newer server beside this one may do it. */
const unknownKeptMs = 7 * 86_400_000;

/**
 * Makes the rows what the plans are. A job that is new is due at once, one whose schedule is another than before when that says; a job
 * that no server did for a week goes.
 */
export async function registerCronJobs(db: Db, plans: readonly CronJobPlan[], now: number): Promise<void> {
  await db.transaction(async (tx) => {
    for (const plan of plans) {
      const next_run_at = new Date(nextRun(plan.schedule, now));
      await tx
        .insert(cronJobs)
        .values({ ...plan, next_run_at: new Date(now) })
        .onConflictDoUpdate({
          target: cronJobs.id,
          set: {
            name: plan.name,
            job_type_id: plan.job_type_id,
            schedule: plan.schedule,
            next_run_at: sql`case when ${cronJobs.schedule} = ${plan.schedule} then ${cronJobs.next_run_at} else ${next_run_at.toISOString()}::timestamptz end`,
          },
        });
    }
    const ids = plans.map(({ id }) => id);
    await tx.delete(cronJobs).where(and(notInArray(cronJobs.id, ids), lt(cronJobs.next_run_at, new Date(now - unknownKeptMs))));
  });
}

/** What a cron job does, in one transaction: short, for what waits for it waits meanwhile. Work that is long is a task it asks for. */
export type CronWork = (tx: Db, now: number) => Promise<void>;

/** How a run of a cron job went. */
export interface CronRun {
  id: string;
  /** Null where it did what it should. */
  error: unknown;
}

/**
 * Does the work of one job that is due and that no other server does at this moment, all in one transaction: what fails leaves nothing
 * but its outcome, and where the server dies meanwhile another one begins anew.
 * @returns undefined where none is due.
 */
export function runDueCronJob(db: Db, clock: () => number, works: ReadonlyMap<string, CronWork>): Promise<CronRun | undefined> {
  return db.transaction(async (tx) => {
    const started = clock();
    const [due] = await tx
      .select({ id: cronJobs.id, schedule: cronJobs.schedule })
      .from(cronJobs)
      .where(and(inArray(cronJobs.id, [...works.keys()]), lte(cronJobs.next_run_at, new Date(started))))
      .orderBy(asc(cronJobs.next_run_at))
      .limit(1)
      .for('update', { skipLocked: true });
    const work = due && works.get(due.id);
    if (!work) return undefined;
    let error: unknown = null;
    try {
      await tx.transaction((inner) => work(inner, started));
    } catch (reason) {
      error = reason;
    }
    const ended = clock();
    await tx
      .update(cronJobs)
      .set({
        last_started_at: new Date(started),
        last_ended_at: new Date(ended),
        last_outcome: error === null ? 'DONE' : 'FAILED',
        last_error: error === null ? null : reasonWords(error),
        next_run_at: new Date(nextRun(due.schedule, ended)),
        job_count: sql`${cronJobs.job_count} + 1`,
      })
      .where(eq(cronJobs.id, due.id));
    return { id: due.id, error };
  });
}

/** What went wrong, short, and without the statement and the values that the database driver adds. */
export function reasonWords(error: unknown): string {
  const told = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return (told instanceof Error ? told.message : String(told)).split('\n', 1).join('').slice(0, 300);
}

/** The cron jobs of a type, the one due first at the top. */
export function listCronJobs(
  db: Db,
  viewer: Viewer,
  { job_type_id, include_job_count }: { job_type_id: number; include_job_count: boolean },
): Promise<CronJob[]> {
  return rowsOf(
    db,
    sql`select id, name, job_type_id::int as job_type_id, schedule, ${isoText(sql`c.last_started_at`)} as last_started_at,
        ${isoText(sql`c.last_ended_at`)} as last_ended_at, last_outcome, ${viewer.is_superuser ? sql`last_error` : sql`null::text as last_error`},
        ${isoText(sql`c.next_run_at`)} as next_run_at, ${include_job_count ? sql`job_count` : sql`null::int as job_count`}
      from cron_jobs c where job_type_id = ${job_type_id}::int order by c.next_run_at, c.id`,
  );
}
