import { proxy, type Remote, wrap } from 'comlink';
import { v7 as uuid } from 'uuid';
import type { LostEdits } from '#contract/devices.ts';
import type { Transaction } from '#contract/transactions.ts';
import type { TimeZone } from '#domain/dates.ts';
import type { FileFormat } from '#domain/file-names.ts';
import type { TransactionColumnKey } from '#domain/transaction-cells.ts';
import type { ListField, SortState, TransactionFilter } from '#domain/transaction-filter.ts';
import type { OfDatabase } from '#replica/held-rows.ts';
import type { PendingMark } from '#replica/overlay.ts';
import engineUrl from './engine.worker.ts?sharedworker&url';

/** Whose data the engine works on, and where the server is. */
export interface EngineSession {
  userId: string;
  /** Absolute address of the API, without a trailing slash. */
  apiBaseUrl: string;
  /** Which sign-in it is, of this or another tab; null where that was not kept. */
  signInId: string | null;
}

/** How the copy of one entity's transactions stands. */
export interface EntityProgress {
  entity_id: string;
  client_id: string;
  /** `left_out`: nothing of its client is kept on this device. `withheld`: its transactions may not be read. */
  phase: 'bootstrap' | 'steady' | 'left_out' | 'withheld';
  /** It is not to be kept here: it goes once the edits of its client are sent. */
  is_leaving: boolean;
  /** There was no room for its client: it comes back when somebody looks at it. */
  is_let_go: boolean;
  rows: number;
  /** How many there will be once all is here; null where the server does not say. */
  rows_in_all: number | null;
  /** Everything from this moment on is here, UTC milliseconds; null while nothing is. */
  complete_from: number | null;
}

export interface EngineStatus {
  /** `waiting`: another tab's worker does the syncing. `signed_out`: the server wants a new sign-in. `outdated`: it wants a newer app. */
  phase: 'starting' | 'syncing' | 'idle' | 'offline' | 'signed_out' | 'outdated' | 'waiting' | 'stopped';
  /** What went wrong last, in words, and what was kept; null when nothing did. */
  problem: string | null;
  /** When the server last answered everything asked, UTC milliseconds. */
  last_sync_at: number | null;
  entities: EntityProgress[];
  /** Changes with what the person may see and do, where the server has a feed; null where none was followed. */
  perm_version: number | null;
  /** When the server last refused an edit for want of a right, UTC milliseconds: what the person may do is to be asked anew; null where it refused none. */
  denied_at: number | null;
  /** Which sign-in was over when the server last wanted a new one; null where it never did, or that was not kept. */
  signed_out_of: string | null;
  /** What waited here before the browser cleared it, as the server remembers, until the page knows; null where nothing did. */
  lost: LostEdits | null;
}

export interface GridQuery {
  /** The clients it spans; their rows come as one list. */
  clientIds: readonly string[];
  filter: TransactionFilter;
  /** Fields to sort by, the first one first; none is newest first. */
  sort: readonly SortState[];
  zone: TimeZone;
}

/** A stretch of rows: the first one's position and how many. */
export interface RowRange {
  offset: number;
  limit: number;
}

/** A transaction as the grid shows it; `pending` marks an edit that has not reached the server, or was refused. */
export interface GridRow extends Transaction, OfDatabase {
  pending: PendingMark | null;
}

/** Exact sums of the filtered rows in the asset's unit; `out` and `fees` are positive, `net` = in - out - fees. */
export interface AssetTotals {
  security_id: string | null;
  count: number;
  in: string;
  out: string;
  fees: string;
  net: string;
  usd_net: string;
}

/** Exact sums over some rows. */
export interface GridTotals {
  count: number;
  assets: AssetTotals[];
  /** US dollars over all assets; unpriced rows count nothing. */
  usd: { in: string; out: string; fees: string; net: string };
  /** Rows among them that are flagged as without a US dollar value. */
  unpriced: number;
  /** Rows of types that this build does not know: they count in no sum. */
  unknown: number;
}

/** One answer: counts, sums and the rows asked for, all of the same moment. */
export interface GridResult extends GridTotals {
  /** Grows with every change of the rows behind the query; windows asked for an older one are of no use. */
  revision: number;
  /** Where `rows` begin. */
  offset: number;
  rows: GridRow[];
  /** Of the pasted hashes and ids, those that no row of these clients and entities has, whatever else is filtered. */
  missing: string[];
}

/** The first rows of a query, there before its counts and sums. */
export type FirstRows = Pick<GridResult, 'revision' | 'offset' | 'rows'>;

/** Who waits for the answers to a query. */
export interface GridListener {
  onResult: (result: GridResult) => void;
  /** Called at most once, before the first answer, where that takes longer than the first rows: the copy is still being read. */
  onFirst?: (first: FirstRows) => void;
  /** The revision of the prepared answer that is shown already: unless rows changed since, it is not told again. */
  known?: number;
}

/** How many of the filtered rows have a value; the field's own filter is left aside. `null` is none. */
export interface FacetCount {
  value: string | null;
  count: number;
}

/** A file of all rows of a query: the columns in the order of the screen. */
export interface ExportRequest {
  query: GridQuery;
  format: FileFormat;
  columns: readonly TransactionColumnKey[];
}

/** The next bytes of a file, none where there is only progress to tell: rows done, of all rows. */
export interface ExportPart {
  bytes: Uint8Array<ArrayBuffer>;
  done: number;
  all: number;
}

/** How a file ended. Only after `done` is it whole. */
export type ExportEnd =
  /** `pending` of the rows show edits the server has not confirmed; `notes` say what the file lacks, or holds otherwise than the screen. */
  { kind: 'done'; rows: number; pending: number; notes: string[] } | { kind: 'cancelled' } | { kind: 'failed'; reason: string };

/** What the worker does for the pages. One instance serves all tabs. */
export interface Engine {
  /** Starts working for a user; the same user again only says that the session was renewed. */
  open(session: EngineSession): Promise<void>;
  /** Stops a user's work, as signing out asks; resolves when nothing is sent or written any more. Another user's goes on. */
  close(userId: string): Promise<void>;
  /** Says which clients the person looks at: they are pulled first, kept fresh, and come back where there was no room for them. */
  look(clientIds: readonly string[]): Promise<void>;
  /**
   * Keeps a client's transactions on this device, or no longer does: then they go with the next round, once no edit of the client waits.
   * Resolves when the choice is on the disk; the status says what became of it.
   */
  keepClient(clientId: string, isKept: boolean): Promise<void>;
  /** Pulls and sends now; resolves after a whole round, however it ended (the status says how). */
  syncNow(): Promise<void>;
  /** Sends what waits now; resolves when that was tried. */
  sendNow(): Promise<void>;
  /** Says that the network is back, or that somebody looks again after a while: what waits for a later try is tried now. */
  wakeUp(): Promise<void>;
  /** Pulls one stretch of an entity's dates, whatever is held: rows were just imported there. ISO moments. */
  pullRange(entityId: string, from: string, to: string): Promise<void>;
  watchStatus(id: string, onStatus: (status: EngineStatus) => void): Promise<void>;
  /** Answers a query now and again whenever its rows change, with the rows of a window; the same id again replaces the query. */
  watchQuery(
    id: string,
    query: GridQuery,
    window: RowRange,
    onResult: GridListener['onResult'],
    onFirst?: GridListener['onFirst'],
    known?: GridListener['known'],
  ): Promise<void>;
  /**
   * Works out ahead what `watchQuery` of the same id is likely to be asked next, so that its answer is there at once.
   * @returns the answer as it would be now; null where another took its place, or none was to be had.
   */
  prepareQuery(id: string, query: GridQuery, window: RowRange): Promise<GridResult | null>;
  /** Says which rows of a watched query are looked at, so that the next answers bring them along. */
  lookAt(id: string, window: RowRange): Promise<void>;
  /** How often each value of a field occurs under a watched query. An unknown id has none. */
  facets(id: string, field: ListField): Promise<FacetCount[]>;
  /** Rows of a watched query, in its order, fewer at its end; of a later revision than was told last where that one's are no more. */
  rows(id: string, offset: number, limit: number): Promise<{ revision: number; rows: GridRow[] }>;
  /** Those rows of a watched query that have one of some ids, as they are now, in its order; null for an unknown id. */
  pickRows(id: string, rowIds: readonly string[]): Promise<{ revision: number; rows: GridRow[] } | null>;
  unwatch(id: string): Promise<void>;
  /**
   * Says which lock the calling tab holds for as long as it lives: what it watches ends once that is free.
   * @returns the lock the worker holds for as long as it lives; null where there are none.
   */
  liveWith(tab: string): Promise<string | null>;
  /** Makes a file of all rows of a query as they stand now. The next part is made when the page has taken the one before. */
  exportRows(exportId: string, request: ExportRequest, onPart: (part: ExportPart) => void | Promise<void>): Promise<ExportEnd>;
  /** Ends an export; what came of its file is of no use. */
  cancelExport(exportId: string): Promise<void>;
}

/** The engine that all tabs share: of any of them it knows nothing, but for what somebody looks at in each. */
export interface SharedEngine extends Omit<Engine, 'liveWith' | 'look'> {
  /** @param tab whichever it is, the same each time; absent where there is one alone. */
  look(clientIds: readonly string[], tab?: object): Promise<void>;
}

/** The engine as a page holds it: the same calls, made to the worker. */
export type RemoteEngine = Remote<Engine>;

/** Passes a function to the worker, to be called there. */
export const asCallback: <T extends object>(callback: T) => T = proxy;

/** The engine as a page started it. */
export interface StartedEngine {
  engine: RemoteEngine;
  /** Resolves once its worker is gone, or could not be read: nothing that it is asked is answered any more. */
  ended: Promise<void>;
}

/** Starts the worker all tabs share, or where the browser has no shared workers one for this page. */
export function startEngine(trusted: (url: string) => string): StartedEngine {
  const url = trusted(engineUrl);
  const options = { type: 'module', name: 'tieout' } as const;
  const shared = typeof SharedWorker === 'function' ? new SharedWorker(url, options) : null;
  const worker = shared ?? new Worker(url, options);
  const engine = wrap<Engine>(shared?.port ?? (worker as Worker));
  const unreadable = new Promise<void>((resolve) => {
    // a fault in it has words, and is told by the call that met it
    worker.addEventListener('error', (event) => {
      if (!(event instanceof ErrorEvent)) resolve();
    });
  });
  return { engine, ended: shared ? Promise.race([unreadable, livesWith(engine)]) : unreadable };
}

/**
 * Tells the worker when this tab is gone, and this tab when the worker is: each holds a lock for as long as it lives, which the other asks
 * for. Not every browser has locks, and one that is being closed may take them back. @returns what resolves once the worker is gone.
 */
function livesWith(engine: RemoteEngine): Promise<void> {
  const locks = navigator.locks as LockManager | undefined;
  const tab = `tieout-tab-${uuid()}`;
  return new Promise((resolve) => {
    const live = async (): Promise<void> => {
      const life = await engine.liveWith(tab);
      if (life !== null) void locks?.request(life, () => resolve()).catch(() => undefined);
      await new Promise(() => undefined);
    };
    void locks?.request(tab, live).catch(() => undefined);
  });
}
