import { type SQL, sql } from 'drizzle-orm';
import { type Db, rowsOf } from '#server/database/open.ts';
import { tableNames } from '#server/repositories/table-samples.ts';

/** Every row of every table as JSON text, by the table's name. */
export type WholeDatabase = ReadonlyMap<string, readonly string[]>;

/** One statement that says something of each table. */
function ofEach(tables: Iterable<string>, value: SQL): SQL {
  return sql.join(
    [...tables].map((name) => sql`select ${name} as name, ${value} as value from ${sql.identifier(name)} t`),
    sql` union all `,
  );
}

/** All that a database holds, as one text. */
export async function everyRow(db: Db): Promise<string> {
  const rows = await rowsOf<{ value: string | null }>(db, ofEach(await tableNames(db), sql`string_agg(to_jsonb(t)::text, ' ')`));
  return rows.map(({ value }) => value ?? '').join('\n');
}

const fingerprint = sql`md5(coalesce(string_agg(to_jsonb(t)::text, '' order by to_jsonb(t)::text), ''))`;

/** A number that is another one once anything was written, be it undone: to ask for it costs next to nothing. */
async function writtenUpTo(db: Db): Promise<string> {
  const [row] = await rowsOf<{ place: string }>(db, sql`select pg_snapshot_xmax(pg_current_snapshot())::text as place`);
  return (row as { place: string }).place;
}

/** A database as it stood at one moment, to compare it with what it is later and to put it back. */
export interface KeptDatabase {
  /** The rows of the tables that are not as they were: before and now. */
  changes: () => Promise<{ before: WholeDatabase; now: WholeDatabase }>;
  /** Makes these tables what they were, without a trigger of it. */
  putBack: (tables: Iterable<string>) => Promise<void>;
}

/** Keeps all that a database holds. For small ones: every row is read. */
export async function keepDatabase(db: Db): Promise<KeptDatabase> {
  const tables = await tableNames(db);
  const readRows = async (names: Iterable<string>): Promise<WholeDatabase> => {
    const found = await rowsOf<{ name: string; value: string[] | null }>(db, ofEach(names, sql`json_agg(to_jsonb(t)::text)`));
    return new Map(found.map(({ name, value }) => [name, value ?? []]));
  };
  const readPrints = async () => rowsOf<{ name: string; value: string }>(db, ofEach(tables, fingerprint));
  const kept = await readRows(tables);
  const prints = new Map((await readPrints()).map(({ name, value }) => [name, value]));
  /** How far it is known to be as it was. */
  let seen = await writtenUpTo(db);
  return {
    async changes() {
      const written = await writtenUpTo(db);
      if (written === seen) return { before: new Map(), now: new Map() };
      const changed = (await readPrints()).filter(({ name, value }) => prints.get(name) !== value).map(({ name }) => name);
      if (changed.length === 0) {
        seen = written;
        return { before: new Map(), now: new Map() };
      }
      return { before: new Map(changed.map((name) => [name, kept.get(name) ?? []])), now: await readRows(changed) };
    },
    putBack: (names) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`set local session_replication_role = replica`);
        for (const name of names) {
          const table = sql.identifier(name);
          await tx.execute(sql`delete from ${table}`);
          await tx.execute(
            sql`insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${`[${(kept.get(name) ?? []).join(',')}]`}::jsonb)`,
          );
        }
      }),
  };
}
