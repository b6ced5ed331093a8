import type { ApiCall } from '#api-client/call.ts';
import { ApiError } from '#contract/errors.ts';

/** What every call of a page watches for, besides its own answer. */
export interface CallWatch {
  onSignedOut: () => void;
  /** A read was refused; `path` is the contract's. */
  onDenied: (path: string) => void;
}

/**
 * Paths whose refused session is an answer and not an end: signing in with a wrong password, ending a session that has ended, and what is
 * asked where there is none, of a server that may be none of ours.
 */
const expected: ReadonlySet<string> = new Set(['login', 'beginOauth', 'finishOauth', 'logout', 'findRemoval', 'reportRemoval']);

/** The call, with a lost session and a denied read told to whom they concern. The error still reaches the caller. */
export function watchCall(call: ApiCall, { onSignedOut, onDenied }: CallWatch): ApiCall {
  return async (endpoint, input, options) => {
    try {
      return await call(endpoint, input, options);
    } catch (error) {
      if (error instanceof ApiError) {
        if (error.code === 'not_authenticated' && !expected.has(endpoint.name)) onSignedOut();
        if (error.code === 'permission_denied' && endpoint.method === 'GET') onDenied(endpoint.path);
      }
      throw error;
    }
  };
}
