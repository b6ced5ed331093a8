import { useCallback, useMemo, useRef, useState } from 'react';
import { sortText } from '#domain/sorting.ts';
import type { SortState } from '#domain/transaction-filter.ts';
import type { GridQuery, GridRow } from '#workers/start.ts';
import { useStatus } from '#app/engine-status.tsx';
import { textOfError } from '#app/notices.tsx';
import { useServices } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/states.tsx';
import { shownColumns } from '#app/ui/grid/column-layout.ts';
import { ColumnsMenu } from '#app/ui/grid/columns-menu.tsx';
import { SortMenu } from '#app/ui/sort-menu.tsx';
import { useColumnLayout } from '#app/ui/grid/use-column-layout.ts';
import { useIsNarrow, useIsOnline } from '#app/ui/use-media-query.ts';
import { useLook } from '#app/use-look.ts';
import { usePreferences } from '#app/use-preferences.ts';
import { cellChange, cellFilterWords } from './cell-filter.ts';
import { chosenRows } from './chosen-rows.ts';
import { type ColumnContext, columnKeys, gridColumns, usualColumns } from './columns.ts';
import { EmptyList } from './empty-list.tsx';
import { ExportMenu } from './export-menu.tsx';
import { FilterBar } from './filter-bar.tsx';
import { FirstPull } from './first-pull.tsx';
import { OpenRow } from './open-row.tsx';
import { PrintedHead, PrintedRows, PrintedTotals } from './print/printed-list.tsx';
import { usePrintList } from './print/use-print-list.ts';
import { ShownTotals } from './shown-totals.tsx';
import { filterAt, filterOf, leavingOutMore, type SearchChange, sortOf, type TransactionSearch } from './transaction-search.ts';
import { TransactionsGrid } from './transactions-grid.tsx';
import { assetChoices, useAssetActions } from './use-asset-actions.ts';
import { useAddressChange } from './use-address-change.ts';
import { useEditWay } from '#app/use-edit-way.ts';
import { useGridProblem, useGridQuery } from './use-grid-query.ts';
import { useGridState } from './use-grid-state.ts';
import { useHashes } from './use-hashes.ts';
import { useListDay } from './use-list-day.ts';
import { useListExport } from './use-list-export.ts';
import { type Mark, useMarkTransfer } from './use-mark-transfer.ts';
import { readNames, useNames } from './use-names.ts';
import { useRememberedAssets } from './use-remembered-assets.ts';
import { useReplica } from '#app/use-replica.ts';
import type { Scope } from './scope.ts';
import { ViewsMenu } from './views-menu.tsx';

/** Which list it is as far as its columns go: an account's where exactly one is filtered. */
function contextOf(scope: Scope, search: TransactionSearch): ColumnContext {
  const account = filterAt(search, 'account');
  if (account?.kind === 'list' && !account.not && account.values.length === 1) return 'account';
  return scope.spansEntities ? 'entities' : 'entity';
}

/** The transactions of a place: filter, grid, totals, and the open row. */
export function TransactionsView({ scope, search }: { scope: Scope; search: TransactionSearch }) {
  const { clock, engine, local, notices } = useServices();
  const { zone, numbers } = usePreferences();
  const isNarrow = useIsNarrow();
  const isOnline = useIsOnline();
  const { entities } = useStatus();
  const replica = useReplica();
  const names = useNames(scope);
  const [now, setNow] = useState(clock);
  useLook(scope.clientIds);

  const [change, changeAfterPaint] = useAddressChange();
  useRememberedAssets(scope.key, search, change);
  const hashes = useHashes(search, () => change({ hashes: undefined }));
  const queryFor = useCallback(
    (asked: TransactionSearch): GridQuery => {
      const entityIds = scope.spansEntities ? [] : scope.entities.map(({ id }) => id);
      const filter = filterOf(asked, { entityIds, hashes: hashes ?? [], now, zone });
      return { clientIds: scope.clientIds, filter, sort: sortOf(asked), zone };
    },
    [scope, hashes, now, zone],
  );
  const query = useMemo(() => queryFor(search), [queryFor, search]);
  // the pasted hashes are still being read: nothing is asked without them
  const asked = hashes === undefined ? null : query;
  const source = useGridQuery(asked);
  const problem = useGridProblem(source);
  const keyAfter = (by: SearchChange): string => JSON.stringify(queryFor({ ...search, ...by } as TransactionSearch));
  const prepare = (by: SearchChange): void => source.prepare(keyAfter(by));
  const keepHere = (): void => {
    Promise.all(scope.clientIds.map((id) => engine.keepClient(id, true))).catch((error: unknown) =>
      notices.notice('error', textOfError(error)),
    );
  };
  const show = (by: SearchChange): void => {
    // an answer that is here is painted before the address is worked on
    if (source.askPrepared(keyAfter(by))) changeAfterPaint(by);
    else change(by);
  };
  const state = useGridState(source);
  useListDay(state, now, zone, setNow);
  const mark = useMarkTransfer();
  const isMarking = useRef(false);
  const assetOf = useAssetActions(names);
  const editWay = useEditWay();
  const context = contextOf(scope, search);
  const [layout, onLayout] = useColumnLayout(local, columnKeys[context], usualColumns[context]);
  const columns = useMemo(() => gridColumns(names, zone, numbers), [names, zone, numbers]);
  const namedColumns = async () => gridColumns(await readNames(replica, scope), zone, numbers);
  const shown = shownColumns(layout).map(({ key }) => key);
  const exportAs = useListExport({ query: asked, columns: shown, place: scope.name });
  const printing = usePrintList({
    source,
    readWords: async () => {
      const read = await readNames(replica, scope);
      const all = gridColumns(read, zone, numbers);
      return { names: read, columns: shown.flatMap((key) => all.filter((column) => column.key === key)) };
    },
    look: JSON.stringify([shown, zone, numbers]),
    onExport: () => exportAs('csv'),
  });
  const { sheet } = printing;

  const markRows = async (rows: readonly GridRow[], given: Mark): Promise<void> => {
    if (mark) await mark(rows, given);
    else notices.notice('info', 'You may look at matches here, but not decide them');
  };
  const markChosen = async (isTransfer: boolean): Promise<void> => {
    const isSelected = state.snapshot().selection.kind !== 'none';
    const rows = await chosenRows(source, state);
    if (rows?.length === 0 && isSelected) {
      notices.notice('info', 'What was selected is in this list no longer. Nothing was marked.');
      state.clearSelection();
    } else if (rows) {
      const marked = markRows(rows, { isTransfer });
      // what was decided is not decided once more with the next key: it may be in the list no longer
      if (mark) state.unselect(new Set(rows.map(({ id }) => id)));
      await marked;
    } else notices.notice('warning', 'These are too many rows to mark at once. Narrow the filter, or select fewer.');
  };
  const onMark = (isTransfer: boolean): void => {
    // a second key before the first one's mark is kept would decide about the same rows once more
    if (isMarking.current) return;
    isMarking.current = true;
    markChosen(isTransfer)
      .catch(() => notices.notice('warning', 'The list changed while it was read. Try again once it is synced.'))
      .finally(() => {
        isMarking.current = false;
      });
  };
  const cellSearch = (key: string, row: GridRow, not: boolean): SearchChange | null => {
    const found = cellChange(key, row, not, { now, zone });
    return found && leavingOutMore(search, found);
  };
  const canNarrow = (key: string, row: GridRow, not: boolean): boolean => cellSearch(key, row, not) !== null;
  const narrow = (key: string, row: GridRow, not: boolean): void => change(cellSearch(key, row, not) ?? {});
  const onSort = (sort: SortState[]): void => change({ sort: sortText(sort) });
  return (
    <div className="page-of-list">
      <h1 className="sr-only print:not-sr-only print:block print:pt-3 print:pb-2 print:text-title print:font-semibold">
        Transactions of {scope.name}
      </h1>
      <FilterBar
        views={<ViewsMenu search={search} place={scope.name} />}
        order={isNarrow ? <SortMenu columns={columns} sort={query.sort} onSort={onSort} /> : null}
        actions={
          <>
            {isNarrow ? null : <ColumnsMenu columns={columns} layout={layout} onLayout={onLayout} />}
            <ExportMenu isAsked={asked !== null} source={source} onExport={exportAs} printing={printing} />
          </>
        }
        search={search}
        names={names}
        now={now}
        zone={zone}
        source={source}
        hashes={hashes ?? []}
        onChange={show}
        onPrepare={prepare}
      />
      <PrintedHead {...{ query, source, sheet, names }} />
      <FirstPull scope={scope} />
      {problem ? (
        <EmptyState title="The list could not be read" actions={<Button onClick={() => window.location.reload()}>Reload</Button>}>
          {problem} Your records and the edits that wait on this device are kept.
        </EmptyState>
      ) : (
        <>
          <div className={`flex min-h-0 grow ${sheet ? 'print:hidden' : 'print:block'}`}>
            <div className="flex min-w-0 grow flex-col print:block">
              <TransactionsGrid
                key={isNarrow ? 'cards' : 'rows'}
                {...{ source, state, columns, layout, onLayout, names, zone, isNarrow, onMark }}
                fullColumns={names.areRead ? null : namedColumns}
                sort={query.sort}
                onSort={onSort}
                onCellFilter={narrow}
                cellActions={(key, row) => [
                  ...assetChoices(key, assetOf(row)),
                  ...editWay.choices({ noun: 'transactions', id: row.id, pending: row.pending }),
                ]}
                filterWords={cellFilterWords}
                canFilter={canNarrow}
                saysEntity={scope.spansEntities}
                onEdit={({ id }) => editWay.open({ noun: 'transactions', id })}
                empty={
                  <EmptyList search={search} scope={scope} progress={entities} isOnline={isOnline} onChange={change} onKeep={keepHere} />
                }
              />
            </div>
            <OpenRow
              {...{ source, state, names, zone, assetOf }}
              saysEntity={scope.spansEntities}
              filters={{ can: canNarrow, run: narrow }}
              onMark={mark && ((rows, given) => void markRows(rows, given))}
            />
          </div>
          {sheet ? <PrintedRows sheet={sheet} zone={zone} /> : null}
          <PrintedTotals {...{ source, sheet, names }} />
          <ShownTotals {...{ source, state, names }} onMark={mark ? onMark : null} />
        </>
      )}
    </div>
  );
}
