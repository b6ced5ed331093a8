import { Link } from '@tanstack/react-router';
import type { TimeZone } from '#domain/dates.ts';
import { clientName, completeWords, isLeftOut, TransactionsLink } from './home-columns.tsx';
import type { HomeRow } from './use-home-rows.ts';

/** An entity on a narrow screen, with the same figures. */
export function EntityCard({ row, zone }: { row: HomeRow; zone: TimeZone }) {
  return (
    <>
      <div className="flex items-baseline gap-3">
        <Link
          to="/entities/$entityId"
          params={{ entityId: row.entity.id }}
          tabIndex={-1}
          className="min-w-0 truncate font-medium text-link"
        >
          {row.entity.entity_name}
        </Link>
        <span className="ml-auto flex">
          <TransactionsLink row={row} />
        </span>
      </div>
      <p className="figures line-clamp-2 text-small text-muted">
        {clientName(row)} · {row.entity.active_accounts} accounts ·{' '}
        {isLeftOut(row)
          ? 'not kept on this device'
          : `${(row.progress?.rows ?? 0).toLocaleString('en-US')} rows here (${completeWords(row, zone).toLowerCase()}) · ${row.pendingMatches.toLocaleString('en-US')} pending matches`}
      </p>
    </>
  );
}
