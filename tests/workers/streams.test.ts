import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiCall } from '#api-client/call.ts';
import { type Custodian, custodianSchema } from '#contract/custodians.ts';
import { defineEndpoint, type Paging } from '#contract/endpoint.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { randomOf } from '#tests/sim/random.ts';
import type { ColumnSets } from '#workers/column-sets.ts';
import { OwnRights } from '#workers/own-rights.ts';
import { pullStream } from '#workers/list-pull.ts';
import type { Stream } from '#workers/streams.ts';

// Streams that only these tests have: a line that says how a list is paged is all the engine needs to know of it.

const random = randomOf('streams');
const aRow = (no: number): Custodian => ({
  id: `custodian-${String(no).padStart(4, '0')}`,
  custodian_name: `Custodian ${no}`,
  custodian_type_id: 1,
  active: true,
  version: 1,
});

function aStream(paging: Paging | undefined): Stream {
  const endpoint = defineEndpoint({
    name: 'listThings',
    method: 'GET',
    path: '/things',
    permission: 'signed_in',
    input: z.object({}),
    output: z.array(custodianSchema),
    ...(paging ? { paging } : {}),
  });
  return { noun: 'custodians', per: 'user', refreshAfterMs: 1, endpoint, inputs: () => [{ kind: 'all' }] };
}

/** A server of one list, which somebody changes between the pages, and a device that pulls it. */
async function aDevice(stream: Stream, rows: Custodian[], between: (rows: Custodian[]) => void = () => undefined) {
  const replica = await openReplica(browserStores, `streams ${random.uuid()}`, 1);
  const asked: Record<string, unknown>[] = [];
  const call = (async (_endpoint: unknown, input: { skip?: number; offset?: number; limit?: number }) => {
    asked.push(input);
    const from = input.skip ?? input.offset ?? 0;
    // a server that gives fewer rows than it is asked for
    const page = rows.slice(from, from + Math.min(input.limit ?? Infinity, 40));
    between(rows);
    return page;
  }) as ApiCall;
  const rights = new OwnRights({ call, now: () => 1, userId: 'nobody' });
  const pull = (pageLimit: number | null = null): Promise<void> =>
    pullStream({ replica, call, sets: undefined as unknown as ColumnSets, now: () => 1, rights, pageLimit }, stream, '');
  const held = async () => (await replica.rows.read(['custodians'], (tx) => tx.list('custodians'))).map(({ id }) => id);
  return { pull, held, asked, close: () => closeReplica(replica) };
}

const many = (count: number): Custodian[] => Array.from({ length: count }, (_, no) => aRow(no));
const ids = (rows: readonly Custodian[]): string[] => rows.map(({ id }) => id).toSorted();

describe('a stream whose list is paged', () => {
  test.each(['skip', 'offset'] as const)(
    '[SY21] by %s is read to its end, whatever goes meanwhile, and what it lacks three times is let go',
    async (by) => {
      const rows = many(150);
      const kept = rows.slice(20);
      let goes = 20;
      const { pull, held, asked, close } = await aDevice(aStream({ by, limit: 100 }), rows, (list) => {
        if (goes > 0) list.shift();
        goes -= 1;
      });
      await pull();
      const first = new Set(await held());
      expect(ids(kept).filter((id) => !first.has(id))).toEqual([]);
      expect(asked[1]).toHaveProperty(by);
      goes = 0;
      for (let times = 0; times < 3; times += 1) await pull();
      expect(await held()).toEqual(ids(rows));
      close();
    },
  );

  test('[SY21] not at all says all there is; one full page of a list that knows no next one is followed by the rest, should there be one', async () => {
    const rows = many(30);
    const whole = await aDevice(aStream(undefined), rows);
    await whole.pull();
    rows.splice(0, 5);
    await whole.pull();
    expect(await whole.held()).toEqual(ids(rows));
    whole.close();

    const list = many(60);
    const single = await aDevice(aStream({ by: 'single', limit: 40 }), list);
    await single.pull();
    expect((await single.held()).length).toBe(60);
    list.splice(0, 30);
    await single.pull();
    // a page that is not full says what is gone
    expect(await single.held()).toEqual(ids(list));
    single.close();
  });

  test('[SY21] by a server that says how long its pages are is read in one', async () => {
    const { pull, held, asked, close } = await aDevice(aStream({ by: 'skip', limit: 100 }), many(30));
    await pull(5_000);
    expect([asked, (await held()).length]).toEqual([[{ kind: 'all', limit: 5_000 }], 30]);
    close();
  });
});
