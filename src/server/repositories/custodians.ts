import { and, asc, eq, sql } from 'drizzle-orm';
import type { Custodian } from '#contract/custodians.ts';
import { type Db, inIds } from '#server/database/open.ts';
import { custodianTypes, custodians } from '#server/database/tables/places.ts';
import { nameContains, type Order, orderOf, type Page } from './named.ts';

export interface CustodianQuery extends Order, Page {
  name?: string | undefined;
  custodian_type_id?: number | undefined;
  active: 'active' | 'inactive' | 'all';
}

/** Custodians, by name and type unless told: the same for everybody who may read custodians. */
export function listCustodians(db: Db, query: CustodianQuery): Promise<Custodian[]> {
  return db
    .select()
    .from(custodians)
    .where(
      and(
        nameContains(sql`${custodians.custodian_name}`, query.name),
        query.custodian_type_id === undefined ? undefined : eq(custodians.custodian_type_id, query.custodian_type_id),
        query.active === 'all' ? undefined : eq(custodians.active, query.active === 'active'),
      ),
    )
    .orderBy(orderOf(query, sql`${custodians.custodian_name}, ${custodians.custodian_type_id}, ${custodians.id}`))
    .limit(query.limit)
    .offset(query.skip);
}

/** Some custodians, for somebody who may read them. */
export function custodiansById(db: Db, ids: readonly string[]): Promise<Custodian[]> {
  return db.select().from(custodians).where(inIds(custodians.id, ids));
}

export async function findCustodian(db: Db, id: string): Promise<Custodian | undefined> {
  return (await custodiansById(db, [id]))[0];
}

export function listCustodianTypes(db: Db): Promise<{ id: number; custodian_type_name: string }[]> {
  return db.select().from(custodianTypes).orderBy(asc(custodianTypes.id));
}
