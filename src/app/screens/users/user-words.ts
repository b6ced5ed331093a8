import type { Role } from '#contract/roles.ts';
import { writtenDay } from '#domain/dates.ts';
import type { Sight } from '#domain/users.ts';
import type { ShownUser } from '#replica/users.ts';

export function signInWords({ last_sign_in_on: day }: Pick<ShownUser, 'last_sign_in_on'>): string {
  return day === null ? 'Never' : writtenDay(day);
}

/** How a person's account stands. */
export function standingWords(user: Pick<ShownUser, 'is_enabled' | 'invited_until' | 'last_sign_in_on'>, now: number): string {
  if (!user.is_enabled) return 'Disabled';
  if (user.last_sign_in_on !== null || user.invited_until === null) return 'Enabled';
  return Date.parse(user.invited_until) > now ? 'Invited' : 'Invitation ran out';
}

interface Names {
  roles: readonly Role[];
  organizations: readonly { id: string; name: string }[];
}

/** A person's roles, each once, and the organizations they are of: `Auditor` of `Harbor, Northlight`. */
export function memberWords(user: Pick<ShownUser, 'memberships' | 'is_superuser'>, { roles, organizations }: Names) {
  const nameOf = (list: readonly { id: string; name: string }[], id: string): string => list.find((one) => one.id === id)?.name ?? id;
  const held = [...new Set(user.memberships.map(({ role_id }) => nameOf(roles, role_id)))];
  return {
    roles: [...(user.is_superuser ? ['Superuser'] : []), ...held].join(', ') || 'No role',
    organizations: user.memberships.map(({ organization_id }) => nameOf(organizations, organization_id)).join(', ') || 'None',
  };
}

/** How somebody sees a client. */
export function sightWords(sight: Sight, entities: number, all: number): string {
  if (sight === 'role') return 'By role';
  if (sight === 'client') return 'Assigned';
  return sight === 'entities' ? `${entities} of ${all} entities` : 'Not assigned';
}

/** What a person loses who has no role in an organization any more. */
export const takenOutWords = 'Everything assigned there goes with it.';

/** The roles one may choose from, none first; @param held one that is not known any more is among them by its id. */
export function roleOptions(roles: readonly Pick<Role, 'id' | 'name'>[], held: string): { value: string; label: string }[] {
  const unknown = held !== '' && !roles.some(({ id }) => id === held) ? [{ value: held, label: held }] : [];
  return [{ value: '', label: 'No role' }, ...unknown, ...roles.map(({ id, name }) => ({ value: id, label: name }))];
}
