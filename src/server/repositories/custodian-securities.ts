import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { type Db, rowsOf } from '#server/database/open.ts';
import { custodianSecurities } from '#server/database/tables/securities.ts';

/** What a custodian's symbol stands for; `security_id` is null while nobody has said. */
export interface FoundSecurity {
  custodian_security_id: string;
  security_id: string | null;
  is_dollar: boolean;
}

/**
 * The securities behind a custodian's symbols. A symbol met for the first time is mapped to the one security of that ticker;
 * where there is none, or more than one, it stays unmapped until a person decides.
 */
export async function securitiesOfSymbols(db: Db, custodianId: string, symbols: readonly string[]): Promise<Map<string, FoundSecurity>> {
  const wanted = [...new Set(symbols)];
  if (wanted.length === 0) return new Map();
  const list = JSON.stringify(wanted);
  const known = await rowsOf<{ symbol: string }>(
    db,
    sql`select cs.symbol from custodian_securities cs where cs.custodian_id = ${custodianId}::uuid and cs.symbol in (select jsonb_array_elements_text(${list}::jsonb))`,
  );
  const held = new Set(known.map((row) => row.symbol));
  // in one order, so that two imports that bring the same symbols wait for each other instead of crossing
  const missing = wanted.filter((symbol) => !held.has(symbol)).sort();
  if (missing.length > 0) {
    const candidates = await rowsOf<{ ticker: string; id: string }>(
      db,
      sql`select s.ticker, min(s.id::text) as id from securities s where s.ticker in (select upper(jsonb_array_elements_text(${JSON.stringify(missing)}::jsonb)))
        group by s.ticker having count(*) = 1`,
    );
    const byTicker = new Map(candidates.map((row) => [row.ticker, row.id]));
    await db
      .insert(custodianSecurities)
      .values(
        missing.map((symbol) => ({
          id: uuidv7(),
          custodian_id: custodianId,
          symbol,
          security_id: byTicker.get(symbol.toUpperCase()) ?? null,
        })),
      )
      .onConflictDoNothing();
  }
  const rows = await rowsOf<FoundSecurity & { symbol: string }>(
    db,
    sql`select cs.symbol, cs.id::text as custodian_security_id, cs.security_id::text as security_id, coalesce(s.ticker = 'USD' and s.security_type_id = 3, false) as is_dollar
      from custodian_securities cs left join securities s on s.id = cs.security_id
      where cs.custodian_id = ${custodianId}::uuid and cs.symbol in (select jsonb_array_elements_text(${list}::jsonb))`,
  );
  return new Map(rows.map(({ symbol, ...found }) => [symbol, found]));
}
