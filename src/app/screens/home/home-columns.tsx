import { Link } from '@tanstack/react-router';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import type { ColumnUsual } from '#app/ui/grid/column-layout.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import type { HomeRow } from './use-home-rows.ts';

export type HomeField = 'client' | 'entity' | 'accounts' | 'rows' | 'complete' | 'pending';

export const isLeftOut = ({ progress }: HomeRow): boolean => progress?.phase === 'left_out';

/** How much of an entity is on this device. */
export function completeWords(row: HomeRow, zone: TimeZone): string {
  if (isLeftOut(row)) return 'Not kept';
  if (!row.progress || row.progress.complete_from === null) return 'Not yet';
  return row.progress.phase === 'steady' ? 'All' : `From ${formatDay(row.progress.complete_from, zone)}`;
}

export function clientName({ client }: HomeRow): string {
  return client?.client_name ?? 'Client not here yet';
}

/** The columns as they usually are. Widths are pixels. */
export const homeUsual: readonly ColumnUsual[] = [
  { key: 'client', width: 220 },
  { key: 'entity', width: 280 },
  { key: 'accounts', width: 140 },
  { key: 'rows', width: 170 },
  { key: 'complete', width: 140 },
  { key: 'pending', width: 150 },
  { key: 'open', width: 130 },
];

function count(value: number): { shown: string; plain: string } {
  return { shown: value.toLocaleString('en-US'), plain: String(value) };
}

function EntityName({ row: { entity } }: { row: HomeRow }) {
  return (
    <span className="truncate">
      <Link to="/entities/$entityId" params={{ entityId: entity.id }} tabIndex={-1} className="font-medium text-link hover:underline">
        {entity.entity_name}
      </Link>
      {entity.active ? null : <span className="ml-2 text-muted">Inactive</span>}
    </span>
  );
}

function PendingMatches({ row }: { row: HomeRow }) {
  const { entity, pendingMatches } = row;
  // of what is not here nobody knows
  if (isLeftOut(row)) return <span className="text-muted">–</span>;
  if (pendingMatches === 0) return <span className="text-muted">0</span>;
  return (
    <Link
      to="/transactions"
      search={{ entity: entity.id, dates: 'all', sort: 'match_state' }}
      tabIndex={-1}
      className="font-medium text-link hover:underline"
    >
      {pendingMatches.toLocaleString('en-US')}
    </Link>
  );
}

/** The way to an entity's transactions. */
export function TransactionsLink({ row: { entity } }: { row: HomeRow }) {
  return (
    <Link
      to="/transactions"
      search={{ entity: entity.id }}
      tabIndex={-1}
      aria-label={`Transactions of ${entity.entity_name}`}
      className="shrink-0 text-link hover:underline"
    >
      Transactions
    </Link>
  );
}

/** @param isUsualOrder rows of one client stand together, so that its name is said once. */
export function homeColumns(zone: TimeZone, isUsualOrder: boolean): readonly GridColumn<HomeRow, HomeField>[] {
  const columns: Omit<GridColumn<HomeRow, HomeField>, 'width'>[] = [
    {
      key: 'client',
      label: 'Client',
      sort: 'client',
      cell: (row) => ({ shown: clientName(row) }),
      draw: (row) => <span className={`truncate ${row.isFirstOfClient || !isUsualOrder ? '' : 'text-muted'}`}>{clientName(row)}</span>,
    },
    {
      key: 'entity',
      label: 'Entity',
      sort: 'entity',
      cell: (row) => ({ shown: row.entity.entity_name }),
      draw: (row) => <EntityName row={row} />,
    },
    { key: 'accounts', label: 'Accounts (active)', sort: 'accounts', isNumber: true, cell: (row) => count(row.entity.active_accounts) },
    { key: 'rows', label: 'Rows on this device', sort: 'rows', isNumber: true, cell: (row) => count(row.progress?.rows ?? 0) },
    {
      key: 'complete',
      label: 'Complete',
      sort: 'complete',
      look: 'figures text-soft',
      cell: (row) => ({ shown: completeWords(row, zone) }),
    },
    {
      key: 'pending',
      label: 'Pending matches',
      sort: 'pending',
      isNumber: true,
      cell: (row) => (isLeftOut(row) ? { shown: '–', plain: '' } : count(row.pendingMatches)),
      draw: (row) => <PendingMatches row={row} />,
    },
    {
      key: 'open',
      label: 'Transactions',
      cell: () => ({ shown: 'Transactions', plain: '' }),
      draw: (row) => <TransactionsLink row={row} />,
    },
  ];
  return columns.map((column) => ({ ...column, width: homeUsual.find(({ key }) => key === column.key)?.width ?? 120 }));
}
