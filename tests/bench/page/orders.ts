import type { Turns } from '../engines/turns.ts';
import type { Question } from '../workload/questions.ts';
import type { Answer } from '../workload/oracle.ts';

/** Which ledger to draw. */
export interface LedgerOrder {
  readonly seed: number;
  readonly rows: number;
}

/** What the page may ask of an engine's worker, with the answer to each. All times are in milliseconds. */
export interface Orders {
  /** Opens the store and draws a ledger into it, page by page. */
  fill: { order: LedgerOrder; answer: { addMs: number; finishMs: number } };
  /** The same, with the turns that the sorting of what is drawn takes. */
  turns: { order: LedgerOrder; answer: Turns };
  /** Opens the store and reads the newest rows. */
  open: { order: { counted: boolean }; answer: { rows: number; count: number | null } };
  prepare: { order: object; answer: null };
  /** Answers questions in full, as many as the time allows and at least `atLeast`; `times` are without reading the full rows. */
  answer: {
    order: { questions: readonly Question[]; withinMs: number; atLeast: number };
    answer: { answers: Answer[]; times: number[] };
  };
  /** Times questions: one number a sample, the mean of as many questions as fill a few milliseconds. */
  time: { order: { questions: readonly Question[]; samples: number; withinMs: number; atLeast: number }; answer: number[] };
  /** Times reading the full rows of the windows of some questions. */
  fetch: { order: { questions: readonly Question[]; withinMs: number }; answer: number[] };
  /** Times an edit of one row, and asking the standing question again, apart. */
  edit: { order: { questions: readonly Question[]; samples: number }; answer: { edit: number[]; again: number[] } };
  wasm: { order: object; answer: number };
}

export type OrderName = keyof Orders;

/** What the page puts on `globalThis` for the runner. */
export interface BenchPage {
  /** Starts a worker from its file. */
  start(file: string): void;
  /** Starts a worker and opens its store. @returns the time from before the start until the newest rows are here. */
  coldOpen(file: string, counted: boolean): Promise<number>;
  order<Name extends OrderName>(name: Name, order: Orders[Name]['order']): Promise<Orders[Name]['answer']>;
  /** Bytes of memory of page and worker as the browser counts them. */
  memory(): Promise<number>;
}
