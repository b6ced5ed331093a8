import { useNavigate } from '@tanstack/react-router';
import { useCallback, useMemo, useRef, useState } from 'react';
import type { Entity } from '#contract/organizations.ts';
import { formatDay } from '#domain/dates.ts';
import type { GridQuery } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { FilterIcon } from '#app/ui/icons.tsx';
import { EmptyState } from '#app/ui/states.tsx';
import { useIsNarrow, useIsOnline } from '#app/ui/use-media-query.ts';
import { useLook } from '#app/use-look.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { rowsAsTsv } from './copy-rows.ts';
import type { SearchChange } from './date-range.tsx';
import { EmptyList } from './empty-list.tsx';
import { Filters, SearchBox } from './filter-bar.tsx';
import { RowPanel } from './row-panel.tsx';
import { totalsOf } from './selection-totals.ts';
import { TotalsBar } from './totals-bar.tsx';
import { filterOf, isNarrowed, sortOf, sortText, type TransactionSearch } from './transaction-search.ts';
import { TransactionsGrid } from './transactions-grid.tsx';
import { useGridQuery } from './use-grid-query.ts';
import { useGridState } from './use-grid-state.ts';
import { useMarkTransfer } from './use-mark-transfer.ts';
import { useNames } from './use-names.ts';
import { useSearchKey } from './use-screen-keys.ts';

/** How far back this device holds the entity, while older rows are still coming. */
function FirstPull({ entityId }: { entityId: string }) {
  const { entities } = useStatus();
  const { zone } = usePreferences();
  const progress = entities.find((entity) => entity.entity_id === entityId);
  if (progress?.phase !== 'bootstrap') return null;
  return (
    <p className="figures shrink-0 border-b border-line bg-subtle px-4 py-1 text-small text-soft">
      Fetching older transactions: {progress.rows.toLocaleString('en-US')} rows are here
      {progress.complete_from === null ? '' : `, complete to ${formatDay(progress.complete_from, zone)}`}. Totals count what is here.
    </p>
  );
}

/** The transactions of one entity: filter, grid, totals, and the open row. */
export function TransactionsView({ entity, search }: { entity: Entity; search: TransactionSearch }) {
  const { clock, notices } = useServices();
  const { zone } = usePreferences();
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const isOnline = useIsOnline();
  const { entities } = useStatus();
  const names = useNames(entity.id);
  const searchInput = useRef<HTMLInputElement>(null);
  const [areFiltersOpen, setAreFiltersOpen] = useState(false);
  const [now] = useState(clock);
  useLook(entity.client_id);
  useSearchKey(
    searchInput,
    useCallback(() => setAreFiltersOpen(true), []),
  );

  const query = useMemo(
    (): GridQuery => ({ clientIds: [entity.client_id], filter: filterOf(search, entity.id, now, zone), sort: sortOf(search), zone }),
    [entity, search, now, zone],
  );
  const grid = useGridQuery(query);
  const state = useGridState(grid);
  const mark = useMarkTransfer(entity.client_id, names);
  const openRow = state.openIndex === null ? undefined : grid.cache.row(state.openIndex);

  const change = (by: SearchChange): void => {
    void navigate({ to: '/transactions', search: (old) => ({ ...old, ...by }) as TransactionSearch, replace: true });
  };
  const chosen = (): NonNullable<typeof openRow>[] => {
    if (state.selected.size > 0) return [...state.selected.values()];
    const row = grid.cache.row(state.active);
    return row ? [row] : [];
  };
  const markRows = (rows: readonly NonNullable<typeof openRow>[], isTransfer: boolean): void => {
    if (mark) void mark(rows, isTransfer);
    else notices.notice('info', 'You may look at matches here, but not decide them');
  };
  const copy = async (): Promise<void> => {
    const rows = chosen();
    try {
      await navigator.clipboard.writeText(rowsAsTsv(rows, names, zone));
      notices.notice('success', `${rows.length} ${rows.length === 1 ? 'row' : 'rows'} copied`);
    } catch {
      notices.notice('warning', 'The browser did not allow copying');
    }
  };
  const closePanel = (): void => {
    state.close();
    document.querySelector<HTMLElement>(`[role="row"][data-index="${state.active}"]`)?.focus();
  };
  const isSelection = state.selected.size > 0;
  const totals = useMemo(
    () => (isSelection ? totalsOf([...state.selected.values()]) : grid.result),
    [isSelection, state.selected, grid.result],
  );
  const filters = <Filters search={search} names={names} now={now} zone={zone} onChange={change} />;

  return (
    <div className="flex h-full flex-col">
      <h1 className="sr-only">Transactions of {entity.entity_name}</h1>
      <div role="search" aria-label="Filters" className="flex shrink-0 flex-wrap items-center gap-1.5 border-b border-line px-4 py-2">
        <SearchBox value={search.q ?? ''} onChange={(text) => change({ q: text })} input={searchInput} />
        {isNarrow ? (
          <Button size="small" aria-expanded={areFiltersOpen} onClick={() => setAreFiltersOpen(!areFiltersOpen)}>
            <FilterIcon />
            {isNarrowed(search) ? 'Filters on' : 'Filters'}
          </Button>
        ) : null}
        {!isNarrow || areFiltersOpen ? filters : null}
      </div>
      <FirstPull entityId={entity.id} />
      {grid.problem ? (
        <EmptyState title="The list could not be read" actions={<Button onClick={() => window.location.reload()}>Reload</Button>}>
          {grid.problem} Your records and the edits that wait on this device are kept.
        </EmptyState>
      ) : (
        <>
          <div className="flex min-h-0 grow">
            <div className="flex min-w-0 grow flex-col">
              <TransactionsGrid
                key={isNarrow ? 'cards' : 'rows'}
                grid={grid}
                state={state}
                names={names}
                zone={zone}
                sort={query.sort}
                isNarrow={isNarrow}
                filterKey={JSON.stringify(query)}
                onSort={(sort) => change({ sort: sortText(sort) })}
                onMark={(isTransfer) => markRows(chosen(), isTransfer)}
                onCopy={() => void copy()}
                empty={
                  <EmptyList
                    search={search}
                    progress={entities.find((one) => one.entity_id === entity.id)}
                    isOnline={isOnline}
                    onChange={change}
                  />
                }
              />
            </div>
            {openRow ? (
              <RowPanel
                row={openRow}
                clientId={entity.client_id}
                names={names}
                zone={zone}
                onClose={closePanel}
                onMark={mark ? (isTransfer) => markRows([openRow], isTransfer) : null}
              />
            ) : null}
          </div>
          <TotalsBar
            totals={totals}
            isSelection={isSelection}
            isStale={grid.isStale}
            names={names}
            onClearSelection={state.clear}
            onMark={mark ? (isTransfer) => markRows(chosen(), isTransfer) : null}
          />
        </>
      )}
    </div>
  );
}
