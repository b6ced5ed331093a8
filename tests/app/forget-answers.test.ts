import { resolveObjectURL } from 'node:buffer';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, expect, test } from 'vitest';
import type { Me } from '#contract/session.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { closeReplica, openReplica } from '#replica/open.ts';
import { purgeScope } from '#replica/purge.ts';
import { forgetWithPerson, forgetWithSight } from '#app/forget-answers.ts';
import { holdUrl } from '#app/object-urls.ts';
import { organizationSettingsKey, referenceKey } from '#app/query-keys.ts';
import { queryBehaviour } from '#app/query-behaviour.ts';
import { openSession } from '#app/session/session.ts';
import { aStorage } from '#tests/support/storage.ts';
import { planted } from '#tests/support/stored.ts';

const ending: (() => void)[] = [];
afterEach(() => {
  for (const end of ending.splice(0)) end();
});

/** A page that shows one answer, holds others, and waits for one more. */
function aPage() {
  const queries = new QueryClient({ defaultOptions: { queries: queryBehaviour } });
  queries.setQueryData(['entity_balances', 'e'], ['CANARY balance']);
  queries.setQueryData([referenceKey, 'roles'], ['Auditor']);
  queries.setQueryData(organizationSettingsKey('o'), 'CANARY settings');
  queries.setQueryData(organizationSettingsKey('p'), 'settings of another');
  let answer = 'CANARY shown';
  const shown = new QueryObserver(queries, { queryKey: ['unreconciled', 'e'], queryFn: async () => answer });
  const told: unknown[] = [];
  ending.push(
    shown.subscribe(({ data }) => void told.push(data)),
    () => queries.clear(),
  );
  let arrive: (value: string) => void = () => undefined;
  const late = queries.fetchQuery({ queryKey: ['late'], queryFn: () => new Promise<string>((resolve) => (arrive = resolve)) });
  late.catch(() => undefined);
  return {
    queries,
    shown,
    told,
    answers: (text: string) => void (answer = text),
    arrive: () => arrive('CANARY late'),
    held: () =>
      JSON.stringify(
        queries
          .getQueryCache()
          .getAll()
          .map(({ state }) => state.data),
      ),
  };
}

async function aCopy() {
  const replica = await openReplica(browserStores, uuidv7(), 0);
  ending.push(() => closeReplica(replica));
  await planted(
    replica.rows,
    'organizations',
    ['o', 'p'].map((id) => ({ id, _scope: 'user' }) as never),
  );
  return replica;
}

test('[SY35] what may no longer be seen goes from the memory of pages at once, with answers on their way; what is shown is asked for again', async () => {
  const page = aPage();
  const replica = await aCopy();
  const url = holdUrl(new Blob(['CANARY file']));
  await expect.poll(() => page.told.at(-1)).toBe('CANARY shown');
  ending.push(forgetWithSight(page.queries, replica));
  // rows come and go without anything being lost
  await planted(replica.rows, 'organizations', [{ id: 'q', _scope: 'user' } as never]);
  page.answers('what may be seen');
  await purgeScope(replica, 'entity:e', []);
  await expect.poll(() => page.told.at(-1)).toBe('what may be seen');
  // nothing was shown in between
  expect(page.told.filter((data) => data === undefined).length).toBeGreaterThan(0);
  page.arrive();
  expect([page.queries.getQueryData(['late']), resolveObjectURL(url)]).toEqual([undefined, undefined]);
  expect(JSON.parse(page.held())).toEqual(expect.arrayContaining([['Auditor'], 'CANARY settings', 'settings of another']));
  expect(page.held()).not.toContain('balance');
  // and what an organization has set goes with the organization, also where nothing else was lost
  await replica.rows.write(['organizations'], (tx) => tx.remove('organizations', 'o'));
  await expect.poll(page.held).not.toContain('CANARY');
  expect(page.held()).toContain('settings of another');
});

test('[SY36] what is kept of an organization that went out of sight while no page looked is not shown by the next', async () => {
  const page = aPage();
  const replica = await aCopy();
  await replica.rows.write(['organizations'], (tx) => tx.remove('organizations', 'o'));
  ending.push(forgetWithSight(page.queries, replica));
  await expect.poll(page.held).not.toContain('CANARY settings');
  // nothing else was lost
  expect(page.held()).toContain('CANARY balance');
});

test('[SE55] what one person was answered is gone before the next one is signed in, in whichever tab they left', () => {
  const local = aStorage();
  let hear: (key: string | null) => void = () => undefined;
  const session = openSession(local, aStorage(), (heard) => (hear = heard));
  const aPerson = (id: string): Me => ({ id, email: `${id}@example.org`, name: null, is_superuser: false, permissions: {} });
  session.resume(aPerson('a'));
  const { queries, held } = aPage();
  const url = holdUrl(new Blob(['CANARY file']));
  ending.push(forgetWithPerson(queries, session));
  session.update({ ...aPerson('a'), name: 'Ada' });
  expect(held()).toContain('CANARY');
  // another tab signed somebody else in: this one hears of that alone
  local.setItem('user', JSON.stringify(aPerson('b')));
  let seenByNext: string | null = null;
  ending.push(session.subscribe(() => (seenByNext = held())));
  hear('user');
  expect([session.user()?.id, seenByNext, resolveObjectURL(url)]).toEqual(['b', '[]', undefined]);
});
