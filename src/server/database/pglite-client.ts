import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { OnNotice } from './feed-channel.ts';
import type { PgliteAnswer, PgliteCall, PgliteNotice } from './pglite.worker.ts';

/** A call before it has its number. */
type Unnumbered = PgliteCall extends infer Call ? (Call extends PgliteCall ? Omit<Call, 'id'> : never) : never;
/** What Drizzle passes beside a statement; parsers cannot cross to the worker, their presence can. */
interface QueryOptions {
  rowMode?: 'array' | 'object';
  parsers?: unknown;
}

/** What one transaction offers. */
interface Statements {
  query(text: string, params?: unknown[], options?: QueryOptions): Promise<unknown>;
  exec(text: string): Promise<unknown>;
}

interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

/**
 * The embedded database, as Drizzle's PGlite driver expects to find it, on a thread of its own.
 * It has one connection: a transaction keeps it until it ends, everything else waits in line.
 */
export class PgliteClient {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Set<OnNotice>();
  readonly #inTransaction = new AsyncLocalStorage<true>();
  #lastId = 0;
  #failure: Error | null = null;
  #line: Promise<unknown> = Promise.resolve();

  private constructor(worker: Worker) {
    this.#worker = worker;
  }

  /** Opens (and where it is missing, makes) the database in a directory. */
  static open(dataDir: string): Promise<PgliteClient> {
    const worker = new Worker(new URL('./pglite.worker.mjs', import.meta.url), { workerData: { dataDir }, execArgv: [] });
    const client = new PgliteClient(worker);
    return new Promise((resolve, reject) => {
      worker.on('message', (message: 'ready' | PgliteAnswer | PgliteNotice) => {
        if (message === 'ready') resolve(client);
        else if ('notice' in message) client.#tell(message.notice);
        else client.#settle(message);
      });
      worker.on('error', (error) => {
        reject(error);
        client.#failAll(error);
      });
      worker.on('exit', () => client.#failAll(new Error('The embedded database has stopped')));
    });
  }

  /** Runs one statement, after everything asked before it. */
  query(text: string, params: unknown[] = [], options: QueryOptions = {}): Promise<unknown> {
    return this.#inLine(() => this.#query(text, params, options));
  }

  /** Runs several statements without parameters. */
  exec(text: string): Promise<unknown> {
    return this.#inLine(() => this.#call({ op: 'exec', text }));
  }

  /** Runs work inside one transaction, which ends with it: committed, or rolled back when it throws. */
  transaction<T>(work: (transaction: Statements) => Promise<T>): Promise<T> {
    return this.#inLine(() =>
      this.#inTransaction.run(true, async () => {
        await this.#call({ op: 'exec', text: 'begin' });
        try {
          const result = await work({
            query: (text, params = [], options = {}) => this.#query(text, params, options),
            exec: (text) => this.#call({ op: 'exec', text }),
          });
          await this.#call({ op: 'exec', text: 'commit' });
          return result;
        } catch (error) {
          await this.#call({ op: 'exec', text: 'rollback' });
          throw error;
        }
      }),
    );
  }

  /** Hears the notices of the change log. Gives what ends it. */
  listen(onNotice: OnNotice): () => void {
    this.#listeners.add(onNotice);
    return () => this.#listeners.delete(onNotice);
  }

  /** How many times the database has flushed to disk since it opened. */
  async countFsync(): Promise<number> {
    return (await this.#call({ op: 'count_fsync' })) as number;
  }

  /** Waits for the work in line, closes the database cleanly and ends its thread. */
  async close(): Promise<void> {
    await this.#inLine(() => this.#call({ op: 'close' }));
    await this.#worker.terminate();
  }

  #inLine<T>(work: () => Promise<T>): Promise<T> {
    // one connection: asking it from inside its own transaction would wait for ever
    if (this.#inTransaction.getStore()) return Promise.reject(new Error('Inside a transaction: use its own handle, not the database'));
    const result = this.#line.then(work);
    this.#line = result.catch(() => undefined);
    return result;
  }

  #query(text: string, params: unknown[], options: QueryOptions): Promise<unknown> {
    return this.#call({ op: 'query', text, params, asArrays: options.rowMode === 'array', asText: options.parsers !== undefined });
  }

  #call(call: Unnumbered): Promise<unknown> {
    // a thread that is gone answers nothing
    if (this.#failure) return Promise.reject(this.#failure);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ ...call, id });
    });
  }

  #settle(answer: PgliteAnswer): void {
    const waiting = this.#waiting.get(answer.id);
    this.#waiting.delete(answer.id);
    if (answer.error) waiting?.reject(Object.assign(new Error(answer.error.message), answer.error));
    else waiting?.resolve(answer.result);
  }

  #tell(scope: string): void {
    for (const listener of this.#listeners) listener(scope);
  }

  #failAll(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
