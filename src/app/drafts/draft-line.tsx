import { formatDate } from '#domain/dates.ts';
import { Button } from '#app/ui/button.tsx';
import type { FormDraft } from './use-draft.ts';
import { usePreferences } from '#app/use-preferences.ts';

/** Says that a form is filled with what was typed before; nothing where it is not. */
export function DraftLine({ draft: { keptAt, isOutdated, startAnew } }: { draft: FormDraft }) {
  const { zone } = usePreferences();
  if (keptAt === null) return null;
  return (
    <div role="status" className="col-span-full flex items-center gap-2 rounded bg-subtle py-1.5 pr-1 pl-3 text-grid">
      <p className="min-w-0 grow">
        What you had typed on{' '}
        <span className="figures whitespace-nowrap">
          {formatDate(keptAt, zone)} {zone}
        </span>{' '}
        is here again.{isOutdated ? ' Somebody changed it since: saving puts yours in its place.' : ''}
      </p>
      <Button size="small" look="quiet" onClick={startAnew}>
        Start anew
      </Button>
    </div>
  );
}
