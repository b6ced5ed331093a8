import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { passwordLimits } from '#contract/invitations.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import { users } from '#server/database/tables/users.ts';
import { hashPassword } from '#server/passwords.ts';
import { beginWhereRestored } from '#server/repositories/change-log.ts';
import { demoUsers, seedDemo } from './demo.ts';
import { seedReference } from './reference.ts';

export interface PrepareOptions {
  /** Demo data for a database without users; null for none. */
  demo: { transactions: number; now: number } | null;
  /** First superuser of a database without users and without demo data. */
  admin: { email: string; password: string } | null;
  onProgress: (text: string) => void;
}

/**
 * Makes a fresh database usable: the rows every database needs, then demo data or the first superuser.
 * @returns lines that tell a person how to sign in.
 */
export async function prepareData(db: Db, options: PrepareOptions): Promise<string[]> {
  if (await beginWhereRestored(db)) options.onProgress('This database was restored from a dump: every device reads everything anew.');
  await seedReference(db);
  const [count] = await rowsOf<{ users: number; demo: number }>(
    db,
    sql`select count(*)::int as users, count(*) filter (where email = ${demoUsers[0]?.email})::int as demo from users`,
  );
  if (count && count.users > 0) return count.demo > 0 ? signInLines() : [];
  if (options.demo) {
    const { transactions, now } = options.demo;
    options.onProgress(`Writing demo data (${transactions.toLocaleString('en-US')} transactions) ...`);
    let shown = 0;
    await seedDemo(db, {
      transactions,
      now,
      hashPassword,
      onProgress: (done, total) => {
        const tenth = Math.floor((done / total) * 10);
        if (total >= 100_000 && tenth > shown) options.onProgress(`  ${done.toLocaleString('en-US')} of ${total.toLocaleString('en-US')}`);
        shown = tenth;
      },
    });
    return signInLines();
  }
  if (!options.admin) return ['Nobody can sign in yet: set ADMIN_EMAIL and ADMIN_PASSWORD and start again.'];
  const { email, password } = options.admin;
  if (password.length < passwordLimits.shortest) throw new Error(`ADMIN_PASSWORD must have at least ${passwordLimits.shortest} characters`);
  await db.insert(users).values({ id: uuidv7(), email, name: null, password_hash: await hashPassword(password), is_superuser: true });
  return [`email: ${email}  password: as given in ADMIN_PASSWORD`];
}

function signInLines(): string[] {
  return demoUsers.map((user) => `email: ${user.email}  password: ${user.password}`);
}
