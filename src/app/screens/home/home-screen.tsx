import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useStatus } from '#app/engine-status.tsx';
import { OrganizationChip } from '#app/shell/organization-chip.tsx';
import { SearchIcon } from '#app/ui/icons.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useIsOnline } from '#app/ui/use-media-query.ts';
import { EntitiesGrid } from './entities-grid.tsx';
import { useHomeRows } from './use-home-rows.ts';

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

/** From so many entities on, one looks for them by name. */
const manyEntities = 8;

function FindEntity({ text, onText }: { text: string; onText: (text: string) => void }) {
  return (
    <div className="relative w-full sm:w-64">
      <span className="pointer-events-none absolute top-1.5 left-2 text-muted">
        <SearchIcon />
      </span>
      <input
        type="search"
        aria-label="Find client or entity"
        placeholder="Client or entity"
        value={text}
        maxLength={200}
        onChange={(event) => onText(event.target.value)}
        className="h-7 w-full rounded border border-line-strong bg-surface pr-2 pl-7 text-grid text-ink"
      />
    </div>
  );
}

const route = getRouteApi('/_app/home');

/** The clients one works for, each with its entities and how their copies stand. */
export function HomeScreen() {
  const { organizationId } = route.useSearch();
  const navigate = useNavigate();
  const all = useHomeRows();
  const rows = all?.filter(({ entity }) => organizationId === undefined || entity.organization_id === organizationId);
  const [text, setText] = useState('');
  const isMany = rows !== undefined && rows.length >= manyEntities;
  return (
    <div className="flex h-full flex-col">
      <PageHead title="Home" action={isMany ? <FindEntity text={text} onText={setText} /> : null} />
      <OrganizationChip organizationId={organizationId} onRemove={() => void navigate({ to: '/home', search: {}, replace: true })} />
      {rows === undefined ? (
        <SkeletonRows rows={10} />
      ) : rows.length === 0 ? (
        organizationId === undefined || all?.length === 0 ? (
          <NoEntities />
        ) : (
          <EmptyState title="No entities in this organization">Take the organization away above to see the others.</EmptyState>
        )
      ) : (
        <EntitiesGrid
          rows={rows}
          text={text}
          empty={<EmptyState title="No entity is called that">Look for another part of a client's or an entity's name.</EmptyState>}
        />
      )}
    </div>
  );
}
