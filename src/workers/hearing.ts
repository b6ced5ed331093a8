import type { ApiCall } from '#api-client/call.ts';
import { getMe } from '#contract/session.ts';
import { getDiagnosis } from '#contract/system.ts';
import type { Quiet } from './quiet.ts';
import { mayBeOfThisAlone } from './server-faults.ts';

/**
 * Makes sure that the server answers: it is asked how it is and, where it has no answer to that, who the person is. Where it asks to be
 * left alone, it is.
 * @throws ApiError where it answers neither.
 */
export async function hear(call: ApiCall, quiet: Quiet): Promise<void> {
  try {
    await call(getDiagnosis, {}).catch(async (error: unknown) => {
      if (!mayBeOfThisAlone(error)) throw error;
      await call(getMe, {}).catch((cause: unknown) => {
        // what it said of itself first says more, but for that nobody is signed in
        throw mayBeOfThisAlone(cause) ? error : cause;
      });
    });
  } catch (error) {
    quiet.heedForAll(error);
    throw error;
  }
}
