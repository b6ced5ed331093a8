import { ApiError, otherUserText } from '#contract/errors.ts';
import { getMe, type Me } from '#contract/session.ts';
import type { Services } from '#app/services.tsx';
import { keepUnlock } from './offline-unlock.ts';
import { staysHere } from './sign-out.ts';

/**
 * Sets what this device opens with for somebody without the network, while the server takes whoever sits here for that person.
 * @returns whether it was kept: not where they leave meanwhile.
 * @throws ApiError where the server cannot be asked, and `other_user` where it knows somebody else.
 */
export function keepPassphrase(
  { call, session, local, clock }: Pick<Services, 'call' | 'session' | 'local' | 'clock'>,
  me: Me,
  passphrase: string,
): Promise<boolean> {
  const mayKeep = async (): Promise<boolean> => {
    // the cookies may be of somebody who was here before and signed out without a network
    if ((await call(getMe, {})).id !== me.id) throw new ApiError({ code: 'other_user', detail: otherUserText });
    return staysHere({ session, local }, me.id);
  };
  return keepUnlock(local, me, { kind: 'passphrase', text: passphrase }, { now: clock(), mayKeep });
}
