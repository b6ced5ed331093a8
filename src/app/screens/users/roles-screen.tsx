import { Link } from '@tanstack/react-router';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { GrantsTable } from './grants-table.tsx';
import { useRoles } from './use-roles.ts';

/** The roles and what each grants, to look at. */
export function RolesScreen() {
  const { roles, granted, isMissing } = useRoles();
  return (
    <>
      <PageHead
        title="Roles and permissions"
        crumbs={
          <nav aria-label="Breadcrumb">
            <Link to="/users" search={carriedOrganization} activeOptions={{ exact: true }} className="text-link underline">
              Users
            </Link>{' '}
            / <span aria-current="page">Roles and permissions</span>
          </nav>
        }
      />
      {isMissing ? (
        <EmptyState title="The roles are not on this device">
          They are kept here once they were fetched. Try again with a network.
        </EmptyState>
      ) : roles.length === 0 || granted.length === 0 ? (
        <SkeletonRows rows={10} />
      ) : (
        <div className="page-inset pb-10">
          <GrantsTable roles={roles} granted={granted} />
        </div>
      )}
    </>
  );
}
