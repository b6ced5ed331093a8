import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { countWords } from '#domain/count-words.ts';
import type { SortStep } from '#domain/sorting.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { ActionButtons, actionChoices, actionColumns, type ListAction } from '#app/list-actions.tsx';
import { countCell } from '#app/list-cells.ts';
import { ListGrid, ListSign } from '#app/list-grid.tsx';
import type { ShownRow } from '#app/use-edit-way.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import type { OrganizationRow } from './use-organizations.ts';

type OrganizationField = 'organization' | 'clients';

/** Pixels. */
const cardHeight = 92;

function OrganizationName({ row: { organization } }: { row: OrganizationRow }) {
  return (
    <Link
      to="/organizations/$organizationId"
      params={{ organizationId: organization.id }}
      tabIndex={-1}
      className="truncate font-medium text-link hover:underline"
    >
      <bdi>{organization.name}</bdi>
    </Link>
  );
}

/** How many clients one sees of it, which leads to them. */
function ClientsLink({ row: { organization, clients }, words }: { row: OrganizationRow; words: string }) {
  return (
    <Link
      to="/clients"
      search={{ organizationId: organization.id }}
      tabIndex={-1}
      aria-label={`${countWords(clients, 'client')} of ${organization.name}`}
      className="text-link hover:underline"
    >
      {words}
    </Link>
  );
}

function edited({ organization: { id, pending } }: OrganizationRow): ShownRow {
  return { noun: 'organizations', id, pending };
}

const said: readonly GridColumn<OrganizationRow, OrganizationField>[] = [
  {
    key: 'organization',
    label: 'Organization',
    sort: 'organization',
    width: 320,
    cell: ({ organization }) => ({ shown: organization.name }),
    draw: (row) => <OrganizationName row={row} />,
  },
  {
    key: 'clients',
    label: 'Clients',
    sort: 'clients',
    isNumber: true,
    width: 96,
    cell: ({ clients }) => countCell(clients),
    draw: (row) => <ClientsLink row={row} words={row.clients.toLocaleString('en-US')} />,
  },
];

/** What may be done with an organization; null where the user may not. */
export interface OrganizationActions {
  onUpdate: ((organization: ShownOrganization) => void) | null;
  onDelete: ((organization: ShownOrganization) => void) | null;
}

function actionsOf({ onUpdate, onDelete }: OrganizationActions): ListAction<OrganizationRow>[] {
  const action = (key: string, label: string, run: OrganizationActions['onUpdate']): ListAction<OrganizationRow>[] =>
    run === null
      ? []
      : [{ key, label, width: 84, words: (row) => `${label} ${row.organization.name}`, run: (row) => run(row.organization) }];
  return [...action('update', 'Update', onUpdate), ...action('delete', 'Delete', onDelete)];
}

interface OrganizationsGridProps {
  /** By name, which is their usual order. */
  rows: readonly OrganizationRow[];
  /** The same object while nothing of it changes. */
  actions: OrganizationActions;
}

/** The organizations with how many clients one sees of each. */
export function OrganizationsGrid({ rows, actions: can }: OrganizationsGridProps) {
  const [sort, onSort] = useState<SortStep<OrganizationField>[]>([]);
  const actions = useMemo(() => actionsOf(can), [can]);
  const columns = useMemo(() => [...said, ...actionColumns(actions)], [actions]);
  const card = useMemo(
    () => ({
      height: cardHeight,
      draw: (row: OrganizationRow) => (
        <>
          <div className="flex items-center gap-2">
            <OrganizationName row={row} />
            <ListSign row={edited(row)} />
            <span className="ml-auto shrink-0 text-small">
              <ClientsLink row={row} words={countWords(row.clients, 'client')} />
            </span>
          </div>
          <ActionButtons actions={actions} row={row} />
        </>
      ),
    }),
    [actions],
  );
  return (
    <ListGrid<OrganizationRow, OrganizationField>
      label="Organizations"
      rows={rows}
      keyOf={({ organization }) => organization.id}
      listKey=""
      {...{ columns, card, edited, sort, onSort }}
      columnsKey={keptKeys.organizationListColumns.key}
      bar={<p className="text-small text-muted">{countWords(rows.length, 'organization')}</p>}
      rowActions={(row) => actionChoices(actions, row)}
    />
  );
}
