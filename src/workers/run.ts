import { type ApiCall, createClient } from '#api-client/call.ts';
import { withRenewal } from '#api-client/renewal.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Entity } from '#contract/entities.ts';
import { ApiError, otherUserText } from '#contract/errors.ts';
import { hello } from '#contract/feed.ts';
import type { CopyStanding } from '#replica/apply.ts';
import { transactionPulls } from '#replica/pulls.ts';
import { scopeKey } from '#replica/scopes.ts';
import { columnNouns } from '#replica/column-nouns.ts';
import { dropUnseenDrafts } from '#replica/drafts.ts';
import type { FeedState } from '#replica/feed-state.ts';
import { byName } from '#replica/nouns.ts';
import type { Replica } from '#replica/open.ts';
import { StaleWriterError } from '#replica/sending.ts';
import { DamagedSetError, ClosedSetError, type SetKey } from '#replica/set-errors.ts';
import type { Feed } from './feed.ts';
import { letGoOfLeft, letGoOfLost } from './lost-scopes.ts';
import type { Nudges } from './nudges.ts';
import type { OwnRights } from './own-rights.ts';
import type { EnginePorts } from './ports.ts';
import { type Job, type PlanState, planPulls } from './plan.ts';
import { pullStream } from './list-pull.ts';
import { pullFirst, refreshTransactions } from './pull.ts';
import type { PulledEntity, PullPorts } from './pull-ports.ts';
import type { Queries } from './queries.ts';
import type { Quiet } from './quiet.ts';
import type { EngineSession, EntityProgress } from './start.ts';
import type { ColumnSets } from './column-sets.ts';
import type { DeviceReport } from './device-report.ts';
import type { Siblings } from './siblings.ts';
import type { Sizes } from './sizes.ts';
import { nounOfList } from './streams.ts';
import type { Unreadable } from './unreadable.ts';

/** Pages of a first pull read before the plan is asked again. */
const pagesPerTurn = 10;

/** One user's work: everything that ends with the session. */
export interface Run {
  session: EngineSession;
  /** The build of the app. */
  build: string;
  /** As the writer of a term writes to it. */
  replica: Replica;
  /** As anybody may. */
  open: Replica;
  call: ApiCall;
  sets: ColumnSets;
  queries: Queries;
  abort: AbortController;
  done: Promise<void>;
  unsubscribe: () => void;
  /** Ends the watching of rows another worker writes. */
  stopRows: () => void;
  /** Begins to watch the rows another worker writes. */
  followRows: () => void;
  isWriter: boolean;
  /** The number of its latest term; null where it never had one. */
  term: number | null;
  /** The session is new: what waited for it goes on with the next round. */
  isRenewed: boolean;
  hasEdits: boolean;
  /** Clients of whose entities the copy keeps nothing. */
  leftOut: ReadonlySet<string>;
  /** Those of them, or of the leaving ones, for which there was no room. */
  letGo: ReadonlySet<string>;
  /** Clients that are to be left out, and that have edits waiting. */
  leaving: ReadonlySet<string>;
  /** Follows the server's changes, where it tells them. */
  feed: Feed;
  /** What first pulls are to bring. */
  sizes: Sizes;
  report: DeviceReport;
  nudges: Nudges;
  /** Other workers of the person in this browser. */
  siblings: Siblings;
  /** Something changed at the server since the feed was followed. */
  isNudged: boolean;
  /** The copy may lack what edits left that were accepted before this began. */
  mayLackAccepted: boolean;
  /** Requests the server has answered so far, whatever it said. */
  answers: number;
  rights: OwnRights;
  /** Which rows could not be read. */
  unreadable: Unreadable;
  /** Whether the server asked to be left alone. */
  quiet: Quiet;
  /** Makes sure that it answers. @throws ApiError where it does not. */
  hear: () => Promise<void>;
}

interface CallPorts {
  deviceId: () => Promise<string>;
  /** Whether the server is none of ours: such a one may refuse a header it does not know. */
  isForeign: () => boolean;
  unreadable: Unreadable;
}

/** The call of a run: renews an ended session once, counts, asks nothing while the server wants to be left alone, nor once the run has ended. */
export function callOfRun(
  run: Pick<Run, 'answers' | 'abort' | 'quiet'>,
  session: EngineSession,
  ports: EnginePorts,
  { deviceId, isForeign, unreadable }: CallPorts,
): ApiCall {
  const { signal } = run.abort;
  const isHere = new URL(session.apiBaseUrl).origin === ports.origin;
  // what needs no session is anybody's; the greeting tells first whose the server is; and at another origin each reading that bears a
  // name would cost the browser a question of its own
  const tellsWhose = (endpoint: Endpoint): boolean =>
    endpoint.permission !== 'anyone' && endpoint !== hello && (isHere || endpoint.method !== 'GET');
  const client = createClient({
    baseUrl: session.apiBaseUrl,
    alarm: ports.alarm,
    deviceId,
    userId: (endpoint) => (tellsWhose(endpoint) && !isForeign() ? session.userId : null),
    fetch: async (input, init) => {
      const response = await ports.fetch(input, init);
      run.answers += 1;
      const whose = response.headers.get('x-user-id');
      if (whose !== null && whose !== session.userId) throw new ApiError({ code: 'other_user', detail: otherUserText });
      return response;
    },
    onList: (endpoint, { unreadable: lost, rows }) => {
      const noun = nounOfList(endpoint);
      if (noun === null) return;
      unreadable.heard(noun, rows as readonly { id: string }[]);
      if (lost.length > 0) unreadable.note(noun, lost);
    },
  });
  const ending: ApiCall = async (endpoint, input, options) => {
    if (signal.aborted) throw new ApiError({ code: 'network', detail: 'The work has ended', status: 0, isUntried: true });
    run.quiet.keep(endpoint.name);
    try {
      return await client(endpoint, input, { ...options, signal: options?.signal ? AbortSignal.any([options.signal, signal]) : signal });
    } catch (cause) {
      run.quiet.heed(endpoint.name, cause);
      throw cause;
    }
  };
  return withRenewal(ending, (work) => (ports.withLock ? ports.withLock('tieout-refresh', signal, work) : work()));
}

/** The set an entity's transactions are in. */
export function transactionsOf({ client_id }: { client_id: string }): SetKey {
  return { noun: columnNouns.transactions.noun, set: client_id };
}

/**
 * What a pull needs. An answer that comes once the term is over, or another one has begun, is not taken.
 * @throws StaleWriterError, by its call, where that is so.
 */
export function pullPorts(run: Run, now: () => number): PullPorts {
  const { replica, sets, feed, term, build } = run;
  const call: ApiCall = async (endpoint, input, options) => {
    const answer = await run.call(endpoint, input, options);
    if (!run.isWriter || run.term !== term) throw new StaleWriterError();
    return answer;
  };
  return { replica, call, sets, now, rights: run.rights, build, pageLimit: feed.pageLimit };
}

/** The scopes of which a feed tells, beside the person's own; null where none is followed. */
export function followedIn(state: FeedState | null): ReadonlySet<string> | null {
  return state && new Set(state.scopes.map(({ key }) => key));
}

/** What there is to pull next. Where a feed is followed, only what it says may be seen: of that alone it tells when it goes. */
export function planOf(
  { feed, leftOut, sizes }: Run,
  { clients, entities, pulls, held, left, feed: state }: CopyStanding,
  { now, visible, isSavingData }: Pick<PlanState, 'now' | 'visible' | 'isSavingData'>,
): Job[] {
  const followed = followedIn(state);
  return planPulls({
    now,
    hasFeed: feed.pageLimit !== null,
    isFollowed: feed.isFollowed,
    visible,
    clients: clients.filter(({ id }) => followed?.has(scopeKey('client', id)) ?? true),
    entities: entities.filter(({ id }) => followed?.has(scopeKey('entity', id)) ?? true),
    leftOut,
    pulls,
    held,
    left,
    isSavingData,
    sizeOf: (entityId) => sizes.of(entityId),
  });
}

/** Whether something was never read to its end, or made due since: what is only to be looked at again some day is here. */
export function isUnread(run: Run, standing: CopyStanding, state: Pick<PlanState, 'now' | 'visible' | 'isSavingData'>): boolean {
  const read = new Set(
    standing.pulls.flatMap(({ scope, noun, last_complete_at: at, wanted }) => (at === null || wanted ? [] : [`${scope} ${noun}`])),
  );
  const lacks = ({ kind, key }: Job): boolean => kind === 'first' || ((kind === 'stream' || kind === 'refresh') && !read.has(key));
  return planOf(run, standing, state).some(lacks);
}

/** Whether a list goes on with another page, asked before each: after some of them the plan is asked again, somebody may look elsewhere by now. */
function turnOf(run: Run): () => boolean {
  let pages = 0;
  return () => {
    pages += 1;
    return pages <= pagesPerTurn && !run.abort.signal.aborted && run.isWriter && !run.hasEdits && !run.isNudged;
  };
}

async function pullSomePages(run: Run, entity: PulledEntity, now: () => number): Promise<void> {
  // it never fails, and no page waits for it
  void run.sizes.learn(entity.id);
  await pullFirst(pullPorts(run, now), entity, { goesOn: turnOf(run), onPage: () => run.queries.changed(transactionsOf(entity)) });
}

/** Reads a list; one of places says of which of them nothing is to be kept that was typed. */
async function pullList(run: Run, { stream, id }: Extract<Job, { kind: 'stream' }>, now: () => number): Promise<boolean> {
  const isOver = await pullStream(pullPorts(run, now), stream, id, turnOf(run));
  if (stream.noun === 'clients' || stream.noun === 'entities') await dropUnseenDrafts(run.replica);
  return isOver;
}

/**
 * Does one job of the plan. What is damaged is dropped.
 * @returns whether it is done for this round: else it is planned again while there is more to read.
 */
export async function pullJob(run: Run, job: Job, now: () => number): Promise<boolean> {
  try {
    if (job.kind === 'stream') return await pullList(run, job, now);
    if (job.kind === 'lost') await letGoOfLost(pullPorts(run, now), job.scope);
    else if (job.kind === 'left') await letGoOfLeft(run, job.client);
    else if (job.kind === 'first') await pullSomePages(run, job.entity, now);
    else await refreshTransactions(pullPorts(run, now), job.entity);
  } catch (error) {
    if (error instanceof DamagedSetError) await run.sets.mend(error);
    else if (!(error instanceof ClosedSetError)) throw error;
  } finally {
    // also after a fault: some of its pages may have been written
    if (job.kind === 'lost' || job.kind === 'left') run.queries.changed(null);
    else if (job.kind !== 'stream') run.queries.changed(transactionsOf(job.entity));
  }
  return job.kind !== 'first';
}

/** How the copy of each entity's transactions stands. */
export function progressOf({ sizes, leftOut, letGo, leaving }: Run, { entities, pulls, held, feed }: CopyStanding): EntityProgress[] {
  const transactions = transactionPulls(pulls);
  const followed = followedIn(feed);
  // one that was just made, or is to be on the device again, is followed with the next word of the feed: a right is missing in a whole
  // organization
  const isReadable = ({ id, client_id }: Entity): boolean =>
    followed?.has(scopeKey('entity', id)) !== false || feed?.awaited?.includes(client_id) === true;
  const readable = new Set(entities.filter(isReadable).map(({ organization_id }) => organization_id));
  return byName(entities).map(({ id, client_id, organization_id }) => {
    const pull = transactions.get(scopeKey('entity', id));
    const isWithheld = !readable.has(organization_id) || (pull?.denied_at !== undefined && pull.phase !== 'steady');
    const [rows, size] = [held.get(scopeKey('entity', id)) ?? 0, sizes.of(id)];
    return {
      entity_id: id,
      client_id,
      phase: leftOut.has(client_id) ? 'left_out' : isWithheld ? 'withheld' : pull?.phase === 'steady' ? 'steady' : 'bootstrap',
      is_leaving: leaving.has(client_id),
      is_let_go: letGo.has(client_id),
      rows,
      // counted before, and some came since
      rows_in_all: pull?.phase === 'steady' ? rows : size === null ? null : Math.max(rows, size),
      complete_from: pull?.complete_from ?? null,
    };
  });
}
