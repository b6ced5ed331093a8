import { fileURLToPath } from 'node:url';
import { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/pglite';
import { migrate } from 'drizzle-orm/pglite/migrator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Db, rowsOf } from '#server/database/open.ts';
import { organizations } from '#server/database/tables/places.ts';
import { users } from '#server/database/tables/users.ts';
import { seedDemo } from '#server/seed/demo.ts';
import { openWorld } from '#server/seed/demo-world.ts';
import { idAt } from '#server/seed/ids.ts';
import { openRandom } from '#server/seed/random.ts';
import { referenceSecurities, seedReference } from '#server/seed/reference.ts';

const now = Date.UTC(2026, 6, 28, 14, 5);

describe('the demo in a database', () => {
  const lite = new PGlite();
  const db: Db = drizzle(lite);
  const hashPassword = (password: string) => Promise.resolve(`hash of ${password}`);
  const options = { transactions: 3000, now, hashPassword };

  async function countsOf(): Promise<Record<string, number> | undefined> {
    const [counts] = await rowsOf<Record<string, number>>(
      db,
      sql`select (select count(*) from organizations)::int as organizations, (select count(*) from accounts)::int as accounts,
        (select count(*) from transactions)::int as transactions, (select count(*) from transaction_matches)::int as matches,
        (select count(*) from users)::int as users, (select count(*) from custodian_securities)::int as symbols`,
    );
    return counts;
  }

  beforeAll(async () => {
    await migrate(drizzle(lite), { migrationsFolder: fileURLToPath(new URL('../../src/server/migrations', import.meta.url)) });
  });
  beforeEach(() =>
    lite
      .exec('truncate organizations, users, custodians, securities, roles, accounting_systems, custodian_types, security_types cascade')
      .then(() => undefined),
  );
  afterAll(() => lite.close());

  test('[SD16] the constraints take every row, and every field arrives as it was made', async () => {
    expect(await seedDemo(db, options)).toBe(true);
    const world = openWorld(options);
    const chunks = [...world.chunks()];
    const transactions = chunks.flatMap((chunk) => chunk.transactions);
    const matches = chunks.flatMap((chunk) => chunk.matches);
    expect(await countsOf()).toEqual({
      organizations: 3,
      accounts: world.accounts.length,
      transactions: 3000,
      matches: matches.length,
      users: 3,
      symbols: world.symbols.length,
    });
    const stored = await rowsOf<{ row: Record<string, unknown> }>(
      db,
      sql`select to_jsonb(transactions) || jsonb_build_object('quantity', quantity::text, 'price', price::text, 'usd_value', usd_value::text, 'fee_quantity', fee_quantity::text, 'fee_usd', fee_usd::text) as row from transactions`,
    );
    expect(transactions.some((row) => row.description?.includes('"')) && transactions.some((row) => row.description?.includes('\\'))).toBe(
      true,
    );
    const byId = new Map(stored.map(({ row }) => [row.id, row]));
    for (const { trx_date, ...row } of transactions) {
      expect(byId.get(row.id)).toMatchObject(row);
      expect(Date.parse(String(byId.get(row.id)?.trx_date))).toBe(Date.parse(trx_date));
    }
    const [wrong] = await rowsOf<{ values: number }>(
      db,
      sql`select count(*)::int as values from transactions where usd_value is distinct from quantity * price`,
    );
    expect(wrong?.values).toBe(0);
  });

  test('[SD20] stored, every entity is worth the sum of its accounts', async () => {
    await seedDemo(db, options);
    const rows = await rowsOf<{ name: string }>(
      db,
      sql`select e.entity_name as name from entities e
        where (select value_usd from entity_values v where v.entity_id = e.id order by day desc limit 1)
          is distinct from (select sum(v.value_usd) from account_values v join accounts a on a.id = v.account_id where a.entity_id = e.id)`,
    );
    expect(rows).toEqual([]);
  });

  test('[SD16] whoever decided a match may see its entity', async () => {
    await seedDemo(db, options);
    const rows = await rowsOf<{ state: string; email: string | null; count: number }>(
      db,
      sql`select state, email, count(*)::int from transaction_matches left join users on users.id = decided_by group by 1, 2 order by 1, 2`,
    );
    expect(rows.filter((row) => row.email === null).map((row) => row.state)).toEqual(['PENDING']);
    expect(new Set(rows.map((row) => row.email))).toEqual(new Set([null, 'accountant@tieout.example', 'admin@tieout.example']));
    const [strange] = await rowsOf<{ count: number }>(
      db,
      sql`select count(*)::int from transaction_matches m join users u on u.id = decided_by join entities e on e.id = m.entity_id
        where not u.is_superuser and not exists (select from client_assignments a where a.user_id = u.id and a.client_id = e.client_id)`,
    );
    expect(strange?.count).toBe(0);
  });

  test('[SD17] a seed cut short leaves nothing; the next one is whole', async () => {
    const cut = (done: number) => {
      if (done > 1000) throw new Error('cut short');
    };
    await expect(seedDemo(db, { ...options, onProgress: cut })).rejects.toThrow('cut short');
    expect(await countsOf()).toEqual({ organizations: 0, accounts: 0, transactions: 0, matches: 0, users: 0, symbols: 0 });
    expect(await seedDemo(db, options)).toBe(true);
    expect(await countsOf()).toMatchObject({ transactions: 3000, users: 3 });
  });

  test('[SD17] progress is told from the first chunk to the last row', async () => {
    const told: [number, number][] = [];
    await seedDemo(db, { ...options, onProgress: (done, total) => told.push([done, total]) });
    expect(told.length).toBeGreaterThan(3);
    expect(told.at(-1)).toEqual([3000, 3000]);
    for (const [i, [done]] of told.entries()) expect(done).toBeGreaterThan(told[i - 1]?.[0] ?? 0);
  });

  test('[SD18] a database with a user stays as it is; one with places but no people is refused', async () => {
    await db.insert(users).values({ id: idAt(now, openRandom('someone')), email: 'someone@example.org' });
    expect(await seedDemo(db, options)).toBe(false);
    expect(await countsOf()).toMatchObject({ organizations: 0, users: 1 });
    await lite.exec('truncate users cascade');
    await db.insert(organizations).values({ id: idAt(now, openRandom('somewhere')), name: 'Somewhere' });
    await expect(seedDemo(db, options)).rejects.toThrow('organizations but no users');
    expect(await countsOf()).toMatchObject({ organizations: 1, users: 0 });
  });

  test('[SD19] reference rows may be written again: what is missing comes, what people edited stays', async () => {
    await seedReference(db);
    await lite.exec(`update roles set name = 'Sole auditor' where id = 'auditor'; delete from securities where ticker = 'ETH'`);
    await seedReference(db);
    const [roles] = await rowsOf<{ name: string }>(db, sql`select name from roles where id = 'auditor'`);
    expect(roles?.name).toBe('Sole auditor');
    const [count] = await rowsOf<{ count: number }>(db, sql`select count(*)::int from securities`);
    expect(count?.count).toBe(referenceSecurities.length);
  });
});
