import { ApiError } from '#contract/errors.ts';
import { getDiagnosis } from '#contract/system.ts';
import { forgetDenials, makeDue, scopeKey } from '#replica/apply.ts';
import { fenced, startRowsTerm } from '#replica/fence.ts';
import { readLastSync, writeLastSync } from '#replica/kept.ts';
import { entityOf } from '#replica/nouns.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { pendingMutations, resumeNow, resumeSignedIn, StaleWriterError, startTerm } from '#replica/outbox.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { SetKey } from '#replica/set-errors.ts';
import type { StoreHost } from '#replica/store.ts';
import { setRevisions, watchManifests, watchMutations } from '#replica/watch.ts';
import { Exports } from './exports.ts';
import { pullStretch } from './pull.ts';
import { Queries } from './queries.ts';
import { replay } from './replay.ts';
import { PullRounds } from './pull-rounds.ts';
import { callOfRun, progressOf, pullPorts, type Run, settleEdit, transactionsOf } from './run.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import type {
  Engine,
  EngineSession,
  EngineStatus,
  ExportEnd,
  ExportPart,
  ExportRequest,
  FacetCount,
  GridQuery,
  GridListener,
  GridResult,
  GridRow,
  RowRange,
} from './start.ts';
import { ColumnSets } from './column-sets.ts';

/** What the engine needs of the world; the composition root and the tests hand it in. */
export interface EnginePorts {
  stores: StoreHost;
  fetch: typeof fetch;
  now: () => number;
  random: () => number;
  /** Runs work while holding a lock no other worker of this browser holds; waits for it, gives up when aborted. */
  withLock: (name: string, signal: AbortSignal, work: () => Promise<void>) => Promise<void>;
  /** Lets whatever else waits go first, and resolves at once after. */
  breathe: () => Promise<void>;
  /** Resolves after some milliseconds, or as soon as the signal is aborted. */
  pause: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** False where the device is certain to have no network; then nothing is tried. */
  isOnline: () => boolean;
  /** A signal that is aborted after so many milliseconds. */
  deadline: (ms: number) => AbortSignal;
}

/** Longest rest between two looks for something to do. */
const restMs = 15_000;
const longestWaitMs = 15_000;
const stopped: EngineStatus = { phase: 'stopped', problem: null, last_sync_at: null, entities: [] };

/** The sync and query engine: pulls what the user may see, sends what waits, answers the grids. One instance serves all tabs. */
export class SyncEngine implements Engine {
  readonly #ports: EnginePorts;
  readonly #listeners = new Map<string, (status: EngineStatus) => void>();
  readonly #watched = new Map<string, { query: GridQuery; window: RowRange; listener: GridListener }>();
  /** Who waits for a whole round, and who for a sending, that begins after they asked. */
  readonly #afterRound: (() => void)[] = [];
  readonly #afterSend: (() => void)[] = [];
  readonly #pulls: PullRounds;
  readonly #exports = new Exports();
  #run: Run | null = null;
  #opening: Promise<void> = Promise.resolve();
  #visible: string | null = null;
  #wake = new AbortController();
  #fails = 0;
  #revision = 0;
  #problem: string | null = null;
  #status: EngineStatus = stopped;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#pulls = new PullRounds({
      now: ports.now,
      backoffMs: (fails) => this.#backoffMs(fails),
      visible: () => this.#visible,
      isSignedOut: () => this.#isSignedOut(),
      send: (run, epoch) => this.#send(run, epoch),
      onFault: (problem) => {
        this.#problem = problem;
      },
      onStart: () => {
        if (this.#status.phase !== 'syncing') this.#publish({ ...this.#status, phase: 'syncing', problem: null });
      },
      onProgress: async (run) => this.#publish({ ...this.#status, entities: await progressOf(run) }),
    });
  }

  open(session: EngineSession): Promise<void> {
    this.#opening = this.#opening.catch(() => undefined).then(() => this.#open(session));
    return this.#opening;
  }

  async close(userId: string): Promise<void> {
    await this.#opening.catch(() => undefined);
    // a tab that follows late must not end the work of whoever signed in since
    if (this.#run?.session.userId !== userId) return;
    await this.#closeRun();
    if (!this.#run) this.#publish(stopped);
  }

  async look(clientId: string | null): Promise<void> {
    this.#visible = clientId;
    this.#wake.abort();
  }

  async syncNow(): Promise<void> {
    this.#fails = 0;
    this.#problem = null;
    this.#pulls.forgetFaults();
    await this.#nextTurn(this.#afterRound);
  }

  async sendNow(): Promise<void> {
    await this.#nextTurn(this.#afterSend);
  }

  async pullRange(entityId: string, from: string, to: string): Promise<void> {
    const run = this.#run;
    const entity = run && (await entityOf(run.replica, entityId));
    if (!run || !entity) return;
    if (!run.isWriter) return makeDue(run.open, { scope: scopeKey('entity', entityId), noun: 'transactions' });
    try {
      await pullStretch(pullPorts(run, this.#ports.now), entity, { from, to });
    } finally {
      run.queries.changed(transactionsOf(entity));
    }
  }

  async watchStatus(id: string, onStatus: (status: EngineStatus) => void): Promise<void> {
    this.#listeners.set(id, onStatus);
    this.#tell(onStatus, this.#status);
  }

  async watchQuery(
    id: string,
    query: GridQuery,
    window: RowRange,
    onResult: GridListener['onResult'],
    onFirst?: GridListener['onFirst'],
    known?: GridListener['known'],
  ): Promise<void> {
    const listener: GridListener = { onResult: (result) => this.#tell(onResult, result), ...(known === undefined ? {} : { known }) };
    if (onFirst) listener.onFirst = (first) => this.#tell(onFirst, first);
    this.#watched.set(id, { query, window, listener });
    await this.#run?.queries.watch(id, query, window, listener);
  }

  async prepareQuery(id: string, query: GridQuery, window: RowRange): Promise<GridResult | null> {
    return this.#run?.queries.prepare(id, query, window) ?? null;
  }

  async lookAt(id: string, window: RowRange): Promise<void> {
    const watched = this.#watched.get(id);
    if (watched) watched.window = window;
    this.#run?.queries.lookAt(id, window);
  }

  async facets(id: string, field: ListField): Promise<FacetCount[]> {
    return this.#run?.queries.facets(id, field) ?? [];
  }

  async rows(id: string, offset: number, limit: number): Promise<{ revision: number; rows: GridRow[] }> {
    return this.#run?.queries.rows(id, offset, limit) ?? { revision: 0, rows: [] };
  }

  async unwatch(id: string): Promise<void> {
    this.#listeners.delete(id);
    this.#watched.delete(id);
    this.#run?.queries.unwatch(id);
  }

  async exportRows(exportId: string, request: ExportRequest, onPart: (part: ExportPart) => void | Promise<void>): Promise<ExportEnd> {
    const run = this.#run;
    if (!run) return { kind: 'cancelled' };
    const ports = { ...this.#ports, replica: run.replica, sets: run.sets, onMended: (key: SetKey) => run.queries.changed(key) };
    return this.#exports.run(ports, exportId, request, onPart);
  }

  async cancelExport(exportId: string): Promise<void> {
    this.#exports.cancel(exportId);
  }

  /** The network is back: what waits for time is tried now. */
  async wakeUp(): Promise<void> {
    this.#fails = 0;
    this.#pulls.forgetFaults();
    await this.#guarded(this.#run ? resumeNow(this.#run.replica.outbox) : Promise.resolve());
    this.#wake.abort();
  }

  async #open(session: EngineSession): Promise<void> {
    const current = this.#run;
    if (current && current.session.userId === session.userId && current.session.apiBaseUrl === session.apiBaseUrl) {
      current.isRenewed = true;
      this.#fails = 0;
      if (this.#isSignedOut()) this.#publish({ ...this.#status, phase: 'starting' });
      this.#wake.abort();
      return;
    }
    await this.#closeRun();
    this.#problem = null;
    this.#pulls.forgetFaults();
    this.#publish({ ...stopped, phase: 'starting' });
    const run = this.#newRun(session, await openReplica(this.#ports.stores, session.userId, this.#ports.now()));
    this.#run = run;
    run.unsubscribe = this.#follow(run);
    for (const [id, { query, window, listener }] of this.#watched) void this.#guarded(run.queries.watch(id, query, window, listener));
    run.done = this.#work(run);
  }

  #newRun(session: EngineSession, opened: Replica): Run {
    const replica = { ...opened, rows: fenced(opened.rows, () => run.term) };
    const counters = { answers: 0, abort: new AbortController() };
    const sets = new ColumnSets({
      replica,
      breathe: this.#ports.breathe,
      now: this.#ports.now,
      isWriter: () => run.isWriter,
      onMended: (error) => {
        const cure = error.part === 'columns' ? 'They were made anew from the rows on this device' : 'They are fetched again';
        this.#problem = `${error.message}. ${cure}; edits on their way are kept.`;
        this.#wake.abort();
      },
    });
    const queries = new Queries({
      replica,
      sets,
      breathe: this.#ports.breathe,
      pause: this.#ports.pause,
      nextRevision: () => {
        this.#revision += 1;
        return this.#revision;
      },
      onProblem: (error) => this.#noteProblem(error),
    });
    const run: Run = Object.assign(counters, {
      session,
      replica,
      open: opened,
      sets,
      queries,
      call: callOfRun(counters, session, this.#ports, (path, rows) => {
        this.#problem = `${rows} ${rows === 1 ? 'row' : 'rows'} of ${path} could not be read and ${rows === 1 ? 'is' : 'are'} missing here.`;
      }),
      done: Promise.resolve(),
      unsubscribe: () => undefined,
      stopRows: () => undefined,
      followRows: () => {
        run.stopRows();
        run.stopRows = watchManifests(replica, (manifests) =>
          this.#guarded(
            (async () => {
              for (const key of run.isWriter ? [] : await run.sets.catchUp(manifests)) run.queries.changed(key);
            })(),
          ),
        );
      },
      isWriter: false,
      term: null,
      isRenewed: true,
      hasEdits: true,
    });
    return run;
  }

  async #closeRun(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    if (!run) return;
    run.abort.abort();
    this.#exports.cancelAll();
    run.unsubscribe();
    this.#wake.abort();
    await run.done.catch(() => undefined);
    closeReplica(run.replica);
  }

  /** Keeps the view true to edits made in any tab and to rows another worker writes. */
  #follow(run: Run): () => void {
    const stopEdits = watchMutations(run.replica, (edits) => void this.#guarded(this.#editsChanged(run, edits)));
    run.followRows();
    return () => {
      stopEdits();
      run.stopRows();
    };
  }

  async #editsChanged(run: Run, edits: readonly OutboxRow[]): Promise<void> {
    await run.sets.overlay(edits);
    // an edit shows at once
    run.queries.changed(null, 0);
    if (!edits.some((edit) => edit.state === 'queued' || edit.state === 'uncertain' || edit.state === 'acked')) return;
    run.hasEdits = true;
    this.#wake.abort();
  }

  /** Works for as long as the run lasts: a term that ends by a fault, or because another worker took over, is followed by the next. */
  async #work(run: Run): Promise<void> {
    const { signal } = run.abort;
    for (let fails = 1; !signal.aborted; fails += 1) {
      try {
        await this.#term(run, () => {
          fails = 0;
        });
      } catch (error) {
        if (!signal.aborted && !(error instanceof StaleWriterError)) {
          this.#publish({ ...this.#status, phase: 'stopped', problem: `${String(error)}. It is tried again; nothing is lost.` });
          await this.#ports.pause(this.#backoffMs(fails), signal);
        }
      } finally {
        // its term stays: what of it is still under way is refused once another one's has begun
        run.isWriter = false;
        for (const resolve of [...this.#afterRound.splice(0), ...this.#afterSend.splice(0)]) resolve();
      }
    }
  }

  /** Waits until no other worker writes, and then is the one that does. @param onRound told of every round that was gone through. */
  async #term(run: Run, onRound: () => void): Promise<void> {
    const { signal } = run.abort;
    run.followRows();
    const lastSyncAt = await readLastSync(run.replica);
    this.#publish({ ...this.#status, phase: 'waiting', last_sync_at: lastSyncAt, entities: await progressOf(run) });
    await this.#ports.withLock(`tieout-engine:${run.replica.userKey}`, signal, async () => {
      if (signal.aborted) return;
      const epoch = await startTerm(run.replica.outbox);
      run.term = epoch;
      await startRowsTerm(run.replica.rows, epoch);
      // another worker may have written up to this moment
      await run.sets.catchUp(await setRevisions(run.replica.rows));
      run.isWriter = true;
      // from here on every row is written here: its own pages are no news
      run.stopRows();
      // what was found damaged may be dropped now
      run.queries.changed(null);
      while (!signal.aborted) {
        this.#wake = new AbortController();
        const waitMs = await this.#round(run, epoch);
        onRound();
        if (!signal.aborted) await this.#ports.pause(waitMs, this.#wake.signal);
      }
    });
  }

  /** One round, with what must happen around it however it ends. @returns how long to rest, in milliseconds. */
  async #round(run: Run, epoch: number): Promise<number> {
    const waiting = this.#afterRound.splice(0);
    try {
      // at the start of a round nothing is on its way that could write over this
      if (waiting.length > 0) await makeDue(run.replica);
      return await this.#cycle(run, epoch);
    } catch (error) {
      if (error instanceof StaleWriterError) throw error;
      return run.abort.signal.aborted ? 0 : this.#failed(run, error);
    } finally {
      for (const resolve of waiting) resolve();
    }
  }

  /** Sends and pulls all that was due when it began. */
  async #cycle(run: Run, epoch: number): Promise<number> {
    if (this.#isSignedOut()) return restMs;
    if (!this.#ports.isOnline()) {
      this.#publish({ ...this.#status, phase: 'offline', problem: null });
      return restMs;
    }
    if (run.isRenewed) {
      // whoever signed in may go on, and may see more than before
      run.isRenewed = false;
      await resumeSignedIn(run.replica.outbox);
      await forgetDenials(run.replica);
    }
    const before = run.answers;
    await this.#send(run, epoch);
    await this.#pulls.all(run, epoch);
    // no answer came, for nothing was due or nothing got through: the server is asked, so that "synced" is never a guess
    if (run.answers === before) await run.call(getDiagnosis, {});
    this.#fails = 0;
    // signed out meanwhile, by the sending
    if (this.#isSignedOut() || run.abort.signal.aborted) return restMs;
    const now = this.#ports.now();
    const entities = await progressOf(run);
    if (this.#pulls.hasFaults) {
      this.#publish({ ...this.#status, phase: 'idle', problem: this.#problem, entities });
      return restMs;
    }
    await writeLastSync(run.replica, now);
    this.#publish({ phase: 'idle', problem: this.#problem, last_sync_at: now, entities });
    return restMs;
  }

  async #failed(run: Run, error: unknown): Promise<number> {
    this.#fails += 1;
    const waitMs = this.#backoffMs(this.#fails);
    const entities = await progressOf(run).catch(() => this.#status.entities);
    const status = { ...this.#status, entities };
    if (!(error instanceof ApiError)) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#publish({ ...status, phase: 'idle', problem: `Syncing stopped: ${reason}. It is tried again; nothing is lost.` });
      return waitMs;
    }
    if (error.code === 'not_authenticated') this.#publish({ ...status, phase: 'signed_out', problem: error.message });
    else if (error.code === 'network' || error.code === 'timeout') this.#publish({ ...status, phase: 'offline', problem: null });
    else this.#publish({ ...status, phase: 'idle', problem: `The server could not answer: ${error.message}. It is tried again.` });
    return error.retryAfterMs ?? waitMs;
  }

  async #send(run: Run, epoch: number): Promise<void> {
    const waiting = this.#afterSend.splice(0);
    run.hasEdits = false;
    try {
      if ((await pendingMutations(run.replica.outbox)).length === 0) return;
      const { replica, call, abort } = run;
      const { now, random } = this.#ports;
      const result = await replay({ replica, call, epoch, now, random, signal: abort.signal, settle: (edit) => settleEdit(run, edit) });
      if (result === 'signed_out') this.#publish({ ...this.#status, phase: 'signed_out', problem: null });
    } finally {
      for (const resolve of waiting) resolve();
    }
  }

  #backoffMs(fails: number): number {
    return Math.round((0.5 + this.#ports.random() / 2) * Math.min(longestWaitMs, 1000 * 2 ** Math.min(fails, 6)));
  }

  #isSignedOut(): boolean {
    return this.#status.phase === 'signed_out';
  }

  /** Waits for the next turn of something only the writer does. */
  async #nextTurn(waiting: (() => void)[]): Promise<void> {
    const run = this.#run;
    if (!run) return;
    await resumeNow(run.replica.outbox);
    if (this.#run !== run || !run.isWriter) return;
    const turn = new Promise<void>((resolve) => void waiting.push(resolve));
    run.hasEdits = true;
    this.#wake.abort();
    await turn;
  }

  #noteProblem(error: unknown): void {
    this.#problem = error instanceof Error ? error.message : String(error);
    this.#publish({ ...this.#status, problem: this.#problem });
  }

  /** Work nobody waits for: its fault is shown, never lost. */
  async #guarded(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (this.#run) this.#noteProblem(error);
    }
  }

  #publish(status: EngineStatus): void {
    this.#status = status;
    for (const listener of this.#listeners.values()) this.#tell(listener, status);
  }

  /** Calls into a page that may be gone: its answer is not waited for, its fault concerns nobody. */
  #tell<T>(listener: (value: T) => void, value: T): void {
    void Promise.resolve()
      .then(() => listener(value))
      .catch(() => undefined);
  }
}
