import { z } from 'zod';
import { type Custodian, custodianSchema } from '#contract/custodians.ts';
import { defineEndpoint, type Paging } from '#contract/endpoint.ts';
import type { Stream } from '#workers/streams.ts';

// A list that only tests have: a line that says how it is paged is all the engine needs to know of it.

export const aThing = (no: number): Custodian => ({
  id: `custodian-${String(no).padStart(4, '0')}`,
  custodian_name: `Custodian ${no}`,
  custodian_type_id: 1,
  active: true,
  version: 1,
});

export const idsOfThings = (rows: readonly Custodian[]): string[] => rows.map(({ id }) => id).toSorted();

export function aThingStream(paging: Paging | undefined): Stream {
  const endpoint = defineEndpoint({
    name: 'listThings',
    method: 'GET',
    path: '/things',
    permission: 'signed_in',
    input: z.object({}),
    output: z.array(custodianSchema),
    ...(paging ? { paging } : {}),
  });
  return { noun: 'custodians', per: 'user', refreshAfterMs: 1, endpoint, inputs: () => [{ kind: 'all' }] };
}
