import { and, eq, inArray, lt, lte, type SQL, sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { endedTasksListedMs, type RunningTasks, type TaskKind, type WorkerTask } from '#contract/jobs.ts';
import type { PermissionKey } from '#contract/permissions.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { workerTasks } from '#server/database/tables/jobs.ts';
import { isoText } from './iso-text.ts';
import { type Viewer, visibleEntityIds, wholeClientIds, wholeOrganizationIds } from './visibility.ts';

/** When a worker counts as dead, and how often a task that it had is begun. */
export const taskLimits = { deadAfterMs: 60_000, mostAttempts: 3 } as const;

/** Where a task works: all its subjects lie there. Without a place superusers alone see it. */
export type TaskPlace = { organization_id: string } | { client_id: string } | { entity_id: string } | null;

/** A task to be done. */
export interface NewTask {
  kind: TaskKind;
  subject_ids: readonly string[];
  place: TaskPlace;
  /** What its worker needs to know besides; no secret, it stays in the database. */
  input?: Record<string, unknown>;
  /** Who asked for it; null for a cron job. */
  created_by: string | null;
}

/** A task as its worker has it. */
export interface ClaimedTask {
  id: string;
  kind: TaskKind;
  subject_ids: string[];
  input: unknown;
  attempt_id: string;
}

function placeColumns(place: TaskPlace) {
  if (place === null) return {};
  if ('organization_id' in place) return place;
  if ('client_id' in place)
    return { ...place, organization_id: sql`(select c.organization_id from clients c where c.id = ${place.client_id}::uuid)` };
  const ofEntity = (column: SQL) =>
    sql`(select ${column} from entities e join clients c on c.id = e.client_id where e.id = ${place.entity_id}::uuid)`;
  return { ...place, client_id: ofEntity(sql`c.id`), organization_id: ofEntity(sql`c.organization_id`) };
}

/**
 * Asks for a task. Where one of the same kind with the same subjects is under way already, that is it.
 * @returns the task's id; `isNew` tells whether it was made.
 */
export async function queueTask(db: Db, task: NewTask, now: number): Promise<{ id: string; isNew: boolean }> {
  const key = [...task.subject_ids].sort().join(' ');
  const isUnderWay = and(eq(workerTasks.kind, task.kind), eq(workerTasks.key, key), inArray(workerTasks.status, ['QUEUED', 'RUNNING']));
  for (;;) {
    const [made] = await db
      .insert(workerTasks)
      .values({
        ...placeColumns(task.place),
        id: uuidv7(),
        kind: task.kind,
        subject_ids: [...task.subject_ids],
        key,
        input: task.input ?? {},
        status: 'QUEUED',
        run_at: new Date(now),
        created_by: task.created_by,
        created_at: new Date(now),
      })
      .onConflictDoNothing()
      .returning({ id: workerTasks.id });
    if (made) return { id: made.id, isNew: true };
    const [found] = await db.select({ id: workerTasks.id }).from(workerTasks).where(isUnderWay);
    // one that ended between the two statements is in nobody's way any more
    if (found) return { id: found.id, isNew: false };
  }
}

/** Takes up the task that waited longest, of some kinds; nobody else has it then. */
export async function claimTask(db: Db, kinds: readonly TaskKind[], now: number): Promise<ClaimedTask | undefined> {
  const waiting = db
    .select({ id: workerTasks.id })
    .from(workerTasks)
    .where(and(eq(workerTasks.status, 'QUEUED'), inArray(workerTasks.kind, [...kinds]), lte(workerTasks.run_at, new Date(now))))
    .orderBy(workerTasks.run_at, workerTasks.id)
    .limit(1)
    .for('update', { skipLocked: true });
  const attempt_id = uuidv7();
  const [claimed] = await db
    .update(workerTasks)
    .set({
      status: 'RUNNING',
      attempts: sql`${workerTasks.attempts} + 1`,
      attempt_id,
      started_at: new Date(now),
      heartbeat_at: new Date(now),
      steps_done: null,
      steps: null,
    })
    .where(eq(workerTasks.id, sql`(${waiting})`))
    .returning({ id: workerTasks.id, kind: workerTasks.kind, subject_ids: workerTasks.subject_ids, input: workerTasks.input });
  return claimed && { ...claimed, attempt_id };
}

/** The task while the attempt still has it. */
function isHeldBy({ id, attempt_id }: ClaimedTask): SQL | undefined {
  return and(eq(workerTasks.id, id), eq(workerTasks.attempt_id, attempt_id), eq(workerTasks.status, 'RUNNING'));
}

type TaskChange = Partial<Pick<typeof workerTasks.$inferInsert, 'heartbeat_at' | 'steps_done' | 'steps' | 'status' | 'error' | 'ended_at'>>;

async function changeHeld(db: Db, task: ClaimedTask, change: TaskChange & { attempts?: SQL }): Promise<boolean> {
  const changed = await db.update(workerTasks).set(change).where(isHeldBy(task)).returning({ id: workerTasks.id });
  return changed.length > 0;
}

/** Says that the worker of a task lives, and how far it is. @returns false where the task is somebody else's by now. */
export function beat(db: Db, task: ClaimedTask, { now, done, of }: { now: number; done?: number; of?: number }): Promise<boolean> {
  const steps = done === undefined || of === undefined ? {} : { steps_done: done, steps: of };
  return changeHeld(db, task, { heartbeat_at: new Date(now), ...steps });
}

/** Ends a task. @param error why it failed; null where it did not. @returns false where the task is somebody else's by now. */
export function endTask(db: Db, task: ClaimedTask, { now, error }: { now: number; error: string | null }): Promise<boolean> {
  return changeHeld(db, task, { status: error === null ? 'DONE' : 'FAILED', error, ended_at: new Date(now) });
}

/** Puts a task back that was begun in vain: the attempt does not count. */
export function giveBack(db: Db, task: ClaimedTask): Promise<boolean> {
  return changeHeld(db, task, { status: 'QUEUED', attempts: sql`${workerTasks.attempts} - 1` });
}

/** Takes the tasks of dead workers from them: each is begun again, or has failed where that was tried often enough. */
export async function takeFromDead(db: Db, now: number): Promise<void> {
  const isDead = and(eq(workerTasks.status, 'RUNNING'), lt(workerTasks.heartbeat_at, new Date(now - taskLimits.deadAfterMs)));
  const isLast = sql`${workerTasks.attempts} >= ${taskLimits.mostAttempts}`;
  await db
    .update(workerTasks)
    .set({
      status: sql`case when ${isLast} then 'FAILED' else 'QUEUED' end`,
      error: sql`case when ${isLast} then 'The server stopped while it was worked on, ' || ${workerTasks.attempts}::text || ' times' end`,
      ended_at: sql`case when ${isLast} then ${new Date(now).toISOString()}::timestamptz end`,
    })
    .where(isDead);
}

/** Deletes tasks that ended before a moment. */
export async function forgetTasks(db: Db, before: Date): Promise<void> {
  await db.delete(workerTasks).where(lt(workerTasks.ended_at, before));
}

/** Whether a task `t` is one the viewer may see: where they see its innermost place whole. */
function isVisible(viewer: Viewer, permission: PermissionKey): SQL {
  return sql`case when t.entity_id is not null then t.entity_id = any (array(${visibleEntityIds(viewer, permission)}))
    when t.client_id is not null then t.client_id = any (array(${wholeClientIds(viewer, permission)}))
    when t.organization_id is not null then t.organization_id = any (array(${wholeOrganizationIds(viewer, permission)}))
    else ${viewer.is_superuser ? sql`true` : sql`false`} end`;
}

/** The subjects of the tasks under way, by the kind of task. */
export async function runningTasks(db: Db, viewer: Viewer): Promise<RunningTasks> {
  const rows = await rowsOf<{ kind: TaskKind; ids: string[] }>(
    db,
    sql`select t.kind, json_agg(distinct s.id) as ids from worker_tasks t cross join unnest(t.subject_ids) s (id)
      where t.status in ('QUEUED', 'RUNNING') and ${isVisible(viewer, 'account_read')} group by t.kind`,
  );
  const idsOf = (kind: TaskKind): string[] => rows.find((row) => row.kind === kind)?.ids ?? [];
  return {
    reconciliation: { account_ids: idsOf('reconciliation') },
    pricing: { account_ids: idsOf('pricing') },
    reports: { report_ids: idsOf('reports') },
    exports: { batch_ids: idsOf('exports') },
  };
}

/** The tasks under way and those that ended not long ago: what runs first, then what waits, then the newest. */
export function listWorkerTasks(db: Db, viewer: Viewer, { limit, now }: { limit: number; now: number }): Promise<WorkerTask[]> {
  const listedFrom = new Date(now - endedTasksListedMs).toISOString();
  return rowsOf(
    db,
    sql`select t.id::text as id, t.kind, array_to_json(t.subject_ids) as subject_ids, t.status,
        t.organization_id::text as organization_id, o.name as organization_name, t.client_id::text as client_id, c.client_name,
        t.entity_id::text as entity_id, e.entity_name, t.attempts, t.steps_done, t.steps, t.error,
        ${isoText(sql`t.created_at`)} as created_at, ${isoText(sql`t.started_at`)} as started_at,
        ${isoText(sql`t.heartbeat_at`)} as heartbeat_at, ${isoText(sql`t.ended_at`)} as ended_at
      from worker_tasks t left join organizations o on o.id = t.organization_id left join clients c on c.id = t.client_id
        left join entities e on e.id = t.entity_id
      where (t.status in ('QUEUED', 'RUNNING') or t.ended_at >= ${listedFrom}::timestamptz) and ${isVisible(viewer, 'organization_write')}
      order by case t.status when 'RUNNING' then 0 when 'QUEUED' then 1 else 2 end, coalesce(t.ended_at, t.created_at) desc, t.id
      limit ${limit}`,
  );
}
