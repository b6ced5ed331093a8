import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { ApiCall } from '#api-client/call.ts';
import type { Custodian } from '#contract/custodians.ts';
import { defineEndpoint } from '#contract/endpoint.ts';
import { ApiError } from '#contract/errors.ts';
import { countAnswerSchema } from '#contract/wire.ts';
import { applyList, standingOf } from '#replica/apply.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { countReset } from '#replica/pulls.ts';
import { settleAnswers } from '#replica/settled-answers.ts';
import { randomOf } from '#tests/sim/random.ts';
import { aThing, aThingStream, idsOfThings } from '#tests/support/thing-lists.ts';
import type { ColumnSets } from '#workers/column-sets.ts';
import { OwnRights } from '#workers/own-rights.ts';
import { pullStream } from '#workers/list-pull.ts';
import type { Stream } from '#workers/streams.ts';

const random = randomOf('streams');
const countThings = defineEndpoint({
  name: 'countThings',
  method: 'GET',
  path: '/things/count',
  permission: 'signed_in',
  input: z.object({}),
  output: countAnswerSchema,
});

interface ThingServer {
  /** Which rows of the list a question is about, in the order it gives them; all, unless told. */
  select?: (rows: readonly Custodian[], input: Record<string, unknown>) => Custodian[];
  /** What happens between the pages. */
  between?: (rows: Custodian[]) => void;
  /** How many rows it says there are; null where it has no such call. */
  counts?: (rows: readonly Custodian[]) => number | null;
}

/** A server of one list, which somebody changes between the pages, and a device that pulls it. */
async function aDevice(
  stream: Stream,
  rows: Custodian[],
  { between = () => undefined, counts = () => null, select = (all) => [...all] }: ThingServer = {},
) {
  const replica = await openReplica(browserStores, `streams ${random.uuid()}`, 1);
  const asked: Record<string, unknown>[] = [];
  const counted: number[] = [];
  const call = (async (endpoint: unknown, input: { skip?: number; offset?: number; limit?: number }) => {
    if (endpoint === countThings) {
      const count = counts(rows);
      if (count === null) throw new ApiError({ code: 'not_found', detail: 'Not found' });
      counted.push(count);
      return { count };
    }
    asked.push(input);
    const from = input.skip ?? input.offset ?? 0;
    // a server that gives fewer rows than it is asked for
    const page = select(rows, input).slice(from, from + Math.min(input.limit ?? Infinity, 40));
    between(rows);
    return page;
  }) as ApiCall;
  const rights = new OwnRights({ call, now: () => 1, userId: 'nobody' });
  let time = 1;
  /** @param pages it ends after so many. @returns whether it is over. */
  const pull = (pageLimit: number | null = null, pages = Infinity): Promise<boolean> => {
    let left = pages;
    const ports = { replica, call, sets: undefined as unknown as ColumnSets, now: () => (time += 1), rights, build: 'b', pageLimit };
    return pullStream(ports, stream, '', () => (left -= 1) > 0);
  };
  const standing = () => standingOf(replica, 'user', 'custodians');
  const held = async () => (await replica.rows.read(['custodians'], (tx) => tx.list('custodians'))).map(({ id }) => id);
  return { replica, pull, held, asked, counted, standing, close: () => closeReplica(replica) };
}

const many = (count: number): Custodian[] => Array.from({ length: count }, (_, no) => aThing(no));

describe('a stream whose list is paged', () => {
  test.each(['skip', 'offset'] as const)(
    '[SY21] by %s is read to its end, whatever goes meanwhile, and what it lacks three times is let go',
    async (by) => {
      const rows = many(150);
      const kept = rows.slice(20);
      let goes = 20;
      const between = (list: Custodian[]): void => {
        if (goes > 0) list.shift();
        goes -= 1;
      };
      const { pull, held, asked, close } = await aDevice(aThingStream({ by, limit: 100 }), rows, { between });
      await pull();
      const first = new Set(await held());
      expect(idsOfThings(kept).filter((id) => !first.has(id))).toEqual([]);
      expect(asked[1]).toHaveProperty(by);
      goes = 0;
      for (let times = 0; times < 3; times += 1) await pull();
      expect(await held()).toEqual(idsOfThings(rows));
      close();
    },
  );

  test('[SY21] not at all says all there is; one full page of a list that knows no next one is followed by the rest, should there be one', async () => {
    const rows = many(30);
    const whole = await aDevice(aThingStream(undefined), rows);
    await whole.pull();
    rows.splice(0, 5);
    for (let times = 0; times < 3; times += 1) await whole.pull();
    expect(await whole.held()).toEqual(idsOfThings(rows));
    whole.close();

    const list = many(60);
    const single = await aDevice(aThingStream({ by: 'single', limit: 40 }), list);
    await single.pull();
    expect((await single.held()).length).toBe(60);
    list.splice(0, 30);
    for (let times = 0; times < 3; times += 1) await single.pull();
    // pages that are not full say what is gone
    expect(await single.held()).toEqual(idsOfThings(list));
    single.close();
  });

  test.each([undefined, { by: 'single', limit: 40 }] as const)('[SY80] one answer that lacks rows takes none away (%j)', async (paging) => {
    const rows = many(30);
    const { pull, held, standing, close } = await aDevice(aThingStream(paging), rows);
    await pull();
    const lacked = rows.splice(0, 5);
    await pull();
    expect([(await held()).length, (await standing()).pull.last_complete_at]).toEqual([30, null]);
    rows.unshift(...lacked);
    for (let times = 0; times < 4; times += 1) await pull();
    expect((await held()).length).toBe(30);
    close();
  });

  test('[SY21] by a server that says how long its pages are is read in one', async () => {
    const { pull, held, asked, close } = await aDevice(aThingStream({ by: 'skip', limit: 100 }), many(30));
    await pull(5_000);
    expect([asked, (await held()).length]).toEqual([[{ kind: 'all', skip: 0, limit: 5_000 }], 30]);
    close();
  });

  test('[SY39] in several pages is written page by page, and goes on where it was, whatever ended it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 90, max: 300 }),
        fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (size, turns, goes) => {
          const rows = many(size);
          const left = [...goes];
          const between = (list: Custodian[]): void => {
            const at = left.shift();
            if (at !== undefined) list.splice(at % list.length, 1);
          };
          const { pull, held, asked, close } = await aDevice(aThingStream({ by: 'skip', limit: 100 }), rows, { between });
          let isOver = false;
          for (const pages of turns) {
            if (isOver) break;
            const before = asked.length;
            isOver = await pull(null, pages);
            expect((await held()).length).toBeGreaterThanOrEqual(40);
            // it never begins anew
            if (before > 0) expect(asked[before]?.skip).toBeGreaterThan(0);
          }
          if (!isOver) expect(await pull()).toBe(true);
          const there = new Set(await held());
          expect(idsOfThings(rows).filter((id) => !there.has(id))).toEqual([]);
          close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('[SY48] by dates is read to its end page by page, whatever goes meanwhile, however many rows share a moment, and goes on where it was', async () => {
    const stream = aThingStream({ by: 'date_keyset', limit: 100, date: 'custodian_name' });
    const select = (all: readonly Custodian[], { end_date: end }: { end_date?: string }): Custodian[] =>
      all
        .filter(({ custodian_name: at }) => end === undefined || at <= end)
        .toSorted((a, b) =>
          a.custodian_name === b.custodian_name ? (a.id < b.id ? 1 : -1) : a.custodian_name < b.custodian_name ? 1 : -1,
        );
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(12), { minLength: 60, maxLength: 240 }),
        fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 6 }),
        fc.array(fc.nat(), { maxLength: 8 }),
        async (days, turns, goes) => {
          const rows = days.map((day, no) => ({ ...aThing(no), custodian_name: new Date(Date.UTC(2026, 0, 1 + day)).toISOString() }));
          const left = [...goes];
          const between = (list: Custodian[]): void => {
            const at = left.shift();
            if (at !== undefined) list.splice(at % list.length, 1);
          };
          const { pull, held, asked, close } = await aDevice(stream, rows, { between, select });
          let isOver = false;
          for (const pages of turns) {
            if (isOver) break;
            const before = asked.length;
            isOver = await pull(null, pages);
            if (before > 0) expect(asked[before]).toHaveProperty('end_date');
          }
          if (!isOver) expect(await pull()).toBe(true);
          const there = new Set(await held());
          expect(idsOfThings(rows).filter((id) => !there.has(id))).toEqual([]);
          left.length = 0;
          for (let times = 0; times < 3; times += 1) await pull();
          expect(await held()).toEqual(idsOfThings(rows));
          close();
        },
      ),
      { numRuns: 60 },
    );
  });

  test('[SY39] is begun anew where what made the answers before void came since', async () => {
    const { replica, pull, held, asked, standing, close } = await aDevice(aThingStream({ by: 'skip', limit: 100 }), many(120));
    expect(await pull(null, 2)).toBe(false);
    await replica.rows.write(['meta'], countReset);
    asked.length = 0;
    expect(await pull()).toBe(true);
    expect(asked[0]?.skip).toBe(0);
    expect([(await held()).length, (await standing()).pull.sweep]).toEqual([120, undefined]);
    close();
  });

  test('[SY39] lets go of what none of its pages had, also of those before it was ended', async () => {
    const rows = many(120);
    const { pull, held, close } = await aDevice(aThingStream({ by: 'skip', limit: 100 }), rows);
    await pull();
    rows.splice(60, 1);
    for (let times = 0; times < 3; times += 1) {
      expect(await pull(null, 2)).toBe(false);
      expect(await pull()).toBe(true);
    }
    expect(await held()).toEqual(idsOfThings(rows));
    close();
  });

  test('[SY42] that no feed tells of brings a row that was made anew, though its versions begin again; a list asked for before an edit was settled does not', async () => {
    const rows = many(120).map((row) => ({ ...row, version: 3 }));
    const { replica, pull, standing, close } = await aDevice(aThingStream({ by: 'skip', limit: 100 }), rows);
    const nameOf = async (id: string) => (await replica.rows.read(['custodians'], (tx) => tx.get('custodians', id)))?.custodian_name;
    await pull();
    const [first] = rows;
    rows[0] = { ...(first as Custodian), custodian_name: 'Anew', version: 1 };
    await pull();
    expect(await nameOf('custodian-0000')).toBe('Anew');
    const askedAt = await standing();
    const row = { ...(first as Custodian), custodian_name: 'Settled', version: 2 };
    await settleAnswers(replica, [{ noun: 'custodians', isFresh: true, scope: 'user', row, isTold: false }]);
    const late = { noun: 'custodians', scope: 'user', rows: [rows[0]], askedAt, now: 9 } as const;
    for (const absence of ['gone', 'missed', 'nothing'] as const) await applyList(replica, { ...late, absence });
    expect(await nameOf('custodian-0000')).toBe('Settled');
    close();
  });

  test('[SY39] by a server that says how long its pages are goes on, too', async () => {
    const { pull, held, asked, close } = await aDevice(aThingStream({ by: 'offset', limit: 100 }), many(130));
    expect(await pull(40, 2)).toBe(false);
    expect((await held()).length).toBe(70);
    asked.length = 0;
    expect(await pull(40)).toBe(true);
    expect([asked[0]?.offset, (await held()).length]).toEqual([60, 130]);
    close();
  });

  test('[SY40] that the server counts is whole where it says so before and after, and else read again, three times at most', async () => {
    const rows = many(120);
    let counts: (list: readonly Custodian[]) => number | null = (list) => list.length;
    const stream = { ...aThingStream({ by: 'offset', limit: 100 }), count: countThings };
    const { pull, counted, standing, close } = await aDevice(stream, rows, { counts: (list) => counts(list) });
    await pull();
    expect([counted, (await standing()).pull.last_complete_at !== null]).toEqual([[120, 120], true]);
    // also where it was ended in between
    const before = (await standing()).pull.last_complete_at;
    expect([await pull(null, 3), await pull()]).toEqual([false, true]);
    expect((await standing()).pull.last_complete_at).toBeGreaterThan(before ?? Infinity);
    // it says more than it lists
    counts = (list) => list.length + 1;
    const isWhole: boolean[] = [];
    for (let times = 0; times < 4; times += 1) {
      await pull();
      isWhole.push((await standing()).pull.last_complete_at !== null);
    }
    expect(isWhole).toEqual([false, false, true, false]);
    // and nothing at all
    counts = () => null;
    await pull();
    expect((await standing()).pull.last_complete_at).not.toBe(null);
    close();
  });
});
