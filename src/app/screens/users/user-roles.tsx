import type { Role } from '#contract/roles.ts';
import type { ShownUser } from '#replica/users.ts';
import { inputLook } from '#app/ui/field.tsx';

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

/** The role of a person in each organization they work for, and in each one may add them to. */
export function UserRoles({ user, roles, organizations, administered, isOwn, onRole }: UserRolesProps) {
  const roleIn = (id: string) => user.memberships.find(({ organization_id }) => organization_id === id)?.role_id ?? '';
  const shown = organizations.filter(({ id }) => roleIn(id) !== '' || administered.some((one) => one.id === id));
  if (shown.length === 0) return <p className="text-grid text-muted">No organization you see.</p>;
  return (
    <ul className="flex flex-col gap-1.5 text-grid">
      {shown.map((organization) => {
        const held = roleIn(organization.id);
        const mayChange = !isOwn && administered.some(({ id }) => id === organization.id);
        const label = `Role in ${organization.name}`;
        return (
          <li key={organization.id} className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="w-64 min-w-0 truncate">
              <bdi>{organization.name}</bdi>
            </span>
            {mayChange ? (
              <select
                aria-label={label}
                value={held}
                onChange={(event) => void onRole(user, organization, roles.find(({ id }) => id === event.target.value) ?? null)}
                className={`${inputLook} max-w-56 pl-2`}
              >
                <option value="">No role</option>
                {held !== '' && !roles.some(({ id }) => id === held) ? <option value={held}>{held}</option> : null}
                {roles.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </select>
            ) : (
              <span className="text-soft">{roles.find(({ id }) => id === held)?.name ?? (held || 'No role')}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
