import type { Permission } from '#contract/endpoint.ts';
import { defaultRoles } from '#domain/permissions.ts';
import type { UserValues } from '#tests/support/world.ts';

/**
 * Where a row lies: `own`, `own/1` (its first client), `own/1/2` (that one's second entity); `of/auditor` is one person's alone,
 * `ticket/auditor` what that person reported.
 */
export type Home = string;
/** All that was there of `emptied` is deleted, of `deleted` the organization too. */
export const organizationNames = ['own', 'foreign', 'emptied', 'deleted'] as const;
export type OrganizationName = (typeof organizationNames)[number];
/** What was deleted, and with it all that lies in it. */
export const deletedHomes: readonly Home[] = ['own/1/3', 'own/3', 'emptied/1', 'deleted'];
type Role = NonNullable<UserValues['role']>;

/** Who asks: their role in each organization, and what is assigned to them or shown to them whole. */
export interface Person {
  is_superuser?: true;
  roles: Partial<Record<OrganizationName, Role>>;
  whole: readonly Home[];
}

/** In the order of the columns. Nobody is not signed in. */
export const people = {
  superuser: { is_superuser: true, roles: {}, whole: organizationNames },
  administrator: { roles: { own: 'administrator' }, whole: ['own'] },
  accountant: { roles: { own: 'accountant' }, whole: ['own/1'] },
  bookkeeper: { roles: { own: 'bookkeeper' }, whole: ['own/1'] },
  reporter: { roles: { own: 'reporter' }, whole: ['own/1'] },
  auditor: { roles: { own: 'auditor' }, whole: ['own/1'] },
  'one entity': { roles: { own: 'accountant' }, whole: ['own/1/1'] },
  'two roles': { roles: { own: 'auditor', foreign: 'administrator' }, whole: ['own/1', 'foreign'] },
  'no role': { roles: { deleted: 'administrator' }, whole: ['deleted'] },
  nobody: { roles: {}, whole: [] },
} as const satisfies Record<string, Person>;
export type PersonName = keyof typeof people;
export const personNames = Object.keys(people) as PersonName[];

/** The lines of a call's table: what the call is about, and where that lies. */
export const lines = {
  organization: { own: 'own', 'foreign organization': 'foreign', 'emptied organization': 'emptied', 'deleted organization': 'deleted' },
  client: { own: 'own/1', 'other client': 'own/2', 'deleted client': 'own/3', 'foreign organization': 'foreign/1' },
  entity: {
    own: 'own/1/1',
    'sister entity': 'own/1/2',
    'deleted entity': 'own/1/3',
    'other client': 'own/2/1',
    'deleted client': 'own/3/1',
    'foreign organization': 'foreign/1/1',
  },
  /** Somebody who works there. A person outlives the organization they worked for. */
  user: { own: 'own', 'foreign organization': 'foreign', 'emptied organization': 'emptied' },
  /** What is one person's alone. */
  person: { own: 'of/asker', "somebody else's": 'of/colleague' },
  /** What a person reported: they and who administers all their organizations see it. */
  ticket: { own: 'ticket/asker', "a colleague's": 'ticket/colleague', 'foreign organization': 'ticket/stranger' },
  anywhere: { anywhere: '' },
} as const satisfies Record<string, Record<string, Home>>;
export type Level = keyof typeof lines;

/** Whether one home is the other or lies in it. */
const isWithin = (home: Home, around: Home): boolean => `${home}/`.startsWith(`${around}/`);

const isDeleted = (home: Home): boolean => deletedHomes.some((deleted) => isWithin(home, deleted));

/** The organizations of who wrote a ticket. */
const writerRoles = (writer: string): readonly string[] => {
  const others: Readonly<Record<string, Person>> = {
    ...people,
    colleague: people.accountant,
    stranger: { roles: { foreign: 'accountant' }, whole: [] },
  };
  return Object.keys(others[writer]?.roles ?? {}).filter((organization) => !isDeleted(organization));
};

/** Whether somebody's tickets are seen: their own, and those of who is in nothing but what one administers. */
function seesTicketsOf(name: PersonName, writer: string): boolean {
  const { is_superuser, roles }: Person = people[name];
  if (is_superuser === true || writer === 'asker' || writer === name) return true;
  const places = writerRoles(writer);
  return places.length > 0 && places.every((place) => roles[place as OrganizationName] === 'administrator');
}

/** Whether a person may see what lies there. What is deleted nobody sees. */
export function isInSight(name: PersonName, home: Home): boolean {
  return !isDeleted(home) && wasInSight(name, home);
}

/** The same before anything was deleted: within what is theirs, or around it, as a client is around its entities. */
export function wasInSight(name: PersonName, home: Home): boolean {
  if (home === '' || home === 'of/asker' || home === `of/${name}`) return true;
  if (home.startsWith('ticket/')) return seesTicketsOf(name, home.slice('ticket/'.length));
  const { whole }: Person = people[name];
  return whole.some((given) => isWithin(home, given) || isWithin(given, home));
}

/** Whether the flag, or a role that counts where something lies, grants a person a permission. */
export function isGranted(name: PersonName, permission: Permission, home: Home): boolean {
  if (permission === 'anyone') return true;
  if (permission === 'signed_in') return name !== 'nobody';
  const { is_superuser, roles }: Person = people[name];
  if (is_superuser === true || permission === 'superuser') return is_superuser === true;
  const counted = Object.entries(roles).filter(
    ([organization]) => !isDeleted(organization) && (home === '' || home.startsWith('ticket/') || isWithin(home, organization)),
  );
  return counted.some(([, id]) => defaultRoles.find((role) => role.id === id)?.permissions.includes(permission));
}
