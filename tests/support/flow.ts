import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { pendingMutations } from '#replica/outbox.ts';
import type { OutboxStore } from '#replica/outbox-tables.ts';
import { browsersOn } from './browser.ts';
import { aServer, type TestServer } from './server.ts';

/** The real server, for all tests of a file, and browsers of people who are signed in there, which end with each test. */
export function aFlow(): { server: TestServer; browsers: ReturnType<typeof browsersOn> } {
  // filled before the first test
  const server = {} as TestServer;
  const browsers = browsersOn(() => server);
  beforeAll(async () => {
    Object.assign(server, await aServer());
  });
  afterEach(() => browsers.close());
  afterAll(() => server.close());
  return { server, browsers };
}

/** Sends what a laptop has until its edits are in these states. */
export async function settleTo(states: string[], { outbox, sync }: { outbox: OutboxStore; sync: () => Promise<unknown> }): Promise<void> {
  await expect
    .poll(async () => {
      await sync();
      return (await pendingMutations(outbox)).map(({ state }) => state);
    })
    .toEqual(states);
}
