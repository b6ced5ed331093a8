import { useState } from 'react';
import type { Role } from '#contract/roles.ts';
import type { ShownUser } from '#replica/users.ts';
import { Button } from '#app/ui/button.tsx';
import { inputLook } from '#app/ui/field.tsx';
import { useTold } from '#app/use-told.ts';
import { roleOptions, takenOutWords } from './user-words.ts';

interface Named {
  id: string;
  name: string;
}

interface UserRolesProps {
  user: ShownUser;
  roles: readonly Role[];
  organizations: readonly Named[];
  /** Those in which the role may be changed. */
  administered: readonly Named[];
  /** The person looks at themselves: they do not take their own administration away. */
  isOwn: boolean;
  onRole: (user: ShownUser, organization: Named, role: Named | null) => Promise<void>;
}

interface RoleChoiceProps extends Pick<UserRolesProps, 'user' | 'roles' | 'onRole'> {
  organization: Named;
  /** Empty where there is none. */
  held: string;
}

/** The role in one organization. A choice is saved by a button of its own: what it takes away is said before. */
function RoleChoice({ user, organization, roles, held, onRole }: RoleChoiceProps) {
  const told = useTold();
  // with the person as they were seen when it was begun: a role that somebody else gives them meanwhile is not written over unseen
  const [chosen, setChosen] = useState<{ role: string; instead: string; seen: ShownUser } | null>(null);
  const value = chosen?.role ?? held;
  const choose = (role: string): void => {
    const begun = chosen ?? { instead: held, seen: user };
    setChosen(role === held && begun.instead === held ? null : { ...begun, role });
  };
  const save = async (): Promise<void> => {
    const seen = chosen && chosen.instead !== held ? chosen.seen : user;
    if (await told(onRole(seen, organization, roles.find(({ id }) => id === value) ?? null))) setChosen(null);
  };
  return (
    <>
      <select
        aria-label={`Role in ${organization.name}`}
        value={value}
        onChange={(event) => choose(event.target.value)}
        className={`${inputLook} max-w-56 pl-2`}
      >
        {roleOptions(roles, held).map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {value === held ? null : (
        <>
          <Button size="small" look={value === '' ? 'danger' : 'primary'} onClick={() => void save()}>
            {value === '' ? 'Take out' : 'Save role'}
          </Button>
          <Button size="small" look="quiet" onClick={() => setChosen(null)}>
            Undo
          </Button>
          {value === '' ? (
            <span role="status" className="text-small text-muted">
              {takenOutWords}
            </span>
          ) : null}
        </>
      )}
    </>
  );
}

/** The role of a person in each organization they work for, and in each one may add them to. */
export function UserRoles({ user, roles, organizations, administered, isOwn, onRole }: UserRolesProps) {
  const roleIn = (id: string) => user.memberships.find(({ organization_id }) => organization_id === id)?.role_id ?? '';
  const isAdministered = (id: string): boolean => administered.some((one) => one.id === id);
  const shown = organizations.filter(({ id }) => roleIn(id) !== '' || isAdministered(id));
  if (shown.length === 0) return <p className="text-grid text-muted">No organization you see.</p>;
  return (
    <ul className="flex flex-col gap-1.5 text-grid">
      {shown.map((organization) => {
        const held = roleIn(organization.id);
        return (
          <li key={organization.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="w-64 min-w-0 truncate">
              <bdi>{organization.name}</bdi>
            </span>
            {!isOwn && isAdministered(organization.id) ? (
              <RoleChoice user={user} organization={organization} roles={roles} held={held} onRole={onRole} />
            ) : (
              <span className="text-soft">{roles.find(({ id }) => id === held)?.name ?? (held || 'No role')}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
