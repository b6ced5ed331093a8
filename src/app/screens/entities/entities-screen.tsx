import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { isAllowed } from '#domain/permissions.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import { useUser } from '#app/services.tsx';
import { OrganizationChip } from '#app/shell/organization-chip.tsx';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { FindInput } from '#app/ui/find-input.tsx';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { EntitiesGrid } from './entities-grid.tsx';
import { entityFields, type EntitySearch } from './entity-search.ts';
import { useEntities } from './use-entities.ts';

const route = getRouteApi('/_app/entities');

/** What the chips stand for. @source specification section 2 */
const chips = [
  { value: 'ALL', label: 'All' },
  { value: '1', label: 'Active' },
  { value: '0', label: 'Inactive' },
] as const;

/** The entities one may see, by name. */
export function EntitiesScreen() {
  const { client, active, name = '', organizationId, sort } = route.useSearch();
  const navigate = useNavigate();
  const user = useUser();
  const found = useEntities(client);
  if (found === undefined) return <SkeletonRows rows={10} />;
  const wanted = name.trim().toLowerCase();
  const rows = found.rows
    .filter(({ entity }) => organizationId === undefined || entity.organization_id === organizationId)
    .filter(({ entity }) => active === undefined || entity.active === (active === '1'))
    .filter(({ entity }) => entity.entity_name.toLowerCase().includes(wanted));
  const ofClient = found.clients.find(({ id }) => id === client);
  const mayCreate = isAllowed(user, { anyOf: ['entity_write'] }) && found.clients.length > 0;
  const show = (change: EntitySearch): void =>
    void navigate({ to: '/entities', search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <div className="page-of-list">
      <PageHead
        title="Entities"
        crumbs={
          ofClient ? (
            <nav aria-label="Breadcrumb">
              <Link to="/clients" search={carriedOrganization} className="text-link underline">
                Clients
              </Link>{' '}
              / <bdi aria-current="page">{ofClient.client_name}</bdi>
            </nav>
          ) : null
        }
        action={
          <div className="flex flex-wrap items-center gap-2">
            <Segments
              label="Status"
              options={chips}
              value={active ?? 'ALL'}
              onChange={(value) => show({ active: value === 'ALL' ? undefined : value })}
            />
            <div className="w-52">
              <FindInput label="Find entity" autoFocus={false} value={name} onText={(text) => show({ name: text || undefined })} />
            </div>
            {mayCreate ? (
              <Link
                to="/entities/new"
                search={{ ...(client === undefined ? {} : { client }), ...carriedOrganization({ organizationId }) }}
                className="inline-flex h-9 items-center rounded bg-primary px-3.5 font-semibold text-on-primary hover:brightness-95"
              >
                Create Entity
              </Link>
            ) : null}
          </div>
        }
      />
      <PrintedWords
        words={[
          ['Status', active && chips.find(({ value }) => value === active)?.label],
          ['Name contains', name],
        ]}
      />
      <OrganizationChip organizationId={organizationId} onRemove={() => show({ organizationId: undefined })} />
      {rows.length > 0 ? (
        <EntitiesGrid
          rows={rows}
          listKey={[client, active, wanted, organizationId].join(' ')}
          hasClients={client === undefined && found.clients.length > 1}
          sort={sortSteps(sort, entityFields)}
          onSort={(steps) => show({ sort: sortText(steps) })}
        />
      ) : found.rows.length > 0 ? (
        <EmptyState title="No entity is like that">Look for another part of a name, or choose All.</EmptyState>
      ) : (
        <EmptyState title="No entities yet">
          {mayCreate ? 'Create the first one; its accounts come after.' : 'They appear here once they are assigned to you.'}
        </EmptyState>
      )}
    </div>
  );
}
