import { useCallback, useEffect, useState, useSyncExternalStore } from 'react';
import { useStatus } from '#app/engine-status.tsx';
import { useUnaccepted } from '#app/outbox-edits.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { outdatedWords } from './outbox-words.ts';

/** What came of looking for the new version. */
type Looked = 'looking' | 'none' | 'failed';

const lookedWords: Record<Looked, string> = {
  looking: 'It is being fetched.',
  none: 'It is not there yet, and looked for again by itself.',
  failed: 'It could not be fetched: check the network and look again.',
};

function Outdated() {
  const { update } = useServices();
  const { length: waiting } = useUnaccepted();
  const isOffered = useSyncExternalStore(update.subscribe, update.isWaiting);
  const [looked, setLooked] = useState<Looked>('looking');
  const seek = useCallback(
    (): Promise<void> =>
      update.look().then(
        (isThere) => setLooked(isThere ? 'looking' : 'none'),
        () => setLooked('failed'),
      ),
    [update],
  );
  useEffect(() => void seek(), [seek]);
  const lookAgain = (): void => {
    setLooked('looking');
    void seek();
  };
  return (
    <div
      role="alert"
      className="page-inset flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-warn-soft py-2 text-grid text-ink print:hidden"
    >
      <p className="min-w-0 grow basis-80">
        {outdatedWords(waiting)} {isOffered ? 'It is ready: reload to get it.' : lookedWords[looked]}
      </p>
      {isOffered ? null : (
        <Button size="small" onClick={lookAgain}>
          Look again
        </Button>
      )}
    </div>
  );
}

/** Says that the server wants a newer app, and looks for it at once. It is taken over as any new version is: when the person says so. */
export function OutdatedBanner() {
  return useStatus().phase === 'outdated' ? <Outdated /> : null;
}
