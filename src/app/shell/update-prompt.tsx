import { useSyncExternalStore } from 'react';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';

/** Says quietly that a new version waits. Nothing changes under the person's hands until they reload. */
export function UpdatePrompt() {
  const { update } = useServices();
  const isWaiting = useSyncExternalStore(update.subscribe, update.isWaiting);
  return (
    <div role="alert" className="fixed right-4 bottom-4 z-40 print:hidden">
      {isWaiting ? (
        <div className="flex items-center gap-3 rounded bg-raised py-2 pr-2 pl-4 text-grid shadow-pop">
          A new version is ready
          <Button size="small" look="quiet" onClick={update.later}>
            Later
          </Button>
          <Button size="small" look="primary" onClick={update.accept}>
            Reload
          </Button>
        </div>
      ) : null}
    </div>
  );
}
