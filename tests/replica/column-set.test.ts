import { v7 as uuid } from 'uuid';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BalanceSnapshot } from '#contract/balance-snapshots.ts';
import type { DefiBalanceSnapshot } from '#contract/defi-balance-snapshots.ts';
import type { SecurityMasterRow } from '#contract/security-master.ts';
import { columnNouns, type ColumnNoun, type ColumnRow } from '#replica/column-nouns.ts';
import { ColumnSet, type Selected } from '#replica/column-set.ts';
import { copyStanding } from '#replica/apply.ts';
import { countsIn } from '#replica/counts.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { startFeed } from '#replica/feed-state.ts';
import { generationName } from '#replica/generation.ts';
import { writeKept } from '#replica/kept.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { newPull, type PullRow } from '#replica/pulls.ts';
import { namesAt, type SegmentRecord } from '#replica/row-tables.ts';
import { ClosedSetError, DamagedSetError } from '#replica/set-errors.ts';
import { dropSet, rebuildSet } from '#replica/set-storage.ts';
import { losing } from '#tests/support/some-sets.ts';
import { listed } from '#tests/support/stored.ts';
import { linesOf } from '#tests/support/older-rows.ts';

const breathe = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
const day = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 3_600_000).toISOString();

const balance = (index: number): BalanceSnapshot => ({
  id: uuid(),
  account_id: `account ${index % 7}`,
  entity_id: 'entity',
  custodian_security_id: null,
  security_id: index % 5 === 0 ? null : `security ${index % 3}`,
  as_of: day(index),
  quantity: `${index}.000000000000000001`,
  price: '2',
  usd_value: index % 2 === 0 ? null : `${index * 2}.5`,
  initial_balance: index === 0,
  version: 1,
});

const defi = (index: number): DefiBalanceSnapshot => ({
  id: uuid(),
  account_id: 'account',
  entity_id: 'entity',
  custodian_security_id: null,
  security_id: `security ${index % 3}`,
  blockchain: index % 2 === 0 ? 'ethereum' : 'base',
  protocol: 'Aave',
  contract_address: `0xABCDEF${index}`,
  balance_type: 'supplied',
  as_of: day(index),
  quantity: String(index),
  usd_value: '1',
  version: 1,
});

const security = (index: number): SecurityMasterRow => ({
  id: uuid(),
  price_source_id: '1',
  security_name: `Security number ${index}`,
  security_type_id: 1 + (index % 3),
  ticker: `T${index % 400}`,
  dart_security_id: null,
  price: index % 4 === 0 ? null : '3.5',
  priced_at: index % 4 === 0 ? null : day(index),
  version: 1,
});

/** How many balance snapshots a copy says it holds of each scope. */
async function counted({ rows }: Replica): Promise<Record<string, number>> {
  const entities = [{ id: 'entity', client_id: 'one' }];
  const counts = await rows.read(['counts', 'pulls'], async (tx) =>
    countsIn(tx, 'balance_snapshots', { entities, pulls: await tx.list('pulls') }),
  );
  return Object.fromEntries(counts);
}

async function stored<R extends ColumnRow>(replica: Replica, noun: ColumnNoun<R>, rows: R[]): Promise<ColumnSet<R>> {
  const set = await ColumnSet.open({ replica, noun, set: 'one', breathe });
  for (let start = 0; start < rows.length; start += 1000) await set.apply(rows.slice(start, start + 1000));
  return ColumnSet.open({ replica, noun, set: 'one', breathe });
}

test('[CF31] rows of an answer are of the database that was known when they were selected, though the set was read again since', async () => {
  const replica = await openReplica(browserStores, uuid(), 0);
  const known = (generation: string): Promise<void> => writeKept(replica, generationName, generation);
  const set = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
  await set.apply([balance(1)]);
  expect((await set.select(() => ({}))).generation).toBeNull();
  await known('before');
  await set.reload();
  const selected = await set.select(() => ({}));
  await known('after');
  await set.reload();
  expect([selected.generation, (await set.select(() => ({}))).generation]).toEqual(['before', 'after']);
  closeReplica(replica);
});

describe('a set of columns', () => {
  let replica: Replica;
  beforeEach(async () => {
    replica = await openReplica(browserStores, uuid(), 0);
    return () => closeReplica(replica);
  });

  test('[CS1] serves every noun too large for a record a row: stored, opened again, filtered, summed and read whole', async () => {
    const balances = Array.from({ length: 9000 }, (_, index) => balance(index));
    const ofAccount = await (await stored(replica, columnNouns.balanceSnapshots, balances)).select(() => ({
      where: [{ column: 'account_id', in: ['account 3'] }],
    }));
    const wanted = balances.filter((row) => row.account_id === 'account 3');
    expect(ofAccount.selection.count).toBe(wanted.length);
    const quantity = wanted.reduce((sum, row) => sum + BigInt(row.quantity.replace('.', '')), 0n);
    expect(ofAccount.selection.totals({ sums: ['quantity'] })[0]?.sums.quantity?.replace('.', '')).toBe(String(quantity));

    const snapshots = Array.from({ length: 500 }, (_, index) => defi(index));
    const defiSet = await stored(replica, columnNouns.defiBalanceSnapshots, snapshots);
    const found = await defiSet.select(() => ({ where: [{ column: 'contract_address', contains: 'abcdef499' }] }));
    expect(await defiSet.rowsOf(found.selection.window(0, 5), found.overlay)).toEqual([snapshots[499]]);

    const securities = Array.from({ length: 300 }, (_, index) => security(index));
    const priced = await (await stored(replica, columnNouns.securityMaster, securities)).select(() => ({
      where: [{ flag: 'is_priced', is: true }],
      sort: [{ column: 'security_name', descending: false }],
    }));
    expect(priced.selection.count).toBe(securities.filter((row) => row.price !== null).length);
  });

  /** A set whose writes can be committed without its being told. */
  async function aFlakySet() {
    const { replica: flaky, lost } = losing(replica);
    const set = await ColumnSet.open({ replica: flaky, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    const untold = (rows: BalanceSnapshot[]): Promise<void> =>
      lost(() => expect(set.apply(rows)).rejects.toThrow('The connection is lost'));
    return { set, untold };
  }

  test('[CS13] a set goes on after a write that was committed though nobody said so, and holds nothing twice', async () => {
    const { set, untold } = await aFlakySet();
    const rows = [1, 2, 3].map(balance);
    await set.apply(rows.slice(0, 1));
    await untold(rows.slice(1, 2));
    await set.apply(rows.slice(1));
    const again = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    for (const each of [set, again]) {
      const { selection, overlay } = await each.select(() => ({}));
      expect((await each.rowsOf(selection.window(0, 9), overlay)).map(({ id }) => id).toSorted()).toEqual(
        rows.map(({ id }) => id).toSorted(),
      );
    }
    expect(await counted(replica)).toEqual({ 'entity:entity': 3 });
  });

  test('[CS13] it goes on, too, where what waited was sorted after that', async () => {
    const { set, untold } = await aFlakySet();
    const rows = Array.from({ length: 1_002 }, (_, index) => balance(index));
    await set.apply(rows.slice(0, 1_000));
    await untold(rows.slice(1_000, 1_001));
    await set.rest(() => true);
    await set.apply(rows.slice(1_001));
    const again = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    for (const each of [set, again]) expect((await each.select(() => ({}))).selection.count).toBe(1_002);
    expect(await sortedRows()).toBe(1_001);
  });

  test('[CS15] a set that lacks some of its full rows, be they sorted yet or not, is damaged: nothing is missing unsaid', async () => {
    const { noun } = columnNouns.balanceSnapshots;
    const set = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    for (const each of [1, 2, 3]) await set.apply([balance(each)]);
    const [, second] = await listed(replica.rows, 'cold');
    await replica.rows.write(['cold'], (tx) => tx.remove('cold', [noun, 'one', second!.no]));
    await expect(ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe })).rejects.toMatchObject({
      part: 'rows',
    });
  });

  test('[CS16] a set that was closed reads no row: where it was dropped others may have the places by now', async () => {
    const set = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    await set.apply([balance(1)]);
    const { selection, overlay } = await set.select(() => ({}));
    const window = selection.window(0, 1);
    await set.close();
    await dropSet(replica, set.key);
    await (await opened()).apply([balance(2)]);
    await expect(set.rowsOf(window, overlay)).rejects.toThrow(ClosedSetError);
  });

  /** How many rows of the set are in segments on the disk. */
  const sortedRows = async (): Promise<number> => {
    const manifest = await replica.rows.read(['manifests'], (tx) => tx.get('manifests', [columnNouns.balanceSnapshots.noun, 'one']));
    return (manifest?.partitions ?? []).reduce((sum, { rows }) => sum + rows, 0);
  };
  const opened = (on = replica, breath = breathe) =>
    ColumnSet.open({ replica: on, noun: columnNouns.balanceSnapshots, set: 'one', breathe: breath });
  /** All rows as a start after this finds them. */
  const rowsStored = async (): Promise<BalanceSnapshot[]> => {
    const set = await opened();
    const { selection, overlay } = await set.select(() => ({}));
    return set.rowsOf(selection.window(0, 100_000), overlay);
  };
  const always = (): boolean => true;

  test('[CS11] full records of an older build are read as ever, beside those that come now', async () => {
    const rows = Array.from({ length: 700 }, (_, index) => balance(index));
    const { noun } = columnNouns.balanceSnapshots;
    const record = (no: number, text: (some: readonly object[]) => string) => {
      return { noun, set: 'one', no, rows: text(rows.slice(no * 128, no * 128 + 128)) };
    };
    await replica.rows.write(['cold'], (tx) =>
      tx.putMany('cold', [record(0, JSON.stringify), record(1, JSON.stringify), record(2, linesOf)]),
    );
    const set = await opened();
    await set.apply(rows.slice(384));
    expect(await rowsStored()).toEqual(rows.toReversed());
    await set.rest(always);
    expect(await sortedRows()).toBe(700);
    expect(await rowsStored()).toEqual(rows.toReversed());
    await rebuildSet(replica, columnNouns.balanceSnapshots, 'one', breathe);
    expect(await rowsStored()).toEqual(rows.toReversed());
  });

  test('[CS12] what codes stand for is written when rows are sorted and not with every page; without it the columns are damaged', async () => {
    const { noun } = columnNouns.balanceSnapshots;
    const names = async () => {
      const [record] = await replica.rows.read(['segments'], (tx) => tx.getMany('segments', [[noun, 'one', namesAt, 'names']]));
      return record?.segment;
    };
    const set = await opened();
    const rows = Array.from({ length: 600 }, (_, index) => balance(index));
    await set.apply(rows);
    expect(await names()).toBeUndefined();
    await set.rest(always);
    const dictionaries = await names();
    expect(JSON.stringify(dictionaries)).toContain('security 1');
    const added = { ...balance(600), security_id: 'security later' };
    await set.apply([added]);
    const [manifest] = await replica.rows.read(['manifests'], (tx) => tx.list('manifests'));
    expect(JSON.stringify(manifest)).not.toContain('security 1');
    expect(await names()).toEqual(dictionaries);
    const accountOf = (row: BalanceSnapshot) => ({ where: [{ column: 'account_id', in: [row.account_id] }] });
    const expected = [...rows, added].filter((row) => row.account_id === added.account_id).length;
    const found = async () => (await (await opened()).select(() => accountOf(added))).selection.count;
    expect(await found()).toBe(expected);

    // as an older build wrote it
    await replica.rows.write(['segments', 'manifests'], async (tx) => {
      await tx.remove('segments', [noun, 'one', namesAt, 'names']);
      await tx.put('manifests', { ...manifest!, dictionaries });
    });
    expect(await found()).toBe(expected);
    await replica.rows.write(['manifests'], (tx) => tx.put('manifests', manifest!));
    await expect(opened()).rejects.toThrow(DamagedSetError);
    await rebuildSet(replica, columnNouns.balanceSnapshots, 'one', breathe);
    expect(await found()).toBe(expected);
    expect(await rowsStored()).toEqual([...rows, added].toReversed());
  });

  test('[CS12] and only where there are new ones', async () => {
    const { noun } = columnNouns.balanceSnapshots;
    const key = [noun, 'one', namesAt, 'names'] as const;
    const set = await opened();
    const sort = async (rows: BalanceSnapshot[]) => {
      await set.apply(rows);
      await set.rest(always);
      return JSON.stringify(await replica.rows.read(['segments'], (tx) => tx.get('segments', key)));
    };
    const some = (from: number) => Array.from({ length: 600 }, (_, index) => balance(from + index));
    expect(await sort(some(0))).toContain('security 1');
    await replica.rows.write(['segments'], (tx) => tx.remove('segments', key));
    expect(await sort(some(600))).toBeUndefined();
    expect(await sort([...some(1200), { ...balance(1800), security_id: 'security later' }])).toContain('security later');
    // of one that was opened it is not known
    await set.reload();
    await replica.rows.write(['segments'], (tx) => tx.remove('segments', key));
    expect(await sort(some(2000))).toContain('security later');
    expect(await sortedRows()).toBe(2401);
  });

  test('[CS5] rows that wait are sorted once nothing more is expected, unless they are few; nothing else changes by it', async () => {
    const set = await opened();
    const rows = Array.from({ length: 512 }, (_, index) => balance(index));
    await set.apply(rows.slice(0, 511));
    await set.rest(always);
    expect(await sortedRows()).toBe(0);
    await set.change({ rows: rows.slice(511), removed: [{ id: rows[0]!.id, version: 2 }] });
    await set.rest(() => false);
    expect(await sortedRows()).toBe(0);
    await set.rest(always);
    expect(await sortedRows()).toBe(511);
    expect(await rowsStored()).toEqual(rows.slice(1).toReversed());
    await set.close();
    await set.rest(always);
  });

  test('[CS5] nor where a change here and there would write all of a large set anew', async () => {
    const rows = Array.from({ length: 90_000 }, (_, index) => balance(index));
    const set = await stored(replica, columnNouns.balanceSnapshots, rows);
    await set.rest(always);
    expect(await sortedRows()).toBe(90_000);
    const spread = (count: number, version: number) =>
      Array.from({ length: count }, (_, index) => ({ ...rows[Math.floor((index * 90_000) / count)]!, version }));
    const opens = await replica.rows.read(['manifests'], (tx) => tx.list('manifests'));
    await set.apply(spread(600, 2));
    await set.rest(always);
    const after = await replica.rows.read(['manifests'], (tx) => tx.list('manifests'));
    expect(after[0]?.partitions).toEqual(opens[0]?.partitions);
    await set.apply(spread(800, 3));
    await set.rest(always);
    expect(await sortedRows()).toBe(90_000);
  });

  test('[CS28] what was sorted is handed to the store a record at a time, every text column as one of its own', async () => {
    const handed: string[] = [];
    let most = 0;
    let open = 0;
    const watched = <T>(tier: string, writing: Promise<T>): Promise<T> => {
      handed.push(tier);
      most = Math.max(most, ++open);
      return writing.finally(() => open--);
    };
    const write: Replica['rows']['write'] = (tables, work) =>
      replica.rows.write(tables, (tx) =>
        work({
          ...tx,
          put: (table, row) => (table === 'segments' ? watched((row as SegmentRecord).tier, tx.put(table, row)) : tx.put(table, row)),
          putMany: (table, rows) => (table === 'segments' ? Promise.reject(new Error('All at once')) : tx.putMany(table, rows)),
        }),
      );
    const set = await ColumnSet.open({
      replica: { ...replica, rows: { ...replica.rows, write } },
      noun: columnNouns.securityMaster,
      set: 'one',
      breathe,
    });
    await set.apply(Array.from({ length: 9000 }, (_, index) => security(index)));
    expect(handed).toEqual(['hot', 'text security_name', 'text dart_security_id', 'names']);
    expect(most).toBe(1);
  });

  test('[CS6] a sorting that fails loses no row, of those that come after it neither', async () => {
    let isFailing = true;
    const set = await opened(replica, () => (isFailing ? Promise.reject(new RangeError('Array buffer allocation failed')) : breathe()));
    const rows = Array.from({ length: 1300 }, (_, index) => balance(index));
    await set.apply(rows.slice(0, 600));
    await expect(set.rest(always)).rejects.toThrow('allocation failed');
    await set.apply(rows.slice(600, 601));
    isFailing = false;
    await set.rest(always);
    await set.apply(rows.slice(601));
    expect(await rowsStored()).toEqual(rows.toReversed());
  });

  test('[CS6] nor one for which there is no room; it is not tried again before there is more to sort', async () => {
    let tries = 0;
    const isFull: Replica['rows']['write'] = (tables, work) => {
      if (!tables.includes('segments')) return replica.rows.write(tables, work);
      tries += 1;
      return Promise.reject(new DOMException('Full', 'QuotaExceededError'));
    };
    const set = await opened({ ...replica, rows: { ...replica.rows, write: isFull } });
    const rows = Array.from({ length: 700 }, (_, index) => balance(index));
    await set.apply(rows.slice(0, 600));
    for (let round = 0; round < 3; round++) await set.rest(always);
    expect(tries).toBe(1);
    await set.apply(rows.slice(600));
    await set.rest(always);
    expect(tries).toBe(2);
    expect(await rowsStored()).toEqual(rows.toReversed());
  });

  test('[CS2] the newest rows are told for certain before all of the set is read, or not at all', async () => {
    const newestFirst = Array.from({ length: 26_000 }, (_, index) => balance(26_000 - index));
    // a newer version of an old row waits unsealed: its older one, read later, must not count
    const changed = { ...newestFirst[25_000]!, quantity: '7', version: 2 };
    const set = await stored(replica, columnNouns.balanceSnapshots, [...newestFirst, changed]);
    const idsOf = async ({ selection, overlay }: Selected<BalanceSnapshot>, limit: number) =>
      (await set.rowsOf(selection.window(0, limit), overlay)).map(({ id }) => id);
    const ofOneAccount = () => ({ where: [{ column: 'account_id', in: ['account 3'] }] });

    expect(set.isWhole).toBe(false);
    const [first, filtered] = [set.first(() => ({}), 50), set.first(ofOneAccount, 50)];
    // so many rows reach into what is not read yet, and such orders need all rows
    expect(set.first(() => ({}), 20_000)).toBeNull();
    expect(set.first(() => ({ sort: [{ column: 'quantity', descending: true }] }), 50)).toBeNull();
    // an answer is good until the other rows are there, which may be at the next wait
    const [ofAll, ofOne] = await Promise.all([idsOf(first!, 50), idsOf(filtered!, 50)]);
    const early = { first: ofAll, filtered: ofOne };

    const all = await set.select(() => ({}));
    expect(set.isWhole).toBe(true);
    expect(all.selection.count).toBe(26_000);
    expect(early.first).toEqual(await idsOf(all, 50));
    expect(early.filtered).toEqual(await idsOf(await set.select(ofOneAccount), 50));
    expect(early.first).toEqual(newestFirst.slice(0, 50).map(({ id }) => id));
    const old = await set.select(() => ({ where: [{ key: { in: [changed.id] } }] }));
    expect(await set.rowsOf(old.selection.window(0, 5), [])).toEqual([changed]);
  });

  test('[CS4] each scope knows how many rows of it are held: one that comes again, or changed, counts once, and one that moved where it is', async () => {
    const set = await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'one', breathe });
    const rows = Array.from({ length: 30 }, (_, index) => ({ ...balance(index), entity_id: index < 20 ? 'oak' : 'elm' }));
    await set.apply(rows.slice(0, 25));
    await set.apply(rows.slice(15));
    expect(await counted(replica)).toEqual({ 'entity:oak': 20, 'entity:elm': 10 });
    const [first, second, last] = [rows[0], rows[1], rows[29]];
    if (!first || !second || !last) throw new Error('Rows are missing');
    await set.change({
      rows: [
        { ...first, version: 2, quantity: '7' },
        { ...second, version: 2, entity_id: 'elm' },
      ],
      removed: [
        { id: last.id, version: 1 },
        { id: uuid(), version: 1 },
      ],
    });
    expect(await counted(replica)).toEqual({ 'entity:oak': 19, 'entity:elm': 10 });
  });

  const thirty = (): BalanceSnapshot[] => Array.from({ length: 30 }, (_, index) => balance(index));

  test('[CS7] how many rows are held is known whatever becomes of their pulls: a feed that begins makes all of them begin anew', async () => {
    const set = await opened();
    const pull: PullRow = { ...newPull('entity:entity', 'balance_snapshots'), phase: 'steady', last_complete_at: 1 };
    await set.apply(thirty(), { askedAt: { pull, resets: 0 }, pull });
    const scopes = [{ key: 'entity:entity', parent: 'client:one' }];
    await startFeed(replica, { server_gen: 'one', cursor: '5.0', perm_version: 6, scopes }, { seen: [], unseen: [] });
    // begun anew, and not forgotten
    expect((await copyStanding(replica)).pulls).toEqual([newPull('entity:entity', 'balance_snapshots')]);
    expect(await counted(replica)).toEqual({ 'entity:entity': 30 });
    await set.apply([balance(40)]);
    expect(await counted(replica)).toEqual({ 'entity:entity': 31 });
    await dropSet(replica, set.key);
    expect(await counted(replica)).toEqual({});
  });

  test('[CS8] what an older build counted is shown until a set is next written to, be it with no news: then the rows themselves are counted', async () => {
    const rows = thirty();
    await (await opened()).apply(rows);
    const ofOlder = (count: number) => ({ ...newPull('entity:entity', 'balance_snapshots'), rows: count });
    const asOlder = (count: number) =>
      replica.rows.write(['counts', 'pulls'], async (tx) => {
        await tx.remove('counts', ['balance_snapshots', 'one']);
        await tx.put('pulls', ofOlder(count));
      });
    // it lost count whenever a feed began anew, and one that was set back knew no count at all
    for (const miscount of [7, Number.NaN]) {
      await asOlder(miscount);
      expect(await counted(replica)).toEqual(Number.isNaN(miscount) ? {} : { 'entity:entity': 7 });
      await (await opened()).apply(rows.slice(0, 3));
      expect(await counted(replica)).toEqual({ 'entity:entity': 30 });
    }
    // nor is what it wrote beside the count taken for counted
    await asOlder(7);
    await (await opened()).change({ rows: [], removed: rows.map(({ id }) => ({ id, version: 1 })) });
    expect(await counted(replica)).toEqual({ 'entity:entity': 0 });
  });

  test('[CS9] of an entity whose rows lie in two sets, both are counted', async () => {
    await (await opened()).apply(thirty());
    await (await ColumnSet.open({ replica, noun: columnNouns.balanceSnapshots, set: 'two', breathe })).apply([balance(1), balance(2)]);
    expect(await counted(replica)).toEqual({ 'entity:entity': 32 });
  });
});
