import { Link } from '@tanstack/react-router';
import { formatDay } from '#domain/dates.ts';
import { useStatus } from '#app/engine-status.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useIsNarrow, useIsOnline } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { type HomeRow, useHomeRows } from './use-home-rows.ts';

const numberCell = 'figures px-3 py-1.5 text-right';

function completeWords(row: HomeRow, day: (ms: number) => string): string {
  if (!row.progress || row.progress.complete_from === null) return 'Not yet';
  return row.progress.phase === 'steady' ? 'All' : `From ${day(row.progress.complete_from)}`;
}

function EntityRow({ row, isFirstOfClient }: { row: HomeRow; isFirstOfClient: boolean }) {
  const { zone } = usePreferences();
  const { entity, client } = row;
  return (
    <tr className="border-t border-line hover:bg-hover">
      <td className={`px-3 py-1.5 first:pl-0 ${isFirstOfClient ? 'text-ink' : 'text-muted'}`}>
        {client?.client_name ?? 'Client not here yet'}
      </td>
      <td className="px-3 py-1.5">
        <Link to="/entities/$entityId" params={{ entityId: entity.id }} className="font-medium text-link hover:underline">
          {entity.entity_name}
        </Link>
        {entity.active ? null : <span className="ml-2 text-muted">Inactive</span>}
      </td>
      <td className={numberCell}>{entity.active_accounts.toLocaleString('en-US')}</td>
      <td className={numberCell}>{(row.progress?.rows ?? 0).toLocaleString('en-US')}</td>
      <td className="figures px-3 py-1.5 text-soft">{completeWords(row, (ms) => formatDay(ms, zone))}</td>
      <td className={numberCell}>
        {row.pendingMatches > 0 ? (
          <Link
            to="/transactions"
            search={{ entity: entity.id, dates: 'all', sort: 'match_state' }}
            className="font-medium text-link hover:underline"
          >
            {row.pendingMatches.toLocaleString('en-US')}
          </Link>
        ) : (
          <span className="text-muted">0</span>
        )}
      </td>
      <td className="py-1.5 pl-3 text-right">
        <Link
          to="/transactions"
          search={{ entity: entity.id }}
          aria-label={`Transactions of ${entity.entity_name}`}
          className="text-link hover:underline"
        >
          Transactions
        </Link>
      </td>
    </tr>
  );
}

function EntityTable({ rows }: { rows: HomeRow[] }) {
  return (
    <div className="page-inset overflow-x-auto pb-8">
      <table className="w-full text-grid">
        <thead>
          <tr className="text-left text-small text-muted">
            <th className="px-3 pb-1.5 pl-0 font-medium">Client</th>
            <th className="px-3 pb-1.5 font-medium">Entity</th>
            <th className="px-3 pb-1.5 text-right font-medium">Accounts (active)</th>
            <th className="px-3 pb-1.5 text-right font-medium">Rows on this device</th>
            <th className="px-3 pb-1.5 font-medium">Complete</th>
            <th className="px-3 pb-1.5 text-right font-medium">Pending matches</th>
            <th className="pb-1.5 pl-3">
              <span className="sr-only">Transactions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <EntityRow key={row.entity.id} row={row} isFirstOfClient={rows[index - 1]?.entity.client_id !== row.entity.client_id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** On a narrow screen each entity is two lines with the same figures. */
function EntityCards({ rows }: { rows: HomeRow[] }) {
  const { zone } = usePreferences();
  return (
    <ul className="pb-8 text-grid">
      {rows.map((row) => (
        <li key={row.entity.id} className="border-t border-line px-4 py-2.5">
          <div className="flex items-baseline gap-3">
            <Link to="/entities/$entityId" params={{ entityId: row.entity.id }} className="min-w-0 truncate font-medium text-link">
              {row.entity.entity_name}
            </Link>
            <Link
              to="/transactions"
              search={{ entity: row.entity.id }}
              aria-label={`Transactions of ${row.entity.entity_name}`}
              className="ml-auto shrink-0 text-link"
            >
              Transactions
            </Link>
          </div>
          <p className="figures text-small text-muted">
            {row.client?.client_name ?? 'Client not here yet'} · {row.entity.active_accounts} accounts ·{' '}
            {(row.progress?.rows ?? 0).toLocaleString('en-US')} rows here ({completeWords(row, (ms) => formatDay(ms, zone)).toLowerCase()})
            · {row.pendingMatches.toLocaleString('en-US')} pending matches
          </p>
        </li>
      ))}
    </ul>
  );
}

function NoEntities() {
  const isOnline = useIsOnline();
  const { phase, last_sync_at: lastSyncAt } = useStatus();
  if (!isOnline && lastSyncAt === null)
    return (
      <EmptyState title="Nothing is on this device yet">
        There is no network. Connect once, so that your clients and their entities can be fetched; after that they are here without one.
      </EmptyState>
    );
  if (lastSyncAt === null && phase !== 'idle' && phase !== 'waiting') return <SkeletonRows rows={10} />;
  return (
    <EmptyState title="You are not assigned to any client yet">
      An administrator of your organization assigns clients and entities. They appear here by themselves.
    </EmptyState>
  );
}

/** The clients one works for, each with its entities and how their copies stand. */
export function HomeScreen() {
  const rows = useHomeRows();
  const isNarrow = useIsNarrow();
  const Entities = isNarrow ? EntityCards : EntityTable;
  return (
    <>
      <PageHead title="Home" />
      {rows === undefined ? <SkeletonRows rows={10} /> : rows.length === 0 ? <NoEntities /> : <Entities rows={rows} />}
    </>
  );
}
