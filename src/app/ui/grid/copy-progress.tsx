import { Button } from '#app/ui/button.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { focusGrid } from './focus-grid.ts';

/** How far a long copy is. */
export function CopyProgress({ progress, onCancel }: { progress: { done: number; count: number } | null; onCancel: () => void }) {
  const onFocus = useLostFocus(() => focusGrid());
  if (!progress || progress.count < 1_000) return null;
  return (
    <div
      role="status"
      onFocus={onFocus}
      className="absolute inset-x-0 bottom-3 z-30 mx-auto flex w-max max-w-[90%] items-center gap-3 rounded bg-raised py-1.5 pr-1.5 pl-3 text-grid shadow-pop"
    >
      <span className="figures">
        Copying {progress.done.toLocaleString('en-US')} of {progress.count.toLocaleString('en-US')} rows
      </span>
      <Button size="small" look="quiet" aria-keyshortcuts="Escape" onClick={onCancel}>
        Cancel (Esc)
      </Button>
    </div>
  );
}
