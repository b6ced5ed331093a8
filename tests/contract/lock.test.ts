import { expect, test } from 'vitest';
import { z } from 'zod';
import { endpoints } from '#contract/endpoints.ts';
import { errorCodes } from '#contract/errors.ts';
import { mutations } from '#contract/mutations.ts';

const shape = (schema: z.ZodType, io: 'input' | 'output') => z.toJSONSchema(schema, { io, unrepresentable: 'any' });

test('[WI7] the wire is what it was: a change of any call is a change of this file', async () => {
  const wire = {
    calls: endpoints.map(({ name, method, path, permission, sendAs, paging, ifMatch, restsOn, input, output }) => ({
      name,
      call: `${method} ${path}`,
      permission,
      sendAs,
      paging: paging ?? null,
      ...(ifMatch ? { ifMatch } : {}),
      ...(restsOn === undefined ? {} : { restsOn }),
      input: shape(input, 'input'),
      output: shape(output, 'output'),
    })),
    errors: errorCodes,
    mutations: Object.keys(mutations),
  };
  await expect(`${JSON.stringify(wire, null, 2)}\n`).toMatchFileSnapshot('wire.lock.json');
});

test('[WI8] no two calls share a name or a place', () => {
  expect(new Set(endpoints.map((endpoint) => endpoint.name)).size).toBe(endpoints.length);
  expect(new Set(endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(endpoints.length);
});

test('[WI9] page sizes are the limits of the specification', () => {
  const limits = Object.fromEntries(
    endpoints.filter((endpoint) => endpoint.paging).map((endpoint) => [endpoint.name, endpoint.paging?.limit]),
  );
  expect(limits).toMatchObject({
    listClients: 500,
    listEntities: 400,
    listCustodians: 500,
    listTransactions: 100,
    listSecurities: 100,
    listRawData: 20,
  });
});
