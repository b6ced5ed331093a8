import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useMemo, useState } from 'react';
import type { SortStep } from '#domain/sorting.ts';
import { hasWork } from '#domain/worklist.ts';
import { useHasNetwork, useStatus } from '#app/engine-status.tsx';
import { keptKeys } from '#app/kept-keys.ts';
import { ListGrid } from '#app/list-grid.tsx';
import { OrganizationChip } from '#app/shell/organization-chip.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { FindInput } from '#app/ui/find-input.tsx';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { usePreferences } from '#app/use-preferences.ts';
import { ClientSelect } from './client-select.tsx';
import { EntityCard } from './entity-card.tsx';
import { clientName, type HomeField, homeColumns } from './home-columns.tsx';
import { HomeFigures } from './home-figures.tsx';
import type { HomeSearch } from './home-search.ts';
import { type HomeRow, useHomeRows } from './use-home-rows.ts';

// the chart is large, and most come for the worklist
const ValuesView = lazy(async () => ({ default: (await import('./values-view.tsx')).ValuesView }));

const route = getRouteApi('/_app/home');

function NoEntities() {
  const hasNetwork = useHasNetwork();
  const { phase, last_sync_at: lastSyncAt } = useStatus();
  if (!hasNetwork && lastSyncAt === null)
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

function NothingToDo({ search }: { search: HomeSearch }) {
  return (
    <EmptyState
      title="Nothing to do"
      actions={
        <Link to="/home" search={{ ...search, show: 'all' }} className="font-medium text-link underline">
          Show all entities
        </Link>
      }
    >
      Every account ties out and is up to date, every match is decided, and every row has a name and a price.
    </EmptyState>
  );
}

function NoEntitiesHere({ search }: { search: HomeSearch }) {
  const isOfClient = search.client !== undefined;
  return (
    <EmptyState
      title="No entities here"
      actions={
        <Link to="/home" search={isOfClient ? carriedOrganization(search) : {}} className="font-medium text-link underline">
          {isOfClient ? 'Show all clients' : 'Show all organizations'}
        </Link>
      }
    >
      This {isOfClient ? 'client' : 'organization'} has no entities yet, or you do not see them.
    </EmptyState>
  );
}

/** Pixels. */
const cardHeight = 112;

/** From so many entities on, one looks for them by name. */
const manyEntities = 8;

const shows = [
  { value: 'todo', label: 'To do' },
  { value: 'all', label: 'All' },
] as const;
const views = [
  { value: 'worklist', label: 'Worklist' },
  { value: 'values', label: 'Values' },
] as const;

function Worklist({ rows, search, isMany }: { rows: readonly HomeRow[]; search: HomeSearch; isMany: boolean }) {
  const navigate = useNavigate();
  const [text, setText] = useState('');
  const [sort, setSort] = useState<SortStep<HomeField>[]>([]);
  const { zone, numbers } = usePreferences();
  const columns = useMemo(() => homeColumns(zone, numbers), [zone, numbers]);
  const card = useMemo(() => ({ height: cardHeight, draw: (row: HomeRow) => <EntityCard {...{ row, zone, numbers }} /> }), [zone, numbers]);
  const wanted = search.show === 'all' ? rows : rows.filter(({ work }) => hasWork(work));
  const show = search.show ?? 'todo';
  const bar = (
    <>
      <Segments
        label="Entities"
        options={shows}
        value={show}
        onChange={(value) =>
          void navigate({ to: '/home', search: { ...search, show: value === 'all' ? value : undefined }, replace: true })
        }
      />
      {isMany ? (
        <div className="w-56 shrink-0">
          <FindInput label="Find client or entity" autoFocus={false} value={text} maxLength={200} onText={setText} />
        </div>
      ) : null}
      <p className="min-w-0 text-small text-muted">
        By US dollars at stake: what does not tie out, waits for a match or has no name. What has no price counts nothing.
      </p>
    </>
  );
  return (
    <>
      <PrintedWords
        words={[
          ['Entities', shows.find(({ value }) => value === show)?.label],
          ['Name contains', text],
        ]}
      />
      {wanted.length === 0 ? (
        <>
          <div className="page-inset flex flex-wrap items-center gap-x-4 gap-y-2 pb-2 print:block">{bar}</div>
          <NothingToDo search={search} />
        </>
      ) : (
        <ListGrid<HomeRow, HomeField>
          label="Entities"
          rows={wanted}
          text={text}
          keyOf={({ entity }) => entity.id}
          listKey=""
          {...{ columns, sort, card, bar }}
          onSort={setSort}
          columnsKey={keptKeys.homeColumns.key}
          empty={<EmptyState title="No entity is called that">Look for another part of a client's or an entity's name.</EmptyState>}
        />
      )}
    </>
  );
}

function clientOf(rows: readonly HomeRow[] | undefined, id: string): string | undefined {
  const row = rows?.find(({ entity }) => entity.client_id === id);
  return row && clientName(row);
}

/** The accountant's day: what there is to do for the entities of all clients, or of one, and what they are worth. */
export function HomeScreen() {
  const search = route.useSearch();
  const navigate = useNavigate();
  const all = useHomeRows();
  const show = (change: HomeSearch): void => void navigate({ to: '/home', search: { ...search, ...change }, replace: true });
  const rows = all?.filter(
    ({ entity }) =>
      (search.client === undefined || entity.client_id === search.client) &&
      (search.organizationId === undefined || entity.organization_id === search.organizationId),
  );
  return (
    <div className="page-of-list">
      <PageHead
        title="Home"
        action={
          all && all.length > 0 ? (
            <div className="flex flex-wrap items-center gap-2">
              <ClientSelect rows={all} value={search.client} onChange={(client) => show({ client })} />
              <Segments
                label="View"
                options={views}
                value={search.view ?? 'worklist'}
                onChange={(view) => show({ view: view === 'values' ? view : undefined })}
              />
            </div>
          ) : null
        }
      />
      <PrintedWords words={[['Client', search.client && clientOf(all, search.client)]]} />
      <OrganizationChip organizationId={search.organizationId} onRemove={() => show({ organizationId: undefined })} />
      {all === undefined || rows === undefined ? (
        <SkeletonRows rows={10} />
      ) : all.length === 0 ? (
        <NoEntities />
      ) : rows.length === 0 ? (
        <NoEntitiesHere search={search} />
      ) : (
        <>
          <HomeFigures rows={rows} />
          {search.view === 'values' ? (
            <Suspense fallback={<SkeletonRows rows={8} />}>
              <ValuesView rows={rows} isOneClient={search.client !== undefined} />
            </Suspense>
          ) : (
            <Worklist rows={rows} search={search} isMany={all.length >= manyEntities} />
          )}
        </>
      )}
    </div>
  );
}
