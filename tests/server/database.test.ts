import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, openPglite, rowsOf } from '#server/database/open.ts';

const folder = mkdtempSync(join(tmpdir(), 'tieout-durable-'));
let database: Database;

beforeAll(async () => {
  database = await openPglite(folder);
});
afterAll(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (id: number) => database.db.execute(sql`insert into accounting_systems (id, name) values (${id}, 'x')`);
const count = async () => (await rowsOf<{ n: number }>(database.db, sql`select count(*)::int as n from accounting_systems`))[0]?.n;

describe('the embedded database', () => {
  test('[DB1] every commit reaches the disk: 50 commits make at least 50 fsync calls', async () => {
    const before = await database.countFsync();
    for (let id = 1; id <= 50; id += 1) await insert(id);
    expect((await database.countFsync()) - before).toBeGreaterThanOrEqual(50);
  });

  test('[DB2] a transaction that throws leaves nothing, and the next one works', async () => {
    const before = await count();
    await expect(
      database.db.transaction(async (tx) => {
        await tx.execute(sql`insert into accounting_systems (id, name) values (900, 'x')`);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    await expect(insert(1)).rejects.toThrow();
    await insert(901);
    expect(await count()).toBe((before ?? 0) + 1);
  });

  test('[DB3] using the database inside its own transaction is refused at once instead of waiting for ever', async () => {
    const inside = database.db.transaction(async () => {
      await count();
    });
    await expect(inside).rejects.toThrow();
    expect(await count()).toBeGreaterThan(0);
  });

  test('[DB4] reads that come during a transaction wait for it and see it whole', async () => {
    const before = await count();
    let begun: () => void = () => undefined;
    const reading = new Promise<void>((resolve) => {
      begun = resolve;
    }).then(count);
    await database.db.transaction(async (tx) => {
      await tx.execute(sql`insert into accounting_systems (id, name) values (910, 'x')`);
      begun();
      await tx.execute(sql`select 1`);
      await tx.execute(sql`insert into accounting_systems (id, name) values (911, 'x')`);
    });
    expect(await reading).toBe((before ?? 0) + 2);
  });

  test('[DB5] a folder in use is refused to a second server, and a lock left by a dead one is taken over', async () => {
    const other = mkdtempSync(join(tmpdir(), 'tieout-lock-'));
    const lock = join(other, 'server.pid');
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    writeFileSync(lock, String(process.ppid));
    await expect(openPglite(other)).rejects.toThrow(/is in use by process/);
    expect(existsSync(join(other, 'pglite'))).toBe(false);
    writeFileSync(lock, String(dead));
    const taken = await openPglite(other);
    await taken.close();
    expect(existsSync(lock)).toBe(false);
    rmSync(other, { recursive: true, force: true });
  });

  test('[DB6] a long query does not stop the thread that answers requests', async () => {
    let longest = 0;
    let last = performance.now();
    let isDone = false;
    const beat = (): void => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
      if (!isDone) setImmediate(beat);
    };
    beat();
    const started = performance.now();
    await database.db.execute(sql`select count(*) from generate_series(1, 3000000) a where a % 7 = 3`);
    const took = performance.now() - started;
    isDone = true;
    expect(longest).toBeLessThan(took / 2);
  });
});
