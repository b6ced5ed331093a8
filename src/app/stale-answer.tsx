import { formatTime } from '#domain/dates.ts';
import { useHasNetwork } from './engine-status.tsx';
import { Button } from './ui/button.tsx';
import { usePreferences } from './use-preferences.ts';

interface StaleAnswerProps {
  /** When the server gave the answer, UTC milliseconds. */
  at: number;
  /** Whether it was asked again since, in vain. */
  isRefused: boolean;
  onRetry?: () => void;
  className?: string;
}

/** That an answer which is shown may not be how things are now; nothing where it is fresh. */
export function StaleAnswer({ at, isRefused, onRetry, className = '' }: StaleAnswerProps) {
  const hasNetwork = useHasNetwork();
  const { zone } = usePreferences();
  if (hasNetwork && !isRefused) return null;
  return (
    <p role="status" className={`figures flex flex-wrap items-center gap-2 pb-1.5 text-grid text-muted ${className}`}>
      <span>
        {hasNetwork ? 'It could not be asked again' : 'There is no network'}: this is how it was at {formatTime(at, zone)} {zone}.
      </span>
      {hasNetwork && onRetry ? (
        <Button size="small" onClick={onRetry}>
          Try again
        </Button>
      ) : null}
    </p>
  );
}
