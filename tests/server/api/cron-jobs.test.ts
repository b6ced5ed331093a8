import { sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type CronJob, jobTypes } from '#contract/jobs.ts';
import { type Db, openPostgres, rowsOf } from '#server/database/open.ts';
import { cronJobs } from '#server/database/tables/jobs.ts';
import { serverCronJobs } from '#server/jobs/cron-jobs.ts';
import type { Runner } from '#server/jobs/runner.ts';
import { listCronJobs } from '#server/repositories/cron-jobs.ts';
import { databaseKind } from '#tests/support/database.ts';
import { aCronJob, aRunner } from '#tests/support/jobs.ts';
import { aServer, testNow, type TestServer } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

const hourMs = 3_600_000;
let server: TestServer;
let db: Db;
const runners: Runner[] = [];

beforeAll(async () => {
  server = await aServer();
  ({ db } = server.database);
});
afterEach(async () => {
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await db.delete(cronJobs);
});
afterAll(() => server.close());

function start(...parts: Parameters<typeof aRunner>): Runner {
  const runner = aRunner(...parts);
  runners.push(runner);
  return runner;
}

/** The list as the route asks for it. Here hours pass, and no session lasts that long. */
const jobs = (is_superuser = true) => listCronJobs(db, { id: 'nobody', is_superuser }, { job_type_id: 1, include_job_count: true });
const firstJob = async (): Promise<CronJob | undefined> => (await jobs())[0];
const iso = (at: number) => new Date(at).toISOString();
/** The top of the hour after now. */
const nextHour = () => Math.floor(server.clock.now() / hourMs + 1) * hourMs;

describe('cron jobs', () => {
  test('[JB4] a new job is done at the start, then at its times, and how it went is told', async () => {
    const began = server.clock.now();
    start(server, { cronJobs: [aCronJob(async (tx) => void (await tx.execute(sql`select 1`)))] });
    await expect.poll(firstJob).toMatchObject({
      id: 'hourly',
      name: 'Every hour',
      job_type_id: 1,
      schedule: '0 * * * *',
      last_started_at: iso(began),
      last_ended_at: iso(began),
      last_outcome: 'DONE',
      last_error: null,
      next_run_at: iso(nextHour()),
      job_count: 1,
    });
    server.clock.advance(nextHour() - server.clock.now() - 1);
    await expect.poll(server.clock.timersSet).toBe(1);
    expect((await firstJob())?.job_count).toBe(1);
    server.clock.advance(hourMs / 60);
    await expect.poll(async () => (await firstJob())?.job_count).toBe(2);
  });

  test('[JB5] what fails leaves nothing but its outcome, why is told to superusers alone, and the next time it is done again', async () => {
    const told: unknown[] = [];
    let isBroken = true;
    const run = async (tx: Db) => {
      await tx.execute(sql`insert into accounting_systems (id, name) values (700, 'half done')`);
      if (isBroken) await tx.execute(sql`select ${'a secret value'}::int`);
    };
    start(server, { cronJobs: [aCronJob(run)], onError: (entry) => told.push(entry) });
    await expect.poll(firstJob).toMatchObject({ last_outcome: 'FAILED', job_count: 1 });
    const error = (await firstJob())?.last_error;
    expect(error).toMatch(/invalid input syntax/);
    expect(told).toEqual([{ error, job: 'hourly' }]);
    expect((await jobs(false))[0]).toMatchObject({ last_outcome: 'FAILED', last_error: null });
    const halves = () => rowsOf(db, sql`select 1 from accounting_systems where id = 700`);
    expect(await halves()).toEqual([]);
    isBroken = false;
    server.clock.advance(hourMs);
    await expect.poll(firstJob).toMatchObject({ last_outcome: 'DONE', last_error: null, job_count: 2 });
    expect(await halves()).toHaveLength(1);
  });

  test('[JB6] two servers do what is due once', async () => {
    let done = 0;
    const other = server.databaseUrl === null ? null : await openPostgres(server.databaseUrl);
    const cron = [aCronJob(async (tx) => void (await tx.execute(sql`select pg_sleep(0.05)`), (done += 1)))];
    start(server, { cronJobs: cron });
    start({ ...server, database: other ?? server.database }, { cronJobs: cron });
    await expect.poll(server.clock.timersSet).toBe(2);
    expect(done).toBe(1);
    for (let hour = 2; hour <= 4; hour += 1) {
      server.clock.advance(hourMs);
      await expect.poll(async () => (await firstJob())?.job_count).toBe(hour);
      await expect.poll(server.clock.timersSet).toBe(2);
    }
    expect(done).toBe(4);
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await other?.close();
    expect(databaseKind === 'postgres').toBe(other !== null);
  });

  test('[JB7] a restart does not do again what is not due; another schedule counts from then on; a job that no server did for a week goes', async () => {
    const nothing = async () => undefined;
    const first = start(server, { cronJobs: [aCronJob(nothing), aCronJob(nothing, { id: 'old', name: 'Old' })] });
    await expect.poll(async () => (await jobs()).map(({ job_count }) => job_count)).toEqual([1, 1]);
    await first.stop();
    server.clock.advance(1000);
    start(server, { cronJobs: [aCronJob(nothing, { schedule: '30 5 * * *', name: 'Renamed' })] });
    const names = async () => (await jobs()).map(({ name }) => name).sort();
    // a newer server beside this one may know what the old one does not
    await expect.poll(names).toEqual(['Old', 'Renamed']);
    const [renamed] = (await jobs()).filter(({ id }) => id === 'hourly');
    expect(renamed).toMatchObject({ job_count: 1, schedule: '30 5 * * *', next_run_at: expect.stringMatching(/T05:30:00/) });
    server.clock.advance(7 * 24 * hourMs + hourMs);
    start(server, { cronJobs: [aCronJob(nothing)] });
    await expect.poll(names).toEqual(['Every hour']);
  });

  test('[JB8] the list is of one job type, told by its code or its name, traditional unless told; the count can be left out', async () => {
    const run = async () => undefined;
    start(server, { cronJobs: jobTypes.map((name, index) => aCronJob(run, { id: name, name, job_type_id: index + 1 })) });
    const { fetch } = await server.signedIn((await aUser(db, { is_superuser: true })).email);
    const list = async (query: string) => {
      const answer = await fetch(`/api/cron_jobs/get_jobs${query}`);
      return answer.ok ? ((await answer.json()) as CronJob[]).map(({ id, job_count }) => `${id} ${job_count}`) : answer.status;
    };
    // each is done at the start, one after another
    await expect.poll(() => list('')).toEqual(['traditional 1']);
    await expect.poll(() => list('?job_type_id=5')).toEqual(['sftp 1']);
    expect(await list('?job_type_id=traditional&include_job_count=true')).toEqual(['traditional 1']);
    expect(await list('?job_type_id=defi&include_job_count=false')).toEqual(['defi null']);
    for (const wrong of ['0', '6', '1.5', 'all', '']) expect([wrong, await list(`?job_type_id=${wrong}`)]).toEqual([wrong, 422]);
  });

  test('[JB9] the server has its upkeep as cron jobs: changes, answers, sign-ins and tasks that are too old are forgotten', async () => {
    await server.signedIn((await aUser(db)).email);
    start(server, { cronJobs: serverCronJobs });
    await expect
      .poll(async () => (await jobs()).map(({ id, last_outcome }) => `${id} ${last_outcome}`).sort())
      .toEqual(['forget_answers DONE', 'forget_changes DONE', 'forget_sign_ins DONE', 'forget_tasks DONE', 'sample_tables DONE']);
    await rowsOf(
      db,
      sql`insert into worker_tasks (id, kind, subject_ids, key, status, run_at, ended_at) select gen_random_uuid(), 'exports', '{}', d::text, 'DONE', now(),
        ${iso(server.clock.now())}::timestamptz - make_interval(days => d) from unnest(array[28, 31]) d`,
    );
    await rowsOf(
      db,
      sql`update session_tokens set expires_at = ${iso(testNow - 100 * hourMs)}::timestamptz where hash in (select hash from session_tokens limit 1)`,
    );
    await rowsOf(
      db,
      sql`insert into idempotency (user_id, key, request_hash, created_at) select gen_random_uuid(), d::text, '',
        ${iso(server.clock.now())}::timestamptz - make_interval(days => d) from unnest(array[398, 401]) d`,
    );
    const counts = async () =>
      (
        await rowsOf<{ tasks: string; answers: string; tokens: number }>(
          db,
          sql`select (select string_agg(key, ',') from worker_tasks) as tasks,
          (select string_agg(key, ',') from idempotency where request_hash = '') as answers,
          (select count(*)::int from session_tokens where expires_at < ${iso(testNow - 99 * hourMs)}::timestamptz) as tokens`,
        )
      )[0];
    expect(await counts()).toEqual({ tasks: '28,31', answers: '398,401', tokens: 1 });
    server.clock.advance(25 * hourMs);
    await expect.poll(counts).toEqual({ tasks: '28', answers: '398', tokens: 0 });
  });

  test('[JB31] the planner knows how many rows there are, also of a database that does not count by itself', async () => {
    const known = async () =>
      (await rowsOf<{ rows: number }>(db, sql`select reltuples::int as rows from pg_class where oid = 'worker_tasks'::regclass`))[0]?.rows;
    await rowsOf(db, sql`delete from worker_tasks`);
    await rowsOf(
      db,
      sql`insert into worker_tasks (id, kind, subject_ids, key, status, run_at, ended_at)
        select gen_random_uuid(), 'exports', '{}', 'counted ' || n, 'DONE', now(), ${iso(server.clock.now())}::timestamptz from generate_series(1, 700) n`,
    );
    start(server, { cronJobs: serverCronJobs.filter(({ id }) => id === 'sample_tables') });
    await expect.poll(known).toBe(700);
    await rowsOf(db, sql`delete from worker_tasks`);
  });

  test('[JB10] a server that stops begins nothing more and leaves no timer', async () => {
    const runner = start(server, { cronJobs: [aCronJob(async () => undefined)] });
    await expect.poll(server.clock.timersSet).toBe(1);
    await runner.stop();
    expect(server.clock.timersSet()).toBe(0);
    const count = (await firstJob())?.job_count;
    runner.wake();
    server.clock.advance(2 * hourMs);
    expect((await firstJob())?.job_count).toBe(count);
  });
});
