import { deviceIdOf } from '#replica/device-tables.ts';
import { fenced } from '#replica/fence.ts';
import { isLossKnown } from '#replica/install-marks.ts';
import type { Replica } from '#replica/open.ts';
import type { SetKey } from '#replica/set-errors.ts';
import { watchManifests } from '#replica/watch.ts';
import { ColumnSets } from './column-sets.ts';
import { newDeviceId } from './device-id.ts';
import { DeviceReport } from './device-report.ts';
import { Feed } from './feed.ts';
import { hear } from './hearing.ts';
import { Nudges } from './nudges.ts';
import { OwnRights } from './own-rights.ts';
import type { EnginePorts } from './ports.ts';
import { Queries } from './queries.ts';
import { Quiet } from './quiet.ts';
import { callOfRun, type Run } from './run.ts';
import { Siblings, type Wish } from './siblings.ts';
import { Sizes } from './sizes.ts';
import type { EngineSession } from './start.ts';
import type { StatusBoard } from './status-board.ts';
import { Unreadable } from './unreadable.ts';

/** What a run tells the engine it belongs to, and asks of it. */
export interface RunHooks {
  board: StatusBoard;
  /** There may be something to do. */
  wake: () => void;
  /** Grows with every call, over all queries a page ever asked. */
  nextRevision: () => number;
  /** Does what another worker wants of the one that writes. */
  fulfil: (run: Run, wish: Wish) => Promise<void>;
  /** Another worker wrote rows. */
  onRows: (run: Run, manifests: readonly (SetKey & { rev: number })[]) => void;
  /** Rows could not be read. */
  onUnread: (run: Run) => void;
}

/** The parts of one user's work, put together; nothing of it has begun. */
export function newRun(
  session: EngineSession,
  opened: Replica,
  ports: EnginePorts,
  { board, wake, nextRevision, fulfil, onRows, onUnread }: RunHooks,
): Run {
  const { now, fetch, random, pause, breathe, build } = ports;
  const replica = { ...opened, rows: fenced(opened.rows, () => run.term) };
  const counters = { answers: 0, abort: new AbortController(), quiet: new Quiet(now) };
  const sets = new ColumnSets({
    replica,
    breathe,
    now,
    isWriter: () => run.isWriter,
    onFound: (key) => run.queries.changed(key),
    onUnread: () => onUnread(run),
    onMended: (error) => {
      const cure = error.part === 'columns' ? 'They were made anew from the rows on this device' : 'They are fetched again';
      board.problem = `${error.message}. ${cure}; edits on their way are kept.`;
      wake();
    },
  });
  const queries = new Queries({ replica, sets, breathe, pause, nextRevision, onProblem: (error) => board.noteProblem(error) });
  let naming: Promise<string> | null = null;
  const deviceId = (): Promise<string> => {
    // one that could not be read or written is asked for again
    naming ??= deviceIdOf(opened.host, () => newDeviceId(random)).catch((error: unknown) => {
      naming = null;
      throw error;
    });
    return naming;
  };
  const unreadable = new Unreadable(now);
  const call = callOfRun(counters, session, ports, { deviceId, isForeign: () => run.feed.isForeign, unreadable });
  const run: Run = Object.assign(counters, {
    session,
    build,
    replica,
    open: opened,
    sets,
    queries,
    call,
    hear: () => hear(call, counters.quiet),
    unreadable,
    feed: new Feed({
      replica,
      call,
      sets,
      now,
      build,
      deviceId,
      unreadable,
      onChanged: (key) => run.queries.changed(key),
      isLeftOut: (id) => run.leftOut.has(id),
    }),
    rights: new OwnRights({ call, now, userId: session.userId }),
    sizes: new Sizes({ call, now, isTold: () => run.feed.tellsSizes }),
    report: new DeviceReport({
      call,
      now,
      deviceId,
      knowsLoss: () => isLossKnown(opened.outbox),
      isHeard: () => run.feed.hearsOfDevices,
      onLost: (lost) => {
        // whoever is there by now has not lost it
        if (!run.abort.signal.aborted) board.publish({ lost });
      },
    }),
    nudges: new Nudges({
      fetch,
      now,
      random,
      pause,
      apiBaseUrl: session.apiBaseUrl,
      onNudge: () => {
        run.isNudged = true;
        wake();
      },
    }),
    siblings: new Siblings(ports, session.userId, {
      isWriter: () => run.isWriter,
      status: () => board.status,
      onStatus: (status) => board.publish(status),
      fulfil: (wish) => fulfil(run, wish),
    }),
    isNudged: false,
    done: Promise.resolve(),
    unsubscribe: () => undefined,
    stopRows: () => undefined,
    followRows: () => {
      run.stopRows();
      run.stopRows = watchManifests(replica, (manifests) => onRows(run, manifests));
    },
    isWriter: false,
    term: null,
    isRenewed: true,
    mayLackAccepted: true,
    hasEdits: true,
    leftOut: new Set<string>(),
    letGo: new Set<string>(),
    leaving: new Set<string>(),
  });
  return run;
}
