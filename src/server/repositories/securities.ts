import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Security } from '#contract/securities.ts';
import { type Db, inIds } from '#server/database/open.ts';
import { securities, securityTypes } from '#server/database/tables/securities.ts';
import { nameContains } from './named.ts';

export interface SecurityQuery {
  security_name?: string | undefined;
  security_type_id?: number | undefined;
  ticker?: string | undefined;
  dart_security_id?: string | undefined;
  order_by: 'id' | 'security_name' | 'ticker' | 'security_type_id' | 'dart_security_id';
  order_by_asc: boolean;
  skip: number;
  limit: number;
}

/** Securities in the order asked for, ties by id: the same for everybody who may read securities. */
export function listSecurities(db: Db, query: SecurityQuery): Promise<Security[]> {
  const order = query.order_by_asc ? asc : desc;
  return db
    .select()
    .from(securities)
    .where(
      and(
        nameContains(sql`${securities.security_name}`, query.security_name),
        nameContains(sql`${securities.ticker}`, query.ticker),
        query.security_type_id === undefined ? undefined : eq(securities.security_type_id, query.security_type_id),
        query.dart_security_id === undefined ? undefined : eq(securities.dart_security_id, query.dart_security_id),
      ),
    )
    .orderBy(order(securities[query.order_by]), order(securities.id))
    .limit(query.limit)
    .offset(query.skip);
}

/** Some securities, for somebody who may read them. */
export function securitiesById(db: Db, ids: readonly string[]): Promise<Security[]> {
  return db.select().from(securities).where(inIds(securities.id, ids));
}

/** The security of a ticker and type. */
export async function findSecurity(db: Db, ticker: string, typeId: number): Promise<Security | undefined> {
  const rows = await db
    .select()
    .from(securities)
    .where(and(eq(securities.ticker, ticker), eq(securities.security_type_id, typeId)));
  return rows[0];
}

export function listSecurityTypes(db: Db): Promise<{ id: number; security_type_name: string }[]> {
  return db.select().from(securityTypes).orderBy(asc(securityTypes.id));
}
