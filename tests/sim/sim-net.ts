import { followNudges } from '#contract/feed.ts';
import { refreshToken } from '#contract/session.ts';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listSavedViews } from '#contract/saved-views.ts';
import { listTransactionMatches } from '#contract/transaction-matches.ts';
import { listTransactions } from '#contract/transactions.ts';
import type { ServerAnswer, SimServer } from './sim-server.ts';
import type { Actor, Scheduler } from './scheduler.ts';
import { nudgesOf } from './sim-nudges.ts';

/** How bad a device's network is: the share of requests that meet each fault. */
export interface Weather {
  isOffline: boolean;
  /** Lost on the way there. */
  lost: number;
  /** Done, and the answer lost. */
  answerLost: number;
  /** Arrives twice. */
  doubled: number;
  /** Answered by something else: a fault of the server, a portal, half an answer. */
  spoilt: number;
  /** Of lists: answered much later than what is asked after them. */
  lateLists?: number;
  /** Every change is made, and its answer replaced by a gateway's fault. */
  answersSpoilt?: boolean;
  /** Longest delay of each way, in milliseconds. */
  delayMs: number;
}

export const fairWeather: Weather = { isOffline: false, lost: 0, answerLost: 0, doubled: 0, spoilt: 0, delayMs: 20 };

const spoilers: readonly ((answer: ServerAnswer) => Sent)[] = [
  () => ({ status: 500, text: '{"detail":"fault"}' }),
  () => ({ status: 502, text: 'Bad gateway' }),
  () => ({ status: 503, text: '{"detail":"Busy"}', retryAfter: '7' }),
  () => ({ status: 200, text: '<html>Welcome to this hotel</html>' }),
  () => ({ status: 404, text: '404 page not found' }),
  () => ({ status: 403, text: '<html>Request blocked</html>' }),
  () => ({ status: 405, text: '' }),
  ({ status, body }) => ({ status, text: JSON.stringify(body).slice(0, -1) }),
];

/** Who is told to come later was not let in. */
const refusal = (): Sent => ({ status: 429, text: '{"detail":"Request was throttled"}', retryAfter: '3' });

const signedOut: ServerAnswer = { status: 401, body: { detail: 'Not authenticated' } };
const renewed: ServerAnswer = { status: 200, body: { refresh_token: 'a token', expires_at: '2026-09-15T09:00:00' } };

/** What a session that is not good any more makes of a request; null where it goes on to the server. */
function answerOfSession(browser: SimAccess['browser'], path: string): ServerAnswer | null {
  if (path === refreshToken.path && browser.session !== 'ended') {
    browser.session = 'good';
    return renewed;
  }
  return browser.session === 'good' ? null : signedOut;
}

/** A list that is answered, and takes its time to come. */
export interface LateList {
  path: string;
  query: URLSearchParams;
  /** Who waits for it; to the dead it never comes. */
  actor: Actor;
}

interface Sent {
  status: number;
  text: string;
  retryAfter?: string;
  /** Whose session was answered, where the server says so. */
  userId?: string;
}

const lists: ReadonlySet<string> = new Set([
  listTransactions.path,
  listTransactionMatches.path,
  listSavedViews.path,
  listEntities.path,
  listClients.path,
]);
const isList = ({ method, path }: { method: string; path: string }): boolean => method === 'GET' && lists.has(path);
/** Longest a late list takes, in milliseconds. */
const lateMs = 15_000;

/** What a request is answered with, as far as a client looks at it. */
function responseOf({ status, text, retryAfter, userId }: Sent): Response {
  const told: Readonly<Record<string, string | undefined>> = { 'retry-after': retryAfter, 'x-user-id': userId };
  const response = {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name: string) => told[name] ?? null },
    json: async (): Promise<unknown> => JSON.parse(text) as unknown,
  };
  return response as unknown as Response;
}

/** How good the cookies of a browser are: `old` ones are renewed when asked for, `ended` ones are not. */
export type Session = 'good' | 'old' | 'ended';

/** What becomes of one request, where that is not left to the weather. */
export type Fate = 'lost' | 'answer_lost' | 'twice' | 'late' | 'answered_late';

/** Something that was asked for in vain: it was lost, refused, or answered by what nobody can read. */
export interface FailedRead {
  path: string;
  /** When it was asked for, UTC milliseconds of the world. */
  at: number;
  by: string;
}

/** The browser whose way to the server it is, and the build of the app that goes it. */
export interface SimAccess {
  browser: {
    weather: Weather;
    lateLists: Set<LateList>;
    /** How often each key was sent. */
    attempts: Map<string, number>;
    /** With which statuses the server itself answered each key. */
    answered: Map<string, Set<number>>;
    /** What was asked for in vain, some of it twice. */
    failedReads: FailedRead[];
    session: Session;
    fateOf: (() => Fate | null) | null;
    serverFor: (userId: string | null) => SimServer | null;
  };
  build: string;
}

/** Where the API of every world is. */
export const apiAt = 'http://sim/api';

/** What a request is sent with. */
function bodyOf(body: RequestInit['body']): { body: unknown; file?: string } {
  if (typeof body === 'string') return { body: JSON.parse(body) as unknown };
  if (!(body instanceof FormData)) return { body: null };
  const fields = [...body].filter(([, value]) => typeof value === 'string');
  const file = body.get('file');
  return { body: Object.fromEntries(fields), ...(file instanceof File ? { file: `${file.name} ${file.size}` } : {}) };
}

/** A device's way to the server, as one of its workers has it. */
export function netOf(scheduler: Scheduler, { browser, build }: SimAccess, actor: Actor): typeof fetch {
  const { random } = scheduler;
  const weather = (): Weather => browser.weather;
  const wait = (label: string): Promise<void> => scheduler.after(random.below(weather().delayMs + 1), label, actor).done;
  const ask: typeof fetch = async (input, init) => {
    const [address = '', query = ''] = String(input).slice(apiAt.length).split('?');
    const path = decodeURI(address);
    const label = `${init?.method ?? 'GET'} ${path}`;
    const headers = init?.headers as Readonly<Record<string, string>> | undefined;
    const { body, file } = bodyOf(init?.body);
    const versionIn = (name: string): number | null => (headers?.[name] === undefined ? null : Number(headers[name].slice(1, -1)));
    const request = {
      method: init?.method ?? 'GET',
      path,
      query: new URLSearchParams(query),
      body,
      key: headers?.['idempotency-key'] ?? null,
      ifVersion: versionIn('if-match'),
      serverGen: headers?.['x-server-gen'] ?? null,
      restsOn: versionIn('x-rests-on'),
      sent: { at: scheduler.now, by: actor.name },
      build,
      ...(file === undefined ? {} : { file }),
    };
    // a request has the cookies of the moment it is made
    const server = browser.serverFor(headers?.['x-user-id'] ?? null);
    const { attempts } = browser;
    const attempt = (attempts.get(request.key ?? '') ?? 0) + 1;
    attempts.set(request.key ?? '', attempt);
    const fate = browser.fateOf?.() ?? null;
    const spoil = (some: typeof spoilers, given: ServerAnswer): Response => {
      if (request.method === 'GET') browser.failedReads.push({ path, ...request.sent });
      return responseOf(random.pick(some)(given));
    };
    await wait(`send ${label}`);
    if (fate === 'late') await scheduler.after(random.below(lateMs), `late ${label}`, actor).done;
    if (fate === 'lost') throw new TypeError('network');
    if (weather().isOffline || random.chance(weather().lost)) throw new TypeError('network');
    if (random.chance(weather().spoilt / 2)) return spoil([...spoilers, refusal], { status: 200, body: {} });
    if (!server) return responseOf({ status: 401, text: '{"detail":"Somebody else is signed in"}' });
    // what makes something at a server that keeps no keys is there twice where the network doubles it, or brings it after it was given up
    // and sent again: no client can mend that
    const isFragile = request.method === 'POST' && request.key !== null && !server.keepsKeys;
    if (isFragile && (init?.signal?.aborted === true || attempts.get(request.key ?? '') !== attempt)) throw new TypeError('network');
    const ofSession = answerOfSession(browser, path);
    const answer = ofSession ?? (await scheduler.outside(server.handle(request)));
    if (request.key !== null) browser.answered.set(request.key, (browser.answered.get(request.key) ?? new Set()).add(answer.status));
    const isDoubled = browser.session === 'good' && (fate === 'twice' || random.chance(weather().doubled));
    if (isDoubled && !isFragile) await scheduler.outside(server.handle(request));
    await wait(`answer ${label}`);
    if (fate === 'answered_late') await scheduler.after(random.below(lateMs), `late ${label}`, actor).done;
    const isLate = isList(request) && random.chance(weather().lateLists ?? 0);
    if (isLate) {
      const late = { path, query: request.query, actor };
      browser.lateLists.add(late);
      await scheduler.after(random.below(lateMs), `late ${label}`, actor).done;
      browser.lateLists.delete(late);
    }
    if (weather().answersSpoilt === true && request.method !== 'GET') return responseOf({ status: 502, text: 'Bad gateway' });
    if (fate === 'answer_lost' || weather().isOffline || random.chance(weather().answerLost)) throw new TypeError('network');
    if (random.chance(weather().spoilt / 2)) return spoil(spoilers, answer);
    if (path === followNudges.path && answer.status === 200) return nudgesOf(scheduler, server, { weather, signal: init?.signal }, actor);
    if (answer.status === 0) throw new TypeError('network');
    const { status, page = JSON.stringify(answer.body), retryAfter } = answer;
    const isOurs = server.mood.hasFeed && ofSession === null;
    return responseOf({
      status,
      text: page,
      ...(retryAfter === undefined ? {} : { retryAfter }),
      ...(isOurs ? { userId: server.userId } : {}),
    });
  };
  return (input, init) => {
    const [address = ''] = String(input).slice(apiAt.length).split('?');
    const read = { path: decodeURI(address), at: scheduler.now, by: actor.name };
    const answer = ask(input, init);
    const note = (): void => void browser.failedReads.push(read);
    // beside who waits for it, who has it no later for that
    if ((init?.method ?? 'GET') === 'GET') void answer.then(({ ok }) => (ok ? undefined : note()), note);
    return answer;
  };
}
