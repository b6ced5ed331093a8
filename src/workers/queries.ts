import { StaleSelectionError } from '#columns/errors.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import { ClosedSetError, DamagedSetError, type SetKey } from '#replica/set-errors.ts';
import {
  answerAgain,
  type AnswerPorts,
  answerOf,
  facetsOf,
  firstRowsOf,
  type GridAnswer,
  isByNames,
  isFresh,
  missingOf,
  pickedOf,
  rowsOf,
  sameAnswer,
  totalsOf,
} from './grid-answer.ts';
import type { FacetCount, GridListener, GridQuery, GridResult, GridRow, GridTotals, RowRange } from './start.ts';

interface Watch {
  query: GridQuery;
  window: RowRange;
  listener: GridListener;
  revision: number;
  answer?: GridAnswer;
  /** The answering that is under way. */
  running: Promise<void> | null;
  isDirty: boolean;
  /** Names it is sorted or searched by changed since it was answered. */
  isRenamed: boolean;
}

/** An answer worked out ahead, with its sums. */
interface Prepared {
  key: string;
  answer: GridAnswer;
  totals: GridTotals;
  missing: string[];
  window: RowRange;
  rows: GridRow[];
  /** What it was told as, ahead of being asked. */
  revision: number;
}

/** Rows of a list, and of which of its answers they are. */
interface RevisedRows {
  revision: number;
  rows: GridRow[];
}

/** Of no answer at all. */
const noRows: RevisedRows = { revision: 0, rows: [] };

/** Answers a watch while nobody else does. */
function alone(watch: Watch, answering: () => Promise<void>): Promise<void> {
  watch.running = answering().finally(() => {
    watch.running = null;
  });
  return watch.running;
}

/** Shortest time between two answers to one query while rows pour in, in milliseconds. */
const breathMs = 120;

export interface QueryPorts extends AnswerPorts {
  /** Resolves after some milliseconds. */
  pause: (ms: number) => Promise<void>;
  /** Grows with every call, over all queries a page ever asked. */
  nextRevision: () => number;
  /** Told what went wrong while nobody waited for an answer. */
  onProblem: (error: unknown) => void;
}

/** Answers the grids of all tabs from the columns in memory, again whenever rows or waiting edits change. */
export class Queries {
  readonly #ports: QueryPorts;
  readonly #watches = new Map<string, Watch>();
  readonly #prepared = new Map<string, Prepared>();
  /** What is being worked out for each id, and when that is done. */
  readonly #preparing = new Map<string, { key: string; done: Promise<unknown> }>();

  constructor(ports: QueryPorts) {
    this.#ports = ports;
  }

  /** Answers a query now and after every change; the same id again replaces it, and an answer still under way is dropped. */
  async watch(id: string, query: GridQuery, window: RowRange, listener: GridListener): Promise<void> {
    const watch: Watch = {
      query,
      window,
      listener,
      revision: this.#ports.nextRevision(),
      running: null,
      isDirty: false,
      isRenamed: false,
    };
    this.#watches.set(id, watch);
    await alone(watch, () => this.#answer(id, watch));
    if (watch.isDirty) await this.#answerLater(id, watch, 0);
  }

  /** Works out the answer to a query that `watch` is likely to be asked next under this id. A newer one takes its place. */
  prepare(id: string, query: GridQuery, window: RowRange): Promise<GridResult | null> {
    const key = JSON.stringify(query);
    const done = this.#prepare(id, key, query, window);
    this.#preparing.set(id, { key, done });
    return done;
  }

  async #prepare(id: string, key: string, query: GridQuery, window: RowRange): Promise<GridResult | null> {
    const isWanted = (): boolean => this.#preparing.get(id)?.key === key;
    // what was typed since takes its place before the work begins
    await this.#ports.breathe();
    if (!isWanted()) return null;
    try {
      const answer = await answerOf(this.#ports, query);
      if (!isWanted()) return null;
      const totals = totalsOf(answer);
      const rows = await rowsOf(this.#ports, answer, window);
      const missing = await missingOf(this.#ports, query);
      if (!isWanted()) return null;
      const revision = this.#ports.nextRevision();
      this.#prepared.set(id, { key, answer, totals, missing, window, rows, revision });
      return { ...totals, revision, offset: window.offset, rows, missing };
    } catch {
      // whatever it is, it is met and told when the query is asked
      return null;
    }
  }

  /** Says which rows are looked at: the next answers bring them along. */
  lookAt(id: string, window: RowRange): void {
    const watch = this.#watches.get(id);
    if (watch) watch.window = window;
  }

  unwatch(id: string): void {
    this.#watches.delete(id);
    this.#prepared.delete(id);
    this.#preparing.delete(id);
  }

  /** Says that a set's rows, or with null those of any, changed. `waitMs` gathers changes that pour in. */
  changed(key: SetKey | null, waitMs = breathMs): void {
    const isOf = ({ clientIds }: GridQuery): boolean => key === null || clientIds.includes(key.set);
    // its rows may be ones that may no longer be seen
    for (const [id, { answer }] of this.#prepared) if (isOf(answer.query)) this.#prepared.delete(id);
    for (const [id, watch] of this.#watches) if (isOf(watch.query)) void this.#answerLater(id, watch, waitMs);
  }

  /** Says that names changed: what is sorted or searched by them is asked anew. */
  renamed(): void {
    this.#prepared.clear();
    this.#preparing.clear();
    for (const [id, watch] of this.#watches) {
      if (!isByNames(watch.query)) continue;
      watch.isRenamed = true;
      void this.#answerLater(id, watch, breathMs);
    }
  }

  /**
   * Rows of a watched query in its order, of the answer that the revision says; of a later one where that one's rows are no more. None, and
   * of no revision, where nobody can say: its tab is gone, the worker is new, or what is stored is being mended.
   */
  async rows(id: string, offset: number, limit: number): Promise<RevisedRows> {
    const watch = this.#watches.get(id);
    if (!watch?.answer) return noRows;
    try {
      const rows = await this.#windowOf(watch, { offset, limit });
      if (rows) return rows;
      await (watch.running?.catch(() => undefined) ?? this.#answerLater(id, watch, 0));
      return (await this.#windowOf(watch, { offset, limit })) ?? noRows;
    } catch (error) {
      await this.#mendIfDamaged(error);
      return noRows;
    }
  }

  /** Those rows of a watched query that have one of some ids, as they are now, in its order; null for an unknown id, and where nobody can say. */
  async pick(id: string, rowIds: readonly string[]): Promise<{ revision: number; rows: GridRow[] } | null> {
    const watch = this.#watches.get(id);
    if (!watch?.answer) return null;
    const { revision } = watch;
    try {
      return { revision, rows: await this.#picked(watch.query, rowIds) };
    } catch (error) {
      await this.#mendIfDamaged(error);
      return null;
    }
  }

  async facets(id: string, field: ListField): Promise<FacetCount[]> {
    const watch = this.#watches.get(id);
    return watch ? facetsOf(this.#ports, watch.query, field) : [];
  }

  async #picked(query: GridQuery, rowIds: readonly string[]): Promise<GridRow[]> {
    try {
      return await pickedOf(this.#ports, query, rowIds);
    } catch (error) {
      if (!(error instanceof StaleSelectionError)) throw error;
      // the rows were sorted into place meanwhile
      return pickedOf(this.#ports, query, rowIds);
    }
  }

  /** Rows of the newest answer; null where what it was made from is no more as it was. */
  async #windowOf(watch: Watch, window: RowRange): Promise<RevisedRows | null> {
    for (;;) {
      const { answer, revision } = watch;
      if (!answer) return null;
      try {
        return { revision, rows: await rowsOf(this.#ports, answer, window) };
      } catch (error) {
        if (!(error instanceof StaleSelectionError)) throw error;
      }
      const same = await sameAnswer(this.#ports, answer);
      // another answer, or somebody else's reading, may have taken its place
      if (watch.answer !== answer) continue;
      if (!same) return null;
      watch.answer = same;
    }
  }

  async #answerLater(id: string, watch: Watch, waitMs: number): Promise<void> {
    if (watch.running) {
      watch.isDirty = true;
      return;
    }
    const answering = alone(watch, async () => {
      if (waitMs > 0) await this.#ports.pause(waitMs);
      do {
        watch.isDirty = false;
        if (this.#watches.get(id) === watch) await this.#answer(id, watch);
      } while (watch.isDirty);
    });
    await answering.catch(this.#ports.onProblem);
    // what came while that ended found it under way still
    if (watch.isDirty) await this.#answerLater(id, watch, 0);
  }

  async #answer(id: string, watch: Watch): Promise<void> {
    const isCurrent = (): boolean => this.#watches.get(id) === watch;
    try {
      const ready = await this.#takePrepared(id, watch.query);
      if (!ready && !watch.answer) await this.#tellFirst(watch, isCurrent);
      const standing = watch.isRenamed ? undefined : watch.answer;
      watch.isRenamed = false;
      const answer = ready?.answer ?? (await (standing ? answerAgain(this.#ports, standing) : answerOf(this.#ports, watch.query)));
      // another query has taken this one's place meanwhile
      if (!isCurrent()) return;
      const totals = ready?.totals ?? totalsOf(answer);
      const missing = ready?.missing ?? (await missingOf(this.#ports, watch.query));
      const { offset, limit } = watch.window;
      const isReady = ready?.window.offset === offset && ready.window.limit === limit;
      const rows = isReady ? ready.rows : await rowsOf(this.#ports, answer, watch.window);
      if (!isCurrent()) return;
      watch.answer = answer;
      if (isReady && ready.revision === watch.listener.known) {
        watch.revision = ready.revision;
        return;
      }
      watch.revision = this.#ports.nextRevision();
      watch.listener.onResult({ ...totals, revision: watch.revision, offset, rows, missing });
    } catch (error) {
      if (error instanceof StaleSelectionError || error instanceof ClosedSetError) {
        watch.isDirty = true;
        // it may have been the one that had the new names
        watch.isRenamed = true;
      } else await this.#mendIfDamaged(error);
    }
  }

  /** Tells the first rows ahead of an answer that has to wait for a set to be read. */
  async #tellFirst({ query, window, listener }: Watch, isCurrent: () => boolean): Promise<void> {
    if (!listener.onFirst || window.offset > 0) return;
    const rows = await firstRowsOf(this.#ports, query, window.limit);
    if (rows && isCurrent()) listener.onFirst({ revision: this.#ports.nextRevision(), offset: 0, rows });
  }

  async #takePrepared(id: string, query: GridQuery): Promise<Prepared | undefined> {
    const key = JSON.stringify(query);
    const preparing = this.#preparing.get(id);
    // half done, it is done sooner than begun anew
    if (preparing?.key === key) await preparing.done;
    this.#preparing.delete(id);
    const prepared = this.#prepared.get(id);
    this.#prepared.delete(id);
    return prepared?.key === key && isFresh(prepared.answer) ? prepared : undefined;
  }

  async #mendIfDamaged(error: unknown): Promise<void> {
    // dropped or mended meanwhile: whoever did that says that it changed
    if (error instanceof ClosedSetError) return;
    if (!(error instanceof DamagedSetError)) throw error;
    if (await this.#ports.sets.mend(error)) this.changed(error.key);
    // whoever writes may hold all of it in memory, and not come by
    else this.#ports.onProblem(error);
  }
}
