import { alarmClock } from '#api-client/call.ts';
import type { StorageUse } from '#replica/budget.ts';
import { Channels } from './channel.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { SyncEngine } from '#workers/engine.ts';
import type { EngineStatus, GridQuery, GridResult } from '#workers/start.ts';
import { noFilter, type SortState, type TransactionFilter } from '#domain/transaction-filter.ts';

/** A wire that can be cut, and that remembers what went over it. */
export interface TestWire {
  fetch: typeof fetch;
  /** Requests so far, as `GET /path?query`. */
  requests: string[];
  cut: () => void;
  mend: () => void;
  /** Lets a request through to the server and then loses its answer. */
  loseAnswerOf: (method: string, path: string, andThen?: () => void) => void;
  /** Answers in the server's stead, once, when it has an answer; without one the request goes on to the server. */
  answerOnce: (method: string, path: string, answer: () => Response | Promise<Response | null>) => void;
  /** From now on the server speaks so. */
  speak: (speaks: Speaks) => void;
}

/** What the server at the other end speaks: with the feed hidden, ours is one that answers the calls of the specification alone. */
export type Speaks = 'feed' | 'specification';

const hidden = (): Response => new Response('{"detail":"Not found"}', { status: 404, headers: { 'content-type': 'application/json' } });

export function aWire(through: typeof fetch, speaks: Speaks): TestWire {
  const requests: string[] = [];
  let isCut = false;
  let isSpecification = speaks === 'specification';
  const lost = new Map<string, () => void>();
  const planted = new Map<string, () => Response | Promise<Response | null>>();
  return {
    requests,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      isCut = false;
    },
    loseAnswerOf: (method, path, andThen = () => undefined) => void lost.set(`${method} ${path}`, andThen),
    speak: (next) => {
      isSpecification = next === 'specification';
    },
    answerOnce: (method, path, answer) => void planted.set(`${method} ${path}`, answer),
    fetch: async (input, init) => {
      const url = new URL(String(input));
      const name = `${init?.method ?? 'GET'} ${url.pathname.replace(/^\/api/, '')}`;
      if (isCut) throw new TypeError('network');
      requests.push(`${name}${url.search}`);
      const answer = planted.get(name);
      if (answer) {
        planted.delete(name);
        const given = await answer();
        if (given) return given;
      }
      if (isSpecification && name.includes(' /sync/')) return hidden();
      const response = await through(input, init);
      const andThen = lost.get(name);
      if (!andThen) return response;
      lost.delete(name);
      andThen();
      throw new TypeError('network');
    },
  };
}

const locks = new Map<string, Promise<void>>();

const channels = new Channels();

/** How many hold a lock or wait for it, by its name. */
const taking = new Map<string, number>();
const noteTaking = (name: string, more: 1 | -1): void => void taking.set(name, (taking.get(name) ?? 0) + more);

/** One lock per name in this process, as the browser keeps it. */
async function withLock(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void> {
  noteTaking(name, 1);
  const held = (locks.get(name) ?? Promise.resolve()).then(() => (signal.aborted ? undefined : work())).finally(() => noteTaking(name, -1));
  locks.set(
    name,
    held.catch(() => undefined),
  );
  await held;
}

/** What a test may have otherwise. */
export interface EngineOptions {
  /** The build of the app. */
  build?: string;
  usage?: () => StorageUse | null;
  /** Told the name of each database that is opened. */
  onOpen?: (name: string) => void;
}

/**
 * An engine on a wire; it rests until woken, so a test decides when it works.
 * @param ready resolves once the server can tell of all that was changed.
 */
export function anEngine(wire: TestWire, now: () => number, ready: () => Promise<void>, options: EngineOptions = {}) {
  const engine = new SyncEngine({
    stores: {
      ...browserStores,
      open: (schema) => {
        options.onOpen?.(schema.name);
        return browserStores.open(schema);
      },
    },
    fetch: (input, init) => wire.fetch(input, init),
    origin: 'http://localhost',
    build: options.build ?? 'test',
    ballast: () => new Uint8Array(1),
    usage: async () => options.usage?.() ?? null,
    now,
    random: () => 0.5,
    withLock,
    countLock: async (name) => taking.get(name) ?? 0,
    channel: (name, onMessage) => channels.open(name, onMessage),
    breathe: () => new Promise((resolve) => void setImmediate(resolve)),
    pause: (_ms, signal) =>
      new Promise((resolve) => {
        if (signal === undefined) setImmediate(resolve);
        else if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve());
      }),
    isOnline: () => true,
    isSavingData: () => false,
    alarm: alarmClock,
  });
  let status: EngineStatus | undefined;
  const waiting = new Set<() => void>();
  void engine.watchStatus('test', (next) => {
    status = next;
    for (const check of waiting) check();
  });
  /** Resolves when the engine has come to a phase. */
  const until = (isThere: (status: EngineStatus) => boolean): Promise<EngineStatus> =>
    new Promise((resolve) => {
      const check = (): void => {
        if (!status || !isThere(status)) return;
        waiting.delete(check);
        resolve(status);
      };
      waiting.add(check);
      check();
    });
  return {
    engine,
    until,
    /** What the engine said last. */
    status: () => status,
    /** Works until there is nothing more to do, and says how it ended. */
    async sync(): Promise<EngineStatus> {
      await ready();
      // whoever is signed out is told so once, and no round says it again
      if (status?.phase !== 'signed_out') status = undefined;
      await engine.syncNow();
      return until(({ phase }) => ['idle', 'offline', 'signed_out', 'outdated'].includes(phase));
    },
  };
}

/** A query that answers into `results`; `next` waits for an answer that fits. */
export async function aGrid(
  engine: SyncEngine,
  clients: string | string[],
  filter: Partial<TransactionFilter> = {},
  sort: SortState[] = [],
) {
  const results: GridResult[] = [];
  const waiting = new Set<() => void>();
  const query: GridQuery = { clientIds: [clients].flat(), filter: { ...noFilter, ...filter }, sort, zone: 'UTC' };
  const id = `grid ${Math.round(performance.now() * 1000)}`;
  const ask = (asked: GridQuery): Promise<void> =>
    engine.watchQuery(id, asked, { offset: 0, limit: 50 }, (result) => {
      results.push(result);
      for (const check of waiting) check();
    });
  await ask(query);
  return {
    id,
    ask,
    results,
    latest: () => results.at(-1),
    rows: async (offset = 0, limit = 100) => (await engine.rows(id, offset, limit)).rows,
    until: (isThere: (result: GridResult) => boolean): Promise<GridResult> =>
      new Promise((resolve) => {
        const check = (): void => {
          const last = results.at(-1);
          if (!last || !isThere(last)) return;
          waiting.delete(check);
          resolve(last);
        };
        waiting.add(check);
        check();
      }),
  };
}
