import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KeptStatements } from '#server/database/kept-statements.ts';

let database: PGlite;
let statements: KeptStatements;

beforeAll(async () => {
  database = await PGlite.create();
  await database.exec(
    `create table things (id int primary key, name text, amount numeric, at timestamptz, tags text[], more jsonb);
     insert into things select n, 'thing ' || n, n + 0.10, '2026-09-14T12:00:00Z', array['a', 'b'], jsonb_build_object('n', n) from generate_series(1, 5) n;`,
  );
  statements = new KeptStatements(database);
});
afterAll(() => database.close());

const heldByDatabase = async (): Promise<number> =>
  (await database.query<{ n: number }>('select count(*)::int as n from pg_prepared_statements')).rows[0]?.n ?? -1;

test.each([
  ['values of every kind', 'select * from things order by id', []],
  [
    'parameters of several types',
    'select id, name from things where id > $1 and name <> $2 and at < $3 and tags @> $4',
    [1, 'x', new Date(), ['a']],
  ],
  ['null', 'select $1::text as nothing, amount from things where ($1::text is null) limit $2', [null, 2]],
  ['json', 'select more, $1::jsonb as given from things where more @> $1::jsonb', [{ n: 3 }]],
  ['no rows', 'select id from things where id = $1', [77]],
  ['what a write gives back', 'update things set name = $1 where id < $2 returning id, name', ['other', 3]],
  ['how many rows a write met', 'update things set name = $1 where id < $2', ['other', 3]],
  ['what changes no table', 'show server_version', []],
])('[DB7] a statement that comes again is answered as PGlite itself answers it: %s', async (_, text, params) => {
  for (const options of [{}, { rowMode: 'array' as const }, { parsers: { 1184: (value: string) => `as text ${value}` } }]) {
    const own = await database.query(text, [...params], options);
    for (let times = 0; times < 8; times += 1) {
      const { rows, affectedRows } = await statements.query(text, params, options);
      expect({ rows, affectedRows }).toEqual({ rows: own.rows, affectedRows: own.affectedRows });
    }
  }
});

test('[DB8] what the database refuses is told with its code, and what comes next is answered', async () => {
  const insert = 'insert into things (id) values ($1)';
  const refused = { code: '23505', constraint: 'things_pkey', detail: expect.stringMatching(/already exists/) as string };
  for (let times = 0; times < 3; times += 1) await expect(statements.query(insert, [1], {})).rejects.toMatchObject(refused);
  await expect(statements.query('select nothing from nowhere', [], {})).rejects.toMatchObject({ code: '42P01' });
  await expect(statements.query('select 1 / $1::int as one', [0], {})).rejects.toMatchObject({ code: '22012' });
  await database.exec('begin');
  await statements.query(insert, [100], {});
  await expect(statements.query(insert, [100], {})).rejects.toMatchObject(refused);
  await expect(statements.query('select 2 as two', [], {})).rejects.toMatchObject({ code: '25P02' });
  await database.exec('rollback');
  expect((await statements.query('select 2 as two', [], {})).rows).toEqual([{ two: 2 }]);
  expect((await statements.query('select id from things where id = $1', [100], {})).rows).toEqual([]);
});

test('[DB9] a table that was changed is read as it is now', async () => {
  const all = 'select * from things where id = $1';
  await statements.query(all, [1], {});
  await statements.query('alter table things add column colour text default $$red$$', [], {});
  expect((await statements.query(all, [1], {})).rows).toMatchObject([{ id: 1, colour: 'red' }]);
});

test('[DB10] no more statements are kept than there is room for, and none that is long', async () => {
  for (let no = 0; no < 300; no += 1) expect((await statements.query(`select ${no} as n`, [], {})).rows).toEqual([{ n: no }]);
  expect(await heldByDatabase()).toBe(200);
  const long = `select id from things where id in (3, ${Array.from({ length: 9000 }, (_, no) => no + 1000).join(', ')})`;
  expect((await statements.query(long, [], {})).rows).toEqual([{ id: 3 }]);
  expect(await heldByDatabase()).toBe(200);
});
