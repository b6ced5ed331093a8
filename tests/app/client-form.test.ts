import { expect, test } from 'vitest';
import { clientFormSchema, organizationOfNew } from '#app/screens/clients/client-form.ts';
import type { ShownClient } from '#replica/places.ts';

const others = [{ id: 'c', organization_id: 'larch', client_name: 'Alder Family' } as ShownClient];
const problems = (isNew: boolean, organization_id: string, client_name: string): string[] =>
  (clientFormSchema({ others, isNew }).safeParse({ organization_id, client_name }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

test('[PL40] a new client begins in the organization the screen is narrowed to, or in the only one; of several in none, which is refused in words', () => {
  const [larch, birch] = [{ id: 'larch' }, { id: 'birch' }];
  expect(organizationOfNew([larch, birch], 'birch')).toBe('birch');
  expect(organizationOfNew([larch, birch], undefined)).toBe('');
  // one that is not here narrows to nothing a client could be made in
  expect(organizationOfNew([larch, birch], 'elsewhere')).toBe('');
  expect([undefined, 'larch', 'elsewhere'].map((narrowedTo) => organizationOfNew([larch], narrowedTo))).toEqual([
    'larch',
    'larch',
    'larch',
  ]);
  expect(organizationOfNew([], 'larch')).toBe('');
  expect(problems(true, '', 'Alder Family')).toEqual(['organization_id: Organization ID is required']);
  expect(problems(true, 'larch', 'alder family')).toEqual([expect.stringMatching(/^client_name: /)]);
  expect(problems(true, 'birch', 'Alder Family')).toEqual([]);
});

test('[OS25] a rename that waits is saved though its client, and so its organization, is no longer in sight', () => {
  expect(problems(false, '', 'Birch Family')).toEqual([]);
  expect(problems(false, '', ' ')).toEqual([expect.stringMatching(/^client_name: /)]);
  expect(problems(false, 'larch', 'Alder Family')).toEqual([expect.stringMatching(/^client_name: /)]);
});
