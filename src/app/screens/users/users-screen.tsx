import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useHasNetwork } from '#app/engine-status.tsx';
import { useServices, useUser } from '#app/services.tsx';
import { Button } from '#app/ui/button.tsx';
import { FindInput } from '#app/ui/find-input.tsx';
import { PrintedWords } from '#app/ui/print/printed-words.tsx';
import { Segments } from '#app/ui/segments.tsx';
import { EmptyState, PageHead, SkeletonRows } from '#app/ui/states.tsx';
import { useDebouncedText } from '#app/ui/use-debounced.ts';
import { isAllowed } from '#domain/permissions.ts';
import { sortSteps, sortText } from '#domain/sorting.ts';
import { CreateUserDialog } from './create-user-dialog.tsx';
import { LinkDialog } from './link-dialog.tsx';
import { useAdministered } from './use-administered.ts';
import { useRoles } from './use-roles.ts';
import { type SignInLink, useUserEdits } from './use-user-edits.ts';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { useUsers } from './use-users.ts';
import { userFields, type UserSearch } from './user-search.ts';
import { UsersGrid } from './users-grid.tsx';

const route = getRouteApi('/_app/users');

const chips = [
  { value: 'all', label: 'All' },
  { value: 'true', label: 'Enabled' },
  { value: 'false', label: 'Disabled' },
] as const;

/** The people of the organizations one sees, and a way to invite another. */
export function UsersScreen() {
  const { organizationId, email = '', enabled, sort } = route.useSearch();
  const navigate = useNavigate();
  const people = useUsers();
  const { roles } = useRoles();
  const edits = useUserEdits();
  const user = useUser();
  const { clock } = useServices();
  const hasNetwork = useHasNetwork();
  const administered = useAdministered(people);
  const [isCreating, setCreating] = useState(false);
  const [link, setLink] = useState<SignInLink | null>(null);
  const show = (change: UserSearch): void => void navigate({ to: '/users', search: (before) => ({ ...before, ...change }), replace: true });
  const [text, setText] = useDebouncedText(email, (rest) => show({ email: rest || undefined }));
  if (people === undefined) return <SkeletonRows rows={10} />;
  const wanted = email.trim().toLowerCase();
  const rows = people.users
    .filter(({ memberships }) => organizationId === undefined || memberships.some((one) => one.organization_id === organizationId))
    .filter(({ is_enabled: isEnabled }) => enabled === undefined || isEnabled === (enabled === 'true'))
    .filter((one) => one.email.toLowerCase().includes(wanted));
  const mayInvite = isAllowed(user, { anyOf: ['user_write'] }) && administered.length > 0;
  return (
    <div className="page-of-list">
      <PageHead
        title="Users"
        action={
          <div className="flex flex-wrap items-center gap-2">
            <Link to="/users/roles" search={carriedOrganization} className="mr-1 text-grid font-medium text-link hover:underline">
              Roles and permissions
            </Link>
            <Segments
              label="Account"
              options={chips}
              value={enabled ?? 'all'}
              onChange={(value) => show({ enabled: value === 'all' ? undefined : value })}
            />
            <div className="w-56">
              <FindInput label="Find by email" autoFocus={false} value={text} onText={setText} />
            </div>
            {mayInvite ? (
              <Button look="primary" onClick={() => setCreating(true)}>
                Invite User
              </Button>
            ) : null}
          </div>
        }
      />
      <PrintedWords
        words={[
          ['Organization', people.organizations.find(({ id }) => id === organizationId)?.name],
          ['Account', enabled && chips.find(({ value }) => value === enabled)?.label],
          ['Email contains', email],
        ]}
      />
      {rows.length > 0 ? (
        <UsersGrid
          users={rows}
          listKey={[organizationId, enabled, wanted].join(' ')}
          roles={roles}
          organizations={people.organizations}
          now={clock()}
          sort={sortSteps(sort, userFields)}
          onSort={(steps) => show({ sort: sortText(steps) })}
        />
      ) : people.users.length > 0 ? (
        <EmptyState title="No user is like that">Look for another part of an email address, or choose All.</EmptyState>
      ) : (
        <EmptyState title="No users here yet">
          {hasNetwork ? 'They appear here once they are fetched.' : 'They were not fetched yet, and there is no network.'}
        </EmptyState>
      )}
      {isCreating ? (
        <CreateUserDialog
          roles={roles}
          organizations={administered}
          organizationId={organizationId}
          onCreate={async (values) => setLink(await edits.create(values))}
          onClose={() => setCreating(false)}
        />
      ) : null}
      {link ? <LinkDialog link={link} onClose={() => setLink(null)} /> : null}
    </div>
  );
}
