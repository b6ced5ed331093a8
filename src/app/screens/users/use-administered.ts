import { useMemo } from 'react';
import { isAllowed } from '#domain/permissions.ts';
import { holdsIn } from '#domain/role-grants.ts';
import { useUser } from '#app/services.tsx';
import { useRoles } from './use-roles.ts';
import type { People } from './use-users.ts';

/** The organizations whose users the person may change. The server decides; this is what is offered. */
export function useAdministered(people: People | undefined): { id: string; name: string }[] {
  const user = useUser();
  const { granted } = useRoles();
  return useMemo(() => {
    if (!people || !isAllowed(user, { anyOf: ['user_write'] })) return [];
    if (user.is_superuser) return people.organizations;
    const me = people.users.find(({ id }) => id === user.id);
    // until it is known what the roles grant, the server says which of them it is
    if (!me || granted.length === 0) return people.organizations;
    return people.organizations.filter(({ id }) => holdsIn(me, id, 'user_write', granted));
  }, [people, user, granted]);
}
