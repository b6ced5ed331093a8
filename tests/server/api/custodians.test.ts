import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { listCustodians } from '#contract/custodians.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aCustodian, anOffice } from '#tests/support/world.ts';

let server: TestServer;
let call: ApiCall;

beforeAll(async () => {
  server = await aServer();
  const { accountant } = await anOffice(server.database.db);
  call = (await server.signedIn(accountant.email)).call;
});
afterAll(() => server.close());

test('[CU1] custodians are the active ones of all types unless told otherwise, by name and then by type', async () => {
  const { db } = server.database;
  const [closed, second, first] = [
    await aCustodian(db, { custodian_name: 'Harbour vault', active: false }),
    await aCustodian(db, { custodian_name: 'Harbour vault', custodian_type_id: 900 }),
    await aCustodian(db, { custodian_name: 'Harbour vault', custodian_type_id: 1 }),
  ];
  const idsOf = async (filter: { active?: 'active' | 'inactive' | 'all'; custodian_type_id?: 'all' | number }) =>
    (await call(listCustodians, { name: 'harbour', ...filter })).map((row) => row.id);
  expect(await idsOf({})).toEqual([first.id, second.id]);
  expect(await idsOf({ custodian_type_id: 'all' })).toEqual([first.id, second.id]);
  expect(await idsOf({ custodian_type_id: 1 })).toEqual([first.id]);
  expect(await idsOf({ active: 'inactive' })).toEqual([closed.id]);
  expect((await idsOf({ active: 'all' })).sort()).toEqual([closed.id, second.id, first.id].sort());
});

test('[CU2] custodians are ordered by a field of theirs, ties by id, and by nothing else', async () => {
  const { db } = server.database;
  const made = [
    await aCustodian(db, { custodian_name: 'Quay B', custodian_type_id: 900 }),
    await aCustodian(db, { custodian_name: 'Quay A', custodian_type_id: 900 }),
    await aCustodian(db, { custodian_name: 'Quay C', custodian_type_id: 1 }),
  ];
  const [b, a, c] = made.map((row) => row.id);
  const idsBy = async (order: Pick<InputOf<typeof listCustodians>, 'order_by' | 'order_by_asc'>) =>
    (await call(listCustodians, { name: 'quay', ...order })).map((row) => row.id);
  expect(await idsBy({ order_by: 'custodian_type_id' })).toEqual([c, b, a]);
  expect(await idsBy({ order_by: 'custodian_type_id', order_by_asc: false })).toEqual([b, a, c]);
  expect(await idsBy({ order_by: 'custodian_name', order_by_asc: false })).toEqual([c, b, a]);
  await expect(idsBy({ order_by: 'version' as 'id' })).rejects.toMatchObject({
    status: 422,
    message: 'Expected one of id, custodian_name, custodian_type_id, active (query.order_by)',
  });
});
