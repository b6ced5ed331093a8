import { useMutation, useQuery } from '@tanstack/react-query';
import { ApiError } from '#contract/errors.ts';
import { endOtherSessions, endOwnSession, listOwnSessions, type OwnSession } from '#contract/session.ts';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';

export type SignInsState =
  | { step: 'offline' }
  | { step: 'loading' }
  | { step: 'failed'; text: string; again: () => void }
  | { step: 'here'; present: OwnSession | undefined; others: OwnSession[] };

function failureText(error: Error): string {
  const isUnknown = error instanceof ApiError && error.code === 'not_found';
  return isUnknown ? 'This server does not tell where you are signed in.' : textOfError(error);
}

const queryKey = ['sign_ins'];

/** All other sign-ins, or one, with what its device keeps or without. */
export type Ending = 'others' | { id: string; remove_copy?: boolean };

/** Where the person is signed in, as the server says, and how to end one of them or all others. */
export function useSignIns(isOnline: boolean): { state: SignInsState; isEnding: boolean; end: (ending: Ending) => void } {
  const { call, notices, queries } = useServices();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => call(listOwnSessions, {}), enabled: isOnline });
  const { mutate, isPending } = useMutation({
    mutationFn: (ending: Ending): Promise<unknown> => (ending === 'others' ? call(endOtherSessions, {}) : call(endOwnSession, ending)),
    onSuccess: (_answer, ending) => {
      const removes = ending !== 'others' && ending.remove_copy === true;
      notices.notice('success', removes ? 'Signed out there. What is kept there goes when it next reaches the server' : 'Signed out there');
    },
    onError: (failure) => notices.notice('error', textOfError(failure)),
    onSettled: () => queries.invalidateQueries({ queryKey }),
  });
  const state = ((): SignInsState => {
    if (!isOnline) return { step: 'offline' };
    if (error) return { step: 'failed', text: failureText(error), again: () => void refetch() };
    if (!data) return { step: 'loading' };
    return { step: 'here', present: data.find(({ is_present }) => is_present), others: data.filter(({ is_present }) => !is_present) };
  })();
  return { state, isEnding: isPending, end: mutate };
}
