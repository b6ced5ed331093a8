import { Link } from '@tanstack/react-router';
import { formatUsd } from '#domain/amounts.ts';
import { countWords } from '#domain/count-words.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { ShownClient } from '#replica/places.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { Button } from '#app/ui/button.tsx';
import { RowActions } from '#app/ui/row-actions.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { momentText, rowsInOrder, type TableColumn, type TableOrder } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { ClientField } from './client-search.ts';
import type { ClientRow } from './use-clients.ts';

interface ClientsTableProps extends TableOrder<ClientField> {
  /** By name, which is their usual order. */
  rows: readonly ClientRow[];
  /** More than one, so that it is worth saying whose a client is. */
  hasOrganizations: boolean;
  onArchived: (client: ShownClient) => void;
  /** Null where the user may not. */
  onUpdate: ((client: ShownClient) => void) | null;
  onDelete: ((client: ShownClient) => void) | null;
  /** Asks who sees a client. */
  onPeople: ((client: ShownClient) => void) | null;
}

type RowProps = Omit<ClientsTableProps, 'rows' | keyof TableOrder<ClientField>> & { row: ClientRow };

function clientColumns(zone: TimeZone): TableColumn<ClientRow, ClientField>[] {
  const number = { isNumber: true, isRight: true };
  return [
    { label: 'Client', sort: 'client', plain: ({ client }) => client.client_name, look: 'pl-0' },
    { label: 'Entities', sort: 'entities', ...number, plain: ({ entities }) => String(entities.length) },
    { label: 'Accounts', sort: 'accounts', ...number, plain: ({ figures }) => String(figures.accounts) },
    { label: 'Unreconciled', sort: 'unreconciled', ...number, plain: ({ figures }) => String(figures.unreconciled ?? '') },
    { label: 'AUM (USD)', sort: 'aum', ...number, plain: ({ figures }) => figures.aumUsd ?? '' },
    { label: `Last update (${zone})`, sort: 'updated', ...number, plain: ({ figures }) => momentText(figures.lastUpdate) },
  ];
}

function ClientName({ client }: { client: ShownClient }) {
  const { zone } = usePreferences();
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <Link
        to="/entities"
        search={(before) => ({ ...carriedOrganization(before), client: client.id })}
        className="truncate font-medium text-link hover:underline"
      >
        <bdi>{client.client_name}</bdi>
      </Link>
      {client.pending ? <EditSign mark={client.pending} zone={zone} row={{ noun: 'clients', id: client.id }} /> : null}
    </span>
  );
}

function Actions({ row: { client }, onArchived, onUpdate, onDelete, onPeople }: RowProps) {
  return (
    <span className="inline-flex gap-1.5 max-sm:flex-wrap">
      {onPeople ? (
        <Button size="small" look="quiet" aria-label={`People who see ${client.client_name}`} onClick={() => onPeople(client)}>
          People
        </Button>
      ) : null}
      <Button size="small" look="quiet" aria-label={`Archived Assets of ${client.client_name}`} onClick={() => onArchived(client)}>
        Archived Assets
      </Button>
      <RowActions
        name={client.client_name}
        onUpdate={onUpdate && (() => onUpdate(client))}
        onDelete={onDelete && client.version > 0 ? () => onDelete(client) : null}
      />
    </span>
  );
}

function ClientCard(props: RowProps) {
  const { row, hasOrganizations } = props;
  const { zone, numbers } = usePreferences();
  const words = [
    ...(hasOrganizations ? [row.organizationName] : []),
    countWords(row.entities.length, 'entity', 'entities'),
    countWords(row.figures.accounts, 'account'),
    ...(row.figures.aumUsd === null ? [] : [`AUM ${formatUsd(row.figures.aumUsd, numbers)}`]),
    ...(row.figures.unreconciled ? [`${row.figures.unreconciled.toLocaleString('en-US')} unreconciled`] : []),
    ...(row.figures.lastUpdate === null ? [] : [`updated ${formatDay(Date.parse(row.figures.lastUpdate), zone)}`]),
  ];
  return (
    <li className="border-t border-line px-4 py-2">
      <ClientName client={row.client} />
      <p className="figures line-clamp-2 text-small text-muted">{words.join(' · ')}</p>
      <div className="-ml-2.5 pt-1">
        <Actions {...props} />
      </div>
    </li>
  );
}

/** The clients with what lies in them; on a narrow screen each is two lines with the same words, and its buttons below. */
export function ClientsTable({ rows, sort, onSort, ...rest }: ClientsTableProps) {
  const isNarrow = useIsNarrow();
  const { zone, numbers } = usePreferences();
  const columns = clientColumns(zone);
  const shown = rowsInOrder(rows, { columns, sort });
  if (isNarrow)
    return (
      <>
        <CardsOrder {...{ columns, sort, onSort }} />
        <ul aria-label="Clients" className="pb-10 text-grid">
          {shown.map((row) => (
            <ClientCard key={row.client.id} row={row} {...rest} />
          ))}
        </ul>
      </>
    );
  const head = 'px-3 pb-1.5 font-medium whitespace-nowrap';
  return (
    <div className="page-inset overflow-x-auto pb-10">
      <OrderSaid columns={columns} sort={sort} />
      <table aria-label="Clients" className="w-full text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...{ columns, sort, onSort }} className={head} />
            <th className={head}>
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.client.id} className="border-t border-line hover:bg-hover">
              <td className="w-full max-w-0 py-1 pr-3">
                <ClientName client={row.client} />
                {rest.hasOrganizations ? <p className="truncate text-small text-muted">{row.organizationName}</p> : null}
              </td>
              <td className="figures px-3 py-1 text-right">{row.entities.length.toLocaleString('en-US')}</td>
              <td className="figures px-3 py-1 text-right">{row.figures.accounts.toLocaleString('en-US')}</td>
              <td className="figures px-3 py-1 text-right">{row.figures.unreconciled?.toLocaleString('en-US') ?? '–'}</td>
              <td className="figures px-3 py-1 text-right">{row.figures.aumUsd === null ? '–' : formatUsd(row.figures.aumUsd, numbers)}</td>
              <td className="figures px-3 py-1 text-right whitespace-nowrap">
                {row.figures.lastUpdate === null ? '–' : formatDay(Date.parse(row.figures.lastUpdate), zone)}
              </td>
              <td className="px-3 py-1 text-right whitespace-nowrap">
                <Actions row={row} {...rest} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
