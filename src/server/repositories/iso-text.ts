import { type SQL, sql } from 'drizzle-orm';

/** A moment as the wire has it: ISO 8601 in UTC, to the millisecond. */
export function isoText(column: SQL): SQL {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
