import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { formatTime } from '#domain/dates.ts';
import { useHasNetwork } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';

interface AnswerProps<T> {
  query: UseQueryResult<T>;
  /** What is asked for, as a sentence begins with it. */
  what: string;
  children: (answer: T) => ReactNode;
}

/** That what is shown may not be how it is now. */
function Stale({ at, hasNetwork, onRetry }: { at: number; hasNetwork: boolean; onRetry: () => void }) {
  const { zone } = usePreferences();
  return (
    <p role="status" className="figures flex flex-wrap items-center gap-2 pb-1.5 text-grid text-muted">
      <span>
        {hasNetwork ? 'It could not be asked again' : 'There is no network'}: this is how it was at {formatTime(at, zone)} {zone}.
      </span>
      {hasNetwork ? (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </p>
  );
}

/** What the server said, or why it is not here: it is asked now, there is no network, or it went wrong. */
export function Answer<T>({ query, what, children }: AnswerProps<T>) {
  const hasNetwork = useHasNetwork();
  const retry = (): void => void query.refetch();
  const { data, error } = query;
  if (data !== undefined)
    return (
      <>
        {!hasNetwork || query.isRefetchError ? <Stale at={query.dataUpdatedAt} {...{ hasNetwork }} onRetry={retry} /> : null}
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
