import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, smallint, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import type { TaskKind, TaskStatus } from '#contract/jobs.ts';
import { createdAt, moment } from './column-types.ts';
import { clients, entities, organizations } from './places.ts';
import { users } from './users.ts';

/** What the server does at set times, and how it went last. A row is held while its work is done: one server alone does it. */
export const cronJobs = pgTable('cron_jobs', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  job_type_id: smallint('job_type_id').notNull(),
  schedule: text('schedule').notNull(),
  next_run_at: moment('next_run_at').notNull(),
  last_started_at: moment('last_started_at'),
  last_ended_at: moment('last_ended_at'),
  last_outcome: text('last_outcome').$type<'DONE' | 'FAILED'>(),
  last_error: text('last_error'),
  job_count: integer('job_count').notNull().default(0),
});

/** Work that is done in the background, from when it is asked for until a month after it ended. */
export const workerTasks = pgTable(
  'worker_tasks',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind').$type<TaskKind>().notNull(),
    /** What it is about: accounts, reports or batches. */
    subject_ids: text('subject_ids').array().notNull(),
    /** What two tasks of a kind must not have in common while both are under way. */
    key: text('key').notNull(),
    /** Where it works, the innermost place told and those around it: who sees that whole may see it. */
    organization_id: uuid('organization_id').references(() => organizations.id),
    client_id: uuid('client_id').references(() => clients.id),
    entity_id: uuid('entity_id').references(() => entities.id),
    input: jsonb('input').notNull().default({}),
    status: text('status').$type<TaskStatus>().notNull(),
    /** Not before this is it begun. */
    run_at: moment('run_at').notNull(),
    attempts: integer('attempts').notNull().default(0),
    /** The attempt under way: one that lost its task to another has no say any more. */
    attempt_id: uuid('attempt_id'),
    heartbeat_at: moment('heartbeat_at'),
    steps_done: integer('steps_done'),
    steps: integer('steps'),
    error: text('error'),
    created_by: uuid('created_by').references(() => users.id),
    created_at: createdAt(),
    started_at: moment('started_at'),
    ended_at: moment('ended_at'),
  },
  (table) => [
    uniqueIndex('worker_tasks_under_way').on(table.kind, table.key).where(sql`status in ('QUEUED', 'RUNNING')`),
    index('worker_tasks_by_status').on(table.status, table.run_at),
    index('worker_tasks_by_end').on(table.ended_at),
  ],
);
