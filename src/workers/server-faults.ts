import { ApiError, type ErrorCode } from '#contract/errors.ts';

/** Failures that concern the server or the network as a whole, and say nothing of what was asked for. */
export const serverFaults: readonly ErrorCode[] = [
  'network',
  'timeout',
  'not_authenticated',
  'throttled',
  'blocked',
  'unavailable',
  'too_early',
];

const noAnswer: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'unavailable']);

/** Whether the server could not be asked at all. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && noAnswer.has(error.code);
}
