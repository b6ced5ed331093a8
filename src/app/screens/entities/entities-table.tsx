import { Link } from '@tanstack/react-router';
import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { momentText, rowsInOrder, type TableColumn, type TableOrder } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { EntityField } from './entity-search.ts';
import type { EntityRow } from './use-entities.ts';

interface EntitiesTableProps extends TableOrder<EntityField> {
  /** By name, which is their usual order. */
  rows: readonly EntityRow[];
  /** More than one client, so that it is worth saying whose an entity is. */
  hasClients: boolean;
}

function entityColumns(hasClients: boolean, zone: TimeZone): TableColumn<EntityRow, EntityField>[] {
  const number = { isNumber: true, isRight: true };
  return [
    { label: 'Entity', sort: 'entity', plain: ({ entity }) => entity.entity_name, look: 'pl-0' },
    ...(hasClients ? [{ label: 'Client', sort: 'client', plain: ({ clientName }: EntityRow) => clientName } as const] : []),
    { label: 'Accounts', sort: 'accounts', ...number, plain: ({ entity }) => String(entity.active_accounts) },
    { label: 'Inactive', sort: 'inactive', ...number, plain: ({ entity }) => String(entity.inactive_accounts) },
    { label: 'Unreconciled', sort: 'unreconciled', ...number, plain: ({ entity }) => String(entity.unreconciled_accounts ?? '') },
    { label: 'Pending matches', sort: 'pending', ...number, plain: ({ pendingMatches }) => String(pendingMatches) },
    { label: 'AUM (USD)', sort: 'aum', ...number, plain: ({ entity }) => entity.portfolio_value ?? '' },
    { label: `Last update (${zone})`, sort: 'updated', ...number, plain: ({ entity }) => momentText(entity.last_update) },
  ];
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
export function EntitiesTable({ rows, hasClients, sort, onSort }: EntitiesTableProps) {
  const isNarrow = useIsNarrow();
  const { zone, numbers } = usePreferences();
  const updated = ({ entity }: EntityRow): string => (entity.last_update === null ? '–' : formatDay(Date.parse(entity.last_update), zone));
  const columns = entityColumns(hasClients, zone);
  const shown = rowsInOrder(rows, { columns, sort });
  if (isNarrow)
    return (
      <>
        <CardsOrder {...{ columns, sort, onSort }} />
        <ul aria-label="Entities" className="pb-10 text-grid">
          {shown.map((row) => (
            <li key={row.entity.id} className="border-t border-line px-4 py-2">
              <EntityName row={row} />
              <p className="figures line-clamp-2 text-small text-muted">{cardWords(row, hasClients, numbers)}</p>
            </li>
          ))}
        </ul>
      </>
    );
  const head = 'px-3 pb-1.5 font-medium whitespace-nowrap';
  return (
    <div className="page-inset overflow-x-auto pb-10">
      <OrderSaid columns={columns} sort={sort} />
      <table aria-label="Entities" className="w-full text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...{ columns, sort, onSort }} className={head} />
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
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
