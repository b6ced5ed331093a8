import { Link } from '@tanstack/react-router';
import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { EntityRow } from './use-entities.ts';

interface EntitiesTableProps {
  rows: readonly EntityRow[];
  /** More than one client, so that it is worth saying whose an entity is. */
  hasClients: boolean;
}

function EntityName({ row: { entity } }: { row: EntityRow }) {
  const { zone } = usePreferences();
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <Link
        to="/entities/$entityId"
        params={{ entityId: entity.id }}
        search={carriedOrganization}
        className="truncate font-medium text-link hover:underline"
      >
        <bdi>{entity.entity_name}</bdi>
      </Link>
      {entity.pending ? <EditSign mark={entity.pending} zone={zone} row={{ noun: 'entities', id: entity.id }} /> : null}
      {entity.active ? null : <span className="text-muted">Inactive</span>}
    </span>
  );
}

function cardWords({ entity, clientName, pendingMatches }: EntityRow, hasClients: boolean, numbers: NumberStyle): string {
  return [
    ...(hasClients ? [clientName] : []),
    countWords(entity.active_accounts, 'account'),
    ...(entity.inactive_accounts > 0 ? [`${entity.inactive_accounts} inactive`] : []),
    ...(entity.portfolio_value ? [`AUM ${formatUsd(entity.portfolio_value, numbers)}`] : []),
    ...(entity.unreconciled_accounts ? [`${entity.unreconciled_accounts.toLocaleString('en-US')} unreconciled`] : []),
    ...(pendingMatches > 0 ? [countWords(pendingMatches, 'pending match', 'pending matches')] : []),
  ].join(' · ');
}

/** The entities; on a narrow screen each is two lines with the same words. */
export function EntitiesTable({ rows, hasClients }: EntitiesTableProps) {
  const isNarrow = useIsNarrow();
  const { zone, numbers } = usePreferences();
  const updated = ({ entity }: EntityRow): string => (entity.last_update === null ? '–' : formatDay(Date.parse(entity.last_update), zone));
  if (isNarrow)
    return (
      <ul aria-label="Entities" className="pb-10 text-grid">
        {rows.map((row) => (
          <li key={row.entity.id} className="border-t border-line px-4 py-2">
            <EntityName row={row} />
            <p className="figures line-clamp-2 text-small text-muted">{cardWords(row, hasClients, numbers)}</p>
          </li>
        ))}
      </ul>
    );
  const head = 'px-3 pb-1.5 font-medium whitespace-nowrap';
  return (
    <div className="page-inset overflow-x-auto pb-10">
      <table aria-label="Entities" className="w-full text-grid">
        <thead>
          <tr className="text-left text-small text-muted">
            <th className={`${head} pl-0`}>Entity</th>
            {hasClients ? <th className={head}>Client</th> : null}
            <th className={`${head} text-right`}>Accounts</th>
            <th className={`${head} text-right`}>Inactive</th>
            <th className={`${head} text-right`}>Unreconciled</th>
            <th className={`${head} text-right`}>Pending matches</th>
            <th className={`${head} text-right`}>AUM (USD)</th>
            <th className={`${head} text-right`}>Last update ({zone})</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.entity.id} className="border-t border-line hover:bg-hover">
              <td className="w-full max-w-0 py-1.5 pr-3">
                <EntityName row={row} />
              </td>
              {hasClients ? (
                <td className="px-3 py-1.5 whitespace-nowrap text-soft">
                  <bdi>{row.clientName}</bdi>
                </td>
              ) : null}
              <td className="figures px-3 py-1.5 text-right">{row.entity.active_accounts.toLocaleString('en-US')}</td>
              <td className="figures px-3 py-1.5 text-right text-soft">{row.entity.inactive_accounts.toLocaleString('en-US')}</td>
              <td className="figures px-3 py-1.5 text-right">{row.entity.unreconciled_accounts?.toLocaleString('en-US') ?? '–'}</td>
              <td className="figures px-3 py-1.5 text-right">{row.pendingMatches.toLocaleString('en-US')}</td>
              <td className="figures px-3 py-1.5 text-right">
                {row.entity.portfolio_value ? formatUsd(row.entity.portfolio_value, numbers) : '–'}
              </td>
              <td className="figures px-3 py-1.5 text-right whitespace-nowrap">{updated(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
