import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endOtherSessions, endOwnSession, getMe, listOwnSessions, refreshToken } from '#contract/session.ts';
import { aServer, type TestServer } from '#tests/support/server.ts';
import { aUser } from '#tests/support/world.ts';

const minute = 60_000;
const over = { code: 'not_authenticated' };
let server: TestServer;

beforeAll(async () => {
  server = await aServer();
});
afterAll(() => server.close());

const somebody = async () => (await aUser(server.database.db)).email;

describe('own sign-ins', () => {
  test('[SE19] a person sees their open sign-ins, the newest first: when each began, was last renewed, and which is this one', async () => {
    const email = await somebody();
    const first = await server.signedIn(email);
    const began = server.clock.now();
    server.clock.advance(40 * minute);
    await first.call(refreshToken, {});
    const second = await server.signedIn(email);
    const at = (ms: number) => new Date(ms).toISOString();
    const now = server.clock.now();
    const newest = { started_at: at(now), last_renewed_at: at(now) };
    const oldest = { started_at: at(began), last_renewed_at: at(now) };
    expect(await second.call(listOwnSessions, {})).toMatchObject([
      { ...newest, is_present: true },
      { ...oldest, is_present: false },
    ]);
    expect((await first.call(listOwnSessions, {})).map(({ is_present }) => is_present)).toEqual([false, true]);
    // the first one has run out by then, whether or not it was renewed
    server.clock.advance(12 * 60 * minute - 40 * minute);
    await second.call(refreshToken, {});
    expect(await second.call(listOwnSessions, {})).toHaveLength(1);
  });

  test('[SE20] one that is ended opens nothing any more, neither by its access nor by its refresh token', async () => {
    const email = await somebody();
    const [here, there] = [await server.signedIn(email), await server.signedIn(email)];
    const [other] = (await here.call(listOwnSessions, {})).filter(({ is_present }) => !is_present);
    const id = other?.id ?? '';
    await here.call(endOwnSession, { id });
    await expect(there.call(getMe, {})).rejects.toMatchObject(over);
    await expect(there.call(refreshToken, {})).rejects.toMatchObject(over);
    expect(await here.call(listOwnSessions, {})).toMatchObject([{ is_present: true }]);
    await here.call(endOwnSession, { id });
  });

  test('[SE21] all others are ended at once, and this one goes on', async () => {
    const email = await somebody();
    const [here, ...others] = [await server.signedIn(email), await server.signedIn(email), await server.signedIn(email)];
    expect(await here.call(endOtherSessions, {})).toEqual({ count: 2 });
    for (const { call } of others) await expect(call(getMe, {})).rejects.toMatchObject(over);
    expect((await here.call(getMe, {})).email).toBe(email);
    expect(await here.call(endOtherSessions, {})).toEqual({ count: 0 });
  });

  test('[SE22] nobody sees or ends the sign-ins of somebody else, a superuser neither', async () => {
    const theirs = await server.signedIn(await somebody());
    const [{ id } = { id: '' }] = await theirs.call(listOwnSessions, {});
    const boss = (await aUser(server.database.db, { is_superuser: true })).email;
    for (const email of [await somebody(), boss]) {
      const { call } = await server.signedIn(email);
      expect((await call(listOwnSessions, {})).map((session) => session.id)).not.toContain(id);
      await expect(call(endOwnSession, { id })).rejects.toMatchObject({ code: 'not_found', detail: 'Sign-in not found' });
      await call(endOtherSessions, {});
    }
    await expect(theirs.call(endOwnSession, { id: 'no uuid' })).rejects.toMatchObject({ code: 'not_found' });
    expect(await theirs.call(listOwnSessions, {})).toHaveLength(1);
  });
});
