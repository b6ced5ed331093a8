import { Link } from '@tanstack/react-router';
import type { Role } from '#contract/roles.ts';
import type { ShownUser } from '#replica/users.ts';
import { carriedOrganization } from '#app/shell/organization-search.ts';
import { EditSign } from '#app/shell/edit-sign.tsx';
import { OrderSaid } from '#app/ui/sort-sign.tsx';
import { SortHeads } from '#app/ui/table/sort-heads.tsx';
import { CardsOrder } from '#app/ui/table/cards-order.tsx';
import { momentText, rowsInOrder, type TableColumn, type TableOrder } from '#app/ui/table/table-column.ts';
import { useIsNarrow } from '#app/ui/use-media-query.ts';
import { usePreferences } from '#app/use-preferences.ts';
import type { UserField } from './user-search.ts';
import { memberWords, signInWords, standingWords } from './user-words.ts';

interface UsersTableProps extends TableOrder<UserField> {
  /** By e-mail, which is their usual order. */
  users: readonly ShownUser[];
  roles: readonly Role[];
  organizations: readonly { id: string; name: string }[];
  now: number;
}

function userColumns({ roles, organizations, now }: Omit<UsersTableProps, 'users'>): TableColumn<ShownUser, UserField>[] {
  const words = (user: ShownUser) => memberWords(user, { roles, organizations });
  return [
    { label: 'Email', sort: 'email', plain: ({ email }) => email, look: 'pl-0' },
    { label: 'Name', sort: 'name', plain: ({ name }) => name ?? '' },
    { label: 'Roles', sort: 'roles', plain: (user) => words(user).roles },
    { label: 'Organizations', sort: 'organizations', plain: (user) => words(user).organizations },
    { label: 'Account', sort: 'account', plain: (user) => standingWords(user, now) },
    {
      label: 'Last sign-in',
      sort: 'signed_in',
      isNumber: true,
      isRight: true,
      plain: ({ last_sign_in_on: day }) => momentText(day),
    },
  ];
}

function UserEmail({ user }: { user: ShownUser }) {
  const { zone } = usePreferences();
  return (
    <span className="inline-flex max-w-full items-center gap-2">
      <Link
        to="/users/$userId"
        params={{ userId: user.id }}
        search={carriedOrganization}
        className="truncate font-medium text-link hover:underline"
      >
        <bdi>{user.email}</bdi>
      </Link>
      {user.pending ? <EditSign mark={user.pending} zone={zone} row={{ noun: 'users', id: user.id }} /> : null}
    </span>
  );
}

function Standing({ user, now }: { user: ShownUser; now: number }) {
  const words = standingWords(user, now);
  return <span className={user.is_enabled ? 'text-soft' : 'font-medium text-bad'}>{words}</span>;
}

/** People with their roles; on a narrow screen each is two lines with the same words. */
export function UsersTable(props: UsersTableProps) {
  const { roles, organizations, now, sort, onSort } = props;
  const isNarrow = useIsNarrow();
  const columns = userColumns(props);
  const users = rowsInOrder(props.users, { columns, sort });
  if (isNarrow)
    return (
      <>
        <CardsOrder {...{ columns, sort, onSort }} />
        <ul aria-label="Users" className="pb-10 text-grid">
          {users.map((user) => {
            const words = memberWords(user, { roles, organizations });
            return (
              <li key={user.id} className="border-t border-line px-4 py-2">
                <div className="flex items-center justify-between gap-3">
                  <UserEmail user={user} />
                  <Standing user={user} now={now} />
                </div>
                <p className="truncate text-small text-muted">
                  {[words.roles, `signed in ${signInWords(user).toLowerCase()}`, user.name, words.organizations]
                    .filter(Boolean)
                    .join(' · ')}
                </p>
              </li>
            );
          })}
        </ul>
      </>
    );
  const head = 'px-3 pb-1.5 font-medium whitespace-nowrap';
  return (
    <div className="page-inset overflow-x-auto pb-10">
      <OrderSaid columns={columns} sort={sort} />
      <table aria-label="Users" className="w-full text-grid">
        <thead>
          <tr className="text-small text-muted">
            <SortHeads {...{ columns, sort, onSort }} className={head} />
          </tr>
        </thead>
        <tbody>
          {users.map((user) => {
            const words = memberWords(user, { roles, organizations });
            return (
              <tr key={user.id} className="h-9 border-t border-line hover:bg-hover">
                <td className="py-1 pr-3 whitespace-nowrap">
                  <UserEmail user={user} />
                </td>
                <td className="px-3 py-1 whitespace-nowrap">
                  <bdi>{user.name}</bdi>
                </td>
                <td className="px-3 py-1 whitespace-nowrap">{words.roles}</td>
                <td className="w-full max-w-0 truncate px-3 py-1 text-soft" title={words.organizations}>
                  {words.organizations}
                </td>
                <td className="px-3 py-1 whitespace-nowrap">
                  <Standing user={user} now={now} />
                </td>
                <td className="figures px-3 py-1 text-right whitespace-nowrap">{signInWords(user)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
