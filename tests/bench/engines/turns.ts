import { Rewriting } from '../../../src/columns/rewriting.ts';

/** How long the worker was held at once by the sorting of rows, which a query that comes meanwhile waits for; in milliseconds. */
export interface Turns {
  /** Between two yields. */
  readonly steps: number[];
  /** From the last yield on, with which what was sorted is swapped in and handed to the store. */
  readonly swaps: number[];
  /** Until the store has its copy of one record of what was sorted. */
  readonly puts: number[];
}

/**
 * Times every turn that sorting takes while some work is done: from the first line of it until the worker is told of the next message,
 * as it would be of a query.
 */
export async function turnsDuring(work: () => Promise<void>): Promise<Turns> {
  const turns: Turns = { steps: [], swaps: [], puts: [] };
  const messages = new MessageChannel();
  const { step, finish } = Rewriting.prototype;
  const { put } = IDBObjectStore.prototype;
  let began: number | null = null;
  let isSwap = false;
  messages.port1.onmessage = () => {
    if (began !== null) (isSwap ? turns.swaps : turns.steps).push(performance.now() - began);
    began = null;
    isSwap = false;
    messages.port2.postMessage(null);
  };
  Rewriting.prototype.step = function timed() {
    began ??= performance.now();
    return step.call(this);
  };
  Rewriting.prototype.finish = function timed() {
    began ??= performance.now();
    isSwap = true;
    return finish.call(this);
  };
  IDBObjectStore.prototype.put = function timed(...what) {
    const from = performance.now();
    const request = put.apply(this, what);
    if (this.name === 'segments') turns.puts.push(performance.now() - from);
    return request;
  };
  messages.port2.postMessage(null);
  try {
    await work();
  } finally {
    Object.assign(Rewriting.prototype, { step, finish });
    Object.assign(IDBObjectStore.prototype, { put });
    messages.port1.close();
  }
  return turns;
}
