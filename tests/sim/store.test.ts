import { describe, expect, test } from 'vitest';
import { browserStores } from '#replica/dexie-store.ts';
import { randomOf } from './random.ts';
import { type Actor, Scheduler } from './scheduler.ts';
import { SimDisk } from './sim-store.ts';
import { madeSchema, storeCases } from './store-cases.ts';

function anActor(name: string): Actor {
  return { name, isDead: false, frozenUntil: 0 };
}

/** Runs work on a made-up browser until it ends. */
async function onSimulated(seed: number, work: (disk: SimDisk, scheduler: Scheduler) => Promise<void>): Promise<void> {
  const scheduler = new Scheduler(randomOf(`store ${seed}`), 0);
  const disk = new SimDisk(scheduler);
  scheduler.afterTurn = () => disk.check();
  let end: { error?: unknown } | null = null;
  work(disk, scheduler).then(
    () => {
      end = {};
    },
    (error: unknown) => {
      end = { error };
    },
  );
  const isOver = await scheduler.until(() => end !== null, 100_000);
  const reached = end as { error?: unknown } | null;
  if (reached && 'error' in reached) throw reached.error;
  expect(isOver).toBe(true);
}

describe('a store', () => {
  for (const { rule, run } of storeCases) {
    test(`[PO1] ${rule}: in the simulated browser, in 50 orders`, async () => {
      for (let seed = 0; seed < 50; seed += 1) await onSimulated(seed, (disk) => run(disk.hostFor(anActor('tab')), madeSchema('made')));
    });
    test(`[PO1] ${rule}: in Dexie`, async () => {
      const name = `made ${rule}`;
      await run(browserStores, madeSchema(name));
      await browserStores.remove(madeSchema(name));
    });
  }
});

describe('the simulated browser', () => {
  type Lines = { lines: { row: { seq: number; text: string }; key: number; auto: 'seq' } };
  const open = (disk: SimDisk, actor: Actor, durability: 'strict' | 'relaxed') =>
    disk.hostFor(actor).open<Lines>({ name: durability, durability, versions: [{ lines: '++seq' }] });

  test('[PO2] losing power takes a last part of what was written relaxed, whole transactions, and nothing strict', async () => {
    const left = new Set<number>();
    for (let seed = 0; seed < 60; seed += 1) {
      await onSimulated(seed, async (disk) => {
        const actor = anActor('tab');
        const [strict, relaxed] = [await open(disk, actor, 'strict'), await open(disk, actor, 'relaxed')];
        for (const store of [strict, relaxed])
          for (let no = 0; no < 4; no += 1)
            await store.write(['lines'], (tx) => tx.addMany('lines', [{ text: `${no} a` }, { text: `${no} b` }]));
        disk.losePower();
        const texts = disk.peek<{ text: string }>('relaxed', 'lines').map(({ text }) => text);
        expect(disk.peek('strict', 'lines')).toHaveLength(8);
        expect(texts).toEqual(['0 a', '0 b', '1 a', '1 b', '2 a', '2 b', '3 a', '3 b'].slice(0, texts.length));
        expect(texts.length % 2).toBe(0);
        left.add(texts.length);
      });
    }
    expect([...left].toSorted()).toEqual([0, 2, 4, 6, 8]);
  });

  test('[PO3] who dies in the middle of a transaction leaves nothing of it, and holds up nobody', async () => {
    const outcomes = new Set<number>();
    for (let seed = 0; seed < 80; seed += 1) {
      await onSimulated(seed, async (disk, scheduler) => {
        const [dying, other] = [anActor('dying'), anActor('other')];
        const [mine, theirs] = [await open(disk, dying, 'strict'), await open(disk, other, 'strict')];
        void mine.write(['lines'], (tx) => tx.addMany('lines', [{ text: 'a' }, { text: 'b' }]));
        for (let turn = scheduler.random.below(8); turn > 0; turn -= 1) await scheduler.turn('wait', other);
        dying.isDead = true;
        disk.forgetDead();
        await theirs.write(['lines'], (tx) => tx.add('lines', { text: 'c' }));
        outcomes.add(disk.peek('strict', 'lines').length);
      });
    }
    expect([...outcomes].toSorted()).toEqual([1, 3]);
  });

  test('[PO8] a connection that the browser closes takes with it what runs on it, whole, or the word that it was written, and is opened again by the next transaction', async () => {
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 80; seed += 1) {
      await onSimulated(seed, async (disk, scheduler) => {
        const [here, there] = [anActor('here'), anActor('there')];
        const [mine, theirs] = [await open(disk, here, 'strict'), await open(disk, there, 'strict')];
        let met = 'nothing';
        const writing = mine
          .write(['lines'], (tx) => tx.addMany('lines', [{ text: 'a' }, { text: 'b' }]))
          .then(
            () => (met = 'written'),
            (error: Error) => (met = error.name),
          );
        for (let turn = scheduler.random.below(8); turn > 0; turn -= 1) await scheduler.turn('wait', there);
        disk.loseConnections();
        await theirs.write(['lines'], (tx) => tx.add('lines', { text: 'c' }));
        await writing;
        const count = await mine.read(['lines'], (tx) => tx.count('lines'));
        outcomes.add(`${met}, ${count} rows`);
      });
    }
    expect([...outcomes].toSorted()).toEqual(['AbortError, 1 rows', 'AbortError, 3 rows', 'written, 3 rows']);
  });

  test('[PO9] a database is deleted once what runs in it is over, and once tabs that sleep are awake or gone', async () => {
    for (const isKilled of [false, true]) {
      await onSimulated(3, async (disk, scheduler) => {
        const [asleep, other] = [anActor('asleep'), anActor('other')];
        const mine = await open(disk, asleep, 'strict');
        const writing = mine.write(['lines'], (tx) => tx.add('lines', { text: 'a' }));
        asleep.frozenUntil = 60_000;
        asleep.isDead = isKilled;
        disk.forgetDead();
        await disk.hostFor(other).remove({ name: 'strict', durability: 'strict', versions: [] });
        expect(scheduler.now).toBe(isKilled ? 0 : 60_000);
        if (!isKilled) await writing;
        expect(disk.names()).toEqual([]);
      });
    }
  });

  test('[PO4] a transaction that waits for anything but itself is found', async () => {
    const waiting = onSimulated(1, async (disk, scheduler) => {
      const actor = anActor('tab');
      const store = await open(disk, actor, 'strict');
      await store.write(['lines'], async (tx) => {
        await scheduler.turn('an answer of the network', actor);
        await tx.add('lines', { text: 'late' });
      });
    });
    await expect(waiting).rejects.toThrow('waits for something else');
  });
});
