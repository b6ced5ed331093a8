import { StaleSelectionError } from '#columns/errors.ts';
import type { Query } from '#columns/table.ts';
import type { Transaction } from '#contract/transactions.ts';
import { accountsOf, custodiansOf, entitiesOf, securitiesOf } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { editsByRow, markOf } from '#replica/overlay.ts';
import { DamagedSetError } from '#replica/set-errors.ts';
import type { Selected, TransactionSet } from '#replica/transaction-set.ts';
import type { ListField } from '#domain/transaction-filter.ts';
import { columnOf, columnQuery, gridTotals, type NameMaps, ranksOfSets } from './grid-query.ts';
import type { FacetCount, GridQuery, GridResult, GridRow, RowRange } from './start.ts';
import type { TransactionSets } from './transaction-sets.ts';

interface Watch {
  query: GridQuery;
  window: RowRange;
  onResult: (result: GridResult) => void;
  revision: number;
  set?: TransactionSet;
  selected?: Selected;
  isRunning: boolean;
  isDirty: boolean;
}

/** Shortest time between two answers to one query while rows pour in, in milliseconds. */
const breathMs = 120;

export interface QueryPorts {
  replica: Replica;
  sets: TransactionSets;
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

  constructor(ports: QueryPorts) {
    this.#ports = ports;
  }

  /** Answers a query now and after every change; the same id again replaces it, and an answer still under way is dropped. */
  async watch(id: string, query: GridQuery, window: RowRange, onResult: (result: GridResult) => void): Promise<void> {
    const watch: Watch = { query, window, onResult, revision: this.#ports.nextRevision(), isRunning: true, isDirty: false };
    this.#watches.set(id, watch);
    try {
      await this.#answer(id, watch);
    } finally {
      watch.isRunning = false;
    }
    if (watch.isDirty) await this.#answerLater(id, watch);
  }

  unwatch(id: string): void {
    this.#watches.delete(id);
  }

  lookAt(id: string, window: RowRange): void {
    const watch = this.#watches.get(id);
    if (watch) watch.window = window;
  }

  /** How often each value of a field occurs under a watched query, the field's own filter left aside. */
  async facets(id: string, field: ListField): Promise<FacetCount[]> {
    const watch = this.#watches.get(id);
    if (!watch?.set) return [];
    const { query, set } = watch;
    const fields = query.filter.fields.filter((filter) => filter.kind !== 'list' || filter.field !== field);
    const { selection } = await set.select(await this.#compile({ ...query, filter: { ...query.filter, fields }, sort: [] }, set));
    return selection.facets(columnOf(field)).map(({ value, count }) => ({ value: value === null ? null : String(value), count }));
  }

  /** Says that a client's rows, or with null anything, changed. */
  changed(clientId: string | null): void {
    for (const [id, watch] of this.#watches) {
      if (clientId === null || watch.query.clientIds.includes(clientId)) void this.#answerLater(id, watch);
    }
  }

  /** Rows of a watched query in its order. An unknown id has none: its tab is gone or the worker is new. */
  async rows(id: string, offset: number, limit: number): Promise<{ revision: number; rows: GridRow[] }> {
    const watch = this.#watches.get(id);
    if (!watch?.selected || !watch.set) return { revision: watch?.revision ?? 0, rows: [] };
    const { revision, set } = watch;
    try {
      return { revision, rows: this.#marked(await this.#windowOf(watch, set, watch.selected, offset, limit)) };
    } catch (error) {
      if (!(error instanceof DamagedSetError)) throw error;
      if (await this.#ports.sets.drop(error)) this.changed(error.clientId);
      return { revision, rows: [] };
    }
  }

  #marked(rows: readonly Transaction[]): GridRow[] {
    const edits = editsByRow('transactions', this.#ports.sets.edits);
    return rows.map((row) => ({ ...row, pending: markOf(edits.get(row.id) ?? []) }));
  }

  async #windowOf(watch: Watch, set: TransactionSet, selected: Selected, offset: number, limit: number): Promise<Transaction[]> {
    try {
      return await set.rowsOf(selected.selection.window(offset, limit), selected.overlay);
    } catch (error) {
      if (!(error instanceof StaleSelectionError)) throw error;
      // the rows were sorted into place meanwhile: the same query anew gives the same rows
      const again = await set.select(await this.#compile(watch.query, set));
      watch.selected = again;
      return set.rowsOf(again.selection.window(offset, limit), again.overlay);
    }
  }

  async #answerLater(id: string, watch: Watch): Promise<void> {
    if (watch.isRunning) {
      watch.isDirty = true;
      return;
    }
    watch.isRunning = true;
    try {
      await this.#ports.pause(breathMs);
      do {
        watch.isDirty = false;
        if (this.#watches.get(id) === watch) await this.#answer(id, watch);
      } while (watch.isDirty);
    } catch (error) {
      this.#ports.onProblem(error);
    } finally {
      watch.isRunning = false;
    }
  }

  async #answer(id: string, watch: Watch): Promise<void> {
    try {
      const [clientId = ''] = watch.query.clientIds;
      const set = await this.#ports.sets.open(clientId);
      const make = await this.#compile(watch.query, set);
      const selected = await set.select(make);
      const unpriced = await set.select(() => ({ where: [...(make().where ?? []), { flag: 'unpriced_trx', is: true }] }));
      // another query has taken this one's place meanwhile
      if (this.#watches.get(id) !== watch) return;
      const groups = selected.selection.totals({ groupBy: ['security_id', 'trx_type_id'], sums: ['quantity', 'usd_value'] });
      const { offset, limit } = watch.window;
      const rows = this.#marked(await set.rowsOf(selected.selection.window(offset, limit), selected.overlay));
      if (this.#watches.get(id) !== watch) return;
      Object.assign(watch, { set, selected, revision: this.#ports.nextRevision() });
      watch.onResult({
        revision: watch.revision,
        offset,
        rows,
        missing: [],
        count: selected.selection.count,
        unpriced: unpriced.selection.count,
        ...gridTotals(groups),
      });
    } catch (error) {
      if (error instanceof StaleSelectionError) {
        watch.isDirty = true;
        return;
      }
      if (!(error instanceof DamagedSetError)) throw error;
      if (await this.#ports.sets.drop(error)) this.changed(error.clientId);
    }
  }

  /** The query as the columns take it, made when its turn comes: codes may have grown by then. */
  async #compile(query: GridQuery, set: TransactionSet): Promise<() => Query> {
    const names = await this.#names(query);
    return () => columnQuery(query, names, ranksOfSets([(column) => set.codes(column)], names)[0] ?? (() => []));
  }

  async #names({ clientIds, filter, sort }: GridQuery): Promise<NameMaps> {
    const [clientId = ''] = clientIds;
    // names are only read where something is sorted or searched by them
    if (sort.length === 0 && filter.text.trim() === '') return noNames;
    const { replica } = this.#ports;
    const [entities, accounts, custodians, securities] = await Promise.all([
      entitiesOf(replica, clientId),
      accountsOf(replica, { client_id: clientId }),
      custodiansOf(replica),
      securitiesOf(replica),
    ]);
    return {
      entities: new Map(entities.map((row) => [row.id, row.entity_name])),
      accounts: new Map(accounts.map((row) => [row.id, row.account_name])),
      custodians: new Map(custodians.map((row) => [row.id, row.custodian_name])),
      securities: new Map(securities.map((row) => [row.id, row.ticker])),
    };
  }
}

const noNames: NameMaps = { entities: new Map(), accounts: new Map(), custodians: new Map(), securities: new Map() };
