import type { ReactNode } from 'react';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import type { Receipt } from '#replica/outbox-tables.ts';
import { outcomeWords } from '#app/shell/outbox-words.ts';
import { CheckIcon, DownIcon, TrashIcon } from '#app/ui/icons.tsx';

const signs: Record<Receipt['outcome'], { icon: ReactNode; tone: string }> = {
  accepted: { icon: <CheckIcon />, tone: 'text-ok' },
  discarded: { icon: <TrashIcon />, tone: 'text-muted' },
  theirs: { icon: <CheckIcon />, tone: 'text-muted' },
  replaced: { icon: <DownIcon />, tone: 'text-muted' },
};

/** An edit that is done with: what it was and what became of it. */
export function SettledEdit({ receipt, zone }: { receipt: Receipt; zone: TimeZone }) {
  const { icon, tone } = signs[receipt.outcome];
  return (
    <li className="page-inset grid gap-x-6 gap-y-0.5 border-b border-line py-2 text-grid lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_344px]">
      <p className="min-w-0 break-words">
        <bdi>{receipt.title}</bdi>
      </p>
      <p className={`flex min-w-0 gap-2 ${tone}`}>
        <span className="flex h-5 w-3.5 shrink-0 items-center justify-center">{icon}</span>
        {outcomeWords(receipt)}
      </p>
      <p className="figures text-muted lg:text-right">
        {formatDate(receipt.settled_at, zone)} {zone}
      </p>
    </li>
  );
}
