import { ApiError, type ErrorCode } from '#contract/errors.ts';
import { getMe, refreshToken } from '#contract/session.ts';
import { getDiagnosis } from '#contract/system.ts';
import type { ApiCall } from './call.ts';

/** Failures to renew that are told as they are: there was nobody to ask, or somebody else is signed in by now. */
const asTheyAre: ReadonlySet<ErrorCode> = new Set(['network', 'timeout', 'other_user']);

const isAnswered = (answer: Promise<unknown>): Promise<boolean> =>
  answer.then(
    () => true,
    () => false,
  );

/**
 * Whether it is the server that will not renew a session: it says so itself, or somebody does while the server answers, and does not say who
 * the person is.
 */
async function isEnded(call: ApiCall, cause: unknown): Promise<boolean> {
  if (!(cause instanceof ApiError) || cause.retriable) return false;
  if (cause.isSaid) return true;
  return !(await isAnswered(call(getMe, {}))) && isAnswered(call(getDiagnosis, {}));
}

/**
 * What a call meets whose session could not be renewed. Only the server can say that a session has ended: that it could not be asked says
 * nothing of it, and nothing of what was called.
 * @param refusal what the call was answered.
 */
async function failureOf(call: ApiCall, cause: unknown, refusal: ApiError): Promise<ApiError> {
  if (cause instanceof ApiError && asTheyAre.has(cause.code))
    return new ApiError({ code: cause.code, detail: cause.detail, isUntried: true });
  if (await isEnded(call, cause)) return refusal;
  return new ApiError({ code: 'unavailable', detail: 'The session could not be renewed', isUntried: true });
}

/** What a call meets that is refused though its session is new: by whoever does not say that it is the server, it is somebody's page. */
function withNewSession(cause: unknown): unknown {
  if (!(cause instanceof ApiError) || cause.code !== 'not_authenticated' || cause.isSaid) return cause;
  return new ApiError({ code: 'bad_answer', detail: cause.detail });
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
      await renew().catch(async (cause: unknown) => {
        throw await failureOf(call, cause, error);
      });
      return call(endpoint, input, options).catch((cause: unknown) => {
        throw withNewSession(cause);
      });
    }
  };
}
