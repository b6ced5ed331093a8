import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { decimal, formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import type { TimeZone } from '#domain/dates.ts';
import { problems } from '#domain/worklist.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { clientName, completeWords, isLeftOut, TransactionsLink } from './home-columns.tsx';
import { ProblemLink, problemWords } from './problem-link.tsx';
import type { HomeRow } from './use-home-rows.ts';

/** An entity on a narrow screen, with the same figures. */
export function EntityCard({ row, zone, numbers }: { row: HomeRow; zone: TimeZone; numbers: NumberStyle }) {
  const { entity, work } = row;
  const here = isLeftOut(row)
    ? 'not kept on this device'
    : `${countWords(row.progress?.rows ?? 0, 'row')} here (${completeWords(row, zone).toLowerCase()})`;
  const found = problems.filter((problem) => (work.counts[problem] ?? 0) > 0);
  const isAtStake = work.atStakeUsd !== null && !decimal(work.atStakeUsd).isZero();
  return (
    <>
      <div className="flex items-baseline gap-3">
        <Link to="/entities/$entityId" params={{ entityId: entity.id }} tabIndex={-1} className="min-w-0 truncate font-medium text-link">
          {entity.entity_name}
        </Link>
        <span className="ml-auto flex">
          <TransactionsLink row={row} />
        </span>
      </div>
      <p className="figures truncate text-small text-soft">
        {isAtStake ? (
          <span className="font-medium">{formatUsd(work.atStakeUsd ?? '0', numbers)} USD at stake</span>
        ) : (
          'Nothing known at stake'
        )}
        {entity.portfolio_value ? <span className="text-muted"> · AUM {formatUsd(entity.portfolio_value, numbers)}</span> : null}
      </p>
      <p className="figures truncate text-small text-muted">
        {clientName(row)} · {countWords(entity.active_accounts, 'account')} · {here}
      </p>
      <p className="figures line-clamp-2 text-small text-muted">
        {found.length === 0 ? 'Nothing to do' : null}
        {found.map((problem, index) => (
          <Fragment key={problem}>
            {index > 0 ? ' · ' : null}
            <ProblemLink row={row} problem={problem}>
              {`${(work.counts[problem] ?? 0).toLocaleString('en-US')} ${problemWords[problem].short}`}
            </ProblemLink>
          </Fragment>
        ))}
      </p>
    </>
  );
}
