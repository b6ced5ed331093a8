import { ApiError } from '#contract/errors.ts';
import { refreshToken } from '#contract/session.ts';
import type { ApiCall } from './call.ts';

const own: ReadonlySet<string> = new Set(['login', 'beginOauth', 'finishOauth', 'logout', 'refreshToken']);

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
        // only the server can say that the session has ended; that it could not be asked says nothing of it
        if (!(cause instanceof ApiError)) throw new ApiError({ code: 'network', detail: 'The session could not be renewed', status: 0 });
        throw cause.code === 'not_authenticated' ? error : cause;
      });
      return call(endpoint, input, options);
    }
  };
}
