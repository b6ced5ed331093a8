import { type ApiCall, createClient } from '#api-client/call.ts';
import { withRenewal } from '#api-client/renewal.ts';
import { ApiError } from '#contract/errors.ts';
import { mutationNamed } from '#contract/mutations.ts';
import { selectTransactions, type Transaction } from '#contract/transactions.ts';
import { allPulls, denyPull, settleRemoval, settleRow, settleUnseen } from '#replica/apply.ts';
import { scopeKey } from '#replica/scopes.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { clientsOf, entitiesOf, entityOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { DamagedSetError, ClosedSetError, type SetKey } from '#replica/set-errors.ts';
import type { Feed } from './feed.ts';
import { letGoOfLost } from './lost-scopes.ts';
import type { Nudges } from './nudges.ts';
import type { EnginePorts } from './ports.ts';
import { type Job, planPulls } from './plan.ts';
import { type PulledEntity, type PullPorts, pullFirstPage, pullStream, refreshTransactions } from './pull.ts';
import type { Queries } from './queries.ts';
import type { EngineSession, EntityProgress } from './start.ts';
import type { ColumnSets } from './column-sets.ts';
import { scopeOfRow } from './streams.ts';

/** Pages of a first pull read before the plan is asked again. */
const pagesPerTurn = 10;

/** One user's work: everything that ends with the session. */
export interface Run {
  session: EngineSession;
  /** As the writer of a term writes to it. */
  replica: Replica;
  /** As anybody may. */
  open: Replica;
  call: ApiCall;
  sets: ColumnSets;
  queries: Queries;
  abort: AbortController;
  done: Promise<void>;
  unsubscribe: () => void;
  /** Ends the watching of rows another worker writes. */
  stopRows: () => void;
  /** Begins to watch the rows another worker writes. */
  followRows: () => void;
  isWriter: boolean;
  /** The number of its latest term; null where it never had one. */
  term: number | null;
  /** The session is new: what waited for it goes on with the next round. */
  isRenewed: boolean;
  hasEdits: boolean;
  /** Follows the server's changes, where it tells them. */
  feed: Feed;
  nudges: Nudges;
  /** Something changed at the server since the feed was followed. */
  isNudged: boolean;
  /** Requests the server has answered so far, whatever it said. */
  answers: number;
}

/** The call of a run: renews an ended session once, counts, and asks nothing more once the run has ended. */
export function callOfRun(
  run: Pick<Run, 'answers' | 'abort'>,
  session: EngineSession,
  ports: EnginePorts,
  { deviceId, onUnreadable }: { deviceId: () => Promise<string>; onUnreadable: (path: string, rows: number) => void },
): ApiCall {
  const { signal } = run.abort;
  const client = createClient({
    baseUrl: session.apiBaseUrl,
    deadline: ports.deadline,
    deviceId,
    fetch: async (input, init) => {
      const response = await ports.fetch(input, init);
      run.answers += 1;
      return response;
    },
    onUnreadable: ({ path }, rows) => onUnreadable(path, rows),
  });
  const ending: ApiCall = (endpoint, input, options) => {
    if (signal.aborted) throw new ApiError({ code: 'network', detail: 'The work has ended', status: 0 });
    return client(endpoint, input, { ...options, signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal });
  };
  return withRenewal(
    async (endpoint, input, options) => ending(endpoint, input, options),
    (work) => ports.withLock('tieout-refresh', signal, work),
  );
}

/** The set an entity's transactions are in. */
export function transactionsOf({ client_id }: { client_id: string }): SetKey {
  return { noun: columnNouns.transactions.noun, set: client_id };
}

export function pullPorts({ replica, call, sets, feed }: Run, now: () => number): PullPorts {
  return { replica, call, sets, now, pageLimit: feed.pageLimit };
}

export async function planOf({ replica, feed }: Run, now: number, visible: string | null): Promise<Job[]> {
  const [clients, entities, pulls] = await Promise.all([clientsOf(replica), entitiesOf(replica), allPulls(replica)]);
  return planPulls({ now, isFollowed: feed.pageLimit !== null, visible, clients, entities, pulls });
}

/** Some pages of a first pull, then the plan is asked again: somebody may look elsewhere by now. */
async function pullFirst(run: Run, entity: PulledEntity, now: () => number): Promise<void> {
  for (let pages = 0; pages < pagesPerTurn; pages += 1) {
    if (run.abort.signal.aborted || run.hasEdits || run.isNudged) return;
    const pull = await pullFirstPage(pullPorts(run, now), entity);
    run.queries.changed(transactionsOf(entity));
    if (pull.phase === 'steady') return;
  }
}

/** Does one job of the plan. What the server refuses is left alone until the session is renewed; what is damaged is dropped. */
export async function pullJob(run: Run, job: Job, now: () => number): Promise<void> {
  try {
    if (job.kind === 'stream') await pullStream(pullPorts(run, now), job.stream, job.id);
    else if (job.kind === 'lost') await letGoOfLost(pullPorts(run, now), job.scope, job.isRefused);
    else if (job.kind === 'first') await pullFirst(run, job.entity, now);
    else await refreshTransactions(pullPorts(run, now), job.entity);
  } catch (error) {
    if (error instanceof ClosedSetError) return;
    if (error instanceof DamagedSetError) {
      await run.sets.mend(error);
      return;
    }
    if (!(error instanceof ApiError) || (error.code !== 'permission_denied' && error.code !== 'not_found')) throw error;
    if (job.kind === 'lost') return;
    const scope = job.kind === 'stream' ? scopeKey(job.stream.per, job.id) : scopeKey('entity', job.entity.id);
    await denyPull(run.replica, scope, job.kind === 'stream' ? job.stream.noun : 'transactions', now());
  } finally {
    // also after a fault: some of its pages may have been written
    if (job.kind === 'lost') run.queries.changed(null);
    else if (job.kind !== 'stream') run.queries.changed(transactionsOf(job.entity));
  }
}

/** Brings the replica what an accepted edit left at the server: the row it answered, and the rows it touched. */
export async function settleEdit({ replica, call, sets, queries }: Run, edit: OutboxRow): Promise<void> {
  const mutation = mutationNamed(edit.name);
  const noun = mutation.answers;
  const removed = mutation.removes?.(edit.input);
  const answer = edit.answer as { id: string; version?: number } | null;
  // either way the list around the row is read again: with a match, others of its legs may have been decided
  if (removed !== undefined) await settleRemoval(replica, noun, removed);
  else if (answer) await settleRow(replica, noun, scopeOfRow(noun, answer), answer);
  const touched = mutation.touches(edit.input);
  const ids = touched.filter((part) => part.noun === 'transactions').flatMap((part) => part.ids);
  if (ids.length === 0) return;
  const rows: Transaction[] = await call(selectTransactions, { trx_id: ids });
  for (const entityId of new Set(rows.map((row) => row.entity_id))) {
    const entity = await entityOf(replica, entityId);
    if (!entity) continue;
    if (!answer && removed === undefined) await settleUnseen(replica, noun, scopeKey('entity', entityId));
    const set = await sets.transactions(entity.client_id);
    await set.apply(rows.filter((row) => row.entity_id === entityId)).catch(async (error: unknown) => {
      // a set that is fetched anew will hold these rows too
      if (error instanceof DamagedSetError) await sets.mend(error);
      else if (!(error instanceof ClosedSetError)) throw error;
    });
    queries.changed(transactionsOf(entity));
  }
}

/** How the copy of each entity's transactions stands. */
export async function progressOf({ replica }: Run): Promise<EntityProgress[]> {
  const [entities, pulls] = await Promise.all([entitiesOf(replica), allPulls(replica)]);
  const standing = new Map(pulls.filter((pull) => pull.noun === 'transactions').map((pull) => [pull.scope, pull]));
  return entities.map(({ id, client_id }) => {
    const pull = standing.get(scopeKey('entity', id));
    return {
      entity_id: id,
      client_id,
      phase: pull?.phase === 'steady' ? 'steady' : 'bootstrap',
      rows: pull?.rows ?? 0,
      complete_from: pull?.complete_from ?? null,
    };
  });
}
