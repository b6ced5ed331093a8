import { memo } from 'react';
import { formatUsd } from '#domain/amounts.ts';
import { formatDate } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { PendingSign, type RowProps, rowLook } from './grid-row.tsx';
import { flagWords, matchWord, alignedQuantity, signedQuantity, signedUsd } from '#domain/transaction-words.ts';

/** A row on a narrow screen: two lines with what the grid says in columns. */
export const RowCard = memo(function RowCard({ index, row, names, zone, isActive, isSelected, isOpen, top }: RowProps) {
  const security = row?.security_id ? names.security.get(row.security_id) : undefined;
  const usd = row ? signedUsd(row) : null;
  const notes = row
    ? [names.account.get(row.account_id)?.account_name ?? row.account_id, matchWord(row.match_state), ...flagWords(row)]
        .filter(Boolean)
        .join(' · ')
    : '';
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      tabIndex={isActive ? 0 : -1}
      data-index={index}
      style={{ transform: `translateY(${top}px)` }}
      className={`group ring-row absolute top-0 left-0 flex h-16 w-full items-center border-b border-line px-4 text-grid outline-none ${rowLook({ isSelected, isOpen })}`}
    >
      <div role="gridcell" aria-colindex={1} className="flex min-w-0 grow flex-col gap-0.5">
        {row ? (
          <>
            <div className="flex items-center gap-2">
              <span className="figures truncate text-soft">{formatDate(Date.parse(row.trx_date), zone)}</span>
              {row.pending ? <PendingSign mark={row.pending} zone={zone} /> : null}
              <span className="figures ml-auto shrink-0 pl-2 font-medium">
                {alignedQuantity(signedQuantity(row), security)}{' '}
                <span className="text-small font-normal text-muted">{security?.ticker}</span>
              </span>
            </div>
            <div className="flex items-center gap-2 text-small text-muted">
              <span className="truncate">
                <span className="text-soft">{typeName(row.trx_type_id)}</span> · {notes}
              </span>
              <span className="figures ml-auto shrink-0 pl-2">
                {usd === null ? (row.unpriced_trx ? 'Unpriced' : '') : `$ ${formatUsd(usd)}`}
              </span>
            </div>
          </>
        ) : (
          <>
            <span aria-hidden="true" className="bones h-3 w-2/3" />
            <span aria-hidden="true" className="bones h-3 w-1/2" />
          </>
        )}
      </div>
    </div>
  );
});
