import { EmptyState, SkeletonRows } from '#app/ui/states.tsx';
import { Allocation } from './allocation.tsx';
import type { HomeRow } from './use-home-rows.ts';
import { useValues } from './use-values.ts';
import { ValuesOverTime } from './values-over-time.tsx';

/** What the entities shown are worth: over time, and how it is spread now. */
export function ValuesView({ rows, isOneClient }: { rows: readonly HomeRow[]; isOneClient: boolean }) {
  const values = useValues(rows);
  if (values === undefined) return <SkeletonRows rows={8} />;
  if (values.days.length === 0 && values.parts.length === 0)
    return (
      <EmptyState title="No values yet">
        Once the accounts of these entities are valued, what they are worth over time, and how it is spread, is shown here.
      </EmptyState>
    );
  return (
    <div className="page-inset grid grow content-start gap-x-10 gap-y-8 pt-2 pb-10 lg:grid-cols-[3fr_2fr]">
      <ValuesOverTime values={values.days} />
      <Allocation parts={values.parts} isOneClient={isOneClient} />
    </div>
  );
}
