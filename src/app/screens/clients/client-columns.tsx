import { Link } from '@tanstack/react-router';
import type { TimeZone } from '#domain/dates.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { countCell, dayCell, usdCell } from '#app/list-cells.ts';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { momentText } from '#app/ui/table/table-column.ts';
import type { ClientField } from './client-search.ts';
import type { ClientRow } from './use-clients.ts';

/** The name of a client, which leads to its entities. */
export function ClientName({ row: { client } }: { row: ClientRow }) {
  return (
    <Link
      to="/entities"
      search={(before) => ({ ...carriedOrganization(before), client: client.id })}
      tabIndex={-1}
      className="truncate font-medium text-link hover:underline"
    >
      <bdi>{client.client_name}</bdi>
    </Link>
  );
}

interface ColumnsOf {
  zone: TimeZone;
  numbers: NumberStyle;
  /** More than one, so that it is worth saying whose a client is. */
  hasOrganizations: boolean;
}

/** What the list says of each client. */
export function clientColumns({ zone, numbers, hasOrganizations }: ColumnsOf): GridColumn<ClientRow, ClientField>[] {
  return [
    {
      key: 'client',
      label: 'Client',
      sort: 'client',
      width: 188,
      cell: ({ client }) => ({ shown: client.client_name }),
      draw: (row) => <ClientName row={row} />,
    },
    {
      key: 'organization',
      label: 'Organization',
      sort: 'organization',
      width: 132,
      isHidden: !hasOrganizations,
      look: 'text-soft',
      cell: ({ organizationName }) => ({ shown: organizationName }),
    },
    {
      key: 'entities',
      label: 'Entities',
      sort: 'entities',
      isNumber: true,
      width: 76,
      cell: ({ entities }) => countCell(entities.length),
    },
    {
      key: 'accounts',
      label: 'Accounts',
      sort: 'accounts',
      isNumber: true,
      width: 84,
      cell: ({ figures }) => countCell(figures.accounts),
    },
    {
      key: 'unreconciled',
      label: 'Unreconciled',
      sort: 'unreconciled',
      isNumber: true,
      width: 108,
      cell: ({ figures }) => countCell(figures.unreconciled),
    },
    {
      key: 'aum',
      label: 'AUM (USD)',
      sort: 'aum',
      isNumber: true,
      width: 144,
      cell: ({ figures }) => usdCell(figures.aumUsd, numbers),
    },
    {
      key: 'updated',
      label: `Last update (${zone})`,
      sort: 'updated',
      width: 136,
      cell: ({ figures }) => dayCell(figures.lastUpdate, zone),
      look: 'figures',
      rank: ({ figures }) => momentText(figures.lastUpdate),
    },
  ];
}
