import { newPull, type PullRow, transactionPulls } from '#replica/pulls.ts';
import { idOfScope, scopeKey } from '#replica/scopes.ts';
import { backgroundRefreshAfterMs, followedRefreshAfterMs, type Stream, streams, transactionsRefreshAfterMs } from './streams.ts';

/** What there is to pull next: a noun's list for a scope, a page of an entity's first pull, or an entity's refresh. */
export type Job =
  | { kind: 'stream'; key: string; rank: number; stream: Stream; id: string }
  /** A scope that is held and in no list any more. */
  | { kind: 'lost'; key: string; rank: number; scope: string }
  /** Columns of a client that entities left for another one. */
  | { kind: 'left'; key: string; rank: number; client: string }
  | { kind: 'first' | 'refresh'; key: string; rank: number; entity: { id: string; client_id: string } };

/** What the plan is made from. */
export interface PlanState {
  now: number;
  /** The server has a feed: it says what may no longer be seen. */
  hasFeed: boolean;
  /** The feed is followed, and tells what changes: a list that was read to its end stays true. */
  isFollowed: boolean;
  /** The clients somebody looks at. */
  visible: readonly string[];
  clients: readonly { id: string }[];
  entities: readonly { id: string; client_id: string }[];
  /** Clients of whose entities nothing is kept on this device. */
  leftOut: ReadonlySet<string>;
  pulls: readonly PullRow[];
  /** How many transactions are held of each scope. */
  held: ReadonlyMap<string, number>;
  /** Clients in whose columns there are, or were, transactions of entities that lie in another one by now. */
  left: readonly string[];
  /** Data is to be saved: of entities nobody looks at nothing is asked for, and of several that somebody does nothing older. */
  isSavingData: boolean;
  /** How many transactions an entity has, where the server says. */
  sizeOf: (entityId: string) => number | null;
}

/** What is pulled first: references, then what the person looks at, newest first, then all else. */
const rank = { left: -1, user: 0, accounts: 1, recent: 2, stream: 3, refresh: 4, hidden: 5, older: 12, background: 20 } as const;

/** What there is to pull, most urgent first. Nothing when all is as fresh as it should be. */
export function planPulls(state: PlanState): Job[] {
  const {
    now,
    hasFeed,
    isFollowed,
    visible,
    clients: listedClients,
    entities: listed,
    leftOut,
    pulls,
    held,
    left,
    isSavingData,
    sizeOf,
  } = state;
  const entities = listed.filter(({ client_id }) => !leftOut.has(client_id) && (!isSavingData || visible.includes(client_id)));
  const standing = new Map(pulls.map((pull) => [`${pull.scope} ${pull.noun}`, pull]));
  const jobs: Job[] = [];

  // who was refused may be let in again
  const isLeftAlone = (pull: PullRow): boolean => pull.denied_at !== undefined && Math.abs(now - pull.denied_at) < backgroundRefreshAfterMs;
  const isDue = (pull: PullRow, isVisible: boolean, refreshAfterMs: number): boolean => {
    if (isLeftAlone(pull)) return false;
    if (pull.last_complete_at === null) return true;
    const age = now - pull.last_complete_at;
    // a moment in the future was written by a clock since put right
    if (age < 0) return true;
    if (isFollowed) return age >= followedRefreshAfterMs;
    return age >= (isVisible ? refreshAfterMs : Math.max(refreshAfterMs, backgroundRefreshAfterMs));
  };

  const addStream = (stream: Stream, id: string, isVisible: boolean, base: number): void => {
    const scope = scopeKey(stream.per, id);
    const pull = standing.get(`${scope} ${stream.noun}`) ?? newPull(scope, stream.noun);
    if (isDue(pull, isVisible, stream.refreshAfterMs))
      jobs.push({ kind: 'stream', key: `${scope} ${stream.noun}`, rank: base + (isVisible ? 0 : rank.hidden), stream, id });
  };

  // those the right to whose list is gone are not listed, and what lies in them may be read all the same
  const isWithheld = !hasFeed && pulls.some((pull) => pull.noun === 'clients' && pull.is_withheld === true);
  const clients = isWithheld ? clientsHeld(pulls) : listedClients;
  for (const [index, stream] of streams.entries()) {
    if (stream.per === 'user') addStream(stream, '', true, rank.user + index / 100);
    if (stream.per === 'client') for (const { id } of clients) addStream(stream, id, visible.includes(id), rank.accounts);
    if (stream.per === 'entity') for (const { id, client_id } of entities) addStream(stream, id, visible.includes(client_id), rank.stream);
  }
  for (const entity of entities) {
    const scope = scopeKey('entity', entity.id);
    const pull = standing.get(`${scope} transactions`) ?? newPull(scope, 'transactions');
    const isVisible = visible.includes(entity.client_id);
    const hidden = isVisible ? 0 : rank.hidden;
    const key = `${scope} transactions`;
    if (isLeftAlone(pull)) continue;
    // who looks at several looks at none of them closely
    if (isSavingData && pull.phase === 'older' && visible.length > 1) continue;
    if (pull.phase !== 'steady')
      jobs.push({ kind: 'first', key, rank: (pull.phase === 'recent' ? rank.recent : rank.older) + hidden, entity });
    else if (pull.wanted !== undefined || isDue(pull, isVisible, transactionsRefreshAfterMs))
      jobs.push({ kind: 'refresh', key, rank: (isVisible ? rank.refresh : rank.background) + hidden, entity });
  }
  if (!hasFeed) jobs.push(...lostScopes({ now, clients, entities: listed, pulls, held }));
  // a feed tells of a move itself, unless it was begun after that
  jobs.push(...left.map((client): Job => ({ kind: 'left', key: `${client} left`, rank: rank.left, client })));
  // of equals the largest first: it takes longest, page after page, and the others are read beside it
  const size = (job: Job): number => (job.kind === 'first' ? (sizeOf(job.entity.id) ?? 0) : 0);
  return jobs.sort((a, b) => a.rank - b.rank || size(b) - size(a));
}

/** The clients of which anything was ever pulled. */
function clientsHeld(pulls: readonly PullRow[]): { id: string }[] {
  return [...new Set(pulls.flatMap(({ scope }) => idOfScope('client', scope) ?? []))].map((id) => ({ id }));
}

/**
 * What is held of entities and clients that are in no list any more, once the lists are complete, or the right to them is gone. A feed
 * tells of these itself.
 */
function lostScopes({ now, clients, entities, pulls, held }: Pick<PlanState, 'now' | 'clients' | 'entities' | 'pulls' | 'held'>): Job[] {
  const isListed = (noun: string): boolean =>
    pulls.some((pull) => pull.noun === noun && (pull.last_complete_at !== null || pull.is_withheld === true));
  if (!isListed('clients') || !isListed('entities')) return [];
  const known = new Set(['user', ...clients.map(({ id }) => scopeKey('client', id)), ...entities.map(({ id }) => scopeKey('entity', id))]);
  const transactions = transactionPulls(pulls);
  // rows may have come outside a pull: an edit answered them
  const scopes = [...pulls.map(({ scope }) => scope), ...[...held].filter(([, rows]) => rows > 0).map(([scope]) => scope)];
  return [...new Set(scopes)]
    .filter((scope) => !known.has(scope))
    .flatMap((scope): Job[] => {
      const trx = transactions.get(scope);
      const isRecent = [trx?.last_complete_at, trx?.there_at].some((at) => at != null && Math.abs(now - at) < backgroundRefreshAfterMs);
      const isRefused = trx?.denied_at !== undefined;
      if (isRecent && !isRefused) return [];
      return [{ kind: 'lost', key: `${scope} lost`, rank: rank.accounts, scope }];
    });
}
