import { type SQL, sql } from 'drizzle-orm';
import type { AllocationMethod } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { type Db, rowsOf } from '#server/database/open.ts';

/** The orders in which Titan may take lots. */
export function listAllocationMethods(db: Db): Promise<AllocationMethod[]> {
  return rowsOf(db, sql`select id, name from allocation_methods order by id`);
}

async function requireOne(db: Db, field: string, found: SQL, msg: string): Promise<void> {
  if ((await rowsOf(db, found)).length > 0) return;
  throw new ApiError({ code: 'invalid', detail: [{ loc: ['body', field], msg, type: 'unknown' }] });
}

/** @throws ApiError `invalid` where a field names one there is none of; nothing said is fine. */
export async function requireAccountingSystem(db: Db, field: string, id: number | null): Promise<void> {
  if (id === null) return;
  await requireOne(db, field, sql`select 1 from accounting_systems where id = ${id}`, 'There is no such accounting system');
}

/** The same of a method of allocation. */
export async function requireAllocationMethod(db: Db, field: string, id: number | null | undefined): Promise<void> {
  if (id === null || id === undefined) return;
  await requireOne(db, field, sql`select 1 from allocation_methods where id = ${id}`, 'There is no such allocation method');
}
