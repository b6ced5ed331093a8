import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { RowActions } from '#app/ui/row-actions.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { rowsInOrder, type TableColumn } from '#app/ui/table/table-column.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { OrganizationRow } from './use-organizations.ts';

type OrganizationField = 'organization' | 'clients';

const columns: readonly TableColumn<OrganizationRow, OrganizationField>[] = [
  { label: 'Organization', sort: 'organization', plain: ({ organization }) => organization.name },
  { label: 'Clients', sort: 'clients', isNumber: true, isRight: true, plain: ({ clients }) => String(clients), look: 'px-3' },
];

interface OrganizationsTableProps {
  /** By name, which is their usual order. */
  rows: readonly OrganizationRow[];
  /** Null where the user may not. */
  onUpdate: ((organization: ShownOrganization) => void) | null;
  onDelete: ((organization: ShownOrganization) => void) | null;
}

/** The organizations with how many clients one sees of each. */
export function OrganizationsTable({ rows, onUpdate, onDelete }: OrganizationsTableProps) {
  const { zone } = usePreferences();
  const [sort, onSort] = useState<SortStep<OrganizationField>[]>([]);
  return (
    <div className="page-inset overflow-x-auto pb-10">
      <OrderSaid columns={columns} sort={sort} />
      <table aria-label="Organizations" className="w-full text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...{ columns, sort, onSort }} className="pb-1.5 font-medium" />
            <th className="px-3 pb-1.5">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rowsInOrder(rows, { columns, sort }).map(({ organization, clients }) => (
            <tr key={organization.id} className="border-t border-line hover:bg-hover">
              <td className="w-full max-w-0 py-1.5 pr-3">
                <span className="inline-flex max-w-full items-center gap-2">
                  <Link
                    to="/organizations/$organizationId"
                    params={{ organizationId: organization.id }}
                    className="truncate font-medium text-link hover:underline"
                  >
                    <bdi>{organization.name}</bdi>
                  </Link>
                  {organization.pending ? (
                    <EditSign mark={organization.pending} zone={zone} row={{ noun: 'organizations', id: organization.id }} />
                  ) : null}
                </span>
              </td>
              <td className="figures px-3 py-1.5 text-right">
                <Link
                  to="/clients"
                  search={{ organizationId: organization.id }}
                  aria-label={`Clients of ${organization.name}: ${clients.toLocaleString('en-US')}`}
                  className="text-link hover:underline"
                >
                  {clients.toLocaleString('en-US')}
                </Link>
              </td>
              <td className="py-1.5 text-right whitespace-nowrap">
                <RowActions
                  name={organization.name}
                  onUpdate={onUpdate && (() => onUpdate(organization))}
                  onDelete={onDelete && (() => onDelete(organization))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
