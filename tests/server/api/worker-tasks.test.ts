import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { listWorkerTasks } from '#contract/jobs.ts';
import { type Db, openPostgres, rowsOf } from '#server/database/open.ts';
import { workerTasks } from '#server/database/tables/jobs.ts';
import type { Runner } from '#server/jobs/runner.ts';
import { beatMs, runTask, type TaskWorker } from '#server/jobs/task-run.ts';
import { claimTask, endTask, type NewTask, queueTask, taskLimits } from '#server/repositories/worker-tasks.ts';
import { aRunner } from '#tests/support/jobs.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

let server: TestServer;
let db: Db;
const runners: Runner[] = [];

beforeAll(async () => {
  server = await aServer();
  ({ db } = server.database);
});
afterEach(async () => {
  // to the end: one that still claims would take the next test's task
  await Promise.all(runners.splice(0).map((runner) => runner.stop()));
  await db.delete(workerTasks);
});
afterAll(() => server.close());

function start(...parts: Parameters<typeof aRunner>): Runner {
  const runner = aRunner(...parts);
  runners.push(runner);
  return runner;
}

const now = () => server.clock.now();
const aTask = (changes: Partial<NewTask> = {}) =>
  queueTask(db, { kind: 'reconciliation', subject_ids: ['a'], place: null, created_by: null, ...changes }, now());
const taskOf = async (id: string) => (await db.select().from(workerTasks).where(eq(workerTasks.id, id)))[0];
const worker = (run: TaskWorker['run'], kind: TaskWorker['kind'] = 'reconciliation'): TaskWorker => ({ kind, run });

/** Something a test waits for and lets happen. */
function aGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const untilAborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('told to end'))));

describe('tasks of workers', () => {
  test('[JB11] a task waits, runs, tells how far it is, and is done', async () => {
    const gate = aGate();
    const { id } = await aTask({ subject_ids: ['b', 'a'], input: { end_date: '2026-08-31' } });
    expect(await taskOf(id)).toMatchObject({ status: 'QUEUED', attempts: 0, started_at: null });
    const seen: unknown[] = [];
    start(server, {
      workers: [
        worker(async ({ subject_ids, input }, { tell }) => {
          seen.push(subject_ids, input);
          await tell(1, 2);
          await gate.opened;
        }),
      ],
    });
    await expect.poll(() => taskOf(id)).toMatchObject({ status: 'RUNNING', attempts: 1, steps_done: 1, steps: 2 });
    expect(seen).toEqual([['b', 'a'], { end_date: '2026-08-31' }]);
    gate.open();
    await expect.poll(() => taskOf(id)).toMatchObject({ status: 'DONE', error: null, ended_at: new Date(now()) });
  });

  test('[JB12] a task that throws has failed with its reason, and the next one goes on', async () => {
    const told: unknown[] = [];
    const [broken, sound] = [await aTask({ subject_ids: ['broken'] }), await aTask({ subject_ids: ['sound'] })];
    const run: TaskWorker['run'] = async ({ subject_ids }) => {
      if (subject_ids[0] === 'broken') throw new Error('There is no price for ABC');
    };
    start(server, { workers: [worker(run)], onError: (entry) => told.push(entry) });
    await expect.poll(() => taskOf(sound.id)).toMatchObject({ status: 'DONE' });
    expect(await taskOf(broken.id)).toMatchObject({ status: 'FAILED', error: 'There is no price for ABC', attempts: 1 });
    expect(told).toEqual([{ error: 'There is no price for ABC', task: broken.id, kind: 'reconciliation' }]);
  });

  test('[JB13] what is under way is not asked for twice; once it ended it can be', async () => {
    const first = await aTask({ subject_ids: ['x', 'y'] });
    const again = await Promise.all([aTask({ subject_ids: ['y', 'x'] }), aTask({ subject_ids: ['x', 'y'] })]);
    expect(again).toEqual([first, first].map(({ id }) => ({ id, isNew: false })));
    expect((await aTask({ subject_ids: ['x'] })).isNew).toBe(true);
    expect((await aTask({ kind: 'pricing', subject_ids: ['x', 'y'] })).isNew).toBe(true);
    const claimed = await claimTask(db, ['reconciliation'], now());
    expect((await aTask({ subject_ids: ['x', 'y'] })).id).toBe(first.id);
    if (claimed) await endTask(db, claimed, { now: now(), error: null });
    expect((await aTask({ subject_ids: ['x', 'y'] })).isNew).toBe(true);
  });

  test('[JB14] several servers do each task once, in the order they were asked for', async () => {
    const other = server.databaseUrl === null ? null : await openPostgres(server.databaseUrl);
    const done: string[] = [];
    const ids: string[] = [];
    for (let index = 0; index < 12; index += 1) {
      ids.push((await aTask({ subject_ids: [String(index)] })).id);
      server.clock.advance(1);
    }
    const workers = [worker(async ({ subject_ids: [subject = ''] }) => void done.push(subject))];
    start(server, { workers });
    start({ ...server, database: other ?? server.database }, { workers });
    await expect.poll(async () => (await Promise.all(ids.map(taskOf))).every((task) => task?.status === 'DONE')).toBe(true);
    expect([...done].sort()).toEqual(ids.map((_id, index) => String(index)).sort());
    // two servers with up to two tasks each: none is begun before one asked for four earlier
    for (const [at, subject] of done.entries()) expect(Math.abs(at - Number(subject))).toBeLessThan(4);
    await Promise.all(runners.splice(0).map((runner) => runner.stop()));
    await other?.close();
  });

  test('[JB15] the task of a worker that died is taken up again, and has failed after the third', async () => {
    const { id } = await aTask();
    for (let attempt = 1; attempt <= taskLimits.mostAttempts; attempt += 1) {
      // a server that claims it and is heard of no more
      expect((await claimTask(db, ['reconciliation'], now()))?.id).toBe(id);
      expect(await taskOf(id)).toMatchObject({ status: 'RUNNING', attempts: attempt });
      server.clock.advance(taskLimits.deadAfterMs);
      const early = start(server, {});
      await expect.poll(server.clock.timersSet).toBe(1);
      expect((await taskOf(id))?.status).toBe('RUNNING');
      server.clock.advance(beatMs);
      await expect.poll(async () => (await taskOf(id))?.status).not.toBe('RUNNING');
      await early.stop();
    }
    expect(await taskOf(id)).toMatchObject({ status: 'FAILED', error: 'The server stopped while it was worked on, 3 times' });
  });

  test('[JB16] a worker that lives keeps its task however long it takes', async () => {
    const gate = aGate();
    const { id } = await aTask();
    let runs = 0;
    start(server, {
      workers: [
        worker(async () => {
          runs += 1;
          await gate.opened;
        }),
      ],
    });
    await expect.poll(async () => (await taskOf(id))?.status).toBe('RUNNING');
    for (let beats = 0; beats < 10; beats += 1) {
      // its beat and the look at what is due
      await expect.poll(server.clock.timersSet).toBe(2);
      server.clock.advance(beatMs);
      await expect.poll(async () => (await taskOf(id))?.heartbeat_at?.getTime()).toBe(now());
    }
    gate.open();
    await expect.poll(() => taskOf(id)).toMatchObject({ status: 'DONE', attempts: 1 });
    expect(runs).toBe(1);
  });

  test('[JB17] a worker that lost its task is told to end and writes nothing over what the other one does', async () => {
    const { id } = await aTask();
    const begun = aGate();
    const ended = aGate();
    start(server, {
      workers: [
        worker(async (_task, { signal }) => {
          begun.open();
          await untilAborted(signal).finally(ended.open);
        }),
      ],
    });
    await begun.opened;
    // another server thought this one dead and took it up
    const heartbeat_at = new Date(now() + 3_600_000);
    await db.update(workerTasks).set({ heartbeat_at, attempt_id: sql`gen_random_uuid()` }).where(eq(workerTasks.id, id));
    await expect.poll(server.clock.timersSet).toBe(2);
    server.clock.advance(beatMs);
    await ended.opened;
    await expect.poll(server.clock.timersSet).toBe(1);
    expect(await taskOf(id)).toMatchObject({ status: 'RUNNING', error: null, heartbeat_at });
  });

  test('[JB18] a server that stops puts back into line what it cannot end, and the attempt does not count', async () => {
    const { id } = await aTask();
    const begun = aGate();
    const runner = start(server, {
      workers: [
        worker(async (_task, { signal }) => {
          begun.open();
          await untilAborted(signal);
        }),
      ],
    });
    await begun.opened;
    await runner.stop();
    expect(await taskOf(id)).toMatchObject({ status: 'QUEUED', attempts: 0 });
    expect(server.clock.timersSet()).toBe(0);
    start(server, { workers: [worker(async () => undefined)] });
    await expect.poll(() => taskOf(id)).toMatchObject({ status: 'DONE', attempts: 1 });
  });

  test('[JB30] a task taken just as the server stops is put back and never begun', async () => {
    const { id } = await aTask();
    const task = await claimTask(db, ['reconciliation'], now());
    if (!task) throw new Error('there is a task to claim');
    let runs = 0;
    const counting = worker(async () => void (runs += 1));
    const ports = { db, clock: now, timers: server.clock.timers, log: { error: () => undefined } };
    await runTask(ports, counting, task, AbortSignal.abort());
    expect(await taskOf(id)).toMatchObject({ status: 'QUEUED', attempts: 0 });
    expect(runs).toBe(0);
    expect(server.clock.timersSet()).toBe(0);
  });

  test('[JB19] a task asked for is begun at once where the server is told, else within ten seconds', async () => {
    const runner = start(server, { workers: [worker(async () => undefined)] });
    await expect.poll(server.clock.timersSet).toBe(1);
    const told = await aTask({ subject_ids: ['told'] });
    runner.wake();
    await expect.poll(async () => (await taskOf(told.id))?.status).toBe('DONE');
    const untold = await aTask({ subject_ids: ['untold'] });
    await expect.poll(server.clock.timersSet).toBe(1);
    server.clock.advance(10_000);
    await expect.poll(async () => (await taskOf(untold.id))?.status).toBe('DONE');
  });

  test('[JB20] the list has what runs, what waits, then what ended within a day, the newest first', async () => {
    const { call } = await server.signedIn((await aUser(db, { is_superuser: true })).email);
    for (const subject of ['running', 'old', 'failed', 'done', 'waiting']) {
      await aTask({ subject_ids: [subject] });
      server.clock.advance(1000);
    }
    const set = (subject: string, status: string, hoursAgo: number | null) =>
      rowsOf(
        db,
        sql`update worker_tasks set status = ${status}, error = case ${status} when 'FAILED' then 'No price' end,
          ended_at = ${hoursAgo === null ? null : new Date(now() - hoursAgo * 3_600_000).toISOString()}::timestamptz where key = ${subject}`,
      );
    await set('running', 'RUNNING', null);
    await set('old', 'DONE', 25);
    await set('failed', 'FAILED', 23);
    await set('done', 'DONE', 1);
    const list = async (limit?: number) =>
      (await call(listWorkerTasks, { limit })).map(({ subject_ids, status, error }) => [...subject_ids, status, error]);
    expect(await list()).toEqual([
      ['running', 'RUNNING', null],
      ['waiting', 'QUEUED', null],
      ['done', 'DONE', null],
      ['failed', 'FAILED', 'No price'],
    ]);
    expect(await list(2)).toHaveLength(2);
  });
});
