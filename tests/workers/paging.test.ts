import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type KeysetCursor, startCursor } from '#replica/pulls.ts';
import { randomOf } from '#tests/sim/random.ts';
import { askedUpTo, coverageOf, type KeysetStep, keysetStep, readBySkipping } from '#workers/paging.ts';

interface Row {
  id: string;
  trx_date: string;
}

const base = Date.parse('2026-01-01T00:00:00.000Z');
const iso = (minute: number) => new Date(base + minute * 60_000).toISOString();
const row = (id: number, minute: number): Row => ({ id: String(id).padStart(6, '0'), trx_date: iso(minute) });

/** Up to when servers may give rows that are asked up to a moment. */
const reachOf = {
  moment: (at: string) => at,
  day: (at: string) => `${at.slice(0, 10)}T23:59:59.999Z`,
  before: (at: string) => new Date(Date.parse(at) - 1).toISOString(),
  second: (at: string) => `${at.slice(0, 19)}.000Z`,
  minute: (at: string) => `${at.slice(0, 16)}:00.000Z`,
  midnight: (at: string) => `${at.slice(0, 10)}T00:00:00.000Z`,
  // of a zone nobody knows
  midnight_elsewhere: (at: string) => new Date(Date.parse(`${at.slice(0, 10)}T00:00:00.000Z`) - 14 * 3_600_000).toISOString(),
};
type Reach = keyof typeof reachOf;
const reaches = Object.keys(reachOf) as Reach[];

/** A server of the specification: newest first, ties by id, end date inclusive, a page size of its own if smaller. */
function aServer(rows: Row[], options: { cap?: number; comparesDays?: boolean; reach?: Reach } = {}) {
  const newestFirst = (a: Row, b: Row) => b.trx_date.localeCompare(a.trx_date) || b.id.localeCompare(a.id);
  return (cursor: KeysetCursor, limit: number): Row[] => {
    const upTo = askedUpTo(cursor);
    const reach = reachOf[options.reach ?? (options.comparesDays ? 'day' : 'moment')];
    const isBefore = (one: Row) => upTo === null || one.trx_date <= reach(upTo);
    return rows
      .filter(isBefore)
      .sort(newestFirst)
      .slice(cursor.skip, cursor.skip + Math.min(limit, options.cap ?? limit));
  };
}

/** Pulls to the end; `between` may change the server's rows after each page. */
function pull(
  server: (cursor: KeysetCursor, limit: number) => Row[],
  limit: number,
  between: () => void = () => undefined,
): { held: Set<string>; pages: number } {
  const held = new Set<string>();
  let cursor: KeysetCursor | null = startCursor;
  let pages = 0;
  while (cursor) {
    pages += 1;
    if (pages > 5_000) throw new Error('The pull does not end');
    const step: { fresh: Row[]; next: KeysetCursor | null } = keysetStep(cursor, server(cursor, limit));
    for (const one of step.fresh) held.add(one.id);
    cursor = step.next;
    between();
  }
  return { held, pages };
}

/** What a reading to the end says of held rows: those it finds are not there. */
function missing(
  server: (cursor: KeysetCursor, limit: number) => Row[],
  limit: number,
  held: readonly Row[],
  between: () => void = () => undefined,
): Set<string> {
  const said = new Set<string>();
  for (let cursor: KeysetCursor | null = startCursor; cursor; ) {
    const page: Row[] = server(cursor, limit);
    const step: KeysetStep<Row> = keysetStep(cursor, page);
    const covered = coverageOf({ from: iso(0) }, cursor, page, step);
    const isWithin = ({ trx_date }: Row) => covered && Date.parse(trx_date) >= covered.from && Date.parse(trx_date) <= covered.to;
    for (const one of held) if (isWithin(one) && !covered?.ids.has(one.id)) said.add(one.id);
    cursor = step.next;
    between();
  }
  return said;
}

/** A list of a quarter, newest first, of which others add a row or take one away now and then. */
function aBusyList(seed: number, size: number, changesPerRequest: number) {
  const random = randomOf(`busy ${seed}`);
  const aMinute = (): number => random.below(90 * 1440);
  const isAfter = (one: Row, other: Row): boolean => (one.trx_date === other.trx_date ? one.id < other.id : one.trx_date < other.trx_date);
  const rows = Array.from({ length: size }, (_, id) => row(id, aMinute())).toSorted((a, b) => (isAfter(a, b) ? 1 : -1));
  const before = [...rows];
  const gone = new Set<string>();
  let made = size;
  return {
    page: ({ end_date, skip }: KeysetCursor, limit: number): Row[] => {
      const from = end_date === null ? 0 : rows.findIndex(({ trx_date }) => trx_date <= end_date);
      return from < 0 ? [] : rows.slice(from + skip, from + skip + limit);
    },
    change: (): void => {
      if (!random.chance(changesPerRequest)) return;
      if (random.chance(0.5)) {
        const [went] = rows.splice(random.below(rows.length), 1);
        if (went) gone.add(went.id);
        return;
      }
      const fresh = row((made += 1), aMinute());
      const at = rows.findIndex((other) => isAfter(other, fresh));
      rows.splice(at < 0 ? rows.length : at, 0, fresh);
    },
    /** Rows that were there all the time. */
    stayed: () => before.filter(({ id }) => !gone.has(id)),
  };
}

// over some days, with many ties
const minutes = fc.array(
  fc.oneof(
    fc.integer({ min: 0, max: 40 }),
    fc.integer({ min: 0, max: 5 }).map((day) => day * 1440),
  ),
  { maxLength: 400, size: 'max' },
);

describe('paging', () => {
  test('[PG1] a still list is read whole, whatever the ties, the page size and the size the server hands out', () => {
    fc.assert(
      fc.property(
        minutes,
        fc.integer({ min: 2, max: 60 }),
        fc.integer({ min: 2, max: 60 }),
        fc.boolean(),
        (dates, limit, cap, comparesDays) => {
          const rows = dates.map((minute, index) => row(index, minute));
          expect(pull(aServer(rows, { cap, comparesDays }), limit).held.size).toBe(rows.length);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('[PG13] nor is a row missed where a server leaves out the moment that it is asked up to, or reads no more of it than its second or day', () => {
    const seconds = fc.array(
      fc.oneof(
        fc.nat({ max: 9 }),
        fc.nat({ max: 5 * 86_400 }).map((half) => half * 500),
      ),
      { maxLength: 300, size: 'max' },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          minutes.map((some) => some.map((minute) => minute * 60_000)),
          seconds.map((some) => some.map((half) => half * 500)),
        ),
        fc.integer({ min: 2, max: 60 }),
        fc.constantFrom(...reaches),
        (moments, cap, reach) => {
          const rows = moments.map((ms, index) => row(index, ms / 60_000));
          const server = aServer(rows, { cap, reach });
          expect([pull(server, 100).held.size, missing(server, 100, rows).size]).toEqual([rows.length, 0]);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('[PG13] while rows come and go there, neither', () => {
    const holes: string[] = [];
    for (let seed = 0; seed < 3000; seed += 1) {
      const random = randomOf(`beyond ${seed}`);
      const aMinute = () => (random.chance(0.4) ? random.below(40) : random.below(5 * 1440) / 4);
      const rows = Array.from({ length: random.below(200) }, (_, id) => row(id, aMinute()));
      const stayed = new Set(rows.map(({ id }) => id));
      let made = 100_000;
      const { held } = pull(aServer(rows, { reach: random.pick(reaches) }), 15 + random.below(48), () => {
        while (random.chance(0.4)) {
          if (random.chance(0.5)) rows.push(row((made += 1), aMinute()));
          else if (rows.length > 0) stayed.delete(rows.splice(random.below(rows.length), 1)[0]?.id ?? '');
        }
      });
      for (const id of stayed) if (!held.has(id)) holes.push(`seed ${seed}: ${id}`);
    }
    expect(holes).toEqual([]);
  });

  test('[PG13] a server that does so is asked for a page per page all the same', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => row(index, index * 1440));
    for (const reach of reaches) expect(pull(aServer(rows, { reach }), 100).pages).toBeLessThanOrEqual(18);
  });

  test('[PG11] where the server says how long its pages are a shorter one is the last, with all that is left in it', () => {
    fc.assert(
      fc.property(minutes, fc.integer({ min: 2, max: 60 }), (dates, limit) => {
        const rows = dates.map((minute, index) => row(index, minute));
        const server = aServer(rows);
        const held = new Set<string>();
        const gone = new Set<string>();
        const former = row(999_999, 3);
        let pages = 0;
        for (let cursor: KeysetCursor | null = startCursor; cursor; pages += 1) {
          const page: Row[] = server(cursor, limit);
          const step: KeysetStep<Row> = keysetStep(cursor, page, page.length < limit);
          for (const { id } of step.fresh) held.add(id);
          const covered = coverageOf({ from: iso(0) }, cursor, page, step);
          const at = Date.parse(former.trx_date);
          if (covered && covered.from <= at && at <= covered.to) gone.add(former.id);
          cursor = step.next;
        }
        expect([held.size, [...gone]]).toEqual([rows.length, [former.id]]);
        if (rows.length < limit) expect(pages).toBe(1);
      }),
      { numRuns: 500 },
    );
  });

  test('[PG2] while rows come and go, no row that stayed is missed', () => {
    const change = fc.record({ kind: fc.constantFrom('add', 'remove'), at: fc.integer({ min: 0, max: 40 }), which: fc.nat() });
    fc.assert(
      fc.property(
        minutes,
        fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 60, size: 'max' }),
        fc.integer({ min: 30, max: 60 }),
        (dates, changes, limit) => {
          const rows = dates.map((minute, index) => row(index, minute));
          const stayed = new Set(rows.map((one) => one.id));
          const queue = [...changes];
          let made = 100_000;
          const { held } = pull(aServer(rows), limit, () => {
            for (const { kind, at, which } of queue.shift() ?? []) {
              if (kind === 'add') rows.push(row((made += 1), at));
              else if (rows.length > 0) stayed.delete(rows.splice(which % rows.length, 1)[0]?.id ?? '');
            }
          });
          expect([...stayed].filter((id) => !held.has(id))).toEqual([]);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('[PG6] what a whole reading says is not there is exactly what is not there, whatever the ties and the pages', () => {
    fc.assert(
      fc.property(
        minutes,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.integer({ min: 12, max: 60 }),
        fc.boolean(),
        (dates, ghosts, limit, comparesDays) => {
          const held = dates.map((minute, index) => row(index, minute));
          const gone = new Set(ghosts.flatMap((which) => held[which % Math.max(1, held.length)]?.id ?? []));
          const rows = held.filter(({ id }) => !gone.has(id));
          expect(missing(aServer(rows, { comparesDays }), limit, held)).toEqual(gone);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test('[PG7] while rows come and go, nothing that stayed is said not to be there', () => {
    const change = fc.record({ kind: fc.constantFrom('add', 'remove'), at: fc.integer({ min: 0, max: 40 }), which: fc.nat() });
    const changes = fc.array(fc.array(change, { maxLength: 4 }), { maxLength: 60, size: 'max' });
    fc.assert(
      fc.property(minutes, changes, fc.integer({ min: 30, max: 60 }), (dates, plan, limit) => {
        const held = dates.map((minute, index) => row(index, minute));
        const rows = [...held];
        const stayed = new Set(rows.map((one) => one.id));
        const queue = [...plan];
        let made = 100_000;
        const said = missing(aServer(rows), limit, held, () => {
          for (const { kind, at, which } of queue.shift() ?? []) {
            if (kind === 'add') rows.push(row((made += 1), at));
            else if (rows.length > 0) stayed.delete(rows.splice(which % rows.length, 1)[0]?.id ?? '');
          }
        });
        expect([...said].filter((id) => stayed.has(id))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
  });

  test('[PG9] while rows move, however many at once, no row that stayed is missed', () => {
    const holes: string[] = [];
    for (let seed = 0; seed < 4000; seed += 1) {
      const random = randomOf(`moving ${seed}`);
      const aMinute = () => (random.chance(0.4) ? random.below(40) : random.below(3) * 1440);
      const rows = Array.from({ length: random.below(200) }, (_, id) => row(id, aMinute()));
      const stayed = new Set(rows.map(({ id }) => id));
      const ours = aServer(rows, { comparesDays: random.chance(0.3) });
      const move = (): void => {
        if (!random.chance(0.1)) return;
        const share = random.unit();
        for (const [at, { id }] of rows.entries()) {
          if (!random.chance(share)) continue;
          stayed.delete(id);
          rows[at] = { id, trx_date: iso(aMinute()) };
        }
      };
      const { held } = pull(ours, 4 + random.below(48), move);
      for (const id of stayed) if (!held.has(id)) holes.push(`seed ${seed}: ${id}`);
    }
    expect(holes).toEqual([]);
  });

  test('[PG3] going down by date asks for a page per page, and one or two to be sure of the end', () => {
    const rows = Array.from({ length: 1000 }, (_, index) => row(index, index));
    expect(pull(aServer(rows), 100).pages).toBeLessThanOrEqual(14);
  });

  test('[PG4] an empty list and one row end at once, and a few rows of one moment after one more look: they may be all a server hands out at a time', () => {
    expect(pull(aServer([]), 100)).toMatchObject({ pages: 1 });
    expect(pull(aServer([row(1, 1)]), 100)).toMatchObject({ pages: 2 });
    expect(pull(aServer([1, 2, 3, 4, 5].map((id) => row(id, 7))), 100)).toMatchObject({ pages: 3 });
  });

  test('[PG5] a list read by skipping misses no row that stayed, though rows come and go between the pages', async () => {
    const changes = fc.array(fc.record({ add: fc.integer({ min: 0, max: 3 }), removeAt: fc.option(fc.nat(), { nil: null }) }), {
      maxLength: 20,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 300 }), changes, async (count, plan) => {
        let made = 0;
        const ids = Array.from({ length: count }, () => String((made += 1)));
        const stayed = new Set(ids);
        const queue = [...plan];
        const { rows } = await readBySkipping(async (skip) => {
          const page = ids.slice(skip, skip + 40).map((id) => ({ id }));
          const { add = 0, removeAt = null } = queue.shift() ?? {};
          for (let extra = 0; extra < add; extra += 1) ids.unshift(String((made += 1)));
          if (removeAt !== null && ids.length > 0) stayed.delete(ids.splice(removeAt % ids.length, 1)[0] ?? '');
          return page;
        });
        const held = new Set(rows.map((one) => one.id));
        expect([...stayed].filter((id) => !held.has(id))).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  test.each([1, 5, 12, 40, 400])(
    '[PG10] a server that gives its first page again whatever is skipped is not asked for ever: %i rows',
    async (count) => {
      const page = Array.from({ length: count }, (_, id) => ({ id: String(id) }));
      let asked = 0;
      const read = await readBySkipping(async () => {
        asked += 1;
        return page;
      });
      expect([read.rows.length, asked <= 4]).toEqual([count, true]);
      expect(read.isRepeating).toBe(true);
    },
  );

  test('[PG10] nor one whose first page is another each time', async () => {
    let asked = 0;
    const { rows, isRepeating } = await readBySkipping(async () => {
      asked += 1;
      // in no order, and a row comes now and then
      const page = Array.from({ length: 50 }, (_, id) => ({ id: String((id * 7 + asked) % 50) }));
      return asked < 5 ? page.slice(0, 40 + asked) : page;
    });
    expect([rows.length, isRepeating, asked < 50]).toEqual([50, true, true]);
  });

  test('[PG9] nor is one missed by skipping', async () => {
    const holes: string[] = [];
    let unread = 0;
    for (let seed = 0; seed < 3000; seed += 1) {
      const random = randomOf(`moving by name ${seed}`);
      const aName = () => String(random.below(1000)).padStart(3, '0');
      const byName = (a: { name: string; id: string }, b: { name: string; id: string }) =>
        `${a.name} ${a.id}`.localeCompare(`${b.name} ${b.id}`);
      const list = Array.from({ length: random.below(200) }, (_, id) => ({ id: String(id), name: aName() })).sort(byName);
      const stayed = new Set(list.map(({ id }) => id));
      const limit = 4 + random.below(38);
      const { rows } = await readBySkipping(async (skip) => {
        const page = list.slice(skip, skip + limit).map((one) => ({ ...one }));
        const share = random.chance(0.1) ? random.unit() : 0;
        for (const one of list) {
          if (!random.chance(share)) continue;
          stayed.delete(one.id);
          one.name = aName();
        }
        list.sort(byName);
        return page;
      }).catch(() => ({ rows: [] }));
      if (rows.length === 0 && list.length > 0) {
        unread += 1;
        continue;
      }
      const held = new Set(rows.map(({ id }) => id));
      for (const id of stayed) if (!held.has(id)) holes.push(`seed ${seed}: ${id}`);
    }
    expect(holes).toEqual([]);
    // a list that others change all over again and again
    expect(unread).toBeLessThan(100);
  });

  test('[PG8] of 1,000 pulls of 3,000 rows that others change meanwhile none ends with a hole, where skipping alone leaves one in every other', () => {
    const [pulls, size, changesPerRequest] = [1_000, 3_000, 0.2];
    let [holes, holesBySkipping] = [0, 0];
    for (let seed = 0; seed < pulls; seed += 1) {
      const ours = aBusyList(seed, size, changesPerRequest);
      const { held } = pull(ours.page, 100, ours.change);
      if (ours.stayed().some(({ id }) => !held.has(id))) holes += 1;

      const naive = aBusyList(seed, size, changesPerRequest);
      const read = new Set<string>();
      for (let skip = 0, page: Row[] | null = null; page === null || page.length === 100; skip += 100) {
        page = naive.page({ ...startCursor, skip }, 100);
        for (const { id } of page) read.add(id);
        naive.change();
      }
      if (naive.stayed().some(({ id }) => !read.has(id))) holesBySkipping += 1;
    }
    expect(holes).toBe(0);
    expect(holesBySkipping).toBeGreaterThan(pulls / 2);
  });
});
