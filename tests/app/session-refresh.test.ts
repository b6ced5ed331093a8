import { expect, test } from 'vitest';
import type { ApiCall } from '#api-client/call.ts';
import { openSession } from '#app/session/session.ts';
import { refreshOnActivity } from '#app/session/session-refresh.ts';
import { sessionLimits } from '#contract/session.ts';
import { expiresAtText } from '#domain/session.ts';
import { aStorage } from '#tests/support/storage.ts';

test('[SE24] whether to renew is looked at on each load, click and scroll, until the page is left', async () => {
  let now = Date.UTC(2026, 8, 14);
  const clock = () => now;
  const anAnswer = () => ({ refresh_token: 'a', expires_at: expiresAtText(now + sessionLimits.accessMs) });
  let asked = 0;
  const call = (async () => {
    asked += 1;
    return anAnswer();
  }) as unknown as ApiCall;
  const session = openSession(aStorage(), aStorage(), () => undefined);
  session.signIn(anAnswer(), { id: 'u', email: 'a@example.org', name: null, is_superuser: false, permissions: {} });
  const page = new EventTarget();
  const services = { call, session, clock, locks: null, apiBaseUrl: '', engine: { open: async () => undefined } };
  const begin = () => refreshOnActivity(services, page);
  const does = (what: string) => () => void page.dispatchEvent(new Event(what));
  /** How often it is asked for where so many minutes remain. */
  const askedAt = async (minutes: number, activity: () => unknown): Promise<number> => {
    session.keepAnswer({ refresh_token: 'a', expires_at: expiresAtText(now + minutes * 60_000) });
    now += 1;
    const before = asked;
    activity();
    // all of it is done by then: nothing here waits for anything
    await new Promise((resolve) => setTimeout(resolve, 0));
    now += 2 * 60_000;
    return asked - before;
  };
  let end: () => void = () => undefined;
  expect(await askedAt(29, () => (end = begin()))).toBe(1);
  for (const what of ['click', 'scroll']) {
    expect([what, await askedAt(29, does(what)), await askedAt(31, does(what))]).toEqual([what, 1, 0]);
  }
  end();
  expect([await askedAt(29, does('click')), await askedAt(29, does('scroll'))]).toEqual([0, 0]);
});
