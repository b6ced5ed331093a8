import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { refreshToken } from '#contract/session.ts';
import type { ApiCall } from './call.ts';

/** Failures to renew that are told as they are: there was nobody to ask, or somebody else is signed in by now. */
const asTheyAre: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'other_user']);

/**
 * What a call meets whose session could not be renewed. Only the server can say that a session has ended: that it could not be asked says
 * nothing of it, and nothing of what was called.
 * @param refusal what the call was answered.
 */
function failureOf(cause: unknown, refusal: ApiError): ApiError {
  if (cause instanceof ApiError && asTheyAre.has(cause.code))
    return new ApiError({ code: cause.code, detail: cause.detail, isUntried: true });
  if (cause instanceof ApiError && !cause.retriable) return refusal;
  return new ApiError({ code: 'unavailable', detail: 'The session could not be renewed', isUntried: true });
}

const own: ReadonlySet<string> = new Set(['login', 'beginOauth', 'finishOauth', 'logout', 'refreshToken', 'findRemoval', 'reportRemoval']);

/**
 * The same calls, but one that meets an ended session renews it by its cookie and asks again, once. Calls that meet it together
 * renew together; `underLock` keeps other tabs and workers from renewing at the same moment.
 */
export function withRenewal(call: ApiCall, underLock: (work: () => Promise<void>) => Promise<void>): ApiCall {
  let renewing: Promise<void> | null = null;
  const renew = (): Promise<void> => {
    renewing ??= underLock(async () => void (await call(refreshToken, {}))).finally(() => {
      renewing = null;
    });
    return renewing;
  };
  return async (endpoint, input, options) => {
    try {
      return await call(endpoint, input, options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'not_authenticated' || own.has(endpoint.name)) throw error;
      await renew().catch((cause: unknown) => {
        throw failureOf(cause, error);
      });
      return call(endpoint, input, options);
    }
  };
}
