import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { StaleAnswer } from '#app/stale-answer.tsx';
import { Button } from '#app/ui/button.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';

interface AnswerProps<T> {
  query: UseQueryResult<T>;
  /** What is asked for, as a sentence begins with it. */
  what: string;
  children: (answer: T) => ReactNode;
}

/** What the server said, or why it is not here: it is asked now, there is no network, or it went wrong. */
export function Answer<T>({ query, what, children }: AnswerProps<T>) {
  const hasNetwork = useHasNetwork();
  const retry = (): void => void query.refetch();
  const { data, error } = query;
  if (data !== undefined)
    return (
      <>
        <StaleAnswer at={query.dataUpdatedAt} isRefused={query.isRefetchError} onRetry={retry} />
        {children(data)}
      </>
    );
  if (!hasNetwork || query.fetchStatus === 'paused')
    return <p className="py-2 text-grid text-muted">{what} need the network: the server alone knows them.</p>;
  if (error)
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 py-2 text-grid">
        <span className="text-bad">
          {what} could not be read. {textOfError(error)}
        </span>
        <Button size="small" onClick={retry}>
          Try again
        </Button>
      </div>
    );
  return <SkeletonRows rows={3} />;
}
