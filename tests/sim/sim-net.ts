import { followNudges } from '#contract/feed.ts';
import type { ModelAnswer, ModelServer } from './model-server.ts';
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
  /** Every change is made, and its answer replaced by a gateway's fault. */
  answersSpoilt?: boolean;
  /** Longest delay of each way, in milliseconds. */
  delayMs: number;
}

export const fairWeather: Weather = { isOffline: false, lost: 0, answerLost: 0, doubled: 0, spoilt: 0, delayMs: 20 };

const spoilers: readonly ((answer: ModelAnswer) => Sent)[] = [
  () => ({ status: 500, text: '{"detail":"fault"}' }),
  () => ({ status: 502, text: 'Bad gateway' }),
  () => ({ status: 503, text: '{"detail":"Busy"}', retryAfter: '7' }),
  () => ({ status: 200, text: '<html>Welcome to this hotel</html>' }),
  ({ status, body }) => ({ status, text: JSON.stringify(body).slice(0, -1) }),
];

/** Who is told to come later was not let in. */
const refusal = (): Sent => ({ status: 429, text: '{"detail":"Request was throttled"}', retryAfter: '3' });

interface Sent {
  status: number;
  text: string;
  retryAfter?: string;
}

/** What a request is answered with, as far as a client looks at it. */
function responseOf({ status, text, retryAfter }: Sent): Response {
  const response = {
    ok: status >= 200 && status < 300,
    status,
    headers: new Headers(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    json: async (): Promise<unknown> => JSON.parse(text) as unknown,
  };
  return response as Response;
}

/** What a device's way to the server is like at a moment, and the build of the app that goes it. */
export interface SimAccess {
  weather: () => Weather;
  build: string;
}

/** A device's way to the server, as one of its workers has it. */
export function netOf(scheduler: Scheduler, server: ModelServer, { weather, build }: SimAccess, actor: Actor): typeof fetch {
  const { random } = scheduler;
  const wait = (label: string): Promise<void> => scheduler.after(random.below(weather().delayMs + 1), label, actor).done;
  return async (input, init) => {
    const url = new URL(String(input));
    const path = url.pathname.replace(/^\/api/, '');
    const label = `${init?.method ?? 'GET'} ${path}`;
    const headers = new Headers(init?.headers);
    const body: unknown = typeof init?.body === 'string' ? JSON.parse(init.body) : null;
    const bound = headers.get('if-match');
    const request = {
      method: init?.method ?? 'GET',
      path,
      query: url.searchParams,
      body,
      key: headers.get('idempotency-key'),
      ifVersion: bound === null ? null : Number(bound.slice(1, -1)),
      serverGen: headers.get('x-server-gen'),
      build,
    };
    await wait(`send ${label}`);
    if (weather().isOffline || random.chance(weather().lost)) throw new TypeError('network');
    if (random.chance(weather().spoilt / 2)) return responseOf(random.pick([...spoilers, refusal])({ status: 200, body: {} }));
    const answer = server.handle(request);
    if (random.chance(weather().doubled)) server.handle(request);
    await wait(`answer ${label}`);
    if (weather().answersSpoilt === true && request.method !== 'GET') return responseOf({ status: 502, text: 'Bad gateway' });
    if (weather().isOffline || random.chance(weather().answerLost)) throw new TypeError('network');
    if (random.chance(weather().spoilt / 2)) return responseOf(random.pick(spoilers)(answer));
    if (path === followNudges.path && answer.status === 200) return nudgesOf(scheduler, server, { weather, signal: init?.signal }, actor);
    return responseOf({ status: answer.status, text: JSON.stringify(answer.body) });
  };
}
