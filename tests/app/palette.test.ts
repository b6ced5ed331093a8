import { expect, test } from 'vitest';
import { type PermissionKey, permissionKeys } from '#contract/permissions.ts';
import { searchKey } from '#domain/name-key.ts';
import { commandsFor } from '#app/palette/commands.ts';
import { findsOf } from '#app/palette/finds.ts';
import { createIndexer } from '#app/palette/indexer.ts';
import { placeEntries } from '#app/palette/place-entries.ts';
import { recentKeys, rememberRecent } from '#app/palette/recents.ts';
import { type Entry, indexOf, listedAtMost, search } from '#app/palette/search.ts';
import { menuEntriesFor } from '#app/shell/menu-entries.ts';
import { aStorage } from '#tests/support/storage.ts';

const user = (...keys: PermissionKey[]) => ({ is_superuser: false, permissions: Object.fromEntries(keys.map((key) => [key, true])) });
const superuser = { is_superuser: true, permissions: {} };

function entity(name: string, place = ''): Entry {
  return { key: `entity ${name}`, kind: 'entity', id: name, name, place };
}

const namesOf = (index: ReturnType<typeof indexOf>, text: string): string[] =>
  search(index, text).flatMap(({ entries }) => entries.map(({ name }) => name));

test('[KB1] the name itself is found first, then what begins so, words that begin so, parts of words, and places', () => {
  const index = indexOf([
    entity('Other', 'Alpha / Beta'),
    entity('Kalpha One'),
    entity('The Alpha Fund'),
    entity('Alphabet'),
    entity('Alpha'),
    entity('Gamma', 'Kalphas'),
    entity('Nothing'),
  ]);
  expect(namesOf(index, 'alpha')).toEqual(['Alpha', 'Alphabet', 'The Alpha Fund', 'Kalpha One', 'Other', 'Gamma']);
  // every word counts, in whatever order, in the name or in its place
  expect(namesOf(index, 'fund al')).toEqual(['The Alpha Fund']);
  expect(namesOf(index, 'other beta')).toEqual(['Other']);
  expect(namesOf(index, 'alpha zeta')).toEqual([]);
});

test('[KB2] case, accents and punctuation make no difference to what is found', () => {
  const index = indexOf([entity('Zoë Żelazny-Łódź GmbH & Co.'), entity('Großer Ährenfonds'), entity('株式会社ティーアウト')]);
  for (const text of ['zoe', 'ŻELAZNY', 'zelazny lodz', 'lodz-gmbh', 'gmbh co'])
    expect([text, namesOf(index, text)]).toEqual([text, ['Zoë Żelazny-Łódź GmbH & Co.']]);
  expect(namesOf(index, 'grosser ahren')).toEqual(['Großer Ährenfonds']);
  expect(namesOf(index, '株式')).toEqual(['株式会社ティーアウト']);
  expect(searchKey(' 0xAbC.. ')).toBe('0xabc');
});

test('[KB3] each find says where it is; the kind with the best find comes first, and what is not listed is counted', () => {
  const rows = {
    organizations: [
      { id: 'o1', name: 'Office' },
      { id: 'o2', name: 'Branch' },
    ],
    clients: [{ id: 'c1', client_name: 'Alpha', organization_id: 'o1' }],
    entities: [{ id: 'e1', entity_name: 'Fund', client_id: 'c1', active: false }],
    accounts: Array.from({ length: 30 }, (_, at) => ({
      id: `a${at}`,
      account_name: `Fund wallet ${at}`,
      entity_id: 'e1',
      is_inactive: false,
    })),
  };
  const index = indexOf(placeEntries(rows));
  expect(search(index, 'alpha')[0]).toMatchObject({ kind: 'client', entries: [{ name: 'Alpha', place: 'Office' }] });
  const found = search(index, 'fund');
  expect(found.map(({ kind, entries, more }) => [kind, entries.length, more])).toEqual([
    ['entity', 1, 0],
    ['account', listedAtMost.account, 10],
  ]);
  expect(found[0]?.entries[0]).toMatchObject({ place: 'Office / Alpha', isInactive: true });
  expect(found[1]?.entries[0]).toMatchObject({ place: 'Office / Alpha / Fund', entityId: 'e1' });
  const one = indexOf(placeEntries({ ...rows, organizations: rows.organizations.slice(0, 1) }));
  expect(search(one, 'wallet 7')[0]?.entries[0]).toMatchObject({ name: 'Fund wallet 7', place: 'Alpha / Fund' });
});

test('[KB4] screens and actions are those one may have, and a screen of the menu is there by itself', () => {
  const ids = (who: Parameters<typeof commandsFor>[0], organizations = 1) => commandsFor(who, organizations).map(({ id }) => id);
  const everybody = ['/outbox', '/settings', 'sync-now', 'switch-theme', 'show-shortcuts', 'sign-out'];
  expect(ids(user())).toEqual(everybody);
  expect(ids(user('client_write', 'raw_data_write')).filter((id) => !everybody.includes(id))).toEqual(['create-client', 'import-file']);
  const readers = permissionKeys.filter((key) => key.endsWith('_read'));
  expect(commandsFor(user(...readers), 2).filter(({ kind, id }) => kind === 'action' && !everybody.includes(id))).toEqual([]);
  expect(ids(superuser, 1)).toEqual(expect.arrayContaining([...menuEntriesFor(superuser, 1).map(({ to }) => to), 'create-entity']));
  expect(ids(user('organization_read'), 1)).not.toContain('/organizations');
});

test('[KB5] without a text what one chose last comes first, by key alone, and what is gone is not told of', () => {
  const local = aStorage();
  for (const key of ['entity Gone', 'entity Alpha', 'screen /settings', 'entity Alpha']) rememberRecent(local, 'u1', key);
  expect(recentKeys(local, 'u1')).toEqual(['entity Alpha', 'screen /settings', 'entity Gone']);
  expect(recentKeys(local, 'u2')).toEqual([]);
  const commands = commandsFor(user(), 1);
  const entries = { index: indexOf([...commands, entity('Alpha')]), commands, account: () => undefined, isRead: true };
  const finds = findsOf(entries, ' ', recentKeys(local, 'u1')).map(({ title, entries: found }) => [
    title,
    ...found.map(({ name }) => name),
  ]);
  expect(finds).toEqual([
    ['Recent', 'Alpha', 'Settings'],
    ['Go to', 'Outbox'],
    ['Do', 'Sync now', 'Switch theme', 'Keyboard shortcuts', 'Sign Out'],
  ]);
  for (let at = 0; at < 20; at += 1) rememberRecent(local, 'u1', `entity ${at}`);
  expect(recentKeys(local, 'u1').length).toBe(6);
  local.setItem('palette_recents u1', '{"no":"list"}');
  expect(recentKeys(local, 'u1')).toEqual([]);
});

test('[KB6] among 40 clients, 300 entities and 20,000 accounts a letter is answered within a frame', () => {
  const word = (at: number): string => ['Kraken', 'Ledger', 'Gemini', 'Café', 'Bank of'][at % 5] ?? '';
  const index = indexOf(
    placeEntries({
      organizations: [{ id: 'o', name: 'Office' }],
      clients: Array.from({ length: 40 }, (_, at) => ({ id: `c${at}`, client_name: `Client ${at}`, organization_id: 'o' })),
      entities: Array.from({ length: 300 }, (_, at) => ({
        id: `e${at}`,
        entity_name: `Entity ${at}`,
        client_id: `c${at % 40}`,
        active: true,
      })),
      accounts: Array.from({ length: 20_000 }, (_, at) => ({
        id: `a${at}`,
        account_name: `${word(at)} account ${at}`,
        entity_id: `e${at % 300}`,
        is_inactive: false,
      })),
    }),
  );
  const texts = ['k', 'kr', 'kra', 'cafe', 'account 19999', 'nothing', 'e 12 client 3'];
  for (const text of texts) search(index, text);
  // this program's own time: the machine may be busy with something else
  const began = process.cpuUsage();
  for (let round = 0; round < 5; round += 1) for (const text of texts) search(index, text);
  const { user: micros } = process.cpuUsage(began);
  expect(micros / 1_000 / (5 * texts.length)).toBeLessThan(16);
  expect(namesOf(index, 'account 19999')).toEqual(['Bank of account 19999']);
});

test('[KB14] the index is kept from one search to the next, and made anew only where what can be found changed', () => {
  const indexer = createIndexer();
  const commands = commandsFor(user(), 1);
  const rows = (name: string, version: number) => ({
    organizations: [],
    clients: [{ id: 'c1', client_name: name, organization_id: 'o1', version }],
    entities: [],
    accounts: [],
  });
  const nothing = indexer.entriesOf(undefined, commands);
  expect([nothing.isRead, search(nothing.index, 'alpha')]).toEqual([false, []]);
  const first = indexer.entriesOf(rows('Alpha', 1), commands);
  expect(indexer.entriesOf(rows('Alpha', 2), commandsFor(user(), 1)).index).toBe(first.index);
  const renamed = indexer.entriesOf(rows('Beta', 3), commands);
  expect(renamed.index).not.toBe(first.index);
  expect([search(renamed.index, 'alpha').length, search(renamed.index, 'beta').length]).toEqual([0, 1]);
  expect(indexer.rows()).toMatchObject({ clients: [{ client_name: 'Beta' }] });
});
