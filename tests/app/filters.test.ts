import { v7 as uuidv7 } from 'uuid';
import { afterEach, describe, expect, test } from 'vitest';
import type { Client } from '#contract/clients.ts';
import type { Entity } from '#contract/entities.ts';
import { hashesText, keptKeyOf, readKeptHashes } from '#app/screens/transactions/kept-hashes.ts';
import { viewText } from '#app/screens/transactions/views/view-search.ts';
import { planted } from '#tests/support/stored.ts';
import { asksNothing, rememberAssets, rememberedAssets } from '#app/screens/transactions/remembered-assets.ts';
import { scopeOf } from '#app/screens/transactions/scope.ts';
import { filterAt, readTransactionSearch } from '#app/screens/transactions/transaction-search.ts';
import type { Names } from '#app/screens/transactions/use-names.ts';
import { choicesOf, countsOf } from '#app/screens/transactions/filters/choices.ts';
import { filterKeys } from '#app/screens/transactions/filters/filter-keys.ts';
import { shortcutOf } from '#app/ui/chords.ts';
import { daysLabel, filterWords } from '#app/screens/transactions/filters/filter-words.ts';
import { findPlaces, placesOf } from '#app/shell/places.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica, type Replica } from '#replica/open.ts';

const byId = <Row extends { id: string }>(rows: readonly Row[]) => new Map(rows.map((row) => [row.id, row]));

const names = (() => {
  const accounts = ['Kraken', 'Ledger', 'Coinbase Prime main'].map((account_name, index) => ({
    id: `a${index}`,
    account_name,
    custodian_id: 'k1',
  }));
  const securities = ['BTC', 'ETH'].map((ticker, index) => ({ id: `s${index}`, ticker, security_name: `Coin ${ticker}` }));
  const custodians = ['Kraken', 'Unused'].map((custodian_name, index) => ({ id: `k${index + 1}`, custodian_name }));
  const maps = {
    entity: new Map(),
    account: byId(accounts),
    security: byId(securities),
    custodian: byId(custodians),
    archived: new Set<string>(),
  };
  return { accounts, securities, custodians, ...maps } as unknown as Names;
})();

const label = (key: string, value: string): string => {
  const { search } = readTransactionSearch({ [key]: value });
  const filter = filterAt(search, key as 'account');
  return filter ? Object.values(filterWords(filter, names)).filter(Boolean).join(' ') : 'nothing';
};

test('[TF17] a filter reads as a sentence of field, operator and value', () => {
  expect(label('account', 'a0')).toBe('Account is Kraken');
  expect(label('account', 'not:a0,a1')).toBe('Account is not Kraken, Ledger');
  expect(label('account', 'a0,a1,a2,a9')).toBe('Account is Kraken, Ledger +2');
  expect(label('security', 'none,s0')).toBe('Security is None, BTC');
  expect(label('type', '3,8')).toBe('Type is Trade, Withdrawal fee');
  expect(label('match', 'PENDING,none')).toBe('Match is Pending, No match');
  expect(label('usd_value', '>1000')).toBe('USD value > 1,000');
  expect(label('usd_value', 'not:-50')).toBe('USD value not = (50)');
  expect(label('description', 'fee')).toBe('Description contains fee');
  expect(label('description', 'not:fee')).toBe('Description does not contain fee');
  expect(label('unpriced', 'only')).toBe('Unpriced only');
  expect(daysLabel({ from: '2025-01-16' })).toBe('since 01/16/2025');
  expect(daysLabel({})).toBe('All dates');
});

describe('what one may pick', () => {
  test('[TF18] a category counts the rows of all its types; types without one are offered where they occur', () => {
    const counts = countsOf(
      'type',
      [3, 4, 5, 8, 1].map((type, index) => ({ value: String(type), count: index + 1 })),
    );
    const choices = choicesOf('type', names, counts, []);
    const of = (name: string) => choices.find((choice) => choice.label === name);
    expect(of('Trade')?.count).toBe(6);
    expect(of('Withdrawal fee')).toEqual({ id: '8', label: 'Withdrawal fee', count: 4 });
    expect(of('Trade sell')).toBeUndefined();
    expect(of('Airdrop')?.count).toBe(0);
  });

  test('[TF18] no value is a choice of its own, and what is picked stays in the list though it does not occur', () => {
    const counts = countsOf('security', [
      { value: null, count: 7 },
      { value: 's0', count: 2 },
    ]); // prettier-ignore
    expect(choicesOf('security', names, counts, ['gone']).map(({ id, label: words, count }) => [id, words, count])).toEqual([
      ['s0', 'BTC', 2],
      ['s1', 'ETH', 0],
      ['', 'None', 7],
      ['gone', 'Unknown', 0],
    ]);
  });

  test('[TF18] match states are counted whether the worker names or numbers them', () => {
    const facets = [
      { value: '0', count: 5 },
      { value: 'APPROVED', count: 2 },
      { value: null, count: 9 },
    ]; // prettier-ignore
    expect(choicesOf('match_state', names, countsOf('match_state', facets), []).map(({ count }) => count)).toEqual([5, 2, 0, 9]);
  });

  test('[TF18] only custodians that hold an account here are offered, and nothing is counted before the counts are known', () => {
    expect(choicesOf('custodian', names, undefined, [])).toEqual([{ id: 'k1', label: 'Kraken' }]);
  });

  test('[AA15] what is archived stands aside among the assets, and nowhere else', () => {
    const kept = { ...names, archived: new Set(['s1', 'a0']) } as Names;
    const aside = (field: 'security' | 'account') =>
      choicesOf(field, kept, new Map([['s1', 4]]), ['s1']).flatMap(({ id, isAside }) => (isAside ? [id] : []));
    expect([aside('security'), aside('account')]).toEqual([['s1'], []]);
  });
});

describe('pasted hashes', () => {
  const opened: Replica[] = [];
  afterEach(() => {
    for (const replica of opened.splice(0)) closeReplica(replica);
  });
  const aReplica = async (): Promise<Replica> => {
    const replica = await openReplica(browserStores, uuidv7(), 0);
    opened.push(replica);
    return replica;
  };
  const many = (count: number, name = 'tx') => Array.from({ length: count }, (_, index) => `${name}-${index}`);

  test('[TF19] twenty stand in the address as they are, more are kept on this device under a short name', async () => {
    const replica = await aReplica();
    expect(await hashesText(replica, many(20))).toBe(many(20).join(','));
    expect(await hashesText(replica, [])).toBeUndefined();
    const text = await hashesText(replica, many(10_000));
    expect(text).toMatch(/^kept:[0-9a-f]{12}$/);
    const { search, dropped } = readTransactionSearch({ hashes: text });
    expect([search, dropped]).toEqual([{ hashes: text }, []]);
    expect(await readKeptHashes(replica, keptKeyOf(search)!)).toEqual(many(10_000));
  });

  test('[TF19] a name this device does not know has no list, and neither has an old one after many others', async () => {
    const replica = await aReplica();
    expect(await readKeptHashes(replica, 'abcdef123456')).toBeNull();
    const keys: string[] = [];
    const keep = async (list: number) => keys.push(keptKeyOf({ hashes: await hashesText(replica, many(30, `l${list}`)) })!);
    for (let list = 0; list < 21; list += 1) await keep(list);
    expect(await readKeptHashes(replica, keys[0]!)).toBeNull();
    expect(await readKeptHashes(replica, keys[1]!)).toEqual(many(30, 'l1'));
    expect(await readKeptHashes(replica, keys[20]!)).toEqual(many(30, 'l20'));
    // one that a saved view looks for stays
    const search = viewText({ hashes: `kept:${keys[1]!}` }, false);
    await planted(replica.rows, 'saved_views', [
      { id: uuidv7(), name: 'Mine', list: 'transactions', search, version: 1, updated_at: '2026-01-01T00:00:00.000Z', _scope: 'user' },
    ]);
    await keep(21);
    await keep(22);
    expect(await readKeptHashes(replica, keys[1]!)).toEqual(many(30, 'l1'));
    expect(await readKeptHashes(replica, keys[2]!)).toBeNull();
  });
});

describe('the remembered security filter', () => {
  const storage = (): Storage => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    } as unknown as Storage;
  };

  test('[TF20] it is that of the place, and taking it away forgets it', () => {
    const local = storage();
    rememberAssets(local, 'user e1', 'not:s1');
    rememberAssets(local, 'user e2', 's2');
    expect([rememberedAssets(local, 'user e1'), rememberedAssets(local, 'user e3')]).toEqual(['not:s1', undefined]);
    rememberAssets(local, 'user e1', undefined);
    expect([rememberedAssets(local, 'user e1'), rememberedAssets(local, 'user e2')]).toEqual([undefined, 's2']);
  });

  test.each(['', '{', '[1]', '[["user e1", 5]]', '[["user e1", "<b>"]]', 'null', '{"a":1}'])(
    '[TF20] %s in its place is nothing',
    (text) => {
      const local = storage();
      local.setItem('transaction_asset_filter', text);
      expect(rememberedAssets(local, 'user e1')).toBeUndefined();
      rememberAssets(local, 'user e1', 's1');
      expect(rememberedAssets(local, 'user e1')).toBe('s1');
    },
  );

  test('[TF20] it comes back only where the address asks nothing but the place', () => {
    expect(asksNothing({ entity: 'e1', sort: 'price' })).toBe(true);
    for (const search of [{ dates: 'all' as const }, { q: 'a' }, { security: 's1' }, { from: '2025-01-01' }])
      expect(asksNothing({ entity: 'e1', ...search })).toBe(false);
  });
});

const client = (id: string, client_name = `Client ${id}`) => ({ id, client_name }) as Client;
const entity = (id: string, client_id: string) => ({ id, client_id, entity_name: `Entity ${id}`, active: true }) as unknown as Entity;
const clients = [client('c1'), client('c2')];
const entities = [entity('e1', 'c1'), entity('e2', 'c1'), entity('e3', 'c2')];

test('[TF16] a place is one entity, the entities of a client, or of all clients; an unknown one is none', () => {
  const of = (search: { entity?: string; client?: string }) => scopeOf(search, { clients, entities });
  expect(of({ entity: 'e3' })).toMatchObject({ clientIds: ['c2'], entities: [{ id: 'e3' }], spansEntities: false });
  expect(of({ client: 'c1' })).toMatchObject({ clientIds: ['c1'], entities: [{ id: 'e1' }, { id: 'e2' }], spansEntities: true });
  expect(of({ client: 'all' })).toMatchObject({ clientIds: ['c1', 'c2'], spansEntities: true });
  expect([of({ entity: 'gone' }), of({ client: 'gone' }), of({})]).toEqual([null, null, null]);
});

test('[TF21] the switcher offers all entities of a client, and all clients, where there is more than one', () => {
  const wide = placesOf(clients, entities, true);
  expect(wide.map(({ name }) => name)).toEqual(['All clients', 'All entities of Client c1', 'Entity e1', 'Entity e2', 'Entity e3']);
  expect(wide.map(({ search }) => search)).toEqual([
    { client: 'all' },
    { client: 'c1' },
    { entity: 'e1' },
    { entity: 'e2' },
    { entity: 'e3' },
  ]);
  expect(placesOf(clients, entities, false).map(({ name }) => name)).toEqual(['Entity e1', 'Entity e2', 'Entity e3']);
  expect(placesOf([client('c2')], [entity('e3', 'c2')], true).map(({ name }) => name)).toEqual(['Entity e3']);
  expect(findPlaces(wide, 'client C2').map(({ name }) => name)).toEqual(['Entity e3']);
  // the client of an entity may not be here yet
  expect(placesOf([], [entity('e3', 'c2')], false)).toMatchObject([{ name: 'Entity e3', group: { name: 'Client not here yet' } }]);
});

test('[TF22] Alt+F asks for a filter, also where Alt writes another letter', () => {
  const press = { key: 'ƒ', code: 'KeyF', altKey: true, ctrlKey: false, metaKey: false, shiftKey: false };
  expect(shortcutOf(filterKeys, press)).toBe('add');
  expect(shortcutOf(filterKeys, { ...press, key: 'f' })).toBe('add');
  for (const other of [{ altKey: false }, { ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { code: 'KeyG' }])
    expect(shortcutOf(filterKeys, { ...press, ...other })).toBeUndefined();
});
