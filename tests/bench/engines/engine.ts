import type { Transaction } from '../../../src/contract/transactions.ts';
import type { Question, RowQuestion } from '../workload/questions.ts';
import type { Turns } from './turns.ts';

/** The sums of one type; an engine without decimals gives a float. */
export interface TypeSum {
  readonly type: number;
  readonly count: number;
  readonly usd: string | number;
}

/** What a question about rows finds. `keys` is whatever the engine fetches full rows by, in order. */
export interface Found<Keys> {
  readonly count: number;
  readonly keys: Keys;
}

/** Something to keep a ledger in and ask it questions. All of it runs in one dedicated worker. */
export interface Engine<Keys = unknown> {
  /** Opens what is stored, or an empty store. Called once, before everything else. */
  open(): Promise<void>;
  /** Adds a page of new rows. Where the engine stores at all, they are written when the promise resolves. */
  add(page: readonly Transaction[]): Promise<void> | void;
  /** Does what is left to do after the last page, before questions are asked; its time counts as writing. */
  finishAdding?(): Promise<void> | void;
  /** Makes ready what only questions need, such as more indexes than writing is measured with. Not timed. */
  prepareQuestions?(): Promise<void> | void;
  /** All rows: their number, where `counted`, and the newest 50 rows. */
  newest(counted: boolean): Promise<{ count: number | null; rows: Transaction[] }>;
  find(question: RowQuestion): Found<Keys> | Promise<Found<Keys>>;
  sum(question: Extract<Question, { name: 'q4' }>): readonly TypeSum[] | Promise<readonly TypeSum[]>;
  /** Full rows, read from where they are stored and not from a cache of ours. */
  rowsOf(keys: Keys): Promise<readonly Transaction[]> | readonly Transaction[];
  /** Bytes of WebAssembly memory in use, where there is one. */
  wasmBytes?(): number;
}

/** Ours: its reaction to a waiting edit can be timed, and how long it holds its worker while it sorts. */
export interface EditableEngine<Keys = unknown> extends Engine<Keys> {
  /** Lays one edit over a row (`mark` tells one edit from the next), or takes it away where `id` is null. */
  edit(id: string | null, mark: number): Promise<void>;
  /** What was found, as it is after an edit: the question stands, it is not asked from the beginning. */
  again(keys: Keys): Promise<Found<Keys>>;
  /** The turns that sorting takes during some work. */
  turnsDuring(work: () => Promise<void>): Promise<Turns>;
}
