import { Link } from '@tanstack/react-router';
import type { TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { countCell, dayCell, usdCell } from '#app/list-cells.ts';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { momentText } from '#app/ui/table/table-column.ts';
import type { EntityField } from './entity-search.ts';
import type { EntityRow } from './use-entities.ts';

/** The name of an entity, which leads to its page. */
export function EntityName({ row: { entity } }: { row: EntityRow }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        to="/entities/$entityId"
        params={{ entityId: entity.id }}
        search={carriedOrganization}
        tabIndex={-1}
        className="truncate font-medium text-link hover:underline"
      >
        <bdi>{entity.entity_name}</bdi>
      </Link>
      {entity.active ? null : <span className="text-muted">Inactive</span>}
    </span>
  );
}

interface ColumnsOf {
  zone: TimeZone;
  numbers: NumberStyle;
  /** More than one client, so that it is worth saying whose an entity is. */
  hasClients: boolean;
}

/** What the list says of each entity. */
export function entityColumns({ zone, numbers, hasClients }: ColumnsOf): GridColumn<EntityRow, EntityField>[] {
  return [
    {
      key: 'entity',
      label: 'Entity',
      sort: 'entity',
      width: 250,
      cell: ({ entity }) => ({ shown: entity.entity_name }),
      draw: (row) => <EntityName row={row} />,
    },
    {
      key: 'client',
      label: 'Client',
      sort: 'client',
      width: 190,
      isHidden: !hasClients,
      look: 'text-soft',
      cell: ({ clientName }) => ({ shown: clientName }),
    },
    {
      key: 'accounts',
      label: 'Accounts',
      sort: 'accounts',
      isNumber: true,
      width: 86,
      cell: ({ entity }) => countCell(entity.active_accounts),
    },
    {
      key: 'inactive',
      label: 'Inactive',
      sort: 'inactive',
      isNumber: true,
      width: 80,
      look: 'text-soft',
      cell: ({ entity }) => countCell(entity.inactive_accounts),
    },
    {
      key: 'unreconciled',
      label: 'Unreconciled',
      sort: 'unreconciled',
      isNumber: true,
      width: 108,
      cell: ({ entity }) => countCell(entity.unreconciled_accounts),
    },
    {
      key: 'pending',
      label: 'Pending matches',
      sort: 'pending',
      isNumber: true,
      width: 130,
      cell: ({ pendingMatches }) => countCell(pendingMatches),
    },
    {
      key: 'aum',
      label: 'AUM (USD)',
      sort: 'aum',
      isNumber: true,
      width: 136,
      cell: ({ entity }) => usdCell(entity.portfolio_value, numbers),
    },
    {
      key: 'updated',
      label: `Last update (${zone})`,
      sort: 'updated',
      width: 144,
      cell: ({ entity }) => dayCell(entity.last_update, zone),
      look: 'figures',
      rank: ({ entity }) => momentText(entity.last_update),
    },
  ];
}
