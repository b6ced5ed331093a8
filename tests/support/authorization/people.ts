import type { PermissionKey } from '#contract/permissions.ts';
import { defaultRoles } from '#domain/permissions.ts';
import type { UserValues } from '#tests/support/world.ts';

/** Where a row lies: `own`, `own/1` (its first client), `own/1/2` (that one's second entity); `of/auditor` is one person's alone. */
export type Home = string;
export type OrganizationName = 'own' | 'foreign';
type Role = NonNullable<UserValues['role']>;

/** Who asks: their role in each organization, and what is assigned to them or shown to them whole. */
export interface Person {
  is_superuser?: true;
  roles: Partial<Record<OrganizationName, Role>>;
  whole: readonly Home[];
}

/** In the order of the columns. Nobody is not signed in. */
export const people = {
  superuser: { is_superuser: true, roles: {}, whole: ['own', 'foreign'] },
  administrator: { roles: { own: 'administrator' }, whole: ['own'] },
  accountant: { roles: { own: 'accountant' }, whole: ['own/1'] },
  bookkeeper: { roles: { own: 'bookkeeper' }, whole: ['own/1'] },
  reporter: { roles: { own: 'reporter' }, whole: ['own/1'] },
  auditor: { roles: { own: 'auditor' }, whole: ['own/1'] },
  'one entity': { roles: { own: 'accountant' }, whole: ['own/1/1'] },
  'two roles': { roles: { own: 'auditor', foreign: 'administrator' }, whole: ['own/1', 'foreign'] },
  'no role': { roles: {}, whole: [] },
  nobody: { roles: {}, whole: [] },
} as const satisfies Record<string, Person>;
export type PersonName = keyof typeof people;
export const personNames = Object.keys(people) as PersonName[];

/** The lines of a call's table: what the call is about, and where that lies. */
export const lines = {
  organization: { own: 'own', 'foreign organization': 'foreign' },
  client: { own: 'own/1', 'other client': 'own/2', 'foreign organization': 'foreign/1' },
  entity: { own: 'own/1/1', 'sister entity': 'own/1/2', 'other client': 'own/2/1', 'foreign organization': 'foreign/1/1' },
  /** What is one person's alone. */
  person: { own: 'of/asker', "somebody else's": 'of/colleague' },
  anywhere: { anywhere: '' },
} as const satisfies Record<string, Record<string, Home>>;
export type Level = keyof typeof lines;

/** Whether a person may see what lies there: within what is theirs, or around it, as a client is around its entities. */
export function isInSight(name: PersonName, home: Home): boolean {
  if (home === '' || home === 'of/asker' || home === `of/${name}`) return true;
  const { whole }: Person = people[name];
  return whole.some((given) => `${home}/`.startsWith(`${given}/`) || given.startsWith(`${home}/`));
}

/** Whether a role that counts where something lies grants a person a permission. */
export function isGranted(name: PersonName, permission: PermissionKey, home: Home): boolean {
  const { is_superuser, roles }: Person = people[name];
  const counted = Object.entries(roles).filter(([organization]) => home === '' || home.split('/')[0] === organization);
  return is_superuser === true || counted.some(([, id]) => defaultRoles.find((role) => role.id === id)?.permissions.includes(permission));
}
