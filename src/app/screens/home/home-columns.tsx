import { Link } from '@tanstack/react-router';
import { decimal } from '#domain/amounts.ts';
import { formatDay, type TimeZone } from '#domain/dates.ts';
import { type Problem, problems } from '#domain/worklist.ts';
import type { NumberStyle } from '#domain/number-style.ts';
import { countCell, usdCell } from '#app/list-cells.ts';
import type { GridCell, GridColumn } from '#app/ui/grid/grid-column.ts';
import { ProblemLink, problemWords } from './problem-link.tsx';
import type { HomeRow } from './use-home-rows.ts';

export type HomeField = 'client' | 'entity' | 'stake' | 'aum' | Problem | 'accounts' | 'rows' | 'complete';

export const isLeftOut = ({ progress }: HomeRow): boolean => progress?.phase === 'left_out';

/** How much of an entity is on this device. */
export function completeWords(row: HomeRow, zone: TimeZone): string {
  if (isLeftOut(row)) return 'Not kept';
  if (row.progress?.phase === 'withheld') return 'No access';
  if (!row.progress || row.progress.complete_from === null) return 'Not yet';
  return row.progress.phase === 'steady' ? 'All' : `From ${formatDay(row.progress.complete_from, zone)}`;
}

export function clientName({ client }: HomeRow): string {
  return client?.client_name ?? 'Client not here yet';
}

/** Nothing at stake is no amount to read; it still sorts as the least. */
function stakeCell(value: string | null, numbers: NumberStyle): GridCell {
  return value !== null && decimal(value).isZero() ? { shown: '–', plain: '0' } : usdCell(value, numbers);
}

function EntityName({ row }: { row: HomeRow }) {
  const { entity } = row;
  return (
    <span className="truncate">
      <Link to="/entities/$entityId" params={{ entityId: entity.id }} tabIndex={-1} className="font-medium text-link hover:underline">
        {entity.entity_name}
      </Link>
      {entity.active ? null : <span className="ml-2 text-muted">Inactive</span>}
      {isLeftOut(row) ? <span className="ml-2 text-muted">Not kept</span> : null}
    </span>
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

/** Pixels. */
const problemWidths: Readonly<Record<Problem, number>> = {
  unreconciled: 104,
  pending: 80,
  unpriced: 80,
  unidentified: 98,
  failed: 104,
  stale: 62,
};

function problemColumn(problem: Problem): GridColumn<HomeRow, HomeField> {
  const cell = ({ work }: HomeRow): GridCell => countCell(work.counts[problem]);
  return {
    key: problem,
    label: problemWords[problem].head,
    sort: problem,
    width: problemWidths[problem],
    isNumber: true,
    cell,
    draw: (row) =>
      (row.work.counts[problem] ?? 0) === 0 ? (
        <span className="text-muted">{cell(row).shown}</span>
      ) : (
        <ProblemLink row={row} problem={problem}>
          {cell(row).shown}
        </ProblemLink>
      ),
  };
}

/** The worklist's columns. */
export function homeColumns(zone: TimeZone, numbers: NumberStyle): readonly GridColumn<HomeRow, HomeField>[] {
  return [
    { key: 'client', width: 192, label: 'Client', sort: 'client', cell: (row) => ({ shown: clientName(row) }) },
    {
      key: 'entity',
      width: 220,
      label: 'Entity',
      sort: 'entity',
      cell: (row) => ({ shown: row.entity.entity_name }),
      draw: (row) => <EntityName row={row} />,
    },
    {
      key: 'stake',
      width: 124,
      label: 'At stake (USD)',
      sort: 'stake',
      isNumber: true,
      cell: ({ work }) => stakeCell(work.atStakeUsd, numbers),
    },
    {
      key: 'aum',
      width: 136,
      label: 'AUM (USD)',
      sort: 'aum',
      isNumber: true,
      cell: ({ entity }) => usdCell(entity.portfolio_value, numbers),
    },
    ...problems.map(problemColumn),
    {
      key: 'open',
      width: 115,
      label: 'Transactions',
      isWay: true,
      cell: () => ({ shown: 'Transactions', plain: '' }),
      draw: (row) => <TransactionsLink row={row} />,
    },
    {
      key: 'accounts',
      width: 140,
      label: 'Accounts (active)',
      sort: 'accounts',
      isNumber: true,
      cell: (row) => countCell(row.entity.active_accounts),
    },
    {
      key: 'rows',
      width: 160,
      label: 'Rows on this device',
      sort: 'rows',
      isNumber: true,
      cell: (row) => countCell(row.progress?.rows ?? 0),
    },
    {
      key: 'complete',
      width: 130,
      label: 'Complete',
      sort: 'complete',
      look: 'figures text-soft',
      cell: (row) => ({ shown: completeWords(row, zone) }),
    },
  ];
}
