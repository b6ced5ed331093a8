import { expect, test } from 'vitest';
import { clientFormSchema } from '#app/screens/clients/client-form.ts';
import type { ShownClient } from '#replica/places.ts';

const others = [{ id: 'c', organization_id: 'larch', client_name: 'Alder Family' } as ShownClient];
const problems = (isNew: boolean, organization_id: string, client_name: string): string[] =>
  (clientFormSchema({ others, isNew }).safeParse({ organization_id, client_name }).error?.issues ?? []).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );

test('[OS25] a rename that waits is saved though its client, and so its organization, is no longer in sight', () => {
  expect(problems(false, '', 'Birch Family')).toEqual([]);
  expect(problems(false, '', ' ')).toEqual([expect.stringMatching(/^client_name: /)]);
  expect(problems(false, 'larch', 'Alder Family')).toEqual([expect.stringMatching(/^client_name: /)]);
});
