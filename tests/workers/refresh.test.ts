import { afterEach, describe, expect, test } from 'vitest';
import type { ApiCall, CallOptions } from '#api-client/call.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Entity } from '#contract/entities.ts';
import { ApiError } from '#contract/errors.ts';
import { selectTransactions, type Transaction } from '#contract/transactions.ts';
import { copyStanding, makeDue, wantStretch } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';
import { countReset, newPull, type PullRow } from '#replica/pulls.ts';
import { ClosedSetError } from '#replica/set-errors.ts';
import { ColumnSets } from '#workers/column-sets.ts';
import { letGoOfLeft } from '#workers/lost-scopes.ts';
import { OwnRights } from '#workers/own-rights.ts';
import { refreshTransactions } from '#workers/pull.ts';
import type { PullPorts } from '#workers/pull-ports.ts';
import { someSets } from '#tests/support/some-sets.ts';
import { aPulledRow } from '#tests/support/pulled-row.ts';
import { listed, planted } from '#tests/support/stored.ts';

const now = Date.parse('2026-03-10T00:00:00Z');
const entity = { id: 'e', client_id: 'c' };
const scope = 'entity:e';

const open: Replica[] = [];
afterEach(() => {
  for (const replica of open.splice(0)) closeReplica(replica);
});

const setsOf = (replica: Replica) => someSets(replica, { now: () => now });

const aRow = (no: number, version = 1): Transaction => aPulledRow({ id: `row ${no}`, trx_date: `2026-03-0${no}T00:00:00.000Z`, version });

/** A device that knows of the entity as a client's, and asks a server. */
async function aDevice(client_id: string, call: (device: { replica: Replica; sets: ColumnSets }) => ApiCall) {
  const replica = await openReplica(browserStores, `refresh ${performance.now()}`, now);
  open.push(replica);
  const sets = setsOf(replica);
  await planted(replica.rows, 'entities', [{ ...entity, client_id, _scope: 'user' } as Entity & { _scope: string }]);
  const asked = call({ replica, sets });
  const ports: PullPorts = {
    replica,
    call: asked,
    sets,
    now: () => now,
    rights: new OwnRights({ call: asked, now: () => now, userId: 'nobody' }),
    build: 'b',
    pageLimit: null,
  };
  return { replica, sets, refresh: () => refreshTransactions(ports, entity) };
}

/**
 * A device that holds three rows of an entity, and refreshes it at a server that has only the first of them.
 * @param meanwhile what happens while the server is asked what became of the others.
 */
async function refreshed(
  meanwhile: (device: { replica: Replica; sets: ColumnSets }, options: CallOptions, input: { trx_id?: string[] }) => Promise<unknown>,
) {
  const answer =
    (device: { replica: Replica; sets: ColumnSets }) =>
    async (endpoint: Endpoint, input: { skip?: number; trx_id?: string[] }, options: CallOptions = {}): Promise<Transaction[]> => {
      if (endpoint !== selectTransactions) return input.skip === 0 ? [aRow(1)] : [];
      await meanwhile(device, options, input);
      return [];
    };
  const { replica, sets, refresh } = await aDevice('c', (device) => answer(device) as ApiCall);
  const pull: PullRow = { ...newPull(scope, 'transactions'), phase: 'steady', complete_from: 0, last_complete_at: now - 1 };
  await (await sets.transactions('c')).change({ rows: [aRow(1), aRow(2), aRow(3)], removed: [] }, { askedAt: { pull, resets: 0 }, pull });
  const outcome = await refresh().then(
    () => null,
    (error: unknown) => error,
  );
  const set = await sets.transactions('c');
  const { selection, overlay } = await set.select(() => ({}));
  const held = await set.rowsOf(selection.window(0, selection.count), overlay);
  return { outcome, held: held.map(({ id }) => id).toSorted(), pulls: await listed(replica.rows, 'pulls') };
}

describe('a refresh of transactions', () => {
  describe('after imports long past that their worker could not read at once', () => {
    const dayMs = 86_400_000;
    const rows = Array.from({ length: 3_000 }, (_, no) =>
      aPulledRow({ id: `row ${no}`, trx_date: new Date(now - no * dayMs).toISOString(), version: 1 }),
    );
    const dateOf = (no: number): string => rows[no]?.trx_date ?? '';
    /** A device that lacks what was imported, from one row to another of each import. */
    const lacking = async (imports: readonly (readonly [number, number])[], isFailing: () => boolean = () => false) => {
      const call = (async (
        _: Endpoint,
        { start_date, end_date = '9', skip = 0 }: { start_date: string; end_date?: string; skip?: number },
      ) => {
        if (isFailing()) throw new ApiError({ code: 'network', detail: 'Lost', status: 0 });
        // few at a time, so that a round through what is older takes many
        return rows.filter(({ trx_date }) => trx_date >= start_date && trx_date <= end_date).slice(skip, skip + 20);
      }) as unknown as ApiCall;
      const { replica, sets, refresh } = await aDevice('c', () => call);
      const pull: PullRow = { ...newPull(scope, 'transactions'), phase: 'steady', complete_from: 0, last_complete_at: now - 1 };
      const set = await sets.transactions('c');
      const held = rows.filter((_, no) => !imports.some(([from, to]) => no >= from && no < to));
      await set.change({ rows: held, removed: [] }, { askedAt: { pull, resets: 0 }, pull });
      const want = ([from, to]: readonly [number, number]) =>
        wantStretch(replica, scope, { from: dateOf(to - 1), to: dateOf(from), no: from });
      return { refresh, want, pulls: () => listed(replica.rows, 'pulls'), missed: () => rows.filter(({ id }) => !set.holds(id)).length };
    };

    test('[SY99] reads with the next one all of each, however long ago and however many', async () => {
      const imports = [
        [2_000, 2_080],
        [1_000, 1_002],
        [2_900, 2_950],
      ] as const;
      const { refresh, want, missed, pulls } = await lacking(imports);
      for (const one of imports) await want(one);
      for (const _ of imports) await refresh();
      expect([missed(), (await pulls()).map(({ wanted }) => wanted)]).toEqual([0, [undefined]]);
    });

    test('[SY99] and goes on with the next where it is more than is read in one round', async () => {
      const { refresh, want, missed, pulls } = await lacking([[1_000, 1_900]]);
      await want([1_000, 1_900]);
      await refresh();
      const [half] = await pulls();
      expect([missed() > 0, missed() < 900, half?.wanted?.length]).toEqual([true, true, 1]);
      for (let round = 0; round < 5 && missed() > 0; round += 1) await refresh();
      expect([missed(), (await pulls()).map(({ wanted }) => wanted)]).toEqual([0, [undefined]]);
    });

    test('[SY99] and with a later one where that breaks off', async () => {
      let isFailing = true;
      const { refresh, want, missed } = await lacking([[2_000, 2_080]], () => isFailing);
      await want([2_000, 2_080]);
      await expect(refresh()).rejects.toThrow('Lost');
      isFailing = false;
      await refresh();
      expect(missed()).toBe(0);
    });
  });

  test('[SY17] takes away what the server has no more', async () => {
    const { outcome, held, pulls } = await refreshed(async () => undefined);
    expect([outcome, held]).toEqual([null, ['row 1']]);
    expect(pulls).toMatchObject([{ last_complete_at: now }]);
  });

  test('[SY25] leaves a row that came back while the server was asked whether it is there', async () => {
    const { held } = await refreshed(async ({ sets }) => (await sets.transactions('c')).apply([aRow(2, 2)]));
    expect(held).toEqual(['row 1', 'row 2']);
  });

  const unreadable = new ApiError({ code: 'bad_answer', detail: 'Another shape', isSaid: true });
  test.each([
    ['one', ['row 2'], ['row 1', 'row 2']],
    ['each', ['row 2', 'row 3'], ['row 1', 'row 2', 'row 3']],
  ])(
    '[SY44] does not take for gone what is there and cannot be read, and goes on: %s of the rows it asks about',
    async (_, broken, left) => {
      const { outcome, held, pulls } = await refreshed(async (__, { onLeftOut }, { trx_id = [] }) => {
        const given = trx_id.filter((id) => broken.includes(id)).map((id) => ({ id }));
        if (given.length === trx_id.length) throw unreadable;
        if (given.length > 0) onLeftOut?.(given.length, given);
      });
      expect([outcome, held]).toEqual([null, left]);
      expect(pulls).toMatchObject([{ last_complete_at: now }]);
    },
  );

  test('[SY26] takes nothing away where rights came back while the server was asked', async () => {
    const { outcome, held, pulls } = await refreshed(({ replica }) => replica.rows.write(['meta'], (tx) => countReset(tx)));
    expect(outcome).toBeInstanceOf(ClosedSetError);
    expect(held).toHaveLength(3);
    expect(pulls).toMatchObject([{ last_complete_at: now - 1 }]);
  });

  test('[SY27] does not take what became due meanwhile for read', async () => {
    const { outcome, pulls } = await refreshed(({ replica }) => makeDue(replica, { scope, noun: 'transactions' }));
    expect(outcome).toBeNull();
    expect(pulls).toMatchObject([{ last_complete_at: null }]);
  });

  test('[SY99] does not take for read what another worker wants meanwhile', async () => {
    const span = { from: '2026-01-02T00:00:00.000Z', to: '2026-01-05T00:00:00.000Z', no: 0.5 };
    let isWanted = false;
    const { outcome, pulls } = await refreshed(async ({ replica }) => {
      if (!isWanted) await wantStretch(replica, scope, span);
      isWanted = true;
    });
    expect(outcome).toBeNull();
    expect(pulls).toMatchObject([{ phase: 'steady', wanted: [span] }]);
  });

  test("[SY28] asks nothing of an entity that is another client's by now", async () => {
    let asked = 0;
    const call = (async () => {
      asked += 1;
      return [];
    }) as ApiCall;
    const { refresh } = await aDevice('other', () => call);
    await expect(refresh()).rejects.toThrow(ClosedSetError);
    expect(asked).toBe(0);
  });
});

test.each([
  ['an entity', [], false],
  ['an entity whose rows were taken away before', [1, 2], false],
  ['an entity whose rows were taken away before the last start', [1, 2], true],
])(
  '[SY45] of %s that went to another client nothing stays where it was, to the last byte, and it is pulled anew where it is',
  async (_, went, isStartedAnew) => {
    const { replica, sets: first } = await aDevice('c', () => (async () => []) as ApiCall);
    const pull: PullRow = { ...newPull(scope, 'transactions'), phase: 'steady', complete_from: 0, last_complete_at: now - 1 };
    await (await first.transactions('c')).change({ rows: [aRow(1), aRow(2)], removed: [] }, { askedAt: { pull, resets: 0 }, pull });
    await (await first.transactions('c')).change(
      { rows: [], removed: went.map((no) => ({ id: aRow(no).id, version: Infinity })) },
      { askedAt: { pull, resets: 0 } },
    );
    const sets = isStartedAnew ? setsOf(replica) : first;
    // a page that brings nothing new
    await (await sets.transactions('c')).change({ rows: [], removed: [] }, { askedAt: { pull, resets: 0 } });
    expect((await copyStanding(replica)).left).toEqual([]);
    await letGoOfLeft({ replica, sets }, 'c');
    expect(await listed(replica.rows, 'cold')).not.toEqual([]);
    await planted(replica.rows, 'entities', [{ ...entity, client_id: 'd', _scope: 'user' } as Entity & { _scope: string }]);
    expect((await copyStanding(replica)).left).toEqual(['c']);
    await letGoOfLeft({ replica, sets }, 'c');
    const { selection } = await (await sets.transactions('c')).select(() => ({}));
    expect([selection.count, (await copyStanding(replica)).left, await listed(replica.rows, 'pulls')]).toEqual([0, [], []]);
    expect(await listed(replica.rows, 'cold')).toEqual([]);
  },
);

test.each([
  ['most, and more than a page', 20, 'older'],
  ['few', 100, 'steady'],
])(
  '[SY46] where a refresh finds that %s of what is older were not held, all that is older is read anew at once, or it is not',
  async (_, held, phase) => {
    const older = Array.from({ length: 400 }, (__, no) =>
      aPulledRow({ id: `old ${no}`, trx_date: new Date(Date.UTC(2025, 2, 1) - no * 60_000).toISOString() }),
    );
    const call = (async (endpoint: Endpoint, input: { start_date?: string; end_date?: string; skip?: number }) => {
      if (endpoint === selectTransactions) return [];
      const { start_date: from = '', end_date: to = '9', skip = 0 } = input;
      return older.filter(({ trx_date }) => trx_date >= from && trx_date <= to).slice(skip, skip + 100);
    }) as ApiCall;
    const { replica, sets, refresh } = await aDevice('c', () => call);
    const pull: PullRow = { ...newPull(scope, 'transactions'), phase: 'steady', complete_from: 0, last_complete_at: now - 1 };
    const rows = phase === 'older' ? older.slice(0, held) : older.slice(0, -held);
    await (await sets.transactions('c')).change({ rows, removed: [] }, { askedAt: { pull, resets: 0 }, pull });
    await refresh();
    const [read] = await listed(replica.rows, 'pulls');
    expect(read).toMatchObject({ phase, complete_from: phase === 'older' ? Date.parse('2026-02-01T00:00:00.000Z') : 0 });
    // on from where it came
    expect(read?.cursor.end_date).not.toBeNull();
  },
);
