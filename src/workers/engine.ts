import { hasStretch, wantStretch } from '#replica/apply.ts';
import { scopeKey } from '#replica/scopes.ts';
import { chooseToLeaveOut, lookAtClients } from '#replica/left-out.ts';
import { entityOf } from '#replica/nouns.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { resumeNow, StaleWriterError } from '#replica/sending.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import { ClosedSetError, type SetKey } from '#replica/set-errors.ts';
import { setRevisions, watchMutations } from '#replica/watch.ts';
import { Exports } from './exports.ts';
import { namedNouns } from './grid-answer.ts';
import type { EnginePorts } from './ports.ts';
import { pullStretch } from './pull.ts';
import { newRun } from './new-run.ts';
import { pullPorts, type Run, transactionsOf } from './run.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import type {
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
  SharedEngine,
} from './start.ts';
import type { Wish } from './siblings.ts';
import { StatusBoard, stopped, tell } from './status-board.ts';
import { Writer } from './writer.ts';

/** By which the board tells what other workers are to know. */
const siblingsWatch = 'siblings';
/** Longest rest between two tries to open the databases, in milliseconds. */
const longestWaitMs = 15_000;
/** When rows that could not be read are tried again, in milliseconds. */
const rereadMs = 5_000;

/** The sync and query engine: pulls what the user may see, sends what waits, answers the grids. One instance serves all tabs. */
export class SyncEngine implements SharedEngine {
  readonly #ports: EnginePorts;
  readonly #watched = new Map<string, { query: GridQuery; window: RowRange; listener: GridListener }>();
  readonly #board = new StatusBoard();
  readonly #writer: Writer;
  readonly #exports = new Exports();
  #run: Run | null = null;
  #opening: Promise<void> = Promise.resolve();
  /** Whom it was opened for last; aborted where it is opened again, or they sign out. */
  #wanted = { userId: '', giveUp: new AbortController() };
  /** What somebody looks at, by the tab they do it in. */
  readonly #looks = new Map<object, readonly string[]>();
  #revision = 0;
  #isReadingLater = false;

  constructor(ports: EnginePorts) {
    this.#ports = ports;
    this.#writer = new Writer(ports, this.#board, () => this.#visible());
  }

  open(session: EngineSession): Promise<void> {
    this.#wanted.giveUp.abort();
    const giveUp = new AbortController();
    this.#wanted = { userId: session.userId, giveUp };
    this.#opening = this.#opening.catch(() => undefined).then(() => this.#open(session, giveUp.signal));
    return this.#opening;
  }

  async close(userId: string): Promise<void> {
    if (this.#wanted.userId === userId) this.#wanted.giveUp.abort();
    // whoever signs in next is opened for after this
    this.#opening = this.#opening.catch(() => undefined).then(() => this.#close(userId));
    await this.#opening;
  }

  async look(clientIds: readonly string[], tab: object = this): Promise<void> {
    if (clientIds.length > 0) this.#looks.set(tab, clientIds);
    else this.#looks.delete(tab);
    this.#writer.wake();
    if (this.#run) await this.#noteLook(this.#run.replica, clientIds);
  }

  async keepClient(clientId: string, isKept: boolean): Promise<void> {
    if (!this.#run) return;
    await chooseToLeaveOut(this.#run.replica, clientId, !isKept);
    this.#writer.wake();
  }

  async syncNow(): Promise<void> {
    if (this.#run) await this.#syncNow(this.#run);
  }

  async sendNow(): Promise<void> {
    if (this.#run) await this.#writer.nextSend(this.#run);
  }

  async pullRange(entityId: string, from: string, to: string): Promise<void> {
    const run = this.#run;
    const entity = run && (await entityOf(run.replica, entityId));
    if (!run || !entity || run.leftOut.has(entity.client_id)) return;
    const [scope, span] = [scopeKey('entity', entityId), { from, to, no: this.#ports.random() }];
    // however this ends, it is read with a later round
    await wantStretch(run.open, scope, span);
    if (!run.isWriter) return this.#writer.nextRound(run);
    try {
      await pullStretch(pullPorts(run, this.#ports.now), entity, span);
      await hasStretch(run.open, scope, span);
    } catch (error) {
      // another one writes by now, or the rows began anew
      if (!(error instanceof StaleWriterError) && !(error instanceof ClosedSetError)) throw error;
      await this.#writer.nextRound(run);
    } finally {
      run.queries.changed(transactionsOf(entity));
    }
  }

  async watchStatus(id: string, onStatus: (status: EngineStatus) => void): Promise<void> {
    this.#board.watch(id, onStatus);
  }

  async watchQuery(
    id: string,
    query: GridQuery,
    window: RowRange,
    onResult: GridListener['onResult'],
    onFirst?: GridListener['onFirst'],
    known?: GridListener['known'],
  ): Promise<void> {
    const listener: GridListener = { onResult: (result) => tell(onResult, result), ...(known === undefined ? {} : { known }) };
    if (onFirst) listener.onFirst = (first) => tell(onFirst, first);
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

  async pickRows(id: string, rowIds: readonly string[]): Promise<{ revision: number; rows: GridRow[] } | null> {
    return this.#run?.queries.pick(id, rowIds) ?? null;
  }

  async unwatch(id: string): Promise<void> {
    this.#board.unwatch(id);
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

  async wakeUp(): Promise<void> {
    this.#writer.forgetFaults();
    await this.#guarded(this.#run ? resumeNow(this.#run.replica.outbox) : Promise.resolve());
    this.#writer.wake();
    if (this.#run && !this.#run.isWriter) void this.#run.siblings.wish('wake');
  }

  async #syncNow(run: Run): Promise<void> {
    this.#board.problem = null;
    this.#writer.forgetFaults();
    await this.#writer.nextRound(run);
  }

  /** There is a session again, be it that the person signed in again in another tab. */
  #renewed(run: Run): void {
    run.isRenewed = true;
    this.#writer.forgetFaults();
    if (this.#board.isSignedOut) this.#board.publish({ phase: 'starting' });
    this.#writer.wake();
  }

  /** Does what another worker wants of this one, which writes. */
  async #fulfil(run: Run, wish: Wish): Promise<void> {
    if (wish === 'round') await this.#syncNow(run);
    else if (wish === 'send') await this.#writer.nextSend(run);
    else if (wish === 'renewed') this.#renewed(run);
    else await this.wakeUp();
  }

  #visible(): string[] {
    return [...new Set([...this.#looks.values()].flat())];
  }

  async #noteLook(replica: Replica, clients: readonly string[]): Promise<void> {
    if (clients.length > 0) await lookAtClients(replica, clients, this.#ports.now());
  }

  async #close(userId: string): Promise<void> {
    // a tab that follows late must not end the work of whoever signed in since
    if (this.#run && this.#run.session.userId !== userId) return;
    await this.#closeRun();
    if (this.#wanted.userId === userId) this.#board.publish(stopped);
  }

  async #open(session: EngineSession, signal: AbortSignal): Promise<void> {
    const current = this.#run;
    this.#board.signInId = session.signInId;
    if (current && current.session.userId === session.userId && current.session.apiBaseUrl === session.apiBaseUrl) {
      this.#renewed(current);
      if (!current.isWriter) void current.siblings.wish('renewed');
      return;
    }
    await this.#closeRun();
    this.#board.problem = null;
    this.#writer.forgetFaults();
    this.#board.publish({ ...stopped, phase: 'starting' });
    const opened = await this.#openReplica(session.userId, signal);
    if (!opened) return;
    const run = newRun(session, opened, this.#ports, {
      board: this.#board,
      wake: () => this.#writer.wake(),
      nextRevision: () => {
        this.#revision += 1;
        return this.#revision;
      },
      fulfil: (one, wish) => this.#fulfil(one, wish),
      onRows: (changed, manifests) => void this.#guarded(this.#rowsChanged(changed, manifests)),
      onUnread: (one) => void this.#readRowsLater(one),
    });
    this.#run = run;
    run.unsubscribe = this.#follow(run);
    this.#board.watch(siblingsWatch, (status) => run.siblings.tell(status));
    for (const [id, { query, window, listener }] of this.#watched) void this.#guarded(run.queries.watch(id, query, window, listener));
    run.done = this.#writer.work(run);
    void this.#guarded(this.#noteLook(opened, this.#visible()));
  }

  /** Opens the databases, again and again where the browser cannot. @returns null where that is given up. */
  async #openReplica(userId: string, signal: AbortSignal): Promise<Replica | null> {
    for (let fails = 1; !signal.aborted; fails += 1) {
      try {
        return await openReplica(this.#ports.stores, userId, this.#ports.now());
      } catch (error) {
        if (signal.aborted) break;
        const problem = `The copy on this device cannot be opened: ${error instanceof Error ? error.message : String(error)}. It is tried again; nothing is lost.`;
        this.#board.publish({ phase: 'stopped', problem });
        await this.#ports.pause(Math.min(longestWaitMs, 500 * 2 ** fails), signal);
      }
    }
    return null;
  }

  async #closeRun(): Promise<void> {
    const run = this.#run;
    this.#run = null;
    if (!run) return;
    run.abort.abort();
    run.nudges.close();
    this.#board.unwatch(siblingsWatch);
    run.siblings.close();
    this.#exports.cancelAll();
    run.unsubscribe();
    this.#writer.wake();
    await run.done.catch(() => undefined);
    closeReplica(run.replica);
  }

  /** Keeps the view true to edits made in any tab and to rows another worker writes. */
  #follow(run: Run): () => void {
    const stopEdits = watchMutations(run.replica, (edits) => void this.#guarded(this.#editsChanged(run, edits)));
    const stopNames = run.replica.rows.watch(namedNouns, () => run.queries.renamed());
    run.followRows();
    return () => {
      stopEdits();
      stopNames();
      run.stopRows();
    };
  }

  /** Another worker wrote rows; what this one writes is no news to it. What could not be read is tried again, whoever tells of more. */
  async #rowsChanged(run: Run, told?: readonly (SetKey & { rev: number })[]): Promise<void> {
    if (run.isWriter) return;
    try {
      await run.sets.catchUp(told ?? (await setRevisions(run.replica.rows)), (key) => run.queries.changed(key));
    } catch (error) {
      void this.#readRowsLater(run);
      throw error;
    }
  }

  async #readRowsLater(run: Run): Promise<void> {
    if (this.#isReadingLater) return;
    this.#isReadingLater = true;
    await this.#ports.pause(rereadMs, run.abort.signal);
    this.#isReadingLater = false;
    if (!run.abort.signal.aborted) await this.#guarded(this.#rowsChanged(run));
  }

  async #editsChanged(run: Run, edits: readonly OutboxRow[]): Promise<void> {
    try {
      // an edit that another worker took out is in the rows by now: they come before it is no longer laid over them
      await this.#rowsChanged(run);
    } finally {
      await this.#layOver(run, edits);
    }
  }

  async #layOver(run: Run, edits: readonly OutboxRow[]): Promise<void> {
    try {
      await run.sets.overlay(edits);
    } finally {
      // an edit shows at once
      run.queries.changed(null, 0);
      if (edits.some(({ state }) => state === 'queued' || state === 'uncertain' || state === 'acked')) {
        run.hasEdits = true;
        this.#writer.wake();
      }
    }
  }

  /** Work nobody waits for: its fault is shown, never lost. */
  async #guarded(work: Promise<unknown>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (this.#run) this.#board.noteProblem(error);
    }
  }
}
