import { archiveWords } from '#domain/archive-words.ts';
import { Button } from '#app/ui/button.tsx';
import type { AssetActions } from './use-asset-actions.ts';

/** How the asset of a row stands with its client, and what may be done about it. */
export function AssetSection({ ticker, actions: { state, steps } }: { ticker: string; actions: AssetActions }) {
  return (
    <section aria-label="Asset" className="border-b border-line px-4 py-3">
      <div className="flex items-center justify-between gap-2">
        <h3 className="text-grid font-semibold">
          Asset <bdi className="font-normal text-soft">{ticker}</bdi>
        </h3>
        <span className="text-grid text-soft">{archiveWords[state]}</span>
      </div>
      {steps.length > 0 ? (
        <div className="mt-2 flex flex-wrap gap-2">
          {steps.map(({ to, words, run }) => (
            <Button key={to} size="small" onClick={run}>
              {words}
            </Button>
          ))}
        </div>
      ) : null}
    </section>
  );
}
