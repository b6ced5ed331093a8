import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { Role } from '#contract/roles.ts';
import { countWords } from '#domain/count-words.ts';
import type { ShownUser } from '#replica/users.ts';
import { keptKeys } from '#app/kept-keys.ts';
import { ListGrid, ListSign } from '#app/list-grid.tsx';
import type { ShownRow } from '#app/use-edit-way.ts';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import type { GridColumn } from '#app/ui/grid/grid-column.ts';
import { momentText, type TableOrder } from '#app/ui/table/table-column.ts';
import type { UserField } from './user-search.ts';
import { memberWords, signInWords, standingWords } from './user-words.ts';

/** Pixels. */
const cardHeight = 60;

interface Names {
  roles: readonly Role[];
  organizations: readonly { id: string; name: string }[];
  now: number;
}

function UserEmail({ user }: { user: ShownUser }) {
  return (
    <Link
      to="/users/$userId"
      params={{ userId: user.id }}
      search={carriedOrganization}
      tabIndex={-1}
      className="truncate font-medium text-link hover:underline"
    >
      <bdi>{user.email}</bdi>
    </Link>
  );
}

function edited({ id, pending }: ShownUser): ShownRow {
  return { noun: 'users', id, pending };
}

function Standing({ user, now }: { user: ShownUser; now: number }) {
  return <span className={user.is_enabled ? 'text-soft' : 'font-medium text-bad'}>{standingWords(user, now)}</span>;
}

function userColumns({ roles, organizations, now }: Names): GridColumn<ShownUser, UserField>[] {
  const words = (user: ShownUser) => memberWords(user, { roles, organizations });
  return [
    {
      key: 'email',
      label: 'Email',
      sort: 'email',
      width: 280,
      cell: ({ email }) => ({ shown: email }),
      draw: (user) => <UserEmail user={user} />,
    },
    { key: 'name', label: 'Name', sort: 'name', width: 180, cell: ({ name }) => ({ shown: name ?? '' }) },
    { key: 'roles', label: 'Roles', sort: 'roles', width: 180, cell: (user) => ({ shown: words(user).roles }) },
    {
      key: 'organizations',
      label: 'Organizations',
      sort: 'organizations',
      width: 300,
      look: 'text-soft',
      cell: (user) => ({ shown: words(user).organizations }),
    },
    {
      key: 'account',
      label: 'Account',
      sort: 'account',
      width: 132,
      cell: (user) => ({ shown: standingWords(user, now) }),
      draw: (user) => <Standing user={user} now={now} />,
    },
    {
      key: 'signed_in',
      label: 'Last sign-in',
      sort: 'signed_in',
      width: 120,
      look: 'figures',
      cell: (user) => ({ shown: signInWords(user) }),
      rank: ({ last_sign_in_on: day }) => momentText(day),
    },
  ];
}

interface UsersGridProps extends TableOrder<UserField>, Names {
  /** By e-mail, which is their usual order. */
  users: readonly ShownUser[];
  /** Which people they are. */
  listKey: string;
}

/** People with their roles; on a narrow screen each is two lines with the same words. */
export function UsersGrid({ users, roles, organizations, now: at, ...list }: UsersGridProps) {
  // the columns stay the same for a minute, and so does what is drawn of them
  const now = Math.floor(at / 60_000) * 60_000;
  const columns = useMemo(() => userColumns({ roles, organizations, now }), [roles, organizations, now]);
  const card = useMemo(
    () => ({
      height: cardHeight,
      draw: (user: ShownUser) => {
        const words = memberWords(user, { roles, organizations });
        return (
          <>
            <div className="flex items-center gap-2">
              <UserEmail user={user} />
              <ListSign row={edited(user)} />
              <span className="ml-auto shrink-0">
                <Standing user={user} now={now} />
              </span>
            </div>
            <p className="truncate text-small text-muted">
              {[words.roles, `signed in ${signInWords(user).toLowerCase()}`, user.name, words.organizations].filter(Boolean).join(' · ')}
            </p>
          </>
        );
      },
    }),
    [roles, organizations, now],
  );
  return (
    <ListGrid<ShownUser, UserField>
      label="Users"
      rows={users}
      keyOf={({ id }) => id}
      {...{ columns, card, edited, ...list }}
      columnsKey={keptKeys.userListColumns.key}
      bar={<p className="text-small text-muted">{countWords(users.length, 'user')}</p>}
    />
  );
}
