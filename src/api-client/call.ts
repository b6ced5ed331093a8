import { z } from 'zod';
import { type Endpoint, inputIssues, type InputOf, type OutputOf, pathParts } from '#contract/endpoint.ts';
import { ApiError, codeOfAnswer, type ErrorBody, errorBodySchema, type ErrorCode } from '#contract/errors.ts';

/** Calls back after so many milliseconds. @returns how to have it not called. */
export type Alarm = (ms: number, ring: () => void) => () => void;

/** What a client needs from its surroundings. */
export interface ClientOptions {
  /** Address of the API without a trailing slash: `/api`, or an absolute one. */
  baseUrl: string;
  fetch: typeof globalThis.fetch;
  /** Longest wait for an answer, in milliseconds. */
  timeoutMs?: number;
  alarm?: Alarm;
  /** Names this device beside the key of a change, so that the feed can tell what became of it. What cannot be named goes without. */
  deviceId?: () => Promise<string>;
  /** Whose work this is, told to a server of ours: it refuses where somebody else is signed in on this browser by now. Null is not told. */
  userId?: (endpoint: Endpoint) => string | null;
  /** Told of each list which rows, as they came, had to be left out, because they are not what the contract says, and of the others. */
  onList?: (endpoint: Endpoint, list: { unreadable: readonly unknown[]; rows: readonly unknown[] }) => void;
}

export interface CallOptions {
  idempotencyKey?: string;
  /** The version of the row the change was made on, 0 for none; for a call that takes `If-Match`. */
  ifVersion?: number;
  /** The version in which the person saw the other row the change rests on; for a call that takes `X-Rests-On`. */
  restsOnVersion?: number;
  /** The database the version is of, as `hello` named it: another one's versions say nothing about it. */
  serverGen?: string;
  file?: { name: string; content: Blob };
  signal?: AbortSignal;
  /** Told how many rows of this answer had to be left out, and all that were given, as they came: it was longer than what comes of it. */
  onLeftOut?: OnLeftOut;
  /** Also an answer of which no row can be read is one: else it is taken for none of ours. */
  mayLeaveOutAll?: true;
}

type OnLeftOut = (rows: number, given: readonly unknown[]) => void;

/** Makes one call of the contract and gives its checked answer; every failure is an {@link ApiError}. */
export type ApiCall = <E extends Endpoint>(endpoint: E, input: InputOf<E>, options?: CallOptions) => Promise<OutputOf<E>>;

/** The slowest a file may be on its way, in bytes a millisecond: slower, and the server gives it up. */
const slowestUpload = 100;

type Values = Record<string, unknown>;

function isValued(value: unknown): boolean {
  return value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Query text: only what is valued, arrays as repeated parameters. */
function parametersOf(values: Values): URLSearchParams {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (!isValued(value)) continue;
    for (const item of Array.isArray(value) ? value : [value]) parameters.append(name, String(item));
  }
  return parameters;
}

interface Prepared {
  url: string;
  body: BodyInit | null;
  headers: Record<string, string>;
}

function prepare(endpoint: Endpoint, input: Values, baseUrl: string, file: CallOptions['file']): Prepared {
  const parts = pathParts(endpoint.path);
  const path = parts.reduce((text, part) => text.replace(`:${part}`, encodeURIComponent(String(input[part]))), endpoint.path);
  const rest = Object.fromEntries(Object.entries(input).filter(([name]) => !parts.includes(name)));
  const query = parametersOf(rest).toString();
  const withQuery = `${baseUrl}${path}${query ? `?${query}` : ''}`;
  switch (endpoint.sendAs) {
    case 'query':
      return { url: withQuery, body: null, headers: {} };
    case 'json':
      return { url: `${baseUrl}${path}`, body: JSON.stringify(rest), headers: { 'content-type': 'application/json' } };
    case 'form':
      return { url: `${baseUrl}${path}`, body: parametersOf(rest), headers: {} };
    case 'multipart': {
      const body = new FormData();
      // the fields come first: a server that reads the form as it comes knows them before the file
      for (const [name, value] of parametersOf(rest)) body.append(name, value);
      if (file) body.append('file', file.content, file.name);
      return { url: `${baseUrl}${path}`, body, headers: {} };
    }
  }
}

/** What a refusal says beside its `detail`. */
function besideOf(answer: unknown): Record<string, unknown> {
  if (typeof answer !== 'object' || answer === null) return {};
  const { detail: _detail, ...beside } = answer as Values;
  return beside;
}

/** For how long the server wants to be left alone: it says so in seconds, or the moment from which on it may be asked, by its own clock. */
function retryAfterMs({ headers }: Response): number | undefined {
  const told = headers.get('retry-after') ?? '';
  const seconds = Number(told);
  const ms = Number.isNaN(seconds) ? Date.parse(told) - Date.parse(headers.get('date') ?? '') : seconds * 1000;
  return ms > 0 ? ms : undefined;
}

/** @param said what the API itself said; null where it may be anybody's page: of which app is too old for it only the API can say. */
function codeOfRefusal(status: number, said: ErrorBody['detail'] | null): ErrorCode {
  const code = codeOfAnswer(status, said ?? '') ?? 'internal';
  return code === 'client_too_old' && said === null ? 'bad_answer' : code;
}

async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return {};
  try {
    return await response.json();
  } catch {
    // a captive portal answers 200 with a page of its own; that is no answer of the server
    throw new ApiError({
      code: response.ok ? 'bad_answer' : codeOfRefusal(response.status, null),
      detail: 'The server gave no readable answer',
      retryAfterMs: retryAfterMs(response),
    });
  }
}

/** @param isSaid it is the server's answer all the same, as far as that can be told. */
function badAnswer(error: z.ZodError, isSaid = false): ApiError {
  const first = error.issues[0];
  return new ApiError({
    code: 'bad_answer',
    isSaid,
    detail: `The server's answer has another shape than expected: ${first?.path.join('.')} ${first?.message}`,
  });
}

/** The answer as the contract has it. Of a list, rows that do not fit are left out and counted: one bad row must not stop a pull. */
function checked(
  endpoint: Endpoint,
  body: unknown,
  { onLeftOut, onList, mayLeaveOutAll }: { onLeftOut?: OnLeftOut; onList?: ClientOptions['onList']; mayLeaveOutAll: boolean },
): unknown {
  const parsed = endpoint.output.safeParse(body);
  if (parsed.success) {
    if (Array.isArray(parsed.data)) onList?.(endpoint, { unreadable: [], rows: parsed.data });
    return parsed.data;
  }
  if (!(endpoint.output instanceof z.ZodArray) || !Array.isArray(body)) throw badAnswer(parsed.error);
  const broken = new Set(parsed.error.issues.map((issue) => issue.path[0]));
  const readable = endpoint.output.safeParse(body.filter((_, index) => !broken.has(index)));
  if (!readable.success || (broken.size === body.length && !mayLeaveOutAll)) throw badAnswer(parsed.error, true);
  onList?.(endpoint, { unreadable: body.filter((_, index) => broken.has(index)), rows: readable.data });
  onLeftOut?.(broken.size, body);
  return readable.data;
}

/** A question that lacks what its answer depends on, such as transactions of no account and no entity, is never asked. */
function requireConditions(endpoint: Endpoint, input: unknown): void {
  if (endpoint.method !== 'GET') return;
  const parsed = endpoint.input.safeParse(input);
  if (!parsed.success) throw new ApiError({ code: 'invalid', detail: inputIssues(endpoint, parsed.error) });
}

function unanswered(isLate: boolean): ApiError {
  return isLate
    ? new ApiError({ code: 'timeout', detail: 'The server did not answer in time', status: 0 })
    : new ApiError({ code: 'network', detail: 'The server could not be reached', status: 0 });
}

/** What a promise gives, unless the signal is aborted first: some requests hang on though they were given up. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error('given up'));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', giveUp));
  });
}

/** In real time. */
export const alarmClock: Alarm = (ms, ring) => {
  const timer = setTimeout(ring, ms);
  return () => clearTimeout(timer);
};

/** One request: given up once it takes too long, or its caller gives it up. */
class Asking {
  isLate = false;
  readonly #giveUp = new AbortController();
  readonly signal = this.#giveUp.signal;
  /** Nothing of it is to come any more: neither its time nor its caller ends it. */
  readonly end: () => void;

  constructor(alarm: Alarm, timeoutMs: number, caller: AbortSignal | undefined) {
    const abort = (): void => this.#giveUp.abort();
    const cancel = alarm(timeoutMs, () => {
      this.isLate = true;
      abort();
    });
    if (caller?.aborted === true) abort();
    caller?.addEventListener('abort', abort);
    this.end = () => {
      cancel();
      caller?.removeEventListener('abort', abort);
    };
  }
}

/** Makes the one function through which pages and workers call the API. Credentials go with every call. */
export function createClient({ baseUrl, fetch, timeoutMs = 30_000, alarm = alarmClock, deviceId, userId, onList }: ClientOptions): ApiCall {
  return async (endpoint, input, options = {}) => {
    requireConditions(endpoint, input);
    const { url, body, headers } = prepare(endpoint, input as Values, baseUrl, options.file);
    const { idempotencyKey } = options;
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    // a name that cannot be read for the moment is no fault of the server, nor of what is sent: the key alone makes that happen once
    const device = idempotencyKey === undefined ? undefined : await deviceId?.().catch(() => undefined);
    if (device !== undefined) headers['x-device-id'] = device;
    const whose = userId?.(endpoint) ?? null;
    if (whose !== null) headers['x-user-id'] = whose;
    // a file on a slow network is under way for longer, and not given up for it
    const asking = new Asking(alarm, timeoutMs + Math.ceil((options.file?.content.size ?? 0) / slowestUpload), options.signal);
    const { signal } = asking;
    let response: Response;
    let answer: unknown;
    try {
      response = await unless(
        signal,
        fetch(url, {
          method: endpoint.method,
          credentials: 'include',
          // a server that says nothing of how long its answers hold leaves that to the browser, which would give those of before
          cache: 'no-store',
          headers: {
            accept: 'application/json',
            ...headers,
            ...(options.ifVersion === undefined ? {} : { 'if-match': `"${options.ifVersion}"` }),
            ...(options.restsOnVersion === undefined ? {} : { 'x-rests-on': `"${options.restsOnVersion}"` }),
            ...(options.serverGen === undefined ? {} : { 'x-server-gen': options.serverGen }),
          },
          body,
          signal,
        }),
      );
      answer = await unless(signal, readJson(response));
    } catch (error) {
      throw error instanceof ApiError ? error : unanswered(asking.isLate);
    } finally {
      asking.end();
    }
    const { mayLeaveOutAll = false, onLeftOut } = options;
    if (response.ok) return checked(endpoint, answer, { onLeftOut, onList, mayLeaveOutAll }) as OutputOf<typeof endpoint>;
    const refused = errorBodySchema.safeParse(answer);
    const detail = refused.success ? refused.data.detail : `The server answered ${response.status}`;
    throw new ApiError({
      code: codeOfRefusal(response.status, refused.success ? detail : null),
      detail,
      status: response.status,
      retryAfterMs: retryAfterMs(response),
      isSaid: refused.success,
      beside: besideOf(answer),
    });
  };
}
