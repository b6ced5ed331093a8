import { useMemo, useState } from 'react';
import { isAllowed } from '#domain/permissions.ts';
import type { ShownOrganization } from '#replica/places.ts';
import { FormDialog } from '#app/form-dialog.tsx';
import { useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { OrganizationDialog } from './organization-dialog.tsx';
import { type OrganizationActions, OrganizationsGrid } from './organizations-grid.tsx';
import { useOrganizationEdits, useOrganizations } from './use-organizations.ts';

type Open = { kind: 'create' } | { kind: 'update' | 'delete'; organization: ShownOrganization };

/** The organizations one may see. */
export function OrganizationsScreen() {
  const rows = useOrganizations();
  const edits = useOrganizationEdits();
  const user = useUser();
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const mayMake = isAllowed(user, { superuserOnly: true });
  const mayWrite = isAllowed(user, { anyOf: ['organization_write'] });
  const actions = useMemo(
    (): OrganizationActions => ({
      onUpdate: mayWrite ? (organization) => setOpen({ kind: 'update', organization }) : null,
      onDelete: mayMake ? (organization) => setOpen({ kind: 'delete', organization }) : null,
    }),
    [mayWrite, mayMake],
  );
  if (rows === undefined) return <SkeletonRows rows={6} />;
  const changed = open && open.kind !== 'create' ? open.organization : null;
  return (
    <div className="page-of-list">
      <PageHead
        title="Organizations"
        action={
          mayMake ? (
            <Button look="primary" onClick={() => setOpen({ kind: 'create' })}>
              Create Organization
            </Button>
          ) : null
        }
      />
      {rows.length > 0 ? (
        <OrganizationsGrid rows={rows} actions={actions} />
      ) : (
        <EmptyState title="No organizations yet">They appear here once you are a member of one.</EmptyState>
      )}
      {open?.kind === 'create' || open?.kind === 'update' ? (
        <OrganizationDialog
          organization={changed}
          otherNames={rows.filter(({ organization }) => organization.id !== changed?.id).map(({ organization }) => organization.name)}
          onSave={(name) => (changed ? edits.rename(changed, name) : edits.create(name))}
          onClose={close}
        />
      ) : null}
      {open?.kind === 'delete' && changed ? (
        <FormDialog title="Delete Organization" look="danger" onSubmit={() => edits.remove(changed).then(close)} onClose={close}>
          <p>
            Are you sure you want to delete <bdi className="font-semibold">{changed.name}</bdi>? It must not have clients any more.
          </p>
        </FormDialog>
      ) : null}
    </div>
  );
}
