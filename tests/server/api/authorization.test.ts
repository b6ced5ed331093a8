import { afterAll, beforeAll, expect, test } from 'vitest';
import { endpoints } from '#contract/endpoints.ts';
import { askedCalls } from '#tests/support/authorization/calls.ts';
import { askEverybody, type Matrix } from '#tests/support/authorization/matrix.ts';
import { tableText } from '#tests/support/authorization/table.ts';
import { authorizationWorld } from '#tests/support/authorization/world.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';

let server: TestServer;
let matrix: Matrix;

beforeAll(async () => {
  server = await aServer();
  matrix = await askEverybody(server, await authorizationWorld(server), askedCalls);
}, 600_000);
afterAll(() => server.close());

test('[AZ1] every call of the contract is asked, in the order of the contract', () => {
  expect(askedCalls.map(({ endpoint }) => endpoint.name)).toEqual(endpoints.map(({ name }) => name));
});

test('[AZ2] whoever makes a call about whatever gets what the reviewed table says', async () => {
  await expect(tableText(matrix.blocks)).toMatchFileSnapshot('authorization-matrix.md');
});

test('[AZ3] no answer shows what lies out of sight, no change touches it, and what was refused changed nothing', () => {
  expect(matrix.faults).toEqual([]);
});
