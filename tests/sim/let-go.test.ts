import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { listClients } from '#contract/clients.ts';
import { listEntities } from '#contract/entities.ts';
import { listOrganizations } from '#contract/organizations.ts';
import { getMe } from '#contract/session.ts';
import { listAccounts } from '#contract/accounts.ts';
import { listTransactions, selectTransactions } from '#contract/transactions.ts';
import type { Entity } from '#contract/entities.ts';
import type { PullRow } from '#replica/pulls.ts';
import type { CountsRecord } from '#replica/row-tables.ts';
import { OneServer } from './one-server.ts';
import { rowsOnDisk } from './rows-on-disk.ts';

const kinds = ['feed', 'specification'] as const;

test('[KD18] a stretch that is read for an import while its client is left out brings nothing of it back', async () => {
  const scene = new OneServer('feed');
  const { device, entity } = scene;
  await scene.pass(5);
  const engine = device.workers[0]?.engine;
  const asked: Promise<unknown>[] = [];
  device.disk.onCommit = ({ database, tables }) => {
    // the rows went, and whatever follows from that is still to come
    if (database !== device.rowsName || !tables.includes('manifests') || scene.rowsHeld > 0) return;
    device.disk.onCommit = () => undefined;
    asked.push(engine?.pullRange(entity.id, '2000-01-01', '2100-01-01') ?? Promise.resolve());
  };
  void engine?.keepClient(entity.client_id, false);
  await scene.pass(10);
  await Promise.all(asked);
  expect([asked.length, scene.rowsHeld]).toEqual([1, 0]);
});

test.each(kinds)('[SY72] an account that went from one part of a list to the other while they were read is kept: %s', async (kind) => {
  const scene = new OneServer(kind);
  const { server, entity } = scene;
  const [account] = server.accounts.filter(({ client_id }) => client_id === entity.client_id);
  if (!account) throw new Error('A client has accounts');
  Object.assign(account, { is_inactive: true });
  await scene.pass(5);
  expect(scene.held('accounts').map(({ id }) => id)).toContain(account.id);
  scene.alter(({ path, query }, answer) => {
    if (path === listAccounts.path && query.get('client_id') === entity.client_id)
      Object.assign(account, { is_inactive: query.get('is_inactive') === 'true' ? account.is_inactive : false });
    return answer;
  });
  scene.look();
  let wasAway = false;
  // a list that a feed keeps true is read again after a day
  for (let minute = 0; minute < (kind === 'feed' ? 25 * 60 : 60); minute += 1) {
    await scene.pass(1);
    wasAway ||= !scene.held('accounts').some(({ id }) => id === account.id);
  }
  expect(wasAway).toBe(false);
});

test.each(
  kinds.flatMap((kind) =>
    [
      { noun: 'organizations', path: listOrganizations.path, right: 'organization_read' },
      { noun: 'clients', path: listClients.path, right: 'client_read' },
      { noun: 'entities', path: listEntities.path, right: 'entity_read' },
    ].map((list) => ({ kind, ...list })),
  ),
)(
  '[SY73] the rows of a list go with the right to it, be they places, and come back with it: $kind, $noun',
  async ({ kind, noun, path, right }) => {
    const scene = new OneServer(kind);
    await scene.pass(5);
    const held = (): number => scene.device.disk.peek(scene.device.rowsName, noun).length;
    const before = held();
    expect(before).toBeGreaterThan(0);
    const regain = scene.alter((request, answer) => {
      if (request.path === path) return { status: 403, body: { detail: 'Permission denied' } };
      const me = answer.body as { permissions?: object };
      return request.path === getMe.path ? { ...answer, body: { ...me, permissions: { ...me.permissions, [right]: false } } } : answer;
    });
    await scene.passUntil(() => held() === 0, 25 * 60);
    expect(held()).toBe(0);
    regain();
    const stand = (): number[] => [held(), scene.rowsHeld];
    const whole = [before, scene.newestFirst().length];
    await scene.passUntil(() => stand().join() === whole.join(), 25 * 60);
    expect(stand()).toEqual(whole);
  },
);

test.each([
  { which: 'all', gone: ['client_read', 'entity_read', 'account_read', 'transaction_read'], stays: [] },
  { which: 'clients', gone: ['client_read'], stays: ['accounts', 'transactions'] },
  { which: 'clients and accounts', gone: ['client_read', 'account_read'], stays: ['transactions'] },
  { which: 'entities and transactions', gone: ['entity_read', 'transaction_read'], stays: ['accounts'] },
])(
  '[SY97] where a device wakes up to find rights to places and to what lies in them gone together, nothing stays that nobody can ask for any more, and all comes back with them: $which',
  async ({ gone, stays }) => {
    const scene = new OneServer('specification');
    const { device } = scene;
    await scene.pass(10);
    const held = (): Record<string, number> => ({ accounts: scene.held('accounts').length, transactions: scene.rowsHeld });
    const before = held();
    expect(Object.values(before)).not.toContain(0);
    device.killAll();
    await scene.pass(60);
    const lists = [listClients, listEntities, listAccounts, listTransactions, selectTransactions];
    const regain = scene.alter((request, answer) => {
      const isRefused = lists.some(({ path, permission }) => path === request.path && gone.includes(permission));
      if (isRefused) return { status: 403, body: { detail: 'Permission denied' } };
      const me = answer.body as { permissions?: object };
      const none = Object.fromEntries(gone.map((right) => [right, false]));
      return request.path === getMe.path ? { ...answer, body: { ...me, permissions: { ...me.permissions, ...none } } } : answer;
    });
    device.revive();
    await scene.pass(60);
    expect(held()).toEqual(Object.fromEntries(Object.entries(before).map(([name, rows]) => [name, stays.includes(name) ? rows : 0])));
    regain();
    await scene.passUntil(() => isDeepStrictEqual(held(), before), 25 * 60);
    expect(held()).toEqual(before);
  },
);

test.each(kinds)(
  '[SY45] an entity that went to another client since an older build wrote its rows leaves none where it was: %s',
  async (kind) => {
    const scene = new OneServer(kind);
    const { device, server } = scene;
    // nothing else of its client is read again, and written
    const isAlone = ({ client_id }: Entity): boolean => server.entities.filter((one) => one.client_id === client_id).length === 1;
    const entity = { ...(server.entities.find(isAlone) ?? scene.entity) };
    const other = server.clients.find(({ id }) => id !== entity.client_id);
    const atServer = server.visibleTransactions().filter(({ entity_id }) => entity_id === entity.id).length;
    await scene.pass(5);
    device.killAll();
    // as it left it: how many rows there are was noted with the pulls
    const counts = device.disk.peek<CountsRecord>(device.rowsName, 'counts').flatMap(({ rows }) => Object.entries(rows));
    for (const pull of device.disk.peek<PullRow>(device.rowsName, 'pulls'))
      if (pull.noun === 'transactions') Object.assign(pull, { rows: Object.fromEntries(counts)[pull.scope] });
    device.disk.damage(device.rowsName, 'counts');
    server.moveEntity(entity.id, other?.id ?? '');
    device.revive();
    await scene.pass(60);
    const isIn = (client: string): number =>
      [...rowsOnDisk(device, client).values()].filter(({ entity_id }) => entity_id === entity.id).length;
    expect([isIn(entity.client_id), isIn(other?.id ?? '')]).toEqual([0, atServer]);
  },
);
