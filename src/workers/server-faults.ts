import { ApiError, type ErrorCode } from '#contract/errors.ts';

/** Failures that concern the server or the network as a whole, and say nothing of what was asked for. */
export const serverFaults: readonly ErrorCode[] = [
  'network',
  'timeout',
  'not_authenticated',
  'other_user',
  'throttled',
  'blocked',
  'unavailable',
  'too_early',
];

/** Whether there was nobody to ask. A server that only takes too long, or cannot, for one question may answer another. */
export function isUnreachable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'network';
}
