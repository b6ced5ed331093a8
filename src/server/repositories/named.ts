import { type SQL, sql } from 'drizzle-orm';
import { ApiError } from '#contract/errors.ts';
import { type Db, rowsOf } from '#server/database/open.ts';

/** The part of a list that is asked for. */
export interface Page {
  skip: number;
  limit: number;
}

/** A field of the rows, which the contract has checked; undefined for the list's usual order. */
export interface Order {
  order_by?: string | undefined;
  order_by_asc: boolean;
}

/** What a list is ordered by: the field asked for, empty ones last and ties by id, or the usual. */
export function orderOf({ order_by, order_by_asc }: Order, usual: SQL): SQL {
  if (order_by === undefined) return usual;
  return sql`${sql.identifier(order_by)} ${order_by_asc ? sql`asc` : sql`desc`} nulls last, id`;
}

/** `name ilike %text%` with the text taken literally. */
export function nameContains(column: SQL, text: string | undefined): SQL {
  if (!text) return sql`true`;
  return sql`${column} ilike ${`%${text.replace(/[\\%_]/g, '\\$&')}%`}`;
}

/** Two names are one where they differ by case alone, or by blanks. */
export function isSameName(column: SQL, name: string): SQL {
  const key = (text: SQL) => sql`lower(regexp_replace(normalize(${text}), '\\s+', ' ', 'g'))`;
  return sql`${key(column)} = ${key(sql`${name}::text`)}`;
}

/** @throws ApiError `conflict` with a text where a query finds anything. */
export async function refuseWhere(db: Db, found: SQL, detail: string): Promise<void> {
  if ((await rowsOf(db, sql`select 1 where exists (${found})`)).length > 0) throw new ApiError({ code: 'conflict', detail });
}

/** Locks what a query finds until the transaction ends. @throws ApiError `not_found` where it finds nothing. */
export async function requireRow(db: Db, query: SQL, noun: string): Promise<void> {
  if ((await rowsOf(db, query)).length === 0) throw new ApiError({ code: 'not_found', detail: `${noun} not found` });
}

/** The same for a row that is to be made: @throws ApiError `conflict` where its id is taken, by whomever. */
export async function insertNew(db: Db, insert: SQL, noun: string): Promise<void> {
  const made = await rowsOf(db, sql`${insert} on conflict do nothing returning 1`);
  if (made.length === 0) throw new ApiError({ code: 'conflict', detail: `There is another ${noun} with this id` });
}
