import { formatUsd, sumOf } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { hasWork } from '#domain/worklist.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { HomeRow } from './use-home-rows.ts';

function Figure({ name, children }: { name: string; children: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-small text-muted">{name}</dt>
      <dd className="figures truncate font-semibold">{children}</dd>
    </div>
  );
}

/** What the entities shown come to, exactly: what one looks after, what is at stake, and for how many there is something to do. */
export function HomeFigures({ rows }: { rows: readonly HomeRow[] }) {
  const { numbers } = usePreferences();
  const aum = rows.flatMap(({ entity }) => entity.portfolio_value ?? []);
  const stake = rows.flatMap(({ work }) => work.atStakeUsd ?? []);
  const unreconciled = rows.reduce((sum, { work }) => sum + (work.counts.unreconciled ?? 0), 0);
  return (
    <dl className="page-inset grid grid-cols-2 gap-x-10 gap-y-2 pb-3 sm:flex">
      <Figure name="AUM (USD)">{aum.length === 0 ? '–' : formatUsd(sumOf(aum), numbers)}</Figure>
      <Figure name="At stake (USD)">{stake.length === 0 ? '–' : formatUsd(sumOf(stake), numbers)}</Figure>
      <Figure name="To do">{`${rows.filter(({ work }) => hasWork(work)).length} of ${countWords(rows.length, 'entity', 'entities')}`}</Figure>
      <Figure name="Unreconciled accounts">{unreconciled.toLocaleString('en-US')}</Figure>
    </dl>
  );
}
