import type { ApiCall } from '#api-client/call.ts';
import { ApiError, type ErrorCode, unansweredCodes } from '#contract/errors.ts';
import type { OutboxRow } from '#replica/outbox-tables.ts';
import type { Outcome } from '#replica/sending.ts';
import { quietMs } from './quiet.ts';
import { asNoAnswer } from './server-faults.ts';

const longestWaitMs = 60_000;
/** What an attempt needs. */
export interface AttemptPorts {
  call: ApiCall;
  now: () => number;
  /** 0 to 1, for the jitter of waits. */
  random: () => number;
  /** The build of the app: what the server would not take of another one is tried anew. */
  build: string;
  /** Whether the server remembers the keys of changes: one that comes again under its key has its effect once. */
  keepsKeys: boolean;
  /** Which database the server has, where it compares versions itself; null where it does not: a row is read before it is written over. */
  generation: string | null;
}

function backoffMs(attempts: number, random: () => number): number {
  return Math.round(random() * Math.min(longestWaitMs, 1000 * 2 ** Math.min(attempts, 10)));
}

function eventOf(error: ApiError): Outcome['event'] {
  switch (error.code) {
    case 'network':
    case 'timeout':
      return 'no_answer';
    case 'bad_answer':
      // what the server itself gives, and nobody here can read, will be so the next time, too
      return error.isSaid ? 'fault' : 'no_answer';
    // nothing is done in the name of somebody else
    case 'other_user':
    case 'too_early':
    case 'throttled':
    case 'blocked':
    case 'unavailable':
    case 'provider_unavailable':
    case 'generation_changed':
      return 'try_later';
    case 'internal':
      return 'fault';
    case 'not_authenticated':
      return 'not_authenticated';
    case 'permission_denied':
      return 'permission_denied';
    case 'client_too_old':
      return 'outdated';
    case 'not_found':
    case 'conflict':
    case 'stale_version':
    case 'too_large':
    case 'unsupported':
    case 'cursor_too_old':
    case 'invalid':
      return 'refuse';
  }
}

/** After these nobody knows whether the change was made: a gateway, too, may say that the server failed when only its answer did. */
export const isOpen: ReadonlySet<ErrorCode> = new Set([...unansweredCodes, 'internal', 'unavailable']);

export function failed({ now, random, build }: AttemptPorts, edit: OutboxRow, cause: unknown): Outcome & { error: ApiError } {
  const error = cause instanceof ApiError ? cause : new ApiError({ code: 'internal', detail: String(cause) });
  const waitMs = error.retryAfterMs === undefined ? backoffMs(edit.attempts, random) : quietMs(error.retryAfterMs);
  const nextAttemptAt = now() + waitMs;
  const event = eventOf(error);
  return { event, error, nextAttemptAt, ...(event === 'outdated' ? { changes: { paused_build: build } } : {}) };
}

/** The same of what had no effect, whatever became of it: where no answer came it is not uncertain. */
export function withoutEffect(outcome: Outcome): Outcome {
  return outcome.event === 'no_answer' ? { ...outcome, event: 'try_later' } : outcome;
}

/** Of these it matters who refuses: where the API does not say so itself, somebody on the way put a page in the place of its answer. */
const isOfApi: ReadonlySet<ErrorCode> = new Set([
  'permission_denied',
  'not_found',
  'conflict',
  'stale_version',
  'unsupported',
  'cursor_too_old',
  'invalid',
  'client_too_old',
]);

/** A refusal of what was asked or sent, if it is one: else nobody answered. */
export function asRefusal(cause: unknown): unknown {
  return cause instanceof ApiError && !cause.isSaid && isOfApi.has(cause.code) ? asNoAnswer(cause) : cause;
}
