import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { formatUsd } from '#domain/amounts.ts';
import { type Share, sharesOf } from '#domain/portfolio-values.ts';
import { Segments } from '#app/ui/segments.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import type { ValuePart } from './use-values.ts';

type By = ValuePart['by'];

const choices = [
  { value: 'client', label: 'Client' },
  { value: 'entity', label: 'Entity' },
  { value: 'kind', label: 'Account kind' },
] as const;

/** Where a part leads: a client's to its own Home, an entity's to its page. */
function ShareName({ by, share }: { by: By; share: Share }) {
  const look = 'truncate text-link hover:underline';
  if (by === 'client')
    return (
      <Link to="/home" search={{ client: share.key, view: 'values' }} className={look}>
        {share.label}
      </Link>
    );
  if (by === 'entity')
    return (
      <Link to="/entities/$entityId" params={{ entityId: share.key }} className={look}>
        {share.label}
      </Link>
    );
  return <span className="truncate">{share.label}</span>;
}

/** How what there is now is spread, the largest part first. */
export function Allocation({ parts, isOneClient }: { parts: readonly ValuePart[]; isOneClient: boolean }) {
  const { numbers } = usePreferences();
  const [chosen, setChosen] = useState<By>('client');
  const options = isOneClient ? choices.slice(1) : choices;
  const by = isOneClient && chosen === 'client' ? 'entity' : chosen;
  const shares = sharesOf(parts.filter((part) => part.by === by));
  const most = Number(shares[0]?.percent ?? 0);
  return (
    <section aria-labelledby="allocation" className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 pb-3">
        <h2 id="allocation" className="font-semibold">
          Allocation
        </h2>
        <Segments label="Allocation by" options={options} value={by} onChange={setChosen} />
      </div>
      <ol aria-label="Allocation" className="flex flex-col gap-2 text-grid">
        {shares.map((share) => (
          <li key={share.key}>
            <div className="flex items-baseline gap-3">
              <span className="flex min-w-0 grow">
                <ShareName by={by} share={share} />
              </span>
              <span className="figures shrink-0">{formatUsd(share.value_usd, numbers)}</span>
              <span className="figures w-14 shrink-0 text-right text-muted">{share.percent === null ? '–' : `${share.percent}%`}</span>
            </div>
            <div aria-hidden="true" className="mt-0.5 h-1.5 rounded-full bg-subtle">
              <div
                className="h-full rounded-full bg-primary"
                style={{ width: `${most > 0 ? Math.max(0, (Number(share.percent) / most) * 100) : 0}%` }}
              />
            </div>
          </li>
        ))}
      </ol>
    </section>
  );
}
