import type { Condition } from '../../../src/columns/conditions.ts';
import type { Window } from '../../../src/columns/selection.ts';
import type { Query } from '../../../src/columns/query.ts';
import type { Transaction } from '../../../src/contract/transactions.ts';
import { columnNouns } from '../../../src/replica/column-nouns.ts';
import { ColumnSet, type Selected } from '../../../src/replica/column-set.ts';
import { browserStores } from '../../../src/replica/dexie-store.ts';
import { openReplica } from '../../../src/replica/open.ts';
import type { OutboxRow } from '../../../src/replica/outbox-tables.ts';
import { type RowQuestion, type SumQuestion, windowRows } from '../workload/questions.ts';
import type { EditableEngine, Found, TypeSum } from './engine.ts';
import { turnsDuring } from './turns.ts';

const turns = new MessageChannel();

/** Lets other tasks of the worker go first, as the product's worker does. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    turns.port1.onmessage = () => resolve();
    turns.port2.postMessage(null);
  });
}

/** A window of an answer. */
interface Keys {
  readonly window: Window;
  readonly selected: Selected<Transaction>;
}

/**
 * The product's own path: `ColumnSet` over IndexedDB, asked as the query worker asks it. What it names a row by is the place of the
 * row, which is what it fetches rows by.
 */
export class ColumnsEngine implements EditableEngine<Keys> {
  readonly turnsDuring = turnsDuring;
  private set: ColumnSet<Transaction> | null = null;

  async open(): Promise<void> {
    this.set = await ColumnSet.open({
      replica: await openReplica(browserStores, 'bench', Date.now()),
      noun: columnNouns.transactions,
      set: 'client',
      breathe,
    });
  }

  async add(page: readonly Transaction[]): Promise<void> {
    await this.opened.apply(page);
  }

  /** What the product does once a pull is done. */
  async finishAdding(): Promise<void> {
    await this.opened.rest(() => true);
  }

  async newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }> {
    const first = counted ? null : this.opened.first(() => ({}), windowRows);
    const { count, keys } = foundIn(first ?? (await this.opened.select(() => ({}))));
    return { count: counted ? count : null, rows: await this.rowsOf(keys) };
  }

  async find(question: RowQuestion): Promise<Found<Keys>> {
    return foundIn(await this.opened.select(() => queryOf(question)));
  }

  async again({ selected }: Keys): Promise<Found<Keys>> {
    return foundIn(this.opened.selectAgain(selected) ?? (await this.opened.select(() => selected.query)));
  }

  async sum({ from, to }: SumQuestion): Promise<TypeSum[]> {
    const { selection } = await this.opened.select(() => ({ where: [{ column: 'time', from, to }] }));
    const totals = selection.totals({ groupBy: ['trx_type_id'], sums: ['usd_value'] });
    return totals.map(({ by, count, sums }) => ({ type: Number(by[0]), count, usd: sums.usd_value ?? '0' }));
  }

  rowsOf({ window, selected }: Keys): Promise<Transaction[]> {
    return this.opened.rowsOf(window, selected.overlay);
  }

  async edit(id: string | null, mark: number): Promise<void> {
    await this.opened.setEdits(new Map(id === null ? [] : [[id, [waitingEdit(id, mark)]]]));
  }

  private get opened(): ColumnSet<Transaction> {
    if (!this.set) throw new Error('The set is not open');
    return this.set;
  }
}

function foundIn(selected: Selected<Transaction>): Found<Keys> {
  const { selection } = selected;
  return { count: selection.count, keys: { window: selection.window(0, windowRows), selected } };
}

function queryOf(question: RowQuestion): Query {
  switch (question.name) {
    case 'q1':
    case 'q1w': {
      const where: Condition[] = [
        { column: 'time', from: question.from, to: question.to },
        { column: 'account_id', in: question.account_ids },
        { column: 'trx_type_id', in: question.type_ids },
        { flag: question.flag, is: question.isSet },
      ];
      return { where };
    }
    case 'q2':
      return { where: [{ column: 'entity_id', in: [question.entity_id] }], sort: [{ column: 'usd_value', descending: true }] };
    case 'q3': {
      const { text } = question;
      return {
        where: [
          {
            any: [
              { column: 'tx_hash', contains: text },
              { column: 'description', contains: text },
            ],
          },
        ],
      };
    }
  }
}

/** A mark that waits in the outbox, as pressing "transfer" on a row makes it. */
function waitingEdit(id: string, mark: number): OutboxRow {
  return {
    seq: mark,
    id: `edit-${mark}`,
    v: 1,
    name: 'markTransfer',
    input: { trx_id: id, counterpart_id: null, is_transfer: mark % 2 === 0 },
    lane: id,
    state: 'queued',
    attempts: 0,
    next_attempt_at: 0,
    created_at: mark,
    title: 'bench',
    client_id: 'client',
    entity_id: null,
  };
}
