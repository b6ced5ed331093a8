import { type ApiCall, createClient } from '#api-client/call.ts';
import { ApiError } from '#contract/errors.ts';
import { mutations } from '#contract/mutations.ts';
import { getDiagnosis } from '#contract/system.ts';
import { selectTransactions, type Transaction } from '#contract/transactions.ts';
import { allPulls, applyRows, denyPull, forgetDenials, scopeKey } from '#replica/apply.ts';
import { readKept, writeKept } from '#replica/kept.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { pendingMutations, resumeNow, resumeSignedIn, StaleWriterError, startTerm } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-database.ts';
import type { PullRow } from '#replica/pulls.ts';
import { watchManifests, watchMutations } from '#replica/watch.ts';
import { type Job, planPulls } from './plan.ts';
import { type PullPorts, pullFirstPage, pullStream, pullStretch, refreshTransactions } from './pull.ts';
import { Queries } from './queries.ts';
import { replay } from './replay.ts';
import type { Engine, EngineSession, EngineStatus, GridQuery, GridResult, GridRow } from './start.ts';
import { TransactionSets } from './transaction-sets.ts';

/** What the engine needs of the world; the composition root and the tests hand it in. */
export interface EnginePorts {
  fetch: typeof fetch;
  now: () => number;
  random: () => number;
  /** Runs work while holding a lock no other worker of this browser holds; waits for it, gives up when aborted. */
  withLock: (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  /** Resolves after some milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** False where the device is certain to have no network; then nothing is tried. */
  isOnline: () => boolean;
}

/** Pulls on their way at once. */
const pullsAtOnce = 4;
/** Pages of a first pull read before the plan is asked again. */
const pagesPerTurn = 10;
/** Longest rest between two looks for something to do. */
const restMs = 15_000;
const longestWaitMs = 30_000;
/** Under which name the last whole answer of the server is remembered. */
const lastSyncName = 'last_sync_at';

/** One user's work: everything that ends with the session. */
interface Run {
  session: EngineSession;
  replica: Replica;
  call: ApiCall;
  sets: TransactionSets;
  queries: Queries;
  abort: AbortController;
  done: Promise<void>;
  unsubscribe: () => void;
  isWriter: boolean;
  hasEdits: boolean;
  /** Requests made so far. */
  requests: number;
}

/** The sync and query engine: pulls what the user may see, sends what waits, answers the grids. One instance serves all tabs. */
export class SyncEngine implements Engine {
  readonly #ports: EnginePorts;
  readonly #listeners = new Map<string, (status: EngineStatus) => void>();
  readonly #watched = new Map<string, { query: GridQuery; onResult: (result: GridResult) => void }>();
  #run: Run | null = null;
  #opening: Promise<void> = Promise.resolve();
  #visible: string | null = null;
  #wake = new AbortController();
  /** Who waits for a whole round that begins after they asked. */
  readonly #waiting: (() => void)[] = [];
  #fails = 0;
  #unreadable: string | null = null;
  #status: EngineStatus = { phase: 'stopped', problem: null, last_sync_at: null, entities: [] };

  constructor(ports: EnginePorts) {
    this.#ports = ports;
  }

  open(session: EngineSession): Promise<void> {
    this.#opening = this.#opening.catch(() => undefined).then(() => this.#open(session));
    return this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening.catch(() => undefined);
    await this.#closeRun();
    this.#publish({ phase: 'stopped', problem: null, last_sync_at: null, entities: [] });
  }

  async look(clientId: string | null): Promise<void> {
    this.#visible = clientId;
    this.wakeUp();
  }

  async syncNow(): Promise<void> {
    this.#fails = 0;
    this.#unreadable = null;
    const run = this.#run;
    if (run) {
      await resumeNow(run.replica.outbox);
      await run.replica.rows.pulls.toCollection().modify({ last_complete_at: null });
    }
    if (!run?.isWriter) return;
    const done = new Promise<void>((resolve) => void this.#waiting.push(resolve));
    this.wakeUp();
    await done;
  }

  async pullRange(entityId: string, from: string, to: string): Promise<void> {
    const run = this.#run;
    const entity = await run?.replica.rows.entities.get(entityId);
    if (!run || !entity) return;
    await pullStretch(this.#pullPorts(run), entity, { from, to });
    run.queries.changed(entity.client_id);
  }

  async watchStatus(id: string, onStatus: (status: EngineStatus) => void): Promise<void> {
    this.#listeners.set(id, onStatus);
    onStatus(this.#status);
  }

  async watchQuery(id: string, query: GridQuery, onResult: (result: GridResult) => void): Promise<void> {
    this.#watched.set(id, { query, onResult });
    await this.#run?.queries.watch(id, query, onResult);
  }

  async rows(id: string, offset: number, limit: number): Promise<{ revision: number; rows: GridRow[] }> {
    return this.#run?.queries.rows(id, offset, limit) ?? { revision: 0, rows: [] };
  }

  async unwatch(id: string): Promise<void> {
    this.#listeners.delete(id);
    this.#watched.delete(id);
    this.#run?.queries.unwatch(id);
  }

  /** Ends the rest: there may be something to do, or the network is back. */
  wakeUp(): void {
    this.#wake.abort();
  }

  async #open(session: EngineSession): Promise<void> {
    const { session: current, replica: open } = this.#run ?? {};
    if (open && current?.userId === session.userId && current.apiBaseUrl === session.apiBaseUrl) {
      await resumeSignedIn(open.outbox);
      await forgetDenials(open);
      this.#fails = 0;
      if (this.#status.phase === 'signed_out') this.#publish({ ...this.#status, phase: 'starting' });
      this.wakeUp();
      return;
    }
    if (this.#run) await this.#closeRun();
    this.#publish({ phase: 'starting', problem: null, last_sync_at: null, entities: [] });
    const replica = await openReplica(session.userId, this.#ports.now());
    await resumeSignedIn(replica.outbox);
    await forgetDenials(replica);
    const sets = new TransactionSets(replica, async (error) =>
      this.#publish({ ...this.#status, problem: `${error.message}. They are fetched again; edits on their way are kept.` }),
    );
    const queries = new Queries({ replica, sets, pause: this.#ports.pause });
    const abort = new AbortController();
    const run: Run = {
      session,
      replica,
      sets,
      queries,
      abort,
      call: createClient({
        baseUrl: session.apiBaseUrl,
        fetch: (input, init) => {
          run.requests += 1;
          return this.#ports.fetch(input, init);
        },
        onUnreadable: ({ path }, rows) => {
          this.#unreadable = `${rows} ${rows === 1 ? 'row' : 'rows'} of ${path} could not be read and ${rows === 1 ? 'is' : 'are'} missing here.`;
        },
      }),
      done: Promise.resolve(),
      unsubscribe: () => undefined,
      isWriter: false,
      hasEdits: true,
      requests: 0,
    };
    this.#run = run;
    run.unsubscribe = this.#follow(run);
    for (const [id, { query, onResult }] of this.#watched) void queries.watch(id, query, onResult);
    run.done = this.#work(run);
  }

  async #closeRun(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    if (!run) return;
    run.abort.abort();
    run.unsubscribe();
    this.#wake.abort();
    await run.done;
    for (const resolve of this.#waiting.splice(0)) resolve();
    closeReplica(run.replica);
  }

  /** Keeps the view true to edits made in any tab and to rows another worker writes. */
  #follow(run: Run): () => void {
    const stopEdits = watchMutations(run.replica, (edits) => void this.#editsChanged(run, edits));
    const stopRows = watchManifests(run.replica, async (manifests) => {
      for (const clientId of run.isWriter ? [] : await run.sets.catchUp(manifests)) run.queries.changed(clientId);
    });
    return () => {
      stopEdits();
      stopRows();
    };
  }

  async #editsChanged(run: Run, edits: readonly OutboxRow[]): Promise<void> {
    await run.sets.overlay(edits);
    run.queries.changed(null);
    if (!edits.some((edit) => edit.state === 'queued' || edit.state === 'uncertain' || edit.state === 'acked')) return;
    run.hasEdits = true;
    this.wakeUp();
  }

  async #work(run: Run): Promise<void> {
    const last = await readKept(run.replica, lastSyncName);
    this.#publish({
      ...this.#status,
      phase: 'waiting',
      last_sync_at: typeof last === 'number' ? last : null,
      entities: await this.#progress(run),
    });
    try {
      await this.#ports.withLock(`tieout-engine:${run.replica.userKey}`, run.abort.signal, async () => {
        run.isWriter = true;
        const epoch = await startTerm(run.replica.outbox);
        while (!run.abort.signal.aborted) {
          this.#wake = new AbortController();
          const waiting = this.#waiting.splice(0);
          const waitMs = await this.#cycle(run, epoch);
          for (const resolve of waiting) resolve();
          if (!run.abort.signal.aborted) await this.#ports.pause(waitMs, this.#wake.signal);
        }
      });
    } catch (error) {
      // closed while waiting for the lock, or another worker's term has begun: nothing more to do here
      if (!run.abort.signal.aborted && !(error instanceof StaleWriterError))
        this.#publish({ ...this.#status, phase: 'stopped', problem: String(error) });
    }
  }

  /** Sends and pulls until there is nothing more to do. @returns how long to rest, in milliseconds. */
  async #cycle(run: Run, epoch: number): Promise<number> {
    if (this.#isSignedOut()) return restMs;
    if (!this.#ports.isOnline()) {
      this.#publish({ ...this.#status, phase: 'offline', problem: null, entities: await this.#progress(run) });
      return restMs;
    }
    try {
      const asked = run.requests;
      await this.#send(run, epoch);
      await this.#pullAll(run, epoch);
      // nothing was due: whether the server is there is asked all the same, so that "synced" is never a guess
      if (run.requests === asked) await run.call(getDiagnosis, {});
      this.#fails = 0;
      // signed out meanwhile, by the sending
      if (this.#isSignedOut()) return restMs;
      const now = this.#ports.now();
      await writeKept(run.replica, lastSyncName, now);
      this.#publish({ phase: 'idle', problem: this.#unreadable, last_sync_at: now, entities: await this.#progress(run) });
      return restMs;
    } catch (error) {
      if (run.abort.signal.aborted) return 0;
      if (error instanceof StaleWriterError) throw error;
      return this.#failed(run, error);
    }
  }

  async #failed(run: Run, error: unknown): Promise<number> {
    this.#fails += 1;
    const waitMs = Math.round((0.5 + this.#ports.random() / 2) * Math.min(longestWaitMs, 1000 * 2 ** Math.min(this.#fails, 6)));
    const status = { ...this.#status, entities: await this.#progress(run) };
    if (!(error instanceof ApiError)) {
      this.#publish({
        ...status,
        phase: 'idle',
        problem: `Syncing stopped: ${error instanceof Error ? error.message : String(error)}. It is tried again; nothing is lost.`,
      });
      return waitMs;
    }
    if (error.code === 'not_authenticated') this.#publish({ ...status, phase: 'signed_out', problem: error.message });
    else if (error.code === 'network' || error.code === 'timeout') this.#publish({ ...status, phase: 'offline', problem: null });
    else this.#publish({ ...status, phase: 'idle', problem: `The server could not answer: ${error.message}. It is tried again.` });
    return error.retryAfterMs ?? waitMs;
  }

  #isSignedOut(): boolean {
    return this.#status.phase === 'signed_out';
  }

  async #send(run: Run, epoch: number): Promise<void> {
    run.hasEdits = false;
    if ((await pendingMutations(run.replica.outbox)).length === 0) return;
    const { replica, call } = run;
    const result = await replay({
      replica,
      call,
      epoch,
      now: this.#ports.now,
      random: this.#ports.random,
      settle: (edit) => this.#settle(run, edit),
    });
    if (result === 'signed_out') this.#publish({ ...this.#status, phase: 'signed_out', problem: null });
  }

  /** Brings the replica what an accepted edit left at the server: the row it answered, and the rows it touched. */
  async #settle({ replica, call, sets, queries }: Run, edit: OutboxRow): Promise<void> {
    const mutation = mutations[edit.name];
    const answer = edit.answer as { id: string; entity_id: string; version?: number };
    await applyRows(replica, mutation.answers, scopeKey('entity', answer.entity_id), [answer]);
    const touched = mutation.touches(edit.input as Parameters<typeof mutation.touches>[0]);
    const ids = touched.filter((part) => part.noun === 'transactions').flatMap((part) => part.ids);
    const rows: Transaction[] = await call(selectTransactions, { trx_id: ids });
    for (const entityId of new Set(rows.map((row) => row.entity_id))) {
      const entity = await replica.rows.entities.get(entityId);
      if (!entity) continue;
      const set = await sets.open(entity.client_id);
      await set.apply(rows.filter((row) => row.entity_id === entityId));
      queries.changed(entity.client_id);
    }
    // other matches of the legs may have been decided with this one
    await replica.rows.pulls
      .where({ scope: scopeKey('entity', answer.entity_id), noun: mutation.answers })
      .modify({ last_complete_at: null });
  }

  #pullPorts({ replica, call, sets }: Run): PullPorts {
    return { replica, call, sets, now: this.#ports.now };
  }

  async #pullAll(run: Run, epoch: number): Promise<void> {
    const running = new Map<string, Promise<void>>();
    const failures: unknown[] = [];
    const start = (job: Job): void => {
      const pulling = this.#pull(run, job)
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(job.key));
      running.set(job.key, pulling);
    };
    while (failures.length === 0 && !run.abort.signal.aborted && !this.#isSignedOut()) {
      if (run.hasEdits) await this.#send(run, epoch);
      const next = (await this.#plan(run)).find((job) => !running.has(job.key));
      if (!next && running.size === 0) break;
      if (next && running.size < pullsAtOnce) {
        if (this.#status.phase !== 'syncing') this.#publish({ ...this.#status, phase: 'syncing', problem: null });
        start(next);
        continue;
      }
      await Promise.race(running.values());
      this.#publish({ ...this.#status, entities: await this.#progress(run) });
    }
    await Promise.all(running.values());
    if (failures.length > 0) throw failures[0];
  }

  async #plan({ replica }: Run): Promise<Job[]> {
    const [clients, entities, pulls] = await Promise.all([
      replica.rows.clients.toArray(),
      replica.rows.entities.toArray(),
      allPulls(replica),
    ]);
    return planPulls({ now: this.#ports.now(), visible: this.#visible, clients, entities, pulls });
  }

  async #pull(run: Run, job: Job): Promise<void> {
    const ports = this.#pullPorts(run);
    try {
      if (job.kind === 'stream') return await pullStream(ports, job.stream, job.id);
      if (job.kind === 'first') await this.#pullFirst(run, job.entity, job.pull);
      else await refreshTransactions(ports, job.entity, job.pull);
      run.queries.changed(job.entity.client_id);
    } catch (error) {
      // what the server refuses is left alone until the session is renewed; everything else goes on
      if (!(error instanceof ApiError) || (error.code !== 'permission_denied' && error.code !== 'not_found')) throw error;
      const scope = job.kind === 'stream' ? scopeKey(job.stream.per, job.id) : scopeKey('entity', job.entity.id);
      await denyPull(run.replica, scope, job.kind === 'stream' ? job.stream.noun : 'transactions');
    }
  }

  /** Some pages of a first pull, then the plan is asked again: somebody may look elsewhere by now. */
  async #pullFirst(run: Run, entity: { id: string; client_id: string }, from: PullRow): Promise<void> {
    let pull = from;
    for (let pages = 0; pages < pagesPerTurn && pull.phase !== 'steady'; pages += 1) {
      if (run.abort.signal.aborted || run.hasEdits) return;
      pull = await pullFirstPage(this.#pullPorts(run), entity, pull);
      run.queries.changed(entity.client_id);
    }
  }

  async #progress({ replica }: Run): Promise<EngineStatus['entities']> {
    const [entities, pulls] = await Promise.all([replica.rows.entities.toArray(), allPulls(replica)]);
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

  #publish(status: EngineStatus): void {
    this.#status = status;
    for (const listener of this.#listeners.values()) listener(status);
  }
}
