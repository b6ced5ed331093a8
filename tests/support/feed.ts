import { sql } from 'drizzle-orm';
import { v7 as uuidv7 } from 'uuid';
import { expect, vi } from 'vitest';
import { type FeedAnswer, feedProtocol, type Hello } from '#contract/feed.ts';
import { type Db, rowsOf } from '#server/database/open.ts';
import type { TestServer } from './server.ts';

/**
 * Waits until the feed tells of all that is committed. A transaction that runs elsewhere on the same PostgreSQL, as other test
 * files' do, holds it back for as long.
 */
export async function settled(db: Db): Promise<void> {
  const [own] = await rowsOf<{ xid: string }>(db, sql`select pg_current_xact_id()::text as xid`);
  const isPast = async () =>
    (await rowsOf<{ past: boolean }>(db, sql`select pg_snapshot_xmin(pg_current_snapshot()) > ${own?.xid}::xid8 as past`))[0]?.past;
  // also where a whole file gets ready, outside of any test
  await vi.waitFor(async () => expect(await isPast()).toBe(true), { interval: 5, timeout: 15_000 });
}

/** One device of somebody who is signed in, as the feed knows it. */
export async function aDevice(server: TestServer, email: string) {
  const { jar, call } = await server.signedIn(email);
  const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
  const deviceId = uuidv7();
  const hello = () => server.app.inject({ url: '/api/sync/v1/hello', headers: { cookie } });
  const { server_gen } = (await hello()).json<Hello>();
  const ask = (body: object) =>
    server.app.inject({
      method: 'POST',
      url: '/api/sync/v1/changes',
      headers: { cookie },
      payload: { protocol: feedProtocol.current, device_id: deviceId, server_gen, cursor: null, scopes: [], ...body },
    });
  /** Changes after a cursor, once all that is committed can be told. */
  const changes = async (cursor: string | null, scopes: readonly string[], limit?: number): Promise<FeedAnswer> => {
    await settled(server.database.db);
    const answer = await ask({ cursor, scopes, ...(limit === undefined ? {} : { limit }) });
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return answer.json<FeedAnswer>();
  };
  return { call, cookie, deviceId, hello, ask, changes, now: async () => (await changes(null, [])).cursor };
}

/** What the changes of an answer are, in few words: `put transactions <id>`. */
export const inWords = ({ changes }: FeedAnswer): string[] => changes.map(({ op, noun, id }) => `${op} ${noun} ${id}`);
