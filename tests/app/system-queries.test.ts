import { environmentManager, focusManager, QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createClient } from '#api-client/call.ts';
import type { RunningTasks, TaskStatus, WorkerTask } from '#contract/jobs.ts';
import { queryBehaviour } from '#app/query-behaviour.ts';
import { cronJobsQuery, runningTasksQuery, type SystemPorts, workerTasksQuery } from '#app/screens/system/system-queries.ts';
import { progressWords, spanWords, taskWords } from '#app/screens/system/system-words.ts';

const nothing: RunningTasks = {
  reconciliation: { account_ids: [] },
  pricing: { account_ids: [] },
  reports: { report_ids: [] },
  exports: { batch_ids: [] },
};
const at = '2026-09-14T12:00:00.000Z';
const noPlace = { organization_id: null, organization_name: null, client_id: null, client_name: null, entity_id: null, entity_name: null };

function aTask(status: TaskStatus, changes: Partial<WorkerTask> = {}): WorkerTask {
  const untold = { steps_done: null, steps: null, error: null, started_at: at, heartbeat_at: at, ended_at: null };
  return { id: 't', kind: 'pricing', subject_ids: ['a'], status, attempts: 1, created_at: at, ...noPlace, ...untold, ...changes };
}

let answer: () => Response;
let asked: string[];
let told: string[];
let client: QueryClient;
let ports: SystemPorts;
const leaving: (() => void)[] = [];

beforeEach(() => {
  // without a window it would not poll
  environmentManager.setIsServer(() => false);
  vi.useFakeTimers();
  asked = [];
  told = [];
  answer = () => Response.json([]);
  client = new QueryClient({ defaultOptions: { queries: queryBehaviour } });
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(String(url).replace('http://localhost', ''));
    return answer();
  };
  ports = { call: createClient({ baseUrl: 'http://localhost', fetch }), userId: 'u', log: (text) => told.push(text) };
});
afterEach(() => {
  for (const leave of leaving.splice(0)) leave();
  focusManager.setFocused(undefined);
  vi.useRealTimers();
});

/** How often was asked in so many milliseconds. */
async function askedIn(ms: number): Promise<number> {
  const before = asked.length;
  await vi.advanceTimersByTimeAsync(ms);
  return asked.length - before;
}

const lookAtRunning = () => new QueryObserver(client, runningTasksQuery(ports)).subscribe(() => undefined);
const lookAtTasks = () => new QueryObserver(client, workerTasksQuery(ports, nothing)).subscribe(() => undefined);
const lookAtJobs = () => new QueryObserver(client, cronJobsQuery(ports)).subscribe(() => undefined);

describe('what is asked of the server while one looks at the system', () => {
  test('[JB21] what runs is asked every 15 seconds, not while the page is hidden, and no more once it is left', async () => {
    answer = () => Response.json(nothing);
    const leave = lookAtRunning();
    await askedIn(0);
    expect(asked).toHaveLength(1);
    expect(await askedIn(14_900)).toBe(0);
    expect(await askedIn(200)).toBe(1);
    focusManager.setFocused(false);
    expect(await askedIn(60_000)).toBe(0);
    focusManager.setFocused(true);
    expect(await askedIn(15_000)).toBe(1);
    leave();
    expect(await askedIn(60_000)).toBe(0);
  });

  test('[JB22] the tasks are asked every second while one is under way, and no more once all ended', async () => {
    let status: TaskStatus = 'QUEUED';
    answer = () => Response.json([aTask(status)]);
    leaving.push(lookAtTasks());
    await askedIn(0);
    expect(await askedIn(3000)).toBe(3);
    status = 'RUNNING';
    expect(await askedIn(3000)).toBe(3);
    focusManager.setFocused(false);
    expect(await askedIn(5000)).toBe(0);
    focusManager.setFocused(true);
    status = 'FAILED';
    expect(await askedIn(1000)).toBe(1);
    expect(await askedIn(30_000)).toBe(0);
  });

  test('[JB23] a failure is written down and not tried again at once; of tasks after 15 seconds', async () => {
    answer = () => Response.json({ detail: 'Out of order' }, { status: 503 });
    leaving.push(lookAtJobs(), lookAtTasks());
    await askedIn(0);
    expect(told).toEqual(['/cron_jobs/get_jobs: Out of order', '/worker_tasks: Out of order']);
    expect(await askedIn(14_900)).toBe(0);
    await askedIn(200);
    expect(asked.slice(2)).toEqual(['/worker_tasks']);
  });

  test('[JB24] cron jobs are asked by the code of their type, the traditional ones unless told, and an answer lasts 30 seconds', async () => {
    leaving.push(lookAtJobs());
    await askedIn(29_900);
    lookAtJobs()();
    expect(asked).toEqual(['/cron_jobs/get_jobs?job_type_id=1&include_job_count=true']);
    await askedIn(200);
    leaving.push(lookAtJobs());
    await askedIn(0);
    expect(asked).toHaveLength(2);
    leaving.push(new QueryObserver(client, cronJobsQuery(ports, 'sftp')).subscribe(() => undefined));
    await askedIn(0);
    expect(asked.at(-1)).toBe('/cron_jobs/get_jobs?job_type_id=5&include_job_count=true');
  });
});

test('[JB25] a task is told in words: what it is about, how far it is, why it failed, how long it took', () => {
  expect(taskWords(aTask('RUNNING', { kind: 'reconciliation', subject_ids: ['a', 'b'] }))).toBe('Reconciliation of 2 accounts');
  expect([taskWords(aTask('DONE')), taskWords(aTask('DONE', { kind: 'exports', subject_ids: ['1', '2'] }))]).toEqual([
    'Pricing of 1 account',
    'Export of 2 batches',
  ]);
  const words = [
    aTask('RUNNING', { steps_done: 1200, steps: 3400, attempts: 2 }),
    aTask('RUNNING'),
    aTask('QUEUED', { attempts: 1 }),
    aTask('DONE', { steps_done: 40, steps: 100 }),
    aTask('FAILED', { error: 'There is no price for ABC', steps_done: 1, steps: 2 }),
  ].map(progressWords);
  expect(words).toEqual(['1,200 of 3,400, 2 times begun', '', 'waits to be begun again', '', 'There is no price for ABC']);
  expect([-5, 850, 12_400, 200_000, 7_500_000].map(spanWords)).toEqual(['0 ms', '850 ms', '12 s', '3 min 20 s', '2 h 5 min']);
});
