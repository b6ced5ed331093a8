import type { Store, StoreHost, StoreSchema } from '#replica/store.ts';

// What the engine stands on, said once: run on every database there is, in Node and in a browser, so it needs no test runner.

type Made = {
  things: { row: { id: string; group: string; at: number; note?: string }; key: string };
  parts: { row: { set: string; no: number; text: string }; key: readonly [string, number] };
  lines: { row: { seq: number; id: string; state: string }; key: number; auto: 'seq' };
};

interface StoreCase {
  /** The rule, after its id in `tests/rules.md`. */
  rule: string;
  run: (host: StoreHost, schema: StoreSchema) => Promise<void>;
}

const tables = { things: '&id, group, [group+at]', parts: '&[set+no]', lines: '++seq, &id, state' };

export function madeSchema(name: string): StoreSchema {
  return { name, durability: 'relaxed', versions: [tables] };
}

function expectSame(actual: unknown, wanted: unknown, what: string): void {
  const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
  if (is !== should) throw new Error(`${what}: ${is} is not ${should}`);
}

async function expectRefused(work: Promise<unknown>, what: string): Promise<void> {
  const isRefused = await work.then(
    () => false,
    () => true,
  );
  if (!isRefused) throw new Error(`${what} was not refused`);
}

const thing = (id: string, group = 'g', at = 0) => ({ id, group, at });

async function filled(host: StoreHost, schema: StoreSchema): Promise<Store<Made>> {
  const store = await host.open<Made>(schema);
  await store.write(['things', 'parts'], async (tx) => {
    await tx.putMany('things', [thing('b', 'x', 2), thing('a', 'x', 10), thing('d', 'y', 1), thing('c', 'x', 2)]);
    await tx.putMany(
      'parts',
      [10, 2, 1].flatMap((no) => ['p', 'q'].map((set) => ({ set, no, text: `${set}${no}` }))),
    );
  });
  return store;
}

const idsOf = (rows: readonly { id: string }[]): string => rows.map(({ id }) => id).join('');

export const storeCases: readonly StoreCase[] = [
  {
    rule: 'rows come by key, by index and then by key, from a range, backwards and so many',
    run: async (host, schema) => {
      const store = await filled(host, schema);
      const found = await store.read(['things', 'parts'], async (tx) => [
        idsOf(await tx.list('things')),
        idsOf(await tx.list('things', { index: 'group', is: 'x' })),
        idsOf(await tx.list('things', { index: '[group+at]', from: ['x', 2], to: ['x', Infinity] })),
        idsOf(await tx.list('things', { from: 'b', to: 'c' })),
        idsOf(await tx.list('things', { isBackwards: true, limit: 2 })),
        (await tx.list('parts', { from: ['p', 2], to: ['p', Infinity] })).map(({ text }) => text).join(),
        (await tx.keys('parts', { limit: 2 })).join(' '),
        await tx.count('things', { index: 'group', is: 'x' }),
        await tx.count('parts'),
        (await tx.getMany('things', ['d', 'none', 'a'])).map((row) => row?.id ?? '-').join(''),
        (await tx.get('parts', ['q', 10]))?.text,
      ]);
      expectSame(found, ['abcd', 'abc', 'bca', 'bc', 'dc', 'p2,p10', 'p,1 p,2', 3, 6, 'd-a', 'q10'], 'what was found');
      store.close();
    },
  },
  {
    rule: 'what fails or throws leaves nothing of itself',
    run: async (host, schema) => {
      const store = await filled(host, schema);
      const adding = store.write(['things', 'parts'], async (tx) => {
        await tx.remove('things', 'a');
        await tx.put('parts', { set: 'new', no: 1, text: '' });
        await tx.add('things', thing('b'));
      });
      await expectRefused(adding, 'adding a key that is there');
      await expectRefused(
        store.write(['things'], async (tx) => {
          await tx.removeAll('things');
          throw new Error('changed my mind');
        }),
        'a work that throws',
      );
      const left = await store.read(['things', 'parts'], async (tx) => [idsOf(await tx.list('things')), await tx.count('parts')]);
      expectSame(left, ['abcd', 6], 'what is left');
      store.close();
    },
  },
  {
    rule: 'rows without a number get the next one, and a number is never given twice',
    run: async (host, schema) => {
      const store = await host.open<Made>(schema);
      const seqs = async (): Promise<number[]> => store.read(['lines'], (tx) => tx.keys('lines'));
      await store.write(['lines'], (tx) =>
        tx.addMany(
          'lines',
          ['a', 'b', 'c'].map((id) => ({ id, state: 's' })),
        ),
      );
      expectSame(await seqs(), [1, 2, 3], 'numbers');
      await store.write(['lines'], (tx) => tx.removeMany('lines', [2, 3]));
      await store.write(['lines'], (tx) => tx.add('lines', { id: 'd', state: 's' }));
      expectSame(await seqs(), [1, 4], 'numbers after a removal');
      await expectRefused(
        store.write(['lines'], (tx) => tx.add('lines', { id: 'd', state: 's' })),
        'a second row of a unique index',
      );
      store.close();
    },
  },
  {
    rule: 'writing transactions on one table go one after another, from any connection',
    run: async (host, schema) => {
      const [one, other] = [await host.open<Made>(schema), await host.open<Made>(schema)];
      await one.write(['things'], (tx) => tx.put('things', thing('counter')));
      const add = (store: Store<Made>) =>
        store.write(['things'], async (tx) => {
          const row = await tx.get('things', 'counter');
          await tx.put('things', thing('counter', 'g', (row?.at ?? 0) + 1));
        });
      await Promise.all(Array.from({ length: 12 }, (_, index) => add(index % 2 === 0 ? one : other)));
      expectSame((await one.read(['things'], (tx) => tx.get('things', 'counter')))?.at, 12, 'the counter');
      one.close();
      other.close();
    },
  },
  {
    rule: 'a reading transaction sees one moment of all its tables',
    run: async (host, schema) => {
      const store = await host.open<Made>(schema);
      const both = (at: number) =>
        store.write(['things', 'parts'], async (tx) => {
          await tx.put('things', thing('t', 'g', at));
          await tx.put('parts', { set: 's', no: 1, text: String(at) });
        });
      await both(0);
      const seen = async (): Promise<void> => {
        const [first, second] = await store.read(['things', 'parts'], async (tx) => [
          String((await tx.get('things', 't'))?.at),
          (await tx.get('parts', ['s', 1]))?.text,
        ]);
        expectSame(first, second, 'the two tables');
      };
      await Promise.all([both(1), seen(), both(2), seen(), both(3), seen()]);
      store.close();
    },
  },
  {
    rule: 'who watches a table hears of changes that any connection makes in it, and no more once stopped',
    run: async (host, schema) => {
      const [one, other] = [await host.open<Made>(schema), await host.open<Made>(schema)];
      let heard = 0;
      let tell = (): void => undefined;
      const next = () =>
        new Promise<void>((resolve) => {
          tell = resolve;
        });
      const first = next();
      const stop = one.watch(['things'], () => {
        heard += 1;
        tell();
      });
      // a connection hears of what comes after it listens; to listen takes it a moment
      await one.read(['things'], (tx) => tx.count('things'));
      await one.read(['things'], (tx) => tx.count('things'));
      await other.write(['things'], (tx) => tx.put('things', thing('a')));
      await first;
      stop();
      const before = heard;
      await other.write(['things'], (tx) => tx.put('things', thing('b')));
      await one.read(['things'], (tx) => tx.count('things'));
      expectSame(heard, before, 'what was heard after stopping');
      one.close();
      other.close();
    },
  },
  {
    rule: 'what is read or written is a copy',
    run: async (host, schema) => {
      const store = await host.open<Made>(schema);
      const mine = thing('a');
      await store.write(['things'], (tx) => tx.put('things', mine));
      mine.group = 'changed';
      const read = await store.read(['things'], (tx) => tx.get('things', 'a'));
      if (read) read.group = 'changed';
      expectSame((await store.read(['things'], (tx) => tx.get('things', 'a')))?.group, 'g', 'the row');
      store.close();
    },
  },
  {
    rule: 'a database is named among all once it is opened, and no more once it is removed',
    run: async (host, schema) => {
      const other = { ...schema, name: `${schema.name}, another one` };
      const named = async (): Promise<boolean[]> => {
        const names = await host.names();
        return [schema, other].map(({ name }) => names.includes(name));
      };
      expectSame(await named(), [false, false], 'before');
      for (const each of [schema, other]) (await host.open<Made>(each)).close();
      expectSame(await named(), [true, true], 'once opened');
      await host.remove(other);
      expectSame(await named(), [true, false], 'once one is removed');
    },
  },
  {
    rule: 'rows outlive closing and a further table, and go with their database',
    run: async (host, schema) => {
      (await filled(host, schema)).close();
      const more = { ...schema, versions: [...schema.versions, { extra: '&id' }] };
      const again = await host.open<Made & { extra: { row: { id: string }; key: string } }>(more);
      await again.write(['extra'], (tx) => tx.put('extra', { id: 'e' }));
      expectSame(await again.read(['things', 'extra'], async (tx) => [await tx.count('things'), await tx.count('extra')]), [4, 1], 'rows');
      again.close();
      await expectRefused(
        again.read(['things'], (tx) => tx.count('things')),
        'reading a closed store',
      );
      await host.remove(schema);
      await host.remove(schema);
      const fresh = await host.open<Made>(schema);
      expectSame(await fresh.read(['things'], (tx) => tx.count('things')), 0, 'rows of a removed store');
      fresh.close();
    },
  },
  {
    rule: 'a store whose database is removed beneath it goes on with an empty one, and whoever watches it hears of that one',
    run: async (host, schema) => {
      const store = await filled(host, schema);
      let tell = (): void => undefined;
      const stop = store.watch(['parts'], () => tell());
      // to listen takes it a moment
      for (let times = 0; times < 2; times += 1) await store.read(['parts'], (tx) => tx.count('parts'));
      await host.remove(schema);
      expectSame(await store.read(['things'], (tx) => tx.count('things')), 0, 'rows that were removed');
      const heard = new Promise<void>((resolve) => {
        tell = resolve;
      });
      const other = await host.open<Made>(schema);
      await other.write(['things', 'parts'], async (tx) => {
        await tx.put('things', thing('new'));
        await tx.put('parts', { set: 's', no: 1, text: '' });
      });
      await heard;
      expectSame(idsOf(await store.read(['things'], (tx) => tx.list('things'))), 'new', 'rows since');
      stop();
      store.close();
      other.close();
      await host.remove(schema);
    },
  },
  {
    rule: 'a store goes on where another one opened its database with a further table',
    run: async (host, schema) => {
      const store = await filled(host, schema);
      const more = { ...schema, versions: [...schema.versions, { extra: '&id' }] };
      const other = await host.open<Made & { extra: { row: { id: string }; key: string } }>(more);
      await other.write(['extra'], (tx) => tx.put('extra', { id: 'e' }));
      await store.write(['things'], (tx) => tx.put('things', thing('e')));
      expectSame(idsOf(await other.read(['things'], (tx) => tx.list('things'))), 'abcde', 'rows');
      store.close();
      other.close();
      await host.remove(more);
    },
  },
  {
    rule: 'a range is removed whole, by key or by index',
    run: async (host, schema) => {
      const store = await filled(host, schema);
      await store.write(['things', 'parts'], async (tx) => {
        await tx.removeAll('things', { index: 'group', is: 'x' });
        await tx.removeAll('parts', { from: ['p', 2], to: ['p', Infinity] });
      });
      const left = await store.read(['things', 'parts'], async (tx) => [idsOf(await tx.list('things')), await tx.count('parts')]);
      expectSame(left, ['d', 4], 'what is left');
      store.close();
    },
  },
];
