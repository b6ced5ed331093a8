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

/** Where the person is signed in, as the server says, and how to end one of them or, with null, all others. */
export function useSignIns(isOnline: boolean): { state: SignInsState; isEnding: boolean; end: (id: string | null) => void } {
  const { call, notices, queries } = useServices();
  const { data, error, refetch } = useQuery({ queryKey, queryFn: () => call(listOwnSessions, {}), enabled: isOnline });
  const { mutate, isPending } = useMutation({
    mutationFn: (id: string | null): Promise<unknown> => (id === null ? call(endOtherSessions, {}) : call(endOwnSession, { id })),
    onSuccess: () => notices.notice('success', 'Signed out there'),
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
