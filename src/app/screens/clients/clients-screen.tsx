import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { isAllowed } from '#domain/permissions.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import type { ShownClient } from '#replica/places.ts';
import { OrganizationChip } from '#app/shell/organization-chip.tsx';
import { useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { ClientPeopleDialog } from '#app/screens/users/client-people-dialog.tsx';
import { ArchivedAssetsDialog } from './archived-assets-dialog.tsx';
import { clientFields, type ClientSearch } from './client-search.ts';
import { ClientDialog } from './client-dialog.tsx';
import { type ClientActions, ClientsGrid } from './clients-grid.tsx';
import { DeleteClientDialog } from './delete-client-dialog.tsx';
import { useClientEdits } from './use-client-edits.ts';
import { useClients } from './use-clients.ts';

type Open = { kind: 'create' } | { kind: 'update' | 'delete' | 'people' | 'archived'; client: ShownClient };

const route = getRouteApi('/_app/clients');

/** The clients one may see, and what may be done with them. */
export function ClientsScreen() {
  const { organizationId, sort } = route.useSearch();
  const navigate = useNavigate();
  const found = useClients();
  const edits = useClientEdits();
  const user = useUser();
  const [text, setText] = useState('');
  const [open, setOpen] = useState<Open | null>(null);
  const mayWrite = isAllowed(user, { anyOf: ['client_write'] });
  const maySeePeople = isAllowed(user, { anyOf: ['user_read'] });
  const actions = useMemo((): ClientActions => {
    const opens = (kind: Extract<Open, { client: ShownClient }>['kind']) => (client: ShownClient) => setOpen({ kind, client });
    return {
      onArchived: opens('archived'),
      onUpdate: mayWrite ? opens('update') : null,
      onPeople: maySeePeople ? opens('people') : null,
      onDelete: mayWrite ? opens('delete') : null,
    };
  }, [mayWrite, maySeePeople]);
  const close = (): void => setOpen(null);
  const show = (change: ClientSearch): void =>
    void navigate({ to: '/clients', search: (before) => ({ ...before, ...change }), replace: true });
  if (found === undefined) return <SkeletonRows rows={10} />;
  const wanted = text.trim().toLowerCase();
  const rows = found.rows
    .filter(({ client }) => organizationId === undefined || client.organization_id === organizationId)
    .filter(({ client }) => client.client_name.toLowerCase().includes(wanted));
  const mayCreate = mayWrite && found.organizations.length > 0;
  return (
    <div className="page-of-list">
      <PageHead
        title="Clients"
        action={
          <div className="flex flex-wrap items-center gap-2">
            <div className="w-56">
              <FindInput label="Find client" autoFocus={false} value={text} onText={setText} />
            </div>
            {mayCreate ? (
              <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
                Create Client
              </Button>
            ) : null}
          </div>
        }
      />
      <PrintedWords words={[['Name contains', text]]} />
      <OrganizationChip organizationId={organizationId} onRemove={() => show({ organizationId: undefined })} />
      {rows.length > 0 ? (
        <ClientsGrid
          rows={rows}
          listKey={`${organizationId} ${wanted}`}
          sort={sortSteps(sort, clientFields)}
          onSort={(steps) => show({ sort: sortText(steps) })}
          hasOrganizations={found.organizations.length > 1}
          actions={actions}
        />
      ) : organizationId !== undefined && text.trim() === '' ? (
        <EmptyState title="No clients in this organization">Take the organization away above to see the others.</EmptyState>
      ) : found.rows.length > 0 ? (
        <EmptyState title="No client is called that">Look for another part of a client's name.</EmptyState>
      ) : (
        <EmptyState title="No clients yet">
          {mayCreate
            ? 'Create the first one; its entities and accounts come after.'
            : 'An administrator of your organization assigns clients to you. They appear here by themselves.'}
        </EmptyState>
      )}
      {open?.kind === 'archived' ? <ArchivedAssetsDialog client={open.client} onClose={close} /> : null}
      {open?.kind === 'create' || open?.kind === 'update' ? (
        <ClientDialog
          client={open.kind === 'update' ? open.client : null}
          clients={found.rows.map(({ client }) => client)}
          organizations={found.organizations}
          organizationId={organizationId}
          onSave={(organizationId, name) => (open.kind === 'update' ? edits.rename(open.client, name) : edits.create(organizationId, name))}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'people' ? <ClientPeopleDialog client={open.client} onClose={close} /> : null}
      {open?.kind === 'delete' ? (
        <DeleteClientDialog client={open.client} onDelete={() => edits.remove(open.client)} onClose={close} />
      ) : null}
    </div>
  );
}
