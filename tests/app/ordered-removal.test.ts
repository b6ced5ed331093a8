import { v7 as uuidv7 } from 'uuid';
import { expect, test, vi } from 'vitest';
import { createClient } from '#api-client/call.ts';
import { withRenewal } from '#api-client/renewal.ts';
import type { Removal } from '#contract/devices.ts';
import type { Me } from '#contract/session.ts';
import { deviceIdOf } from '#replica/device-tables.ts';
import { browserStores } from '#replica/dexie-store.ts';
import { plainKeyOf } from '#replica/user-keys.ts';
import { outboxSchema } from '#replica/outbox-tables.ts';
import { replicaName } from '#replica/row-tables.ts';
import { dropIntent, intentsIn } from '#replica/wipe-intents.ts';
import { rememberRecent } from '#app/palette/recents.ts';
import { rememberOrganization } from '#app/shell/organization-search.ts';
import { copiesHere, noteCopy } from '#app/session/copies-here.ts';
import { keepUnlock } from '#app/session/offline-unlock.ts';
import { followRemovals } from '#app/session/ordered-removal.ts';
import { removedNote, removedText } from '#app/session/removed-note.ts';
import { openSession } from '#app/session/session.ts';
import { watchCall } from '#app/watched-call.ts';
import { aStorage } from '#tests/support/storage.ts';
import { keepUnsentMark } from '#tests/support/unsent-mark.ts';

const device = await deviceIdOf(browserStores, () => 'this device');
const at = '2026-09-14T00:00:00.000Z';

function aPerson(): Me {
  const id = uuidv7();
  return { id, email: `${id}@example.org`, name: null, is_superuser: false, permissions: {} };
}

type Asked = { question: string; user_id: string; device_id: string };
interface Answers {
  find: (asked: Asked, times: number) => Response | Promise<Response>;
  report?: (told: unknown) => Response;
}

/** A browser on which two people have copies with an edit each, and a server that answers as a test says. */
async function aBrowser({ find, report = () => Response.json({}) }: Answers) {
  const [ada, bob] = [aPerson(), aPerson()];
  const local = aStorage();
  const session = openSession(local, aStorage(), () => undefined);
  for (const me of [ada, bob]) {
    noteCopy(local, me);
    await keepUnsentMark(me.id);
    rememberRecent(local, me.id, 'client c');
    await keepUnlock(local, me, { kind: 'password', text: 'a password' }, { now: 0, mayKeep: () => true });
  }
  rememberOrganization(local, { organizationId: 'o' });
  let times = 0;
  const told: unknown[] = [];
  const signedOut: string[] = [];
  const fetch = (async (url: string, { body }: { body: string }) => {
    if (!url.endsWith('/sync/v1/removal')) return Response.json({ detail: 'Not authenticated' }, { status: 401 });
    const asked = JSON.parse(body) as Asked;
    if ('question' in asked) return asked.user_id === ada.id ? find(asked, (times += 1)) : nothing(asked);
    told.push(asked);
    return report(asked);
  }) as unknown as typeof globalThis.fetch;
  const client = withRenewal(createClient({ baseUrl: 'http://localhost/api', fetch }), (work) => work());
  const call = watchCall(client, { onSignedOut: () => void signedOut.push('out'), onDenied: () => undefined });
  const ports = { call, session, local, locks: null as LockManager | null, clock: () => 0 };
  const held = async (): Promise<string[]> => {
    const names = new Set((await indexedDB.databases()).map(({ name }) => name));
    const databasesOf = ({ id }: Me) => [replicaName(plainKeyOf(id)), outboxSchema(plainKeyOf(id)).name];
    const keysOf = ({ id, email }: Me) => [`palette_recents ${id}`, `offline_unlock ${email}`];
    const of = (me: Me, who: string): string[] => [
      ...databasesOf(me).map((name, index) => (names.has(name) ? `${who} ${['copy', 'edits'][index]}` : '')),
      ...keysOf(me).map((key, index) => (local.getItem(key) === null ? '' : `${who} ${['recents', 'unlock'][index]}`)),
    ];
    return [...of(ada, 'ada'), ...of(bob, 'bob')].filter((name) => name !== '');
  };
  const order = (changes: Partial<Removal> = {}): Removal => ({
    id: uuidv7(),
    user_id: ada.id,
    device_id: device,
    reason: 'revoked',
    ordered_at: at,
    ...changes,
  });
  return { ada, bob, local, session, ports, told, signedOut, held, order, follow: () => followRemovals(ports), asked: () => times };
}

const nothing = ({ question }: Asked): Response => Response.json({ question, removal: null });
const everything = ['ada', 'bob'].flatMap((who) => ['copy', 'edits', 'recents', 'unlock'].map((what) => `${who} ${what}`));
const ofBob = everything.filter((what) => what.startsWith('bob'));

async function intents(): Promise<unknown[]> {
  return intentsIn(browserStores);
}

test('[SG5] what the server orders to go is all that is here of that person, and nothing of anybody else; what goes unsent is told first', async () => {
  const whenTold: Promise<string[]>[] = [];
  const browser = await aBrowser({
    find: ({ question }) => Response.json({ question, removal: browser.order({ reason: 'disabled' }) }),
    report: () => {
      whenTold.push(browser.held());
      return Response.json({});
    },
  });
  expect(await browser.held()).toEqual(everything);
  await browser.follow();
  expect(await Promise.all(whenTold)).toEqual([everything]);
  expect(await browser.held()).toEqual(ofBob);
  expect(browser.local.getItem('organization_id')).toBe('o');
  expect(browser.told).toMatchObject([{ user_id: browser.ada.id, device_id: device, lost: [{ kind: 'transfer mark', count: 1 }] }]);
  expect([copiesHere(browser.local).map(({ id }) => id), await intents()]).toEqual([[browser.bob.id], []]);
  const note = removedNote(browser.local);
  expect(note && removedText(note, 'UTC')).toBe(
    `The account ${browser.ada.email} was disabled, so what Tieout kept here for it was removed on 01/01/1970 00:00 UTC. ` +
      '1 edit that had not reached the server went with it (transfer mark: 1). The server keeps a note of that. Whatever had reached the server is there.',
  );
  // there is nobody left to ask about
  const times = browser.asked();
  await browser.follow();
  expect(browser.asked()).toBe(times);
});

test('[SG6] no page of a network, no other server, no answer about somebody or something else and none that comes once removes anything', async () => {
  type Make = (asked: Asked, order: (changes?: Partial<Removal>) => Removal, times: number) => Response | Promise<Response>;
  const answers: Record<string, Make> = {
    'a page of a hotel': () => new Response('<html>Welcome</html>', { headers: { 'content-type': 'text/html' } }),
    'no network': () => Promise.reject(new TypeError('Failed to fetch')),
    'another server': () => Response.json({ detail: 'Not Found' }, { status: 404 }),
    'a server that wants a session': () => Response.json({ detail: 'Not authenticated' }, { status: 401 }),
    'a fault': () => Response.json({ detail: 'Something went wrong' }, { status: 500 }),
    'a refusal with an order': ({ question }, order) => Response.json({ question, removal: order() }, { status: 403 }),
    nothing: () => Response.json({}),
    'a bare yes': ({ question }) => Response.json({ question, removal: true, wipe: true }),
    'an order without a reason': ({ question }, order) => Response.json({ question, removal: { ...order(), reason: undefined } }),
    'an unknown reason': ({ question }, order) => Response.json({ question, removal: { ...order(), reason: 'because' } }),
    'no order': nothing,
    'another question': (_asked, order) => Response.json({ question: uuidv7(), removal: order() }),
    'another person': ({ question }, order) => Response.json({ question, removal: order({ user_id: uuidv7() }) }),
    'another device': ({ question }, order) => Response.json({ question, removal: order({ device_id: 'another device' }) }),
    'an order that is taken back': ({ question }, order, times) => Response.json({ question, removal: times % 2 === 1 ? order() : null }),
  };
  for (const [name, answer] of Object.entries(answers)) {
    const browser = await aBrowser({ find: (asked, times) => answer(asked, browser.order, times) });
    await browser.follow();
    expect([name, await browser.held()]).toEqual([name, everything]);
    expect([name, browser.told, browser.signedOut, removedNote(browser.local), await intents()]).toEqual([name, [], [], null, []]);
    expect([name, browser.asked() > 0]).toEqual([name, true]);
  }
});

test('[SG7] nobody is asked about who is signed in here, and whoever signs in before it is done keeps what is here', async () => {
  const browser = await aBrowser({
    find: ({ question }, times) => {
      // in another tab, while it is asked the second time
      if (times === 2) browser.session.resume(browser.ada);
      return Response.json({ question, removal: browser.order() });
    },
  });
  browser.session.resume(browser.ada);
  await browser.follow();
  expect([browser.asked(), await browser.held()]).toEqual([0, everything]);
  browser.session.clear();
  await browser.follow();
  expect([browser.asked(), await browser.held(), browser.told]).toEqual([2, everything, []]);
});

test('[SG8] a removal that is cut short is gone on with at the next start, without the network, too; the server hears of it once it can', async () => {
  let hears = false;
  const refusal = () => Response.json({ detail: 'Unavailable' }, { status: 503 });
  const browser = await aBrowser({
    find: ({ question }) => (hears ? nothing({ question } as Asked) : Response.json({ question, removal: browser.order() })),
    report: () => (hears ? Response.json({}) : refusal()),
  });
  // the browser ends before anything of it is gone
  const request = () => Promise.reject(new Error('ended'));
  await followRemovals({ ...browser.ports, locks: { request: engineOnly(request) } as unknown as LockManager });
  expect((await browser.held()).filter((what) => /copy|edits/.test(what))).toEqual(everything.filter((what) => /copy|edits/.test(what)));
  // what opens it without the network went first
  expect(await browser.held()).not.toContain('ada unlock');
  const unsent = [{ kind: 'transfer mark', count: 1 }];
  expect(await intents()).toMatchObject([{ lost: unsent, is_told: false, is_gone: false }]);
  const none = () => Promise.reject(new TypeError('Failed to fetch'));
  const offline = createClient({ baseUrl: 'http://localhost/api', fetch: none });
  await followRemovals({ ...browser.ports, call: offline });
  expect(await browser.held()).toEqual(ofBob);
  expect(await intents()).toMatchObject([{ lost: unsent, is_told: false, is_gone: true }]);
  hears = true;
  await browser.follow();
  expect(browser.told.at(-1)).toMatchObject({ user_id: browser.ada.id, lost: unsent });
  expect([await browser.held(), await intents()]).toEqual([ofBob, []]);
});

test('[SG11] what somebody still works with is not said to be gone; it goes as soon as they let go, and is said to be then', async () => {
  const browser = await aBrowser({ find: ({ question }) => Response.json({ question, removal: browser.order() }) });
  const said = (): string => {
    const note = removedNote(browser.local);
    return note === null ? '' : removedText(note, 'UTC');
  };
  const heard: string[] = [];
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    let letGo = (): void => undefined;
    const free = new Promise<void>((resolve) => (letGo = resolve));
    const request = (_name: string, work: () => Promise<unknown>): Promise<unknown> => {
      // nobody waits any longer
      if (heard.length === 0) queueMicrotask(() => vi.runAllTimers());
      return free.then(work);
    };
    const following = followRemovals({ ...browser.ports, locks: { request: engineOnly(request) } as unknown as LockManager }, () =>
      heard.push(said()),
    );
    await expect.poll(() => heard.length).toBe(1);
    expect((await browser.held()).filter((what) => what.startsWith('ada'))).toEqual(['ada copy', 'ada edits']);
    expect(heard[0]).toMatch(/so that goes\. Some of it is still in use: .* close all other tabs of Tieout\.$/);
    letGo();
    await following;
    expect([await browser.held(), await intents()]).toEqual([ofBob, []]);
    expect(heard.at(-1)).toMatch(/that was done on 01\/01\/1970/);
  } finally {
    vi.useRealTimers();
  }
});

test('[SG8] whoever signed in again before a removal was gone on with has begun anew, and nothing of theirs goes', async () => {
  const browser = await aBrowser({ find: ({ question }) => Response.json({ question, removal: browser.order() }) });
  const request = () => Promise.reject(new Error('ended'));
  await followRemovals({ ...browser.ports, locks: { request: engineOnly(request) } as unknown as LockManager });
  expect(await intents()).toHaveLength(1);
  browser.session.signIn({ refresh_token: 'r', expires_at: '2026-09-14T00:00:00.000' }, browser.ada);
  await browser.follow();
  expect([(await browser.held()).filter((what) => /ada (copy|edits)/.test(what)), await intents()]).toEqual([
    ['ada copy', 'ada edits'],
    [],
  ]);
  await dropIntent(browserStores, browser.ada.id);
});

/** Locks that are given at once, but for the one of a worker that writes. */
function engineOnly(ofEngine: (name: string, work: () => Promise<unknown>) => Promise<unknown>) {
  return (name: string, work: () => Promise<unknown>): Promise<unknown> =>
    name.startsWith('tieout-engine') ? ofEngine(name, work) : work();
}
