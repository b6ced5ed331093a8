import { formatUsd } from '#domain/amounts.ts';
import { formatDate, type TimeZone } from '#domain/dates.ts';
import { typeName } from '#domain/transaction-types.ts';
import { alignedQuantity, flagWords, matchWord, signedQuantity, signedUsd } from '#domain/transaction-words.ts';
import type { GridRow } from '#workers/start.ts';
import { dotOf } from './columns.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import type { Names } from './use-names.ts';

interface RowCardProps {
  row: GridRow;
  names: Names;
  zone: TimeZone;
  /** The list is of several entities: the card says which one the row is of. */
  saysEntity: boolean;
}

/** A row on a narrow screen: two lines with what the grid says in columns. */
export function RowCard({ row, names, zone, saysEntity }: RowCardProps) {
  const { numbers } = usePreferences();
  const security = row.security_id ? names.security.get(row.security_id) : undefined;
  const dot = dotOf(security);
  const usd = signedUsd(row);
  const entity = saysEntity ? (names.entity.get(row.entity_id)?.entity_name ?? row.entity_id) : null;
  const notes = [names.account.get(row.account_id)?.account_name ?? row.account_id, matchWord(row.match_state), ...flagWords(row)]
    .filter(Boolean)
    .join(' · ');
  return (
    <>
      <div className="flex items-center gap-2">
        <span className="figures truncate text-soft">{formatDate(Date.parse(row.trx_date), zone)}</span>
        {row.pending ? <EditSign mark={row.pending} zone={zone} row={{ noun: 'transactions', id: row.id }} isInCell /> : null}
        <span className="figures ml-auto flex shrink-0 items-center gap-1.5 pl-2 font-medium">
          {alignedQuantity(signedQuantity(row), security, numbers)}
          {dot === undefined ? null : <span aria-hidden="true" className="dot size-2 rounded-full" style={{ background: dot }} />}
          <span className="text-small font-normal text-muted">{security?.ticker}</span>
        </span>
      </div>
      <div className="flex items-center gap-2 text-small text-muted">
        <span className="truncate">
          {entity === null ? null : (
            <>
              <bdi className="text-soft">{entity}</bdi> ·{' '}
            </>
          )}
          <span className="text-soft">{typeName(row.trx_type_id)}</span> · {notes}
        </span>
        <span className="figures ml-auto shrink-0 pl-2">
          {usd === null ? (row.unpriced_trx ? 'Unpriced' : '') : `$ ${formatUsd(usd, numbers)}`}
        </span>
      </div>
    </>
  );
}
