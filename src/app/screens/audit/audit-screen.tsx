import { getRouteApi } from '@tanstack/react-router';
import { useRef } from 'react';
import { useHasNetwork } from '#app/engine-status.tsx';
import { StaleAnswer } from '#app/stale-answer.tsx';
import { textOfError } from '#app/notices.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useLostFocus } from '#app/ui/use-lost-focus.ts';
import { countWords } from '#domain/count-words.ts';
import { AuditEntries } from './audit-entries.tsx';
import { AuditFilters } from './audit-filters.tsx';
import { PrintedFilters } from './printed-filters.tsx';
import { type AuditSearch, type AuditSearchChange, isFiltered, noAuditFilters } from './audit-search.ts';
import { useAuditChange, useAuditEntries, useAuditPeople } from './use-audit.ts';
import { type AuditExportState, useAuditExport } from './use-audit-export.ts';
import { useAuditNames } from './use-audit-names.ts';

const route = getRouteApi('/_app/audit');
type Entries = ReturnType<typeof useAuditEntries>;

function NoEntries({ search, onChange }: { search: AuditSearch; onChange: (change: AuditSearchChange) => void }) {
  if (isFiltered(search))
    return (
      <EmptyState title="No change fits the filters" actions={<Button onClick={() => onChange(noAuditFilters)}>Clear filters</Button>}>
        Nothing of the kind was changed where you may look.
      </EmptyState>
    );
  return (
    <EmptyState title="Nothing was changed yet">
      Every change is listed here with who made it, when, and what was there before, from the first one on.
    </EmptyState>
  );
}

/** Why there is nothing to show: no network, or what went wrong. */
function NotHere({ entries }: { entries: Entries }) {
  const hasNetwork = useHasNetwork();
  if (!hasNetwork || entries.fetchStatus === 'paused')
    return (
      <EmptyState title="The audit trail needs the network" actions={<Button onClick={() => void entries.refetch()}>Try again</Button>}>
        It is not kept on this device, since only the server can prove it. What you edit meanwhile is kept, and told here once it has been
        sent.
      </EmptyState>
    );
  return (
    <div role="alert">
      <EmptyState title="The audit trail could not be read" actions={<Button onClick={() => void entries.refetch()}>Try again</Button>}>
        {textOfError(entries.error)}
      </EmptyState>
    </div>
  );
}

/** How far the list goes, and the way to what is older. */
function Foot({ entries, count }: { entries: Entries; count: number }) {
  const words = countWords(count, 'change');
  const isBusy = entries.isFetchingNextPage;
  return (
    <div className="page-inset flex flex-wrap items-center gap-3 pt-3 pb-10 text-grid text-muted">
      <span role="status" className="figures">
        {entries.hasNextPage ? `The newest ${words}` : `That is all: ${words}`}
      </span>
      {entries.hasNextPage ? (
        <Button size="small" aria-disabled={isBusy || undefined} onClick={() => (isBusy ? undefined : void entries.fetchNextPage())}>
          {isBusy ? 'Loading' : 'Load more'}
        </Button>
      ) : null}
      {entries.isFetchNextPageError ? (
        <span role="alert" className="text-bad">
          {textOfError(entries.error)} What is listed stays.
        </span>
      ) : null}
    </div>
  );
}

function ExportButton({ file, isOff }: { file: AuditExportState; isOff: boolean }) {
  if (file.done === null)
    return (
      <Button size="small" disabled={isOff} onClick={() => void file.start()}>
        Export CSV
      </Button>
    );
  return (
    <span className="flex items-center gap-2 text-grid text-soft">
      <span role="status" className="figures">
        Exporting: {file.done.toLocaleString('en-US')}
      </span>
      <Button size="small" look="quiet" onClick={file.cancel}>
        Cancel
      </Button>
    </span>
  );
}

/** Who changed what, when, from what to what. */
export function AuditScreen() {
  const search = route.useSearch();
  const change = useAuditChange();
  const people = useAuditPeople();
  const names = useAuditNames(people);
  const entries = useAuditEntries(search);
  const file = useAuditExport(search, names);
  const box = useRef<HTMLDivElement>(null);
  // what was pressed may go: the last page has no way on, a filter no cross any more
  const onFocus = useLostFocus(() => box.current?.focus());
  const hasNetwork = useHasNetwork();
  const list = entries.data?.pages.flat();
  return (
    <div ref={box} tabIndex={-1} onFocus={onFocus} className="outline-none">
      <PageHead title="Audit trail" />
      <AuditFilters
        {...{ search, people, names }}
        onChange={change}
        actions={
          <div className="flex shrink-0 gap-1.5">
            <Button size="small" look="quiet" disabled={entries.isFetching} onClick={() => void entries.refetch()}>
              Refresh
            </Button>
            <ExportButton file={file} isOff={!list || list.length === 0 || !hasNetwork} />
          </div>
        }
      />
      <PrintedFilters {...{ search, people, names }} />
      {list === undefined ? (
        entries.isError || entries.fetchStatus !== 'fetching' ? (
          <NotHere entries={entries} />
        ) : (
          <SkeletonRows rows={12} />
        )
      ) : (
        <>
          <StaleAnswer at={entries.dataUpdatedAt} isRefused={entries.isRefetchError} className="page-inset pt-1.5" />
          {list.length === 0 ? (
            <NoEntries search={search} onChange={change} />
          ) : (
            <>
              <AuditEntries
                entries={list}
                names={names}
                row={search.row}
                onHistory={({ noun, row_id }) => change({ ...noAuditFilters, noun, row: row_id })}
              />
              <Foot entries={entries} count={list.length} />
            </>
          )}
        </>
      )}
    </div>
  );
}
