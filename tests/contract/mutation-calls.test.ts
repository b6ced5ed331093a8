import { expect, test } from 'vitest';
import { clientFieldsSchema } from '#contract/clients.ts';
import { entityFieldsSchema } from '#contract/entities.ts';
import { callOf } from '#contract/mutation-calls.ts';
import { mutationNamed, type MutationName, mutations } from '#contract/mutations.ts';
import { organizationFieldsSchema } from '#contract/organizations.ts';
import { userFieldsSchema } from '#contract/users.ts';
import { isSayable } from '#replica/conflicts.ts';

const names = Object.keys(mutations) as MutationName[];

test.each(names)('[WI11] what is known of %s without its call is what its call says', (name) => {
  const { endpoint } = callOf(name);
  expect(mutationNamed(name).about).toEqual(endpoint.ifMatch ?? null);
  expect(mutationNamed(name).removes !== undefined).toBe(endpoint.method === 'DELETE');
  // a call that puts says again what is; one that makes something is followed by one that does
  if (!name.startsWith('create')) expect(isSayable(name)).toBe(endpoint.method === 'PUT');
});

test.each([
  ['updateOrganization', organizationFieldsSchema],
  ['updateClient', clientFieldsSchema],
  ['updateEntity', entityFieldsSchema],
  ['updateUser', userFieldsSchema],
] as const)('[WI11] %s is compared by all that its form says', (name, { shape }) => {
  const { merges, asks } = mutationNamed(name).merge;
  expect([...merges, ...asks]).toEqual(expect.arrayContaining(Object.keys(shape)));
  // a person's edits are of three kinds
  const more = name === 'updateUser' ? ['memberships', 'client_ids', 'entity_ids'] : [];
  expect(new Set([...merges, ...asks])).toEqual(new Set([...Object.keys(shape), ...more]));
});
