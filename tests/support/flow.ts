import { afterAll, afterEach, beforeAll } from 'vitest';
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
