import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AuditEntry, listAuditEntries } from '#contract/audit.ts';
import type { ApiCall } from '#api-client/call.ts';
import type { Db } from '#server/database/open.ts';
import { auditEntries } from '#server/database/tables/audit-entries.ts';
import { entities } from '#server/database/tables/places.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { anEntity, anOffice, aUser } from '#tests/support/world.ts';

let server: TestServer;
let db: Db;
let office: Awaited<ReturnType<typeof anOffice>>;
let call: ApiCall;
let entityId: string;

beforeAll(async () => {
  server = await aServer();
  ({ db } = server.database);
  office = await anOffice(db);
  ({ call } = await server.signedIn((await aUser(db, { role: 'administrator', organizationIds: [office.organization.id] })).email));
  entityId = (await anEntity(db, { client_id: office.client.id })).id;
});
afterAll(() => server.close());

const rename = (city: string) => db.update(entities).set({ city }).where(eq(entities.id, entityId));
const cities = (entries: readonly AuditEntry[]) => entries.map(({ after }) => after?.city);

/** An entry of the office as if it had been written at another time. */
async function writtenAt(at: string, rowId: string): Promise<void> {
  const { organization, client } = office;
  const place = { organization_id: organization.id, client_id: client.id };
  await db.insert(auditEntries).values({ ...place, at: new Date(at), noun: 'clients', row_id: rowId, action: 'update' });
}

describe('the list of the audit trail', () => {
  test('[AU20] newest first, page by page to the end, with no hole and nothing twice while entries come', async () => {
    for (let i = 0; i < 7; i += 1) await rename(`city ${i}`);
    const ask = (before?: string) => call(listAuditEntries, { row_id: entityId, action: 'update', limit: 3, before });
    const pages: AuditEntry[][] = [await ask()];
    for (let page = pages[0] ?? []; page.length > 0; pages.push(page)) {
      await rename(`meanwhile ${pages.length}`);
      page = await ask(page.at(-1)?.id);
    }
    const read = pages.flat();
    expect(cities(read)).toEqual(['city 6', 'city 5', 'city 4', 'city 3', 'city 2', 'city 1', 'city 0']);
    expect(cities(await ask())).toEqual(['meanwhile 3', 'meanwhile 2', 'meanwhile 1']);
  });

  test('[AU21] a date alone is a whole day in UTC, a moment is that moment, both ends are included', async () => {
    const moments = ['2020-05-01T23:59:59.999Z', '2020-05-02T00:00:00.000Z', '2020-05-02T23:59:59.999Z', '2020-05-03T00:00:00.000Z'];
    for (const at of moments) await writtenAt(at, 'dated');
    const read = async (start_date: string, end_date: string) =>
      (await call(listAuditEntries, { row_id: 'dated', start_date, end_date })).map(({ at }) => at);
    expect(await read('2020-05-02', '2020-05-02')).toEqual([moments[2], moments[1]]);
    expect(await read('2020-05-02T23:59:59.999Z', '2020-05-03T00:00:00Z')).toEqual([moments[3], moments[2]]);
    expect(await read('2020-05-01T20:00:00-04:00', '2020-05-02T12:00:00+00:00')).toEqual([moments[1]]);
    await expect(call(listAuditEntries, { start_date: 'soon' })).rejects.toMatchObject({ code: 'invalid' });
  });

  test('[AU22] every filter narrows, and they narrow together; what is no filter is refused', async () => {
    const every = { noun: 'entities', action: 'create', row_id: entityId, entity_id: entityId, client_id: office.client.id } as const;
    expect(await call(listAuditEntries, every)).toHaveLength(1);
    expect(await call(listAuditEntries, { ...every, organization_id: office.organization.id })).toHaveLength(1);
    for (const other of [{ noun: 'accounts' }, { action: 'delete' }, { client_id: entityId }, { user_id: office.accountant.id }] as const)
      expect(await call(listAuditEntries, { ...every, ...other })).toEqual([]);
    const { fetch } = await server.signedIn(office.accountant.email);
    for (const wrong of ['noun=sessions', 'action=read', 'before=x', 'limit=0', 'limit=501', 'end_date=2020-13-01'])
      expect([wrong, (await fetch(`/api/audit?${wrong}`)).status]).toEqual([wrong, 422]);
    expect((await fetch(`/api/audit?client_id=nothing&entity_id=x&user_id=y`)).status).toBe(200);
    expect(((await (await fetch('/api/audit')).json()) as unknown[]).length).toBeLessThanOrEqual(100);
  });
});
